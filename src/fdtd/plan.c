/* Requirements of a job. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "device/peers.h"
#include "fdtd/device_choice.h"
#include "fdtd/estimate.h"
#include "fdtd/option_tables.h"
#include "fdtd/job/domain.h"
#include "fdtd/fields/fields_gpu.h"
#include "fdtd/fields/shared_lists.h"
#include "fdtd/job/layers.h"
#include "fdtd/job/prepared.h"
#include "fdtd/media/media_part.h"
#include "parallel/parallel.h"
#include "fdtd/streaming_choice.h"
#include "fdtd/streaming_devices.h"

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

static void find_device_memory(struct fdtd_run *run, const struct device *device)
{
	const struct fdtd_grid *grid = &run->space.grid;
	bool bodies = run->job->bodies.count > 0,
	     single = run->job->options.precision != SONDE_FDTD_PRECISION_FLOAT64;
	double cells = (double)grid->cells[0] * grid->cells[1] * grid->cells[2];

	run->plan.device_memory = fields_bytes(grid, (size_t)(run->job->bodies.count < 255 ? 2 : 300), bodies, false,
					       single, fields_suit_gpu(device)) +
				  run->space.body_memory.bytes;
	if (grid->bloch) /* two parts of complex fields */
		run->plan.device_memory *= 2.0;
	run->plan.memory_of_cell = run->plan.device_memory / cells;
	job_memory_of_monitors(&run->space, &run->monitors, (double)run->plan.steps, &run->monitor_memory);
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

static sonde_status prepare(struct fdtd_run *run)
{
	const sonde_fdtd_job *job = run->job;

	CHECK(job_check_options(job));
	CHECK(job_space_make(job, context_threads(run->context), run->streamed, &run->space));
	CHECK(job_check_materials(&run->space));
	CHECK(job_space_check_bodies(&run->space));
	CHECK(job_sources_make(&run->space, &run->sources));
	CHECK(job_find_carriers(&run->space));
	CHECK(job_monitors_make(&run->space, &run->sources, &run->monitors));
	CHECK(job_prefix_option(job, find_steps(run)));
	CHECK(check_resonances(run));
	CHECK(check_beginnings(run));
	find_wavelength(run);
	find_cells(run);
	return context_expect(run->context, seconds_at(run, cpu_rate(run)));
}

sonde_status fdtd_run_prepare(sonde_context *context, const sonde_fdtd_job *job, struct fdtd_run *run)
{
	*run = (struct fdtd_run){.context = context, .sources.wave.number = -1, .room_for_windows = 1.0};
	CHECK(memory_allocate(&run->complete, 1, sizeof *run->complete, "the job"));
	run->job = &run->complete->job;
	CHECK(job_complete(job, run->complete));
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

static sonde_status fail_grid(const struct fdtd_run *run, double needs, double has, const char *owner)
{
	const sonde_fdtd_plan *plan = &run->plan;
	const bool *flat = run->space.frame.flat;
	/* as many cells as fit have edges longer by the root of the ratio; z is never uniform in the engine's order */
	const double longer = 1.02 * pow(needs / has, 1.0 / (3 - flat[0] - flat[1] - flat[2]));
	const sonde_fdtd_options *options = &run->job->options;
	const bool filed = strcmp(options->store, "host") != 0, off = options->streaming == SONDE_FDTD_STREAMING_OFF;
	const char *const advice =
	    filed || off ? "" : "; or its numbers can be in a scratch file, with " OPTION_NAME("store") " disk:PATH";
	const sonde_status status = status_fail_option(
	    SONDE_RESOURCE, "cell",
	    "the grid of %lld x %lld x %lld cells needs %.3g GB, but %s has %.3g GB; the largest grid that "
	    "fits has cells %.3g times as long, %.3g m along %c%s",
	    (long long)plan->cells[0], (long long)plan->cells[1], (long long)plan->cells[2], 1e-9 * needs, owner,
	    1e-9 * has, longer, longer * run->space.frame.cell[2], "xyz"[frame_job_axis(&run->space.frame, 2)],
	    advice);
	return job_prefix_option(run->job, status);
}

static sonde_status compare_memory(const struct fdtd_run *run, double grid, double monitors, double has,
				   const char *owner)
{
	if (grid > has)
		return fail_grid(run, grid, has, owner);
	if (grid + monitors <= has)
		return SONDE_OK;
	return status_fail(
	    SONDE_RESOURCE,
	    "monitors: their sums and results need %.3g GB in addition to the grid's %.3g GB, but %s has "
	    "%.3g GB; choose fewer frequencies, smaller monitors, or a longer interval between snapshots",
	    1e-9 * monitors, 1e-9 * grid, owner, 1e-9 * has);
}

/* A grid whose axes are all periodic: slabs of planes, and ranks, need a first plane that depends on no later one. */
static sonde_status refuse_closed(struct fdtd_run *run)
{
	const bool asked = run->job->options.streaming != SONDE_FDTD_STREAMING_AUTO;
	struct device *device;

	CHECK(context_device(run->context, &device));
	find_device_memory(run, device);
	const bool on_host = device_properties(device)->memory == UINT64_MAX;
	const double needed = run->plan.device_memory + run->monitor_memory.device;
	return status_fail_option(
	    asked ? SONDE_INVALID : SONDE_RESOURCE, "streaming",
	    "an axis that is not periodic is required, but all axes of this grid are periodic: one "
	    "device must hold all of it, which takes %.3g GB of %s, in a single process%s",
	    1e-9 * needed, device_name(device),
	    on_host ? "" : "; " OPTION_NAME("device") " cpu uses the memory of the machine");
}

/* The grid again, with an axis that is not periodic as the engine's x. */
static sonde_status turn_for_streaming(struct fdtd_run *run)
{
	const bool periodic = run->space.grid.walls[0][0] == WALL_PERIODIC;

	if (!periodic)
		return SONDE_OK;
	job_monitors_free(&run->monitors);
	job_sources_free(&run->sources);
	job_space_free(&run->space);
	run->sources = (struct job_sources){.wave.number = -1};
	run->streamed = true;
	CHECK(prepare(run));
	return run->space.grid.walls[0][0] != WALL_PERIODIC ? SONDE_OK : refuse_closed(run);
}

/* Of the device; of a CPU, whose buffers are in this machine's memory. */
static double memory_for(const struct fdtd_run *run, struct device *device)
{
	const uint64_t memory = device_properties(device)->memory;

	return memory == UINT64_MAX ? (double)context_host_memory(run->context) : (double)memory;
}

/* Of each of the devices that share the grid, or of the only one. */
static double memory_of_each(const struct fdtd_run *run)
{
	const bool is_host = device_properties(run->on.devices[0])->memory == UINT64_MAX;
	double least = INFINITY;

	for (int n = 0; n < run->on.count; ++n)
		least = fmin(least, memory_for(run, run->on.devices[n]));
	return is_host ? least / run->on.count : least;
}

/* The part of the media and lists that is this rank's, where surfaces may be denser than elsewhere. */
static double part_of_media(const struct fdtd_run *run)
{
	const struct media_part part = fields_part(&run->on, &run->space.grid);
	const struct plane_span painted = media_part_painted(&run->space.grid, &part);

	return fmin(1.0, 2.0 * (painted.end - painted.begin) / (run->space.grid.cells[0] + 1.0));
}

#define PART_OF_WINDOWS 0.75

/* Through the devices of run->on, each of which has planes of its own, or through one. */
static sonde_status stream_through(struct fdtd_run *run)
{
	struct device *const device = run->on.devices[0];
	const double memory = memory_of_each(run);
	const char *store;

	find_device_memory(run, device);
	const struct job_monitor_memory *monitors = &run->monitor_memory;
	if (monitors->device > memory)
		return status_fail(SONDE_RESOURCE,
				   "monitors: their samples and sums need %.3g GB, but %s has %.3g GB; choose fewer "
				   "frequencies or smaller monitors",
				   1e-9 * monitors->device, device_name(device), 1e-9 * memory);
	CHECK(job_prefix_option(run->job, fdtd_store_path(&run->job->options, &store)));
	struct fdtd_streaming_room room = {.device = memory - monitors->device,
					   .host = ((double)context_host_memory(run->context) -
						    run->host_memory * part_of_media(run) - monitors->host) /
						   run->on.count,
					   .part = 1.0};
	/* windows of a CPU, and buffers for a file, share the host's memory */
	if (device_properties(device)->memory == UINT64_MAX && store != NULL) {
		room.part = PART_OF_WINDOWS;
		room.device = room.part * fmin(room.device, room.host);
		room.host *= 1.0 - PART_OF_WINDOWS;
	}
	room.device *= run->room_for_windows;
	room.part *= run->room_for_windows;
	CHECK(job_prefix_option(run->job, fdtd_choose_streaming(run, device, &room)));
	run->plan.device_memory += monitors->device;
	return SONDE_OK;
}

/* With planes of its own for each device of this process, if that is faster than what is chosen: all use their links to the
 * host, but the host has copies of neighbors' planes in addition. */
static sonde_status share_streaming(struct fdtd_run *run)
{
	const struct fdtd_run chosen = *run;
	bool possible;

	CHECK(fdtd_share_streaming(run, &possible));
	if (!possible || stream_through(run) != SONDE_OK || run->plan.rate <= chosen.plan.rate) {
		*run = chosen;
		return SONDE_OK;
	}
	run->plan.devices = run->on.count;
	run->plan.exchange_height = run->plan.pass_height;
	run->on.streamed = &run->schedule;
	run->alone = NULL;
	return SONDE_OK;
}

static sonde_status stream(struct fdtd_run *run, struct device *device)
{
	CHECK(job_prefix_option(run->job, turn_for_streaming(run)));
	if (parallel_size(context_ranks(run->context)) > 1)
		return status_fail_option(SONDE_RESOURCE, "streaming",
					  "the grid would have to be streamed, which several ranks cannot do, as %s; "
					  "start it without mpirun",
					  run->alone != NULL ? run->alone : "they cannot share it");
	run->on = (struct fields_devices){.count = 1, .devices = {device}};
	CHECK(stream_through(run));
	CHECK(fdtd_choose_chain(run));
	return share_streaming(run);
}

#define LESS_ROOM 0.75
#define LEAST_ROOM 0.3 /* four attempts */

/* Whether a grid that was to be on one device, but does not fit in the end, may go through it, without being turned. */
static bool may_be_streamed(const struct fdtd_run *run, const struct device *device)
{
	return !run->streamed && run->on.count == 1 && parallel_size(context_ranks(run->context)) == 1 &&
	       run->job->options.streaming == SONDE_FDTD_STREAMING_AUTO &&
	       device_properties(device)->memory != UINT64_MAX && device_has_windows(device) &&
	       run->space.grid.walls[0][0] != WALL_PERIODIC;
}

bool fdtd_may_stream_with_less(const struct fdtd_run *run, const struct device *device)
{
	const sonde_fdtd_options *options = &run->job->options;

	if (may_be_streamed(run, device))
		return true;
	return run->streamed && run->on.ranks == NULL && (options->width == 0 || options->height == 0) &&
	       LESS_ROOM * run->room_for_windows > LEAST_ROOM;
}

sonde_status fdtd_stream_with_less(struct fdtd_run *run, struct device *device)
{
	const struct schedule before = run->schedule;

	if (!run->streamed) {
		CHECK(stream(run, device));
		context_notef(
		    run->context,
		    "the grid did not fit into the memory of %s with its sources and monitors: it is streamed",
		    device_name(device));
		return SONDE_OK;
	}
	run->room_for_windows *= LESS_ROOM;
	CHECK(stream(run, device));
	if (run->schedule.width == before.width && run->schedule.height == before.height)
		return SONDE_OK; /* until less than the least is left, which is reported */
	context_notef(
	    run->context,
	    "windows for slabs of %u planes and passes of %u steps did not fit into the memory of %s: slabs of "
	    "%u planes and passes of %u steps are used",
	    before.width, before.height, device_name(device), run->schedule.width, run->schedule.height);
	return SONDE_OK;
}

/* The grid on several devices, turned if that is necessary; on one if they lack the memory. */
static sonde_status share(struct fdtd_run *run, bool *shared)
{
	const struct device *lacks;
	double most;

	if (run->space.grid.walls[0][0] == WALL_PERIODIC) {
		CHECK(turn_for_streaming(run));
		run->streamed = false;
		CHECK(fdtd_choose_devices(run));
	}
	*shared = run->on.count > 1;
	if (!*shared)
		return SONDE_OK;
	find_device_memory(run, run->on.devices[0]);
	CHECK(fdtd_count_device_memory(run, &most, &lacks));
	if (lacks != NULL && run->job->options.streaming == SONDE_FDTD_STREAMING_OFF)
		return status_fail_option(SONDE_RESOURCE, "cell",
					  "the grid needs %.3g GB of each of %d devices, but %s has %.3g GB",
					  1e-9 * (most + run->monitor_memory.device), run->on.count,
					  device_name(lacks), 1e-9 * (double)device_properties(lacks)->memory);
	if (lacks != NULL) {
		*shared = false;
		run->on.count = 1;
		run->alone = "the grid does not fit into their memory together"; /* and is streamed, if possible */
		return SONDE_OK;
	}
	run->plan.device_memory = most + run->monitor_memory.device;
	return SONDE_OK;
}

/* The devices of all ranks; unless they cannot share the grid. */
static sonde_status choose_ranks(struct fdtd_run *run, bool streams)
{
	CHECK(fdtd_choose_ranks(run, streams));
	if (run->on.ranks == NULL || run->space.grid.walls[0][0] != WALL_PERIODIC)
		return SONDE_OK;
	CHECK(turn_for_streaming(run));
	run->streamed = false;
	return fdtd_choose_ranks(run, streams);
}

/* Whether a device of any rank, or the memory of its host, which a file would spare, is too small for its part of the grid;
 * all of them know. */
static sonde_status look_for_memory(struct fdtd_run *run, bool *lacking)
{
	const struct device *lacks;
	double most, any;
	const char *store;

	CHECK(job_prefix_option(run->job, fdtd_store_path(&run->job->options, &store)));
	find_device_memory(run, run->on.devices[0]);
	CHECK(fdtd_count_device_memory(run, &most, &lacks));
	const double needed = most + run->monitor_memory.device;
	if (lacks != NULL && run->job->options.streaming == SONDE_FDTD_STREAMING_OFF)
		return status_fail_option(
		    SONDE_RESOURCE, "cell",
		    "the grid needs %.3g GB of each of %d devices of the ranks, but %s has %.3g "
		    "GB: use more ranks, or let them stream it",
		    1e-9 * needed, run->on.all, device_name(lacks), 1e-9 * (double)device_properties(lacks)->memory);
	const bool in_memory = device_properties(run->on.devices[0])->memory == UINT64_MAX,
		   filed = store != NULL && in_memory && run->job->options.streaming != SONDE_FDTD_STREAMING_OFF &&
			   needed + run->host_memory * part_of_media(run) + run->monitor_memory.host >
			       (double)context_host_memory(run->context);
	any = lacks != NULL || filed ? 1.0 : 0.0;
	CHECK(parallel_largest(run->on.ranks, &any, 1));
	*lacking = any > 0.0;
	run->plan.device_memory = needed;
	return SONDE_OK;
}

/* Windows of ranks have to fit at the first attempt, since all ranks make them at the same time. */
#define ROOM_OF_RANKS 0.9

static sonde_status stream_with_ranks(struct fdtd_run *run)
{
	const sonde_fdtd_options *options = &run->job->options;

	run->room_for_windows = options->width > 0 && options->height > 0 ? 1.0 : ROOM_OF_RANKS;
	CHECK(parallel_agree(run->on.ranks, stream_through(run)));
	double numbers[2] = {run->plan.rate, run->plan.seconds};
	CHECK(parallel_broadcast(run->on.ranks, numbers, sizeof numbers));
	run->plan.rate = numbers[0];
	run->plan.seconds = numbers[1];
	run->plan.devices = run->on.all;
	run->plan.exchange_height = run->plan.pass_height;
	run->on.streamed = &run->schedule;
	run->plan.exchange = SONDE_FDTD_EXCHANGE_BY_HOST;
	return SONDE_OK;
}

/* The same on the devices of all ranks; unless they cannot share it. */
static sonde_status share_with_ranks(struct fdtd_run *run)
{
	const int streaming = run->job->options.streaming;
	bool streams = streaming == SONDE_FDTD_STREAMING_SKEW || streaming == SONDE_FDTD_STREAMING_PYRAMID;

	if (streams)
		CHECK(job_prefix_option(run->job, turn_for_streaming(run)));
	run->streamed = false;
	CHECK(choose_ranks(run, streams));
	if (run->on.ranks == NULL)
		return SONDE_OK;
	if (!streams)
		CHECK(look_for_memory(run, &streams));
	if (!streams)
		return SONDE_OK;
	CHECK(choose_ranks(run, true));
	return run->on.ranks != NULL ? stream_with_ranks(run) : SONDE_OK;
}

static sonde_status check_shared(struct fdtd_run *run)
{
	const struct job_monitor_memory *monitors = &run->monitor_memory;
	double host = run->host_memory * part_of_media(run);

	for (int n = 0; n < run->on.count; ++n)
		if (device_properties(run->on.devices[n])->memory == UINT64_MAX)
			host += run->plan.device_memory;
	CHECK(fdtd_estimate(run));
	if (run->on.ranks != NULL)
		CHECK(fdtd_estimate_ranks(run));
	fdtd_estimate_exchanges(run);
	return compare_memory(run, host, monitors->host, (double)context_host_memory(run->context), "this machine");
}

sonde_status fdtd_check_memory(struct fdtd_run *run, struct device *device)
{
	const bool ranks = parallel_size(context_ranks(run->context)) > 1;
	const char *alone = NULL;
	bool shared = false;

	if (ranks) {
		/* what one rank lacks, all report */
		CHECK(parallel_agree(context_ranks(run->context), share_with_ranks(run)));
		if (run->on.ranks != NULL)
			return run->on.streamed != NULL ? SONDE_OK : check_shared(run);
		alone = run->alone;
	}
	CHECK(fdtd_choose_devices(run));
	run->alone = ranks ? alone : run->alone;
	if (run->on.count > 1)
		CHECK(share(run, &shared));
	if (shared)
		return check_shared(run);
	find_device_memory(run, device);
	const struct job_monitor_memory *monitors = &run->monitor_memory;
	const double grid = run->plan.device_memory;
	const char *store;
	uint64_t memory = device_properties(device)->memory;
	bool is_host = memory == UINT64_MAX; /* a CPU, whose buffers are in this machine's memory */

	CHECK(job_prefix_option(run->job, fdtd_store_path(&run->job->options, &store)));
	/* a grid that does not even fit into this machine's memory can be in a file */
	if (fdtd_is_streamed(run, grid + monitors->device,
			     is_host && store == NULL ? INFINITY : memory_for(run, device)))
		return stream(run, device);
	run->plan.device_memory += monitors->device + (is_host ? monitors->host : 0.0);
	if (!is_host)
		CHECK(compare_memory(run, grid, monitors->device, (double)memory, device_name(device)));
	return compare_memory(run, run->host_memory + (is_host ? grid : 0.0),
			      monitors->host + (is_host ? monitors->device : 0.0),
			      (double)context_host_memory(run->context), "this machine");
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
