/* Steps of fdtd on CPUs through the caches: rates of tiles and of slabs (time skewing), and of plane after plane, of a
 * plain loop on the same grid, and what memory and the kernels in the caches allow, in one run. Run by hand or by make
 * bench.
 *
 *     bench_fdtd_cache [CELLS [float32|float64 [PLANES ROWS STEPS]]]
 *
 * CELLS: of an edge of the cube; default: 400. PLANES, ROWS, STEPS: of the tiles; default: as in sonde fdtd. A rate is that of the fastest of several runs; the second one, of
 * processor time (cells and steps per second of a thread that does not wait for a processor, times the number of
 * threads), is the one to look at where other programs run. Layers of 11 cells on all sides, and a slab of glass. */
#include <math.h>
#include <omp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd_baseline.h"
#include "fdtd_scene.h"

#define RUNS 3
#define NUMBERS_OF_HALF_STEPS 18.0 /* read and written per cell */
#define CELLS_IN_OWN_CACHE 5       /* planes, and rows: of a core's second cache */
#define CELLS_IN_LAST_CACHE 20     /* of the cache that cores share */

struct rate {
	double wall, processor; /* per second */
};

static void keep_best(struct rate *best, double work, double wall, double processor, int threads)
{
	best->wall = fmax(best->wall, work / wall);
	best->processor = fmax(best->processor, work / processor * threads);
}

/* Bytes per second of a loop that reads two numbers and writes one of them back, as the steps do. */
static struct rate memory_rate(int threads)
{
	const long count = 100L << 20;
	struct rate best = {0};
	float *a, *b;

	scene_must(memory_allocate_pages(&a, (size_t)count * sizeof *a, "the fields"));
	scene_must(memory_allocate_pages(&b, (size_t)count * sizeof *b, "the fields"));
	for (int run = 0; run < RUNS + 1; ++run) {
		const double began = clock_seconds(), processor = clock_processor_seconds();
#pragma omp parallel for simd num_threads(threads) schedule(static)
		for (long k = 0; k < count; ++k)
			a[k] = run == 0 ? 0.0f : a[k] + 0.5f * b[k];
		if (run == 0)
			memset(b, 0, (size_t)count * sizeof *b);
		else
			keep_best(&best, 12.0 * (double)count, clock_seconds() - began,
				  clock_processor_seconds() - processor, threads);
	}
	memory_release_pages(a);
	memory_release_pages(b);
	return best;
}

static struct rate plain_rate(int cells, int threads)
{
	struct rate best = {0};

	for (int run = 0; run < 2; ++run) {
		double processor;
		const double rate = fdtd_baseline_on(threads, cells, 4, &processor);
		best.wall = fmax(best.wall, rate);
		best.processor = fmax(best.processor, processor * threads);
	}
	return best;
}

/* How planes are stepped. */
struct manner {
	const char *name;
	enum { WHOLE, SLABS, TILES } by; /* all planes of a step before the next one, or parts of them */
	bool pairs;                      /* E of rows right after H of them, if the grid allows it */
	struct skewed_tile tile;         /* no planes: as in sonde fdtd */
};

static struct rate step_rate(const struct fdtd_grid *grid, const struct manner *manner, bool single, int threads,
			     bool say)
{
	const struct device_settings settings = {.kernel_cache = "", .threads = threads};
	const double cells = (double)grid->cells[0] * grid->cells[1] * grid->cells[2];
	struct simulation simulation;
	struct device *device;
	struct media media;
	struct rate best = {0};

	scene_must(device_open("cpu", &settings, &device));
	scene_make_media(grid, &media);
	scene_must(simulation_make(device, grid, &media, single, &simulation));
	media_free(&media);
	simulation.both_in_place = simulation.both_in_place && manner->pairs;
	if (manner->by != SLABS) /* else tiles are used only for large grids */
		simulation.slab = simulation.fields.layout.end[0];
	simulation.tiling = manner->by == TILES ? TILING_CHOSEN : TILING_OFF;
	if (manner->tile.planes > 0) {
		simulation.tiling = TILING_GIVEN;
		simulation.tile = manner->tile;
		simulation.at_once = manner->tile.steps;
	}
	scene_must(simulation_run(&simulation, 1, NULL));
	if (say && manner->by == SLABS)
		printf("        slabs of %u planes, %u steps each\n", simulation.slab, simulation.at_once);
	if (say && simulation.tiles != NULL)
		printf("        tiles of %u planes and %u rows, %u steps each\n", simulation.tile.planes,
		       simulation.tile.rows, simulation.tile.steps);
	const uint64_t steps = cells < 1e7               ? (uint64_t)(6e8 / cells)
			       : manner->by == WHOLE     ? 8
			       : simulation.at_once > 16 ? simulation.at_once
							 : 2 * simulation.at_once;
	scene_must(simulation_run(&simulation, steps / 8 + 1, NULL));
	for (int run = 0; run < RUNS; ++run) {
		const double began = clock_seconds(), processor = clock_processor_seconds();
		scene_must(simulation_run(&simulation, steps, NULL));
		keep_best(&best, cells * (double)steps, clock_seconds() - began,
			  clock_processor_seconds() - processor, threads);
	}
	simulation_release(&simulation);
	device_close(&device);
	return best;
}

static void print_rate(const char *name, int threads, struct rate rate, struct rate untiled)
{
	printf("%-44s %7d %9.3f %9.3f", name, threads, 1e-9 * rate.wall, 1e-9 * rate.processor);
	if (untiled.wall > 0.0)
		printf(" %9.2f %9.2f", rate.wall / untiled.wall, rate.processor / untiled.processor);
	printf("\n");
	fflush(stdout);
}

static void print_limit(const char *name, int threads, struct rate one, struct rate untiled)
{
	print_rate(name, threads, (struct rate){threads * one.wall, threads * one.processor}, untiled);
}

int main(int argc, char **argv)
{
	const int cells = argc > 1 ? atoi(argv[1]) : 400;
	const bool single = argc < 3 || strcmp(argv[2], "float64") != 0;
	const struct absorbing_layer layer = absorbing_layer_of(SCENE_LAYER);
	const struct fdtd_grid grid = {.cells = {cells, cells, cells},
				       .courant = {0.5, 0.5, 0.5},
				       .layers = {{layer, layer}, {layer, layer}, {layer, layer}}},
			       in_own = {.cells = {CELLS_IN_OWN_CACHE, CELLS_IN_OWN_CACHE, cells},
					 .courant = {0.5, 0.5, 0.5},
					 .layers = {{{0}}, {{0}}, {layer, layer}}},
			       in_last = {.cells = {CELLS_IN_LAST_CACHE, CELLS_IN_LAST_CACHE, cells},
					  .courant = {0.5, 0.5, 0.5},
					  .layers = {{{0}}, {{0}}, {layer, layer}}};
	const struct manner whole = {.name = "one field after the other", .by = WHOLE},
			    pairs = {.name = "both fields of rows in turn", .by = WHOLE, .pairs = true},
			    slabs = {.name = "slabs, both fields", .by = SLABS, .pairs = true},
			    inside = {.name = "in the cache", .by = TILES, .tile = {64, 64, 64}};
	struct manner tiles = {.name = "tiles, both fields", .by = TILES, .pairs = true};

	if (argc > 5)
		tiles.tile =
		    (struct skewed_tile){(uint32_t)atoi(argv[3]), (uint32_t)atoi(argv[4]), (uint32_t)atoi(argv[5])};
	const struct rate none = {0};

	printf(
	    "%d^3 cells, %s, Gcell/s by wall time and by processor time, and relative to one field after the other\n",
	    cells, single ? "float32" : "float64");
	printf("%-44s %7s %9s %9s %9s %9s\n", "", "threads", "wall", "processor", "ratio", "ratio");
	for (int threads = 1; threads <= omp_get_num_procs() && threads <= 2; ++threads) {
		struct rate memory = memory_rate(threads);
		const double bytes = NUMBERS_OF_HALF_STEPS * (single ? 4.0 : 8.0) + 3.0;
		printf("memory: %.1f, %.1f GB/s\n", 1e-9 * memory.wall, 1e-9 * memory.processor);
		memory.wall /= bytes;
		memory.processor /= bytes;
		print_rate("memory allows half steps", threads, memory, none);
		if (single)
			print_rate("plain loop, two coefficients, no layers", threads, plain_rate(cells, threads),
				   none);
		const struct rate untiled = step_rate(&grid, &whole, single, threads, false);
		print_rate(whole.name, threads, untiled, none);
		print_rate(pairs.name, threads, step_rate(&grid, &pairs, single, threads, false), untiled);
		print_rate(slabs.name, threads, step_rate(&grid, &slabs, single, threads, true), untiled);
		print_rate(tiles.name, threads, step_rate(&grid, &tiles, single, threads, true), untiled);
		/* of one thread, since two would wait for each other: the most that tiles can reach */
		print_limit("limit: the kernels in the last cache", threads,
			    step_rate(&in_last, &inside, single, 1, false), untiled);
		print_limit("limit: the kernels in a core's own cache", threads,
			    step_rate(&in_own, &inside, single, 1, false), untiled);
	}
	return 0;
}
