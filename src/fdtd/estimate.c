#include "fdtd/estimate.h"

#include <complex.h>
#include <math.h>

#include "fdtd/error.h"
#include "fdtd/fields/fields_gpu.h"
#include "fdtd/fields/two_steps.h"
#include "fdtd/simulation/simulation.h"
#include "fdtd/simulation/step_pairs.h"
#include "run/speed.h"

/* An update of a cell, of one in an absorbing layer, and of a Fourier sum at a point. The numbers for
 * AVX-512 were measured with `sonde fdtd --device cpu --threads 1` on a Xeon at 4.1 GHz and an EPYC at 3.8 GHz
 * (bench/plans.sh repeats it), which differ by a tenth; those for SSE2 and AVX2 are scaled from the former and were not
 * measured; an H200 does 65.5e9 cells per second in float32 and 32.7e9 in float64, layers included. */
static const struct speed_cost cell[2] = {{{12.0, 7.2, 6.0}, SPEED_BANDWIDTH, 73.0},
					  {{22.0, 13.0, 10.0}, SPEED_BANDWIDTH, 147.0}},
			       layer_cell[2] = {{{22.0, 13.0, 11.0}, SPEED_BANDWIDTH, 73.0},
						{{39.0, 24.0, 18.0}, SPEED_BANDWIDTH, 147.0}},
			       fourier_sum = {{4.0, 2.5, 1.7}, SPEED_BANDWIDTH, 5.0},
			       body_byte = {{0.4, 0.25, 0.2}, SPEED_BANDWIDTH, 1.0};
/* Work of the host by all threads, in cycles of one, measured on such a Xeon. */
#define SURFACE_CYCLES 5.3e4 /* a cell at the surface of a body, whose means are computed */
#define FACE_CYCLES 8e3      /* a cell at a body's face across an axis */
#define VOLUME_CYCLES 20.0   /* any cell, if there are bodies */
#define CLEARED_CYCLES 1.7   /* a byte of the CPU's buffers, when it is first written */
#define PLACE_CYCLES 400.0   /* a place of a monitor, listed before the run */
#define LOSS_CYCLES 120.0    /* a lossy place in a monitor and a medium with poles */
#define METAL_CYCLES 5e3     /* a cell at the surface of a lossy body: its answers, and their losses */
#define POWER_CYCLES 25.0    /* a sum at a place, read after the run for a power */
#define TERM_CYCLES 550.0    /* a term of a plane wave */
#define READ_SECONDS 2e-11   /* a byte of the sums that a GPU has; on an H100 */
#define SHARED 0.04 /* fraction of a thread's time that each further one costs it: cores and memory are shared */
#define START_CYCLES 2.0e8   /* self-test, one thread */
#define START_OF_GPU 0.05    /* s: kernels are loaded while bodies are painted; on an H100 */
#define CELLS_OF_CACHE 2e6   /* of a grid that is larger than the caches of most CPUs */
#define ROUNDING_CYCLES 12.0 /* a cell in 16 bits, whose words are rounded after each half step of a CPU */
#define WORDS_OF_GPU 0.72    /* of the time of a GPU's whole step, of fields in 16 bits: on an H200 */
#define FLAT_PART 0.45       /* fraction of a cell's numbers that exist in two dimensions, */
/* and of a CPU's time in long rows, and the cells that take as long as the beginning of a row; between one set of components and
 * both: on a CPU with AVX-512, rows of 120 to 3000 cells */
#define FLAT_PART_OF_CPU 0.27
#define CELLS_OF_BEGINNING 150.0
#define GAIN_OF_PAIRS 1.4 /* of two steps at once: 1.35 on an H200, 1.5 on an H100 */
#define GAIN_IN_WORDS 0.8 /* of fields in 16 bits, on an H200 */
#define AROUND_FACE 7.0   /* cells across a face, on the average */
#define MOST_ALONE (1.0 / 6.0)
#define BODY_TRAFFIC 2.0 /* of the memory of poles and answers, which steps read and write */

static double cells_of(const int64_t cells[3])
{
	return (double)cells[0] * (double)cells[1] * (double)cells[2];
}

double fdtd_terms_of_wave(const struct fdtd_run *run)
{
	const struct total_field_box *box = &run->sources.wave.box;
	double terms = 0.0;

	for (int n = 0; n < 6 && run->sources.wave.number >= 0; ++n) {
		const int u = (n / 2 + 1) % 3, v = (n / 2 + 2) % 3;
		if (box->faces[n / 2][n % 2])
			terms += 4.0 * (box->high[u] - box->low[u] + 1.0) * (box->high[v] - box->low[v] + 1.0);
	}
	return terms;
}

/* Everything but the steps that all threads do, in cycles. */
static double cycles_around(const struct fdtd_run *run, double cells, const struct job_monitor_work *work,
			    bool on_cpu)
{
	const struct job_body_memory *bodies = &run->space.body_memory;
	const double places = work->planes + work->nodes;

	return SURFACE_CYCLES * (bodies->surface - bodies->faces) + FACE_CYCLES * bodies->faces +
	       METAL_CYCLES * bodies->metal + (run->job->bodies.count > 0 ? VOLUME_CYCLES * cells : 0.0) +
	       (on_cpu ? CLEARED_CYCLES * run->plan.device_memory : 0.0) + PLACE_CYCLES * places +
	       LOSS_CYCLES * (work->losses + 3.0 * bodies->lossy) + POWER_CYCLES * (work->powers + work->values) +
	       TERM_CYCLES * fdtd_terms_of_wave(run);
}

sonde_status fdtd_estimate(struct fdtd_run *run)
{
	const int is_double = run->job->options.precision != SONDE_FDTD_PRECISION_FLOAT64 ? 0 : 1;
	const bool *flat = run->space.frame.flat;
	const double cells = cells_of(run->plan.cells), inner = cells_of(run->plan.inner_cells);
	const double complex_fields = run->space.grid.bloch ? 2.0 : 1.0;
	struct job_monitor_work work;
	struct speed speed;

	speed_find_some(run->context, run->on.devices, run->on.count, &speed);
	job_work_of_monitors(&run->space, &run->sources, &run->monitors, &work);
	const bool is_flat = flat[0] || flat[1] || flat[2];
	const double flat_on_cpu = FLAT_PART_OF_CPU * (1.0 + CELLS_OF_BEGINNING / run->space.grid.cells[2]),
		     dimensions = !is_flat    ? 1.0
				  : speed.gpu ? FLAT_PART
					      : flat_on_cpu;
	const double step = complex_fields *
			    (dimensions * (speed_seconds(&speed, &cell[is_double], inner) +
					   speed_seconds(&speed, &layer_cell[is_double], cells - inner)) +
			     speed_seconds(&speed, &body_byte, BODY_TRAFFIC * run->space.body_memory.bytes)),
		     sums = complex_fields * speed_seconds(&speed, &fourier_sum, work.updates);
	const double around =
	    (1.0 + SHARED * (speed.threads - 1)) *
		speed_host_seconds(&speed, cycles_around(run, cells, &work, speed.cpu_threads > 0.0), speed.threads) +
	    (speed.gpu ? READ_SECONDS * sizeof(double complex) * (work.powers + work.values) : 0.0);
	run->plan.rate = complex_fields * cells / step;
	run->plan.seconds = 0.0;
	/* a companion has fewer cells and fewer steps: error.h */
	const double companion = run->job->options.error == SONDE_FDTD_ERROR_COMPANION
				     ? pow(COMPANION_COARSER, -(4.0 - flat[0] - flat[1] - flat[2]))
				     : 0.0;
	const double storage = run->space.grid.in_words && run->job->options.error != SONDE_FDTD_ERROR_NONE
				   ? 2.0 * pow(STORAGE_COARSER, -(4.0 - flat[0] - flat[1] - flat[2]))
				   : 0.0;
	if (run->plan.steps > 0)
		run->plan.seconds =
		    speed.start + (speed.gpu_workers > 0.0 ? START_OF_GPU : 0.0) +
		    speed_host_seconds(&speed, START_CYCLES, 1) + (double)run->plan.runs * around +
		    (1.0 + companion + storage) * (double)run->plan.runs * (double)run->plan.steps * (step + sums);
	return SONDE_OK;
}

/* Cells around the faces of a plane wave's box that are stepped one by one: E of a face and H on both sides of it, with
 * their neighbors. */
static double cells_around_wave(const struct fdtd_run *run)
{
	const struct total_field_box *box = &run->sources.wave.box;
	double cells = 0.0;

	for (int n = 0; n < 6 && run->sources.wave.number >= 0; ++n) {
		const int u = (n / 2 + 1) % 3, v = (n / 2 + 2) % 3;
		if (box->faces[n / 2][n % 2])
			cells += AROUND_FACE * (box->high[u] - box->low[u] + AROUND_FACE) *
				 (box->high[v] - box->low[v] + AROUND_FACE);
	}
	return cells;
}

/* Times of steps of large grids, relative to `cell`, in float32 and float64: from ratios of bench_fdtd_cache. */
static const double time_of_way[][2] = {[WAY_SLABS] = {1.0, 1.0},
					[WAY_TILES] = {0.7, 0.88},
					[WAY_ROWS_IN_TURN] = {1.03, 1.03},
					[WAY_HALF_STEPS] = {1.5, 1.9}};
#define TILES_OF_BLOCH 1.15 /* the same with both parts of complex fields in tiles, float32 */
/* The same in two dimensions, where steps have fewer numbers per cell of a row. */
static const double time_of_flat_way[] = {
    [WAY_SLABS] = 1.0, [WAY_TILES] = 1.0, [WAY_ROWS_IN_TURN] = 1.03, [WAY_HALF_STEPS] = 3.0};

/* Of a grid's step on CPUs. */
static double relative_time(const struct fdtd_grid *grid, struct device *device, bool is_double)
{
	const enum way_of_cpu way = simulation_way_of_cpu(device, grid, !is_double);

	if (way == WAY_TILES && grid->bloch)
		return TILES_OF_BLOCH;
	if (!grid_is_uniform(grid, 0) && !grid_is_uniform(grid, 1))
		return time_of_way[way][is_double ? 1 : 0];
	/* one thread has the tiles of such a grid (simulation/step_tiles.h) */
	const bool alone = way == WAY_TILES && grid->walls[grid_is_uniform(grid, 1) ? 0 : 1][0] == WALL_PERIODIC;
	return time_of_flat_way[way] * (alone ? device_workers(device) : 1.0);
}

static void change_steps(struct fdtd_run *run, double before, double after)
{
	sonde_fdtd_plan *plan = &run->plan;

	plan->rate *= before / after;
	plan->seconds += (double)plan->runs * (double)plan->steps * (after - before);
}

void fdtd_estimate_way(struct fdtd_run *run, struct device *device)
{
	const int is_double = run->job->options.precision != SONDE_FDTD_PRECISION_FLOAT64 ? 0 : 1;
	const double cells = (run->space.grid.bloch ? 2.0 : 1.0) * cells_of(run->plan.cells),
		     step = cells / run->plan.rate,
		     rounding = run->space.grid.in_words ? ROUNDING_CYCLES * cells : 0.0;

	if (fields_suit_gpu(device)) {
		change_steps(run, step, run->space.grid.in_words ? WORDS_OF_GPU * step : step);
		return;
	}
	const struct speed_cost cost = {{2.0, 1.2, 1.0}, SPEED_BANDWIDTH, 0.0}; /* of a cycle with AVX-512 */
	const double relative =
	    cells > CELLS_OF_CACHE ? relative_time(&run->space.grid, device, is_double != 0) : 1.0;
	struct speed speed;

	speed_find_some(run->context, run->on.devices, run->on.count, &speed);
	change_steps(run, step, relative * step + speed_seconds(&speed, &cost, rounding));
}

void fdtd_estimate_pairs(struct fdtd_run *run, struct device *device)
{
	sonde_fdtd_plan *plan = &run->plan;
	const struct job_body_memory *bodies = &run->space.body_memory;
	const bool single = run->job->options.precision != SONDE_FDTD_PRECISION_FLOAT64;
	const double cells = cells_of(plan->cells), step = cells / plan->rate,
		     alone = (cells_around_wave(run) + bodies->apart) / cells,
		     gain = run->space.grid.in_words ? GAIN_IN_WORDS : GAIN_OF_PAIRS,
		     in_pairs = step * (1.0 / gain + alone),
		     bytes = two_steps_bytes(device, &run->space.grid, single);

	plan->pair_memory = plan->pair_rate = 0.0;
	if (bytes == 0.0 || !device_properties(device)->copies_to_local ||
	    !step_pairs_are_likely(plan->cells, plan->steps) || alone > MOST_ALONE ||
	    (bodies->metal > 0.0 && bodies->whole > 0.0) ||
	    plan->device_memory + bytes > (double)device_properties(device)->memory)
		return;
	plan->pair_memory = bytes;
	plan->pair_rate = cells / in_pairs;
	if (in_pairs < step)
		change_steps(run, step, in_pairs);
}
