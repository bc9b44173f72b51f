/* Rates of sonde fdtd on a device: cells times steps per second, their minimum memory traffic relative to the
 * device's copy rate, and a plain loop on the host in the same run. Run by hand or by make bench.
 *
 *     bench_fdtd [DEVICE [CELLS [WORK]]]
 *
 * CELLS: number of cells along an edge of the cube; default: 256 on CPUs, 512 and 1024 on GPUs. WORK: only this one. */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "fdtd/fields/fields_gpu.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd_baseline.h"
#include "sonde/sonde.h"

#define LAYER 11
#define SECONDS 1.5 /* of a measurement, about */
#define FREQUENCIES 50
#define INTERVAL 4 /* monitors sample one of this many steps */

static void must(sonde_status status)
{
	if (status == SONDE_OK)
		return;
	fprintf(stderr, "bench_fdtd: %s\n", sonde_status_message());
	exit(1);
}

struct work {
	const char *name;
	bool single, poles, flux, wave, in_place, flat, alone, in_words;
};
/* GPUs may keep a second copy of the fields and step both at once, and take two steps at once unless `alone` */
static const struct work works[] = {{"float32", .single = true},
				    {"float32, single steps", .single = true, .alone = true},
				    {"float32, one copy", .single = true, .in_place = true},
				    {"float32, a pole in a tenth", .single = true, .poles = true},
				    {"float32, 50 frequencies", .single = true, .flux = true},
				    {"float32, a plane wave", .single = true, .wave = true},
				    {"float16-storage", .single = true, .in_words = true},
				    {"float16-storage, single", .single = true, .in_words = true, .alone = true},
				    {"float16-storage, one copy", .single = true, .in_words = true, .in_place = true},
				    {"float64", .single = false},
				    {"float64, one copy", .in_place = true},
				    {"float32, two dimensions", .single = true, .flat = true}};

/* Of a square in two dimensions. */
static int side_of_square(int cells)
{
	return 8 * cells;
}

/* Bytes that a cell needs in a step: all fields read and written once in each half, or both at once, or in two steps; numbers of media; convolutions of layers. In two
 * dimensions E across them and two components of H. */
static double bytes_of_cell(const struct work *work, bool both, bool pairs, int cells)
{
	double number = work->single ? 4.0 : 8.0, stored = work->in_words ? 2.0 : number,
	       layers = 6.0 * LAYER / cells;

	if (work->flat)
		return 9.0 * number + 1.0 + 4.0 * LAYER / side_of_square(cells) * 4.0 * number;
	if (pairs)
		return 0.5 * (12.0 * stored + layers * 8.0 * number);
	return (both ? 12.0 : 18.0) * stored + 3.0 + layers * 8.0 * number +
	       (work->poles ? 0.1 * 3.0 * (8.0 + 6.0 * number) : 0.0);
}

/* Vacuum, except for a slab across x of a tenth of the cells. */
static void make_media(const struct fdtd_grid *grid, const struct work *work, struct media *media)
{
	struct medium glass = {.permittivity = 2.0, .permeability = 1.0};
	int first = grid->cells[0] / 2, end = first + grid->cells[0] / 10;
	uint16_t number;

	must(media_make(grid, 1, 0, media));
	if (work->poles)
		glass.pole[glass.poles++] = medium_pole_lorentz(1.0, 0.3, 0.01);
	must(media_add(media, &glass, &number));
	for (int a = 0; a < 3; ++a)
		for (size_t row = media_at(grid, first, 0, 0); row < media_at(grid, end, 0, 0);
		     row += (size_t)grid->cells[2] + 1)
			must(media_fill(media->edges[a], row, 0, (size_t)grid->cells[2] + 1, number));
}

static double seconds_of(struct simulation *simulation, uint64_t steps)
{
	double began = clock_seconds();

	must(simulation_run(simulation, steps, NULL));
	return clock_seconds() - began;
}

static double constant_one(const void *user, double time)
{
	(void)user;
	(void)time;
	return 1.0;
}

/* In the middle, along y: so E along it and H across it are stepped. */
static void add_dipole_across(struct simulation *simulation, const struct media *media)
{
	const int *cells = simulation->fields.grid.cells;
	const struct current_signal signal = {constant_one, NULL, 0.0};
	struct injection_terms terms = {0};

	must(injection_add(&terms, fields_place(&simulation->fields, 1, cells[0] / 2, 0, cells[2] / 2), 0, 1.0));
	must(simulation_add_current(simulation, media, FIELD_E, &terms, &signal, 1));
	free(terms.terms);
}

/* In a box as large as possible, along x. */
static void add_wave(struct simulation *simulation, const struct media *media)
{
	const struct fdtd_grid *grid = &simulation->fields.grid;
	struct total_field_box box = {.faces = {{1, 1}, {1, 1}, {1, 1}}};
	struct incident_wave wave;

	for (int a = 0; a < 3; ++a) {
		box.low[a] = LAYER + 4;
		box.high[a] = grid->cells[a] - LAYER - 4;
	}
	must(incident_make((const int[3]){1, 0, 0}, grid->courant, (const double[3]){0.0, 1.0, 0.0}, box.low,
			   box.high, constant_one, NULL, &wave));
	must(simulation_add_total_field(simulation, media, &box, &wave));
}

static double rate_of(struct device *device, const struct work *work, int cells, double *bytes, double *needed)
{
	const struct absorbing_layer layer = absorbing_layer_of(LAYER);
	struct fdtd_grid grid = {.cells = {cells, cells, cells},
				 .courant = {0.5, 0.5, 0.5},
				 .layers = {{layer, layer}, {layer, layer}, {layer, layer}}};
	struct simulation simulation;
	double all = (double)cells * cells * cells;
	struct media media;

	if (work->flat) {
		grid = (struct fdtd_grid){.cells = {side_of_square(cells), 1, side_of_square(cells)},
					  .courant = {0.5, 0.0, 0.5},
					  .layers = {{layer, layer}, {{0}}, {layer, layer}}};
		all = (double)grid.cells[0] * grid.cells[2];
	}
	grid.in_words = work->in_words;
	make_media(&grid, work, &media);
	*bytes = fields_bytes(&grid, media.count, true, false, work->single, fields_suit_gpu(device)) / all;
	must(simulation_make(device, &grid, &media, work->single, &simulation));
	if (work->flat)
		add_dipole_across(&simulation, &media);
	if (work->wave)
		add_wave(&simulation, &media);
	media_free(&media);
	simulation.in_place = work->in_place;
	simulation.pairing = work->alone || !device_properties(device)->copies_to_local ? PAIRING_OFF : PAIRING_ON;
	if (work->flux) {
		struct flux_plane planes[6];
		double omegas[FREQUENCIES];
		int low[3], high[3];
		for (int f = 0; f < FREQUENCIES; ++f)
			omegas[f] = 0.1 + 0.2 * f / FREQUENCIES;
		for (int a = 0; a < 3; ++a) {
			low[a] = LAYER + 10;
			high[a] = cells - LAYER - 10;
		}
		int count = flux_planes_of_box(&grid, low, high, planes);
		must(simulation_add_spectrum(&simulation, planes, count, omegas, FREQUENCIES, INTERVAL));
	}
	double once = seconds_of(&simulation, 2 * MOST_SAMPLES);
	uint64_t steps = 2 * MOST_SAMPLES * (uint64_t)fmax(1.0, floor(0.5 * SECONDS / once));
	double best = INFINITY;
	for (int turn = 0; turn < 2; ++turn)
		best = fmin(best, seconds_of(&simulation, steps) / (double)steps);
	*needed = bytes_of_cell(work, simulation.both, simulation.pairs != NULL, cells);
	if (simulation.both)
		*bytes += (double)(simulation.fields.next[0].bytes + simulation.fields.next[1].bytes) / all;
	if (simulation.pairs != NULL)
		*bytes += (double)(simulation.pairs->two.psi.bytes + simulation.pairs->two.between.bytes) / all;
	simulation_release(&simulation);
	return all / best;
}

int main(int argc, char **argv)
{
	const char *name = argc > 1 ? argv[1] : "cpu";
	const struct device_settings settings = {.kernel_cache = ""};
	struct device *device;
	sonde_context *context;
	sonde_device_speed speed;
	int sizes[2] = {256, 0};

	must(device_open(name, &settings, &device));
	must(sonde_context_create(&context));
	must(sonde_context_measure_device(context, name, &speed));
	if (device_properties(device)->gpu_kernels) {
		sizes[0] = 512;
		sizes[1] = 1024;
	}
	if (argc > 2) {
		sizes[0] = atoi(argv[2]);
		sizes[1] = 0;
	}
	double plain = fdtd_baseline(160, 20);
	printf(
	    "%s: copies %.3g GB/s; a plain loop on the host, in a box of conductors, %.3g Gcell/s on all threads\n",
	    name, 1e-9 * speed.bandwidth, 1e-9 * plain);
	printf("%6s  %-28s %9s %12s %11s %11s\n", "cells", "work, 11-cell layers", "Gcell/s", "% of copying",
	       "plain loops", "bytes/cell");
	for (int s = 0; s < 2 && sizes[s] > 0; ++s)
		for (size_t w = 0; w < sizeof works / sizeof *works; ++w) {
			double bytes, needed, rate;
			if ((sizes[s] > 800 && !works[w].single) ||
			    ((works[w].in_place || works[w].alone) && !device_properties(device)->gpu_kernels) ||
			    (argc > 3 && strcmp(argv[3], works[w].name) != 0))
				continue;
			rate = rate_of(device, &works[w], sizes[s], &bytes, &needed);
			printf("%5d3  %-28s %9.4g %12.1f %11.1f %11.1f\n", sizes[s], works[w].name, 1e-9 * rate,
			       100.0 * rate * needed / speed.bandwidth, rate / plain, bytes);
			fflush(stdout);
		}
	sonde_context_free(&context);
	device_close(&device);
	return 0;
}
