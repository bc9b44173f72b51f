#include "fdtd/estimate.h"

#include <math.h>

#include "fdtd/error.h"
#include "run/speed.h"

/* An update of a cell, of one in an absorbing layer, and of a Fourier sum at a point. The numbers for
 * AVX-512 were measured with `sonde fdtd --device cpu --threads 1` on a Xeon at 4.1 GHz and an EPYC at 3.8 GHz
 * (bench/plans.sh repeats it), which differ by a tenth; those for SSE2 and AVX2 are scaled from the former and were not
 * measured; an H200 does 65.5e9 cells per second in float32 and 32.7e9 in float64, layers included. */
static const struct speed_cost cell[2] = {{{18.0, 11.0, 9.2}, SPEED_BANDWIDTH, 73.0},
					  {{34.0, 20.0, 15.2}, SPEED_BANDWIDTH, 147.0}},
			       layer_cell[2] = {{{33.0, 20.0, 17.0}, SPEED_BANDWIDTH, 73.0},
						{{60.0, 36.0, 27.5}, SPEED_BANDWIDTH, 147.0}},
			       fourier_sum = {{4.0, 2.5, 1.7}, SPEED_BANDWIDTH, 32.0};
#define SURFACE_CYCLES 1.3e5 /* a cell at the surface of a body, whose means are computed */
#define VOLUME_CYCLES 20.0   /* any cell, if there are bodies */
#define CLEARED_CYCLES 1.7   /* a byte of the CPU's buffers, when it is first written */
#define PLACE_CYCLES 1500.0  /* a place of a monitor: listed before the run, read after it, by one thread */
#define TERM_CYCLES 500.0    /* a term of a plane wave, listed by one thread */
#define START_CYCLES 2.0e8   /* self-test, one thread */
#define START_OF_GPU 0.22    /* s: ten kernels and a self-test; on an H100 */
#define FLAT_PART 0.45       /* fraction of a cell's numbers that exist in two dimensions */

static double cells_of(const int64_t cells[3])
{
	return (double)cells[0] * (double)cells[1] * (double)cells[2];
}

/* Number of Fourier sums that all monitors update in a step, and of the places that have them. */
static double fourier_sums(const struct fdtd_run *run, double *places)
{
	double sums = 0.0;

	*places = 0.0;

	for (int64_t n = 0; n < run->monitors.count; ++n) {
		const struct job_monitor *monitor = &run->monitors.monitors[n];
		double sides[3], faces = 0.0, numbers = 0.0, all = 0.0;
		for (int a = 0; a < 3; ++a) {
			sides[a] = run->space.frame.flat[a] ? 1.0 : monitor->high[a] - monitor->low[a] + 1.0;
			numbers += (monitor->components >> a & 1) + (monitor->components >> (a + 3) & 1);
		}
		for (int a = 0; a < 3; ++a)
			if (!run->space.frame.flat[a] && (monitor->axis < 0 || monitor->axis == a))
				faces += (monitor->axis < 0 ? 2.0 : 1.0) * sides[(a + 1) % 3] * sides[(a + 2) % 3];
		if (monitor->spectrum >= 0 || monitor->options->kind == SONDE_FDTD_MONITOR_KIND_FLUX ||
		    monitor->options->kind == SONDE_FDTD_MONITOR_KIND_CROSS_SECTION)
			all = faces * 4.0;
		else if (monitor->options->kind == SONDE_FDTD_MONITOR_KIND_FIELDS)
			all = sides[0] * sides[1] * sides[2] * numbers;
		*places += all;
		sums += all * monitor->frequencies;
	}
	return sums;
}

/* Terms of the faces through which a plane wave enters. */
static double terms_of_wave(const struct fdtd_run *run)
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

/* Everything but the steps, in cycles: of all threads, and of one. */
static void count_set_up(const struct fdtd_run *run, double cells, double places, bool on_cpu, double cycles[2])
{
	cycles[0] = SURFACE_CYCLES * run->space.body_memory.surface +
		    (run->job->bodies.count > 0 ? VOLUME_CYCLES * cells : 0.0) +
		    (on_cpu ? CLEARED_CYCLES * run->plan.device_memory : 0.0);
	cycles[1] = PLACE_CYCLES * places + TERM_CYCLES * terms_of_wave(run);
}

sonde_status fdtd_estimate(struct fdtd_run *run)
{
	const int is_double = run->job->options.precision == SONDE_FDTD_PRECISION_FLOAT32 ? 0 : 1;
	const bool *flat = run->space.frame.flat;
	const double cells = cells_of(run->plan.cells), inner = cells_of(run->plan.inner_cells);
	const double complex_fields = run->space.grid.bloch ? 2.0 : 1.0;
	double places, set_up[2];
	struct speed speed;

	CHECK(speed_find(run->context, &speed));
	const double dimensions = flat[0] || flat[1] || flat[2] ? FLAT_PART : 1.0;
	const double step = complex_fields * dimensions *
			    (speed_seconds(&speed, &cell[is_double], inner) +
			     speed_seconds(&speed, &layer_cell[is_double], cells - inner)),
		     sums = speed_seconds(&speed, &fourier_sum, fourier_sums(run, &places));
	count_set_up(run, cells, places, speed.cpu_threads > 0.0, set_up);
	run->plan.rate = complex_fields * cells / step;
	run->plan.seconds = 0.0;
	/* a companion has fewer cells and fewer steps: error.h */
	const double companion = run->job->options.error == SONDE_FDTD_ERROR_COMPANION
				     ? pow(COMPANION_COARSER, -(4.0 - flat[0] - flat[1] - flat[2]))
				     : 0.0;
	if (run->plan.steps > 0)
		run->plan.seconds =
		    speed.start + (speed.gpu_workers > 0.0 ? START_OF_GPU : 0.0) +
		    speed_host_seconds(&speed, START_CYCLES, 1) +
		    (double)run->plan.runs * (speed_host_seconds(&speed, set_up[0], speed.threads) +
					      speed_host_seconds(&speed, set_up[1], 1)) +
		    (1.0 + companion) * (double)run->plan.runs * (double)run->plan.steps * (step + sums);
	return SONDE_OK;
}
