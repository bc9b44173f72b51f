/* Where the planes of a grid are: on one device, on several ones or those of ranks, or on the host, from which they go through
 * devices. */
#include <math.h>
#include <string.h>

#include "device/peers.h"
#include "fdtd/device_choice.h"
#include "fdtd/estimate.h"
#include "fdtd/fields/fields_gpu.h"
#include "fdtd/fields/shared_lists.h"
#include "fdtd/job/prepared.h"
#include "fdtd/media/media_part.h"
#include "fdtd/streaming_choice.h"
#include "fdtd/streaming_devices.h"
#include "parallel/parallel.h"

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
	CHECK(fdtd_run_turn(run));
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
