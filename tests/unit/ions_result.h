/* A result of `ions` with known values, not made by a run. */
#ifndef TESTS_UNIT_IONS_RESULT_H
#define TESTS_UNIT_IONS_RESULT_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/support.h"

#include "base/memory.h"
#include "ions/output/result.h"

#define WIDTH 50.0
#define FLUENCE 1e15

static const char *const of_all[] = {"implanted ions",  "ionization by ions",  "ionization by recoils",
				     "phonons by ions", "phonons by recoils",  "stored energy",
				     "damage energy",   "displacements (NRT)", "displacements (arc-dpa)"};
static const char *const of_kind[] = {"primary recoils",      "energy to recoils", "vacancies by ions",
				      "vacancies by recoils", "replacements",      "interstitials"};
static const char *const labels[] = {"He", "Si in layer 1", "O", "Si in layer 2"};

static double value_of(int tally, int64_t cell)
{
	return (tally + 1) * 1e-3 * (double)(cell + 1);
}

static void *allocate(size_t count, size_t size)
{
	void *memory = calloc(count > 0 ? count : 1, size);

	assert_non_null(memory);
	return memory;
}

static void make_tally(sonde_ions_result *result, const char *name, const char *of)
{
	int number = result->tally_count++;
	sonde_ions_tally *tally = &result->tallies[number];
	int64_t cells = result->size[0] * result->size[1] * result->size[2];
	bool energy =
	    strstr(name, "energy") != NULL || strstr(name, "ionization") != NULL || strstr(name, "phonons") != NULL;

	strcpy(tally->name, name);
	strcpy(tally->of, of);
	strcpy(tally->unit, energy ? "eV" : "");
	tally->values = allocate((size_t)cells, sizeof(double));
	tally->errors = allocate((size_t)cells, sizeof(double));
	for (int64_t i = 0; i < cells; ++i) {
		tally->values[i] = value_of(number, i);
		tally->errors[i] = 0.1 * value_of(number, i);
		tally->inside.value += value_of(number, i);
	}
	tally->inside.error = 0.5;
	tally->total = (sonde_estimate){tally->inside.value + 1.0, 0.75};
}

static void make_kinds(sonde_ions_result *result)
{
	static const int numbers[] = {2, 14, 8, 14}, layers[] = {-1, 0, 0, 1};
	static const double masses[] = {4.0026, 28.086, 15.999, 28.086},
			    fractions[] = {1.0, 1.0 / 3.0, 2.0 / 3.0, 1.0};

	result->kind_count = 4;
	result->kinds = allocate(4, sizeof *result->kinds);
	for (int k = 0; k < 4; ++k) {
		strcpy(result->kinds[k].label, labels[k]);
		result->kinds[k].atomic_number = numbers[k];
		result->kinds[k].layer = layers[k];
		result->kinds[k].mass = masses[k];
		result->kinds[k].fraction = fractions[k];
		result->kinds[k].displacement = 15.0 + k;
		result->kinds[k].lattice = 2.0;
		result->kinds[k].surface_binding = 4.7;
	}
	result->layer_count = 2;
	result->layers = allocate(2, sizeof *result->layers);
	result->layers[0] = (sonde_ions_layer){"SiO2", 0.0, 75.0, 2.2, 0.0662, "solid", 0};
	result->layers[1] = (sonde_ions_layer){"Si", 75.0, INFINITY, 2.33, 0.04996, "", 1};
}

static void make_lists(sonde_ions_result *result)
{
	result->spectrum_count = 3;
	result->spectrum_edges = allocate(4, sizeof(double));
	result->spectra = allocate(9, sizeof(double));
	for (int k = 0; k < 4; ++k)
		result->spectrum_edges[k] = pow(10.0, k);
	for (int k = 0; k < 9; ++k)
		result->spectra[k] = 0.5 * k;
	result->exit_count = 4;
	result->exits_left_out = 7;
	result->exits = allocate(4, sizeof *result->exits);
	result->exits[0] = (sonde_ions_exit){0,
					     0,
					     SONDE_IONS_TRANSMITTED,
					     20715354.0,
					     {10001.77, -20.65, -47.04},
					     {0.9999303, -0.0104408, -0.0055138}};
	result->exits[1] =
	    (sonde_ions_exit){122455, 0, SONDE_IONS_BACKSCATTERED, 512.25, {-0.5, 0.0, 1.5}, {-1.0, 0.0, 0.0}};
	result->exits[2] =
	    (sonde_ions_exit){3, 2, SONDE_IONS_BACKSCATTERED, 3.5, {0.0, 2.0, -2.0}, {-0.6, 0.0, -0.8}};
	result->exits[3] = (sonde_ions_exit){4, 1, SONDE_IONS_TRANSMITTED, 9.0, {200.0, 2.0, -2.0}, {0.6, 0.0, -0.8}};
	result->vertex_count = 3;
	result->vertices = allocate(3, sizeof *result->vertices);
	for (int k = 0; k < 3; ++k)
		result->vertices[k] = (sonde_ions_vertex){0, k / 2, k / 2, 1e5 - k, {10.0 * k, 1.0, -1.0}};
}

static void make_summary(sonde_ions_result *result)
{
	result->ions = 1000;
	result->implanted = 985;
	result->backscattered = 10;
	result->transmitted = 5;
	result->range = (sonde_estimate){6785.12, 1.25};
	result->straggling = (sonde_estimate){1659.0, 0.9};
	result->skewness = (sonde_estimate){-0.6223, 0.01};
	result->kurtosis = (sonde_estimate){3.3941, 0.02};
	result->lateral_range = (sonde_estimate){1401.0, 2.0};
	result->lateral_straggling = (sonde_estimate){1751.0, 2.0};
	result->radial_range = (sonde_estimate){2192.0, 2.0};
	result->path = (sonde_estimate){9000.0, 3.0};
	result->sputtered = (sonde_estimate){0.125, 0.01};
	result->vacancies = (sonde_estimate){847.5, 2.0};
	result->replacements = (sonde_estimate){31.25, 0.5};
	result->energy_in = 1e5;
	result->energy_left = 125.0;
	result->collisions[0] = 300.0;
	result->collisions[1] = 9000.0;
	strcpy(result->ion, "4He");
	result->ion_mass = 4.0026;
	result->energy = 1e5;
	result->seconds = 1.5;
}

static sonde_ions_result *make_result(int64_t nx, int64_t ny, int64_t nz)
{
	sonde_ions_result *result = allocate(1, sizeof *result);

	result->provenance = allocate(1, sizeof *result->provenance);
	sonde_ions_options_init(&result->provenance->options);
	result->provenance->options.fluence = FLUENCE;
	result->options = &result->provenance->options;
	make_summary(result);
	make_kinds(result);
	make_lists(result);
	for (int k = 0; k < 3; ++k) {
		result->size[k] = k == 0 ? nx : k == 1 ? ny : nz;
		result->cell_width[k] = k == 0 ? WIDTH : 10.0;
		result->origin[k] = k == 0 ? 0.0 : -5.0 * (double)result->size[k];
	}
	result->tallies = allocate(COUNT(of_all) + 3 * COUNT(of_kind), sizeof *result->tallies);
	for (size_t k = 0; k < COUNT(of_all); ++k)
		make_tally(result, of_all[k], "");
	for (int kind = 1; kind < 4; ++kind)
		for (size_t k = 0; k < COUNT(of_kind); ++k)
			make_tally(result, of_kind[k], labels[kind]);
	result->provenance->run.command = strdup("sonde ions --ion He");
	result->provenance->run.sample = strdup("SiO2:7.5nm/Si");
	strcpy(result->provenance->run.started, "2026-01-01T00:00:00Z");
	return result;
}

/* Of the tallies with that name, of a kind or (null) of all, together in a cell. */
static double together(const sonde_ions_result *result, const char *name, const char *of, int64_t cell)
{
	double sum = 0.0;

	for (int k = 0; k < result->tally_count; ++k)
		if (strcmp(result->tallies[k].name, name) == 0 &&
		    (of == NULL || strcmp(result->tallies[k].of, of) == 0))
			sum += value_of(k, cell);
	return sum;
}

/* The line that begins with `start`; fails if there is none. */
static const char *find_line(const char *text, const char *start)
{
	for (const char *line = text; line != NULL; line = strchr(line, '\n'), line += line != NULL)
		if (strncmp(line, start, strlen(start)) == 0)
			return line;
	fail_msg("no line begins with '%s'", start);
	return NULL;
}

/* Fails at each allocation of a writer in turn; returns how many there were. */
static int fail_everywhere(sonde_status (*write)(const sonde_ions_result *, const char *, int),
			   const sonde_ions_result *result, const char *path)
{
	int entries = test_folder_entries();

	for (int n = 1; n < 10000; ++n) {
		memory_fail_after(n);
		sonde_status status = write(result, path, 0);
		memory_fail_after(0);
		if (status == SONDE_OK)
			return n;
		assert_int_equal(status, SONDE_RESOURCE);
		assert_message("memory");
		assert_int_equal(test_folder_entries(), entries);
	}
	return 0;
}

#endif
