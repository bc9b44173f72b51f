/* The experiment of Malysheva and Golovashkin, Computer Optics 40 (2016) 179, tables 9 and 10: 256^3 cells with layers of
 * 11 cells and a plane wave in vacuum, by pyramids under a cap on the device's memory, for slabs of r planes and passes
 * of n steps; with the time that the model predicts, and time skewing. Then the planes that pyramids load, store,
 * and compute in one, two, and three dimensions, counted and by formula. Run by hand or by make bench.
 *
 *     bench_pyramids [DEVICE [CELLS [STEPS [CAP ...]]]]
 *
 * STEPS: of a measurement, at least. CAP: MiB of the device; by default 128, 256, and inf. Times are of 1000 steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd/streaming/link.h"
#include "fdtd/streaming/model.h"
#include "fdtd_scene.h"
#include "sonde/sonde.h"

#define MEBIBYTE 1048576.0
#define BOX_INSET 5    /* cells between the layers and the box of the plane wave */
#define THIN_PLANES 48 /* a grid with as few shows the time of launches */
#define COUNTED_PLANES 256
#define COUNTED_CELLS 40 /* of the other axes of the grids whose planes are counted */

static const uint32_t widths[] = {16, 32, 64}, heights[] = {1, 2, 4, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128};
enum { WIDTHS = sizeof widths / sizeof *widths, HEIGHTS = sizeof heights / sizeof *heights };

struct machine {
	struct device *device;
	int cells;
	uint32_t steps;
	struct streaming_speeds speeds;
	double plain; /* s: of 1000 steps of the fastest plain streaming */
};

static double pulse(const void *user, double time)
{
	const double center = 40.0, width = 10.0;

	(void)user;
	return exp(-(time - center) * (time - center) / (2.0 * width * width));
}

static void add_wave(struct simulation *simulation, const struct fdtd_grid *grid, const struct media *media)
{
	static const int along_x[3] = {1, 0, 0};
	static const double along_z[3] = {0.0, 0.0, 1.0};
	struct total_field_box box;
	struct incident_wave wave;

	for (int a = 0; a < 3; ++a) {
		box.low[a] = SCENE_LAYER + BOX_INSET;
		box.high[a] = grid->cells[a] - SCENE_LAYER - BOX_INSET;
		box.faces[a][0] = box.faces[a][1] = true;
	}
	scene_must(incident_make(along_x, grid->courant, along_z, box.low, box.high, pulse, NULL, &wave));
	scene_must(simulation_add_total_field(simulation, media, &box, &wave));
}

/* Seconds of 1000 steps, half steps of one copy of the fields; `schedule` null: all planes are on the device. */
static double measure(const struct machine *machine, int planes, const struct schedule *schedule)
{
	const uint32_t height = schedule != NULL ? schedule->height : 16,
		       passes = (machine->steps + height - 1) / height, steps = height * (passes > 2 ? passes : 2);
	struct simulation simulation;
	struct fdtd_grid grid;
	struct media media;

	scene_make_grid(planes, machine->cells, machine->cells, &grid);
	scene_must(media_make(&grid, 0, 0, &media));
	scene_must(simulation_make_streamed(machine->device, &grid, &media, true, schedule, &simulation));
	simulation.in_place = true;
	add_wave(&simulation, &grid, &media);
	media_free(&media);
	scene_must(simulation_run(&simulation, height, NULL));
	scene_must(device_wait(machine->device));
	const double began = clock_seconds();
	scene_must(simulation_run(&simulation, steps, NULL));
	scene_must(device_wait(machine->device));
	const double seconds = clock_seconds() - began;
	simulation_release(&simulation);
	return 1000.0 * seconds / steps;
}

/* Bytes of the device that a schedule takes, those of the plane wave and of kernels' tables not among them. */
static struct fields_streamed_bytes bytes_of(const struct machine *machine, const struct schedule *schedule)
{
	struct fields_streamed_bytes bytes;
	struct fdtd_grid grid;

	scene_make_grid(machine->cells, machine->cells, machine->cells, &grid);
	scene_must(fields_streamed_bytes(machine->device, &grid, 0, false, false, true, schedule, &bytes));
	return bytes;
}

/* Ways to stream: pyramids while slabs are copied, pyramids of which one slab is on the device at a time, as in the paper,
 * and time skewing. */
enum way { WAY_PYRAMIDS, WAY_ALONE, WAY_SKEW, WAYS };
static const char *const way_names[] = {"pyramids", "pyramids, one slab at a time", "time skewing"};

static struct schedule schedule_of(const struct machine *machine, enum way way, uint32_t width, uint32_t height)
{
	return (struct schedule){.method = way == WAY_SKEW ? STREAMING_SKEW : STREAMING_PYRAMID,
				 .planes = (uint32_t)machine->cells,
				 .width = width,
				 .height = height,
				 .alone = way == WAY_ALONE};
}

/* What the model takes: the device's speed and the time of a launch, from grids of different numbers of planes; and the
 * link's speed. */
static void measure_speeds(struct machine *machine)
{
	const int thin = THIN_PLANES;
	const double all = 1e-3 * measure(machine, machine->cells, NULL), few = 1e-3 * measure(machine, thin, NULL),
		     plane = (all - few) / (machine->cells - thin);
	const struct schedule one = schedule_of(machine, WAY_PYRAMIDS, 1, 1);
	double link;

	scene_must(link_measure(machine->device, &link));
	machine->speeds = (struct streaming_speeds){.launches[0] = fmax(few - thin * plane, 0.0)};
	machine->speeds.plane_steps[0] = 1.0 / plane;
	machine->speeds.in = machine->speeds.out = bytes_of(machine, &one).all / link / machine->cells;
	printf(
	    "all planes on the device: %.2f s for 1000 steps (%.1f Gcells/s); launches of a step %.0f us; link %.1f "
	    "GB/s each way\n",
	    1e3 * all, 1e-9 * pow(machine->cells, 3.0) / all, 1e6 * machine->speeds.launches[0], 1e-9 * link);
}

/* Times of all r and n that fit the cap; n grows until the time of each r has passed its minimum. */
static void print_way(struct machine *machine, enum way way, double cap)
{
	double best[WIDTHS], least = INFINITY;
	uint32_t width = 0, height = 0;

	printf("  %s, s of 1000 steps (predicted):\n    n ", way_names[way]);
	for (int w = 0; w < WIDTHS; ++w) {
		printf("        r = %2u   ", widths[w]);
		best[w] = INFINITY;
	}
	for (int h = 0; h < HEIGHTS; ++h) {
		double row[WIDTHS], predicted[WIDTHS];
		bool any = false;
		for (int w = 0; w < WIDTHS; ++w) {
			const struct schedule schedule = schedule_of(machine, way, widths[w], heights[h]);
			row[w] = NAN;
			if (bytes_of(machine, &schedule).device > cap || best[w] < 0.0)
				continue;
			row[w] = measure(machine, machine->cells, &schedule);
			predicted[w] = 1e3 * streaming_seconds(&schedule, &machine->speeds) / heights[h];
			any = true;
			if (row[w] < least) {
				least = row[w];
				width = widths[w];
				height = heights[h];
			}
			if (heights[h] == 1 && way != WAY_SKEW)
				machine->plain = fmin(machine->plain, row[w]);
			/* two rows after the minimum are enough to see it */
			if (row[w] > 1.15 * best[w])
				best[w] = -1.0;
			else
				best[w] = fmin(best[w], row[w]);
		}
		if (!any)
			continue;
		printf("\n  %3u ", heights[h]);
		for (int w = 0; w < WIDTHS; ++w)
			if (isnan(row[w]))
				printf("         -         ");
			else
				printf("  %7.2f (%7.2f)", row[w], predicted[w]);
		fflush(stdout);
	}
	if (width > 0) {
		const struct schedule schedule = schedule_of(machine, way, width, height);
		printf("\n  fastest: r = %u, n = %u, %.2f s in %.0f MiB, %.2f times as fast as the fastest plain "
		       "streaming, %.2f s\n",
		       width, height, least, bytes_of(machine, &schedule).device / MEBIBYTE, machine->plain / least,
		       machine->plain);
	} else {
		printf("\n  none fits\n");
	}
}

/* Planes that a pyramid's pass loads, stores, and computes. Between the grid's ends a slab loads R = r + 2 n, stores
 * R - 2 n = r, and computes n (R - n) of H and n (R - n - 1) of E; at the two ends, where nothing is missing, 2 n, n^2, and
 * n (n - 1) less. */
static void print_counts(struct machine *machine)
{
	const struct schedule schedule = {.method = STREAMING_PYRAMID, .width = 16, .height = 5};
	const double r = schedule.width, n = schedule.height, slabs = COUNTED_PLANES / r, R = r + 2.0 * n;

	printf("planes of a pass of n = %.0f steps, slabs of r = %.0f of %d planes; counted (by formula):\n", n, r,
	       COUNTED_PLANES);
	for (int dimensions = 1; dimensions <= 3; ++dimensions) {
		struct simulation simulation;
		struct fdtd_grid grid;
		struct media media;

		scene_make_grid(COUNTED_PLANES, COUNTED_CELLS, COUNTED_CELLS, &grid);
		for (int a = dimensions; a < 3; ++a) {
			grid.cells[a] = 1;
			grid.courant[a] = 0.0;
			for (int side = 0; side < 2; ++side) {
				grid.walls[a][side] = WALL_PERIODIC;
				grid.layers[a][side] = (struct absorbing_layer){0};
			}
		}
		scene_must(media_make(&grid, 0, 0, &media));
		scene_must(simulation_make_streamed(machine->device, &grid, &media, true, &schedule, &simulation));
		media_free(&media);
		scene_must(simulation_run(&simulation, schedule.height, NULL));
		const struct streaming *streaming = simulation.fields.streaming;
		const struct schedule_work *done = &streaming->done;
		printf("  %d-D: in %.0f (%.0f), out %.0f (%.0f), H computed %.0f (%.0f), E %.0f (%.0f)\n", dimensions,
		       done->loaded, slabs * R - 2.0 * n, done->stored, slabs * (R - 2.0 * n), done->stepped_h,
		       slabs * n * (R - n) - n * n, done->stepped_e, slabs * n * (R - n - 1.0) - n * (n - 1.0));
		simulation_release(&simulation);
	}
}

int main(int argc, char **argv)
{
	const struct device_settings settings = {.launch_limit = 10.0, .kernel_cache = ""};
	struct machine machine = {.cells = argc > 2 ? atoi(argv[2]) : 256,
				  .steps = argc > 3 ? (uint32_t)atoi(argv[3]) : 64};
	static const char *const usual[] = {"128", "256", "inf"};
	const char *const *caps = argc > 4 ? (const char *const *)argv + 4 : usual;
	const int cap_count = argc > 4 ? argc - 4 : 3;

	scene_must(device_open(argc > 1 ? argv[1] : "cpu", &settings, &machine.device));
	printf("%s, %d^3 cells, float32, layers of %d cells, a plane wave in vacuum\n", argc > 1 ? argv[1] : "cpu",
	       machine.cells, SCENE_LAYER);
	measure_speeds(&machine);
	for (int k = 0; k < cap_count; ++k) {
		printf("at most %s MiB of the device:\n", caps[k]);
		machine.plain = INFINITY;
		for (enum way way = 0; way < WAYS; ++way)
			print_way(&machine, way, MEBIBYTE * atof(caps[k]));
	}
	print_counts(&machine);
	device_close(&machine.device);
	return 0;
}
