/* Requirements of a job. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/device_choice.h"
#include "fdtd/estimate.h"
#include "fdtd/option_tables.h"
#include "fdtd/job/domain.h"
#include "fdtd/job/layers.h"
#include "fdtd/job/prepared.h"

#define CELLS_OF_THREAD 0.25e9 /* per second, of a CPU, with float32 */
#define STEPS_MOST 1e12        /* limit of the option steps */
#define SURFACE_BYTES 1400.0   /* of the host for a cell at a body's surface: its media, and lists of its edges */
#define METAL_BYTES 2300.0     /* in addition, if the body is lossy: nodes and answers */

/* Cells per wavelength at the sources' highest frequency, in the material where waves are slowest. */
static void find_wavelength(struct fdtd_run *run)
{
	struct job_waves waves;
	double longest = 0.0;

	job_waves_find(&run->space, &waves);
	run->plan.shortest_wavelength = 0.0;
	if (!(waves.highest > 0.0))
		return;
	for (int a = 0; a < 3; ++a)
		if (!run->space.frame.flat[a])
			longest = fmax(longest, 1.0 / run->space.grid.courant[a]);
	/* in c dt: a wave in the background has a length of 2 pi/omega */
	run->plan.shortest_wavelength = 2.0 * M_PI / (waves.highest * waves.densest * longest);
}

/* Whether an option was given other than in the job's file: on the command line, which takes precedence. */
static bool is_from_outside(const sonde_fdtd_job *job, const char *name, bool given)
{
	const struct option_row *row = options_find(&fdtd_option_table, name);

	return given && job->file != NULL && job->option_lines != NULL && row != NULL &&
	       job->option_lines[row - fdtd_option_table.rows] == 0;
}

/* Maximum number of steps; 0: it stops by itself. */
static sonde_status find_steps(struct fdtd_run *run)
{
	const sonde_fdtd_options *options = &run->job->options;
	bool time = options->time > 0.0, steps = options->steps > 0;

	const bool outer_time = is_from_outside(run->job, "time", time),
		   outer_steps = is_from_outside(run->job, "steps", steps);
	if (outer_time != outer_steps) {
		time = time && outer_time;
		steps = steps && outer_steps;
	}
	if (time && steps)
		return status_fail_option(SONDE_INVALID, "steps", "only one of `time` and `steps` can be given");
	if (!time && !steps && !(options->until > 0.0))
		return status_fail_option(SONDE_INVALID, "time",
					  "required, as in `time 200 fs`; or `until 1e-6` to stop when "
					  "the field has decayed to this fraction");
	const double step = run->space.frame.time_step, last = time ? options->time : step * run->sources.end;
	if (!steps && isfinite(last) && !(last / step <= STEPS_MOST))
		return status_fail_option(SONDE_INVALID, time ? "time" : "sources",
					  time ? "%g s are %.3g steps of %.3g s, and the maximum is %g; is a unit "
						 "missing, as in 200 fs?"
					       : "they end after %g s, which are %.3g steps of %.3g s, and the "
						 "maximum is %g; is a unit missing, as in 500 THz, or a time?",
					  last, last / step, step, (double)STEPS_MOST);
	run->plan.steps = steps ? options->steps : time ? (int64_t)ceil(options->time / step) : 0;
	if (options->until > 0.0 && !isfinite(run->sources.end))
		return status_fail_option(SONDE_INVALID, "until",
					  "a source is endless, so the field does not decay; give it a duration");
	if (run->job->sources.count == 0)
		return status_fail(SONDE_INVALID, "sources: none given; all fields would stay 0");
	return SONDE_OK;
}

/* Numbers of media, at most those of all cells (twice that with magnetic ones), and lists of surfaces. */
static double find_host_memory(const struct fdtd_run *run, double cells)
{
	const sonde_fdtd_job *job = run->job;
	const double heads = cells * 3.0 * sizeof(uint32_t) / SEGMENT, all = cells * 3.0 * sizeof(uint16_t),
		     of_surfaces =
			 run->space.body_memory.surface * SURFACE_BYTES + run->space.body_memory.metal * METAL_BYTES;

	for (int64_t n = 0; n < job->bodies.count; ++n)
		if (job->bodies.items[n].shape == SONDE_BODY_SHAPE_VOXELS)
			return heads + all + of_surfaces;
	return heads + of_surfaces;
}

static void find_cells(struct fdtd_run *run)
{
	const struct fdtd_grid *grid = &run->space.grid;
	sonde_fdtd_plan *plan = &run->plan;
	bool bodies = run->job->bodies.count > 0;
	double cells = (double)grid->cells[0] * grid->cells[1] * grid->cells[2];

	for (int u = 0; u < 3; ++u) {
		int a = frame_engine_axis(&run->space.frame, u);
		plan->cells[u] = grid->cells[a];
		plan->inner_cells[u] = run->space.frame.inner[a][1] - run->space.frame.inner[a][0];
		plan->cell[u] = run->space.frame.flat[a] ? 0.0 : run->space.frame.cell[a];
	}
	plan->time_step = run->space.frame.time_step;
	run->host_memory = bodies ? find_host_memory(run, cells) : 0.0;
	plan->runs = 1;
	if (run->monitors.needs_reference && run->job->options.reference == SONDE_FDTD_REFERENCE_AUTO)
		plan->runs = job_wave_is_another(&run->space) ? 3 : 2;
}

static double cpu_rate(const struct fdtd_run *run)
{
	bool single = run->job->options.precision != SONDE_FDTD_PRECISION_FLOAT64;

	return CELLS_OF_THREAD * context_threads(run->context) * (single ? 1.0 : 0.5);
}

static double cells_of(const struct fdtd_run *run)
{
	const sonde_fdtd_plan *plan = &run->plan;

	return (double)plan->cells[0] * (double)plan->cells[1] * (double)plan->cells[2];
}

static double seconds_at(const struct fdtd_run *run, double rate)
{
	double steps =
	    run->plan.steps > 0 ? (double)run->plan.steps : fmin(1e5, run->sources.end + 20.0 * cbrt(cells_of(run)));

	return (run->space.grid.bloch ? 2.0 : 1.0) * run->plan.runs * steps * cells_of(run) / rate;
}

/* Resonances must be observed for a while. */
static sonde_status check_resonances(const struct fdtd_run *run)
{
	const sonde_fdtd_job *job = run->job;

	for (int64_t n = 0; n < run->monitors.count && run->plan.steps > 0; ++n) {
		const struct job_monitor *monitor = &run->monitors.monitors[n];
		double begin = job_resonances_begin(&run->sources, monitor);
		if (monitor->options->kind != SONDE_FDTD_MONITOR_KIND_RESONANCES ||
		    (double)run->plan.steps >= begin + RESONANCES_NEED)
			continue;
		return job_prefix(
		    job,
		    status_fail_option(SONDE_INVALID, "kind",
				       "resonances are searched after the sources have ended, from step "
				       "%.0f on, but the run ends at step %lld; choose a longer time",
				       begin, (long long)run->plan.steps),
		    "monitors", job->monitors.lines, n);
	}
	return SONDE_OK;
}

/* Checks for items that would have no effect before the end. */
static sonde_status check_beginnings(const struct fdtd_run *run)
{
	const sonde_fdtd_job *job = run->job;
	const double steps = (double)run->plan.steps, step = 1e15 * run->space.frame.time_step;

	for (int64_t n = 0; n < run->sources.count && steps > 0.0; ++n) {
		const double begin = waveform_begin(&run->sources.waveforms[n]);
		if (begin >= steps)
			return job_prefix(
			    job,
			    status_fail_option(SONDE_INVALID, "delay",
					       "the source begins after %.5g fs, but the run ends at %.5g fs",
					       step * begin, step * steps),
			    "sources", job->sources.lines, n);
	}
	for (int64_t n = 0; n < run->monitors.count && steps > 0.0; ++n) {
		const struct job_monitor *monitor = &run->monitors.monitors[n];
		if ((double)monitor->first_step > steps)
			return job_prefix(
			    job,
			    status_fail_option(SONDE_INVALID, "start",
					       "the monitor begins after %.5g fs, but the run ends at %.5g fs",
					       step * (double)monitor->first_step, step * steps),
			    "monitors", job->monitors.lines, n);
	}
	return SONDE_OK;
}

/* The space with its sources and monitors. */
static sonde_status lay_out(struct fdtd_run *run)
{
	const sonde_fdtd_job *job = run->job;

	CHECK(job_check_options(job));
	CHECK(job_space_make(job, context_threads(run->context), run->streamed, &run->space));
	CHECK(job_check_materials(&run->space));
	CHECK(job_space_check_bodies(&run->space));
	CHECK(job_sources_make(&run->space, &run->sources));
	CHECK(job_find_carriers(&run->space));
	return job_monitors_make(&run->space, &run->sources, &run->monitors);
}

static sonde_status prepare(struct fdtd_run *run)
{
	CHECK(lay_out(run));
	CHECK(job_prefix_option(run->job, find_steps(run)));
	CHECK(check_resonances(run));
	CHECK(check_beginnings(run));
	find_wavelength(run);
	find_cells(run);
	return context_expect(run->context, seconds_at(run, cpu_rate(run)));
}

static sonde_status begin(sonde_context *context, const sonde_fdtd_job *job, struct fdtd_run *run)
{
	*run = (struct fdtd_run){.context = context, .sources.wave.number = -1, .room_for_windows = 1.0};
	CHECK(memory_allocate(&run->complete, 1, sizeof *run->complete, "the job"));
	run->job = &run->complete->job;
	return job_complete(job, run->complete);
}

sonde_status fdtd_run_lay_out(sonde_context *context, const sonde_fdtd_job *job, struct fdtd_run *run)
{
	CHECK(begin(context, job, run));
	return lay_out(run);
}

sonde_status fdtd_run_prepare(sonde_context *context, const sonde_fdtd_job *job, struct fdtd_run *run)
{
	CHECK(begin(context, job, run));
	return prepare(run);
}

sonde_status fdtd_run_turn(struct fdtd_run *run)
{
	job_monitors_free(&run->monitors);
	job_sources_free(&run->sources);
	job_space_free(&run->space);
	run->sources = (struct job_sources){.wave.number = -1};
	run->streamed = true;
	return prepare(run);
}

void fdtd_run_free(struct fdtd_run *run)
{
	job_monitors_free(&run->monitors);
	job_sources_free(&run->sources);
	job_space_free(&run->space);
	if (run->complete != NULL)
		job_complete_free(run->complete);
	free(run->complete);
	run->complete = NULL;
}

sonde_status sonde_fdtd_make_plan_sized(sonde_context *context, const sonde_fdtd_job *job, sonde_fdtd_plan *plan,
					uint64_t size)
{
	struct fdtd_run run;
	struct device *device;
	sonde_status status;

	if (context == NULL || job == NULL || plan == NULL)
		return status_fail(SONDE_INVALID, "context, job and plan are needed, one of them is null");
	CHECK_GOTO(status, fdtd_run_prepare(context, job, &run), done);
	CHECK_GOTO(status, context_device(context, &device), done);
	CHECK_GOTO(status, fdtd_check_memory(&run, device), done);
	CHECK_GOTO(status, fdtd_note_devices(&run), done);
	if (!run.streamed && run.on.count == 1 && run.on.ranks == NULL) {
		CHECK_GOTO(status, fdtd_estimate(&run), done);
		fdtd_estimate_way(&run, device);
		fdtd_estimate_pairs(&run, device);
	}
	run.plan.struct_size = size < sizeof run.plan ? size : sizeof run.plan;
	memcpy(plan, &run.plan, run.plan.struct_size);
	status = fdtd_note_job(&run);
done:
	fdtd_run_free(&run);
	return status;
}
