#include "fdtd/device_choice.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device/peers.h"
#include "fdtd/estimate.h"
#include "fdtd/fields/fields.h"
#include "fdtd/fields/fields_gpu.h"
#include "fdtd/grid/list_layout.h"
#include "fdtd/streaming/rank_direct.h"
#include "parallel/parallel.h"

/* Seconds of an exchange of planes: its launches, and the wait for the slowest device; measured with two H200, for
 * planes of 256 x 256 and 512 x 512 cells. And of the host for one device's launches in a step. */
#define EXCHANGE_OF_GPU 75e-6
#define EXCHANGE_OF_CPU 30e-6
#define LAUNCHES_OF_GPU 25e-6
/* In addition where ranks exchange planes by way of their hosts: copies and messages, and bytes per second that a rank
 * sends, while as many arrive. The latter follows from measurements with Open MPI 4.1 by shared memory, of two ranks on
 * an H200; between machines with fast networks it is larger. */
#define EXCHANGE_OF_RANKS 100e-6
#define BYTES_OF_RANKS 2.5e9
/* The latter between GPUs that copy to each other: a lower limit, as that of PCIe. */
#define BYTES_OF_COPIES 20e9
#define MOST_HEIGHT 8u
#define RESERVE 0.98 /* of the memory: tables, results of surveys, buffers for exchanges */

/* Of devices of different rates: planes are shared by these. */
static double rate_of(const struct device *device)
{
	sonde_device_description description;

	device_identify(device, &description);
	return description.peak_bandwidth > 0.0 ? description.peak_bandwidth : device_workers(device);
}

static bool of_one_kind(const struct device *a, const struct device *b)
{
	return strcspn(device_name(a), ":") == strcspn(device_name(b), ":") &&
	       strncmp(device_name(a), device_name(b), strcspn(device_name(a), ":")) == 0;
}

sonde_status fdtd_list_devices(struct fdtd_run *run, int *others)
{
	struct device **devices;
	int count;

	CHECK(context_devices(run->context, &devices, &count));
	*others = 0;
	for (int k = 0; k < count; ++k) {
		if (devices[k] == NULL)
			continue;
		const bool takes_part = run->on.count == 0 || (of_one_kind(run->on.devices[0], devices[k]) &&
							       run->on.count < FIELDS_MOST_DEVICES);
		if (takes_part)
			run->on.devices[run->on.count++] = devices[k];
		else
			++*others;
	}
	return SONDE_OK;
}

static bool all_are_periodic(const struct fdtd_grid *grid)
{
	for (int a = 0; a < 3; ++a)
		if (!grid_is_uniform(grid, a) && grid->walls[a][0] != WALL_PERIODIC)
			return false;
	return true;
}

/* Planes that are computed twice per step, on both sides of a device: see schedule_kept_step(). */
static double extra_planes(uint32_t height, double lag)
{
	return 0.5 * (height + 1.0) * (1.0 + lag) + 0.5 * (height - 1.0) + lag;
}

static double lag_of(const struct fdtd_run *run)
{
	return run->job->bodies.count > 0 ? 1.0 : 0.0;
}

static double exchange_seconds(const struct fdtd_run *run)
{
	return (fields_suit_gpu(run->on.devices[0]) ? EXCHANGE_OF_GPU : EXCHANGE_OF_CPU) +
	       (run->on.ranks != NULL && !run->on.direct ? EXCHANGE_OF_RANKS : 0.0);
}

/* For each step, whatever their number between exchanges. */
static double transfer_seconds(const struct fdtd_run *run)
{
	const struct fdtd_grid *grid = &run->space.grid;
	const double number = run->job->options.precision != SONDE_FDTD_PRECISION_FLOAT64 ? 4.0 : 8.0,
		     plane = 6.0 * number * (grid->bloch ? 2.0 : 1.0) * grid->cells[1] * grid->cells[2];

	return run->on.ranks == NULL
		   ? 0.0
		   : (2.0 + lag_of(run)) * plane / (run->on.direct ? BYTES_OF_COPIES : BYTES_OF_RANKS);
}

static int all_devices(const struct fdtd_run *run)
{
	return run->on.ranks != NULL ? run->on.all : run->on.count;
}

/* A step on the devices together, if they need `alone` seconds without neighbors. While GPUs step, planes go to and from
 * other ranks, except at the beginning and the end of a run of steps. */
static double step_seconds(const struct fdtd_run *run, double alone)
{
	const double planes = (double)grid_end_node(&run->space.grid, 0) / all_devices(run),
		     cells = alone * (1.0 + extra_planes(run->on.height, lag_of(run)) / planes),
		     sent = transfer_seconds(run),
		     apart =
			 fields_suit_gpu(run->on.devices[0]) ? fmin(2.0 * run->on.height / STEPS_OF_SUMS, 1.0) : 1.0,
		     step = fmax(cells, (1.0 - apart) * sent) + apart * sent + exchange_seconds(run) / run->on.height,
		     launches = fields_suit_gpu(run->on.devices[0]) ? LAUNCHES_OF_GPU * run->on.count : 0.0;

	return fmax(step, launches);
}

double fdtd_seconds_alone(const struct fdtd_run *run)
{
	const sonde_fdtd_plan *plan = &run->plan;
	const double cells = (double)plan->cells[0] * (double)plan->cells[1] * (double)plan->cells[2];

	return (run->space.grid.bloch ? 2.0 : 1.0) * cells / plan->rate;
}

/* Few steps between exchanges are right for large planes, many for small ones. */
static double choose_height(struct fdtd_run *run, double alone)
{
	uint32_t chosen = 1;
	double best = INFINITY;

	/* of an odd number, parts of ranks' planes take one step of each field after the other */
	const bool odd = run->on.ranks == NULL || !fields_suit_gpu(run->on.devices[0]);

	for (run->on.height = 1; run->on.height <= MOST_HEIGHT; ++run->on.height) {
		if (!odd && run->on.height % 2 != 0)
			continue;
		const double seconds = step_seconds(run, alone);
		if (seconds < best)
			chosen = run->on.height;
		best = fmin(best, seconds);
	}
	run->on.height = chosen;
	return best;
}

/* As many of the devices as are fastest together: GPUs wait for their host in small grids. */
static sonde_status choose_count(struct fdtd_run *run)
{
	const int all = run->on.count;
	double best = INFINITY;
	int chosen = all;

	for (run->on.count = 1; run->on.count <= all && fields_suit_gpu(run->on.devices[0]); ++run->on.count) {
		CHECK(fdtd_estimate(run));
		const double alone = fdtd_seconds_alone(run),
			     seconds = run->on.count > 1 ? choose_height(run, alone) : alone;
		if (seconds < best)
			chosen = run->on.count;
		best = fmin(best, seconds);
	}
	run->on.count = chosen;
	CHECK(fdtd_estimate(run));
	(void)choose_height(run, fdtd_seconds_alone(run));
	return SONDE_OK;
}

bool fdtd_share_planes(struct fdtd_run *run, uint32_t planes)
{
	double all = 0.0, before = 0.0;
	uint32_t begin = 0;

	for (int n = 0; n < run->on.count; ++n)
		all += rate_of(run->on.devices[n]);
	for (int n = 0; n < run->on.count; ++n) {
		before += rate_of(run->on.devices[n]);
		run->on.end[n] = n + 1 == run->on.count ? planes : (uint32_t)lround(planes * before / all);
		if (run->on.end[n] < begin + fields_least_planes(run->on.height, true))
			return false;
		begin = run->on.end[n];
	}
	return true;
}

static sonde_status use_one(struct fdtd_run *run, const char *alone)
{
	run->alone = alone;
	run->on.count = 1;
	return SONDE_OK;
}

sonde_status fdtd_choose_devices(struct fdtd_run *run)
{
	const struct fdtd_grid *grid = &run->space.grid;
	int others;

	run->on = (struct fields_devices){.count = 0};
	run->alone = NULL;
	CHECK(fdtd_list_devices(run, &others));
	if (run->on.count == 1 && others > 0)
		run->alone = "the others are of another kind";
	if (run->on.count == 1)
		return SONDE_OK;
	if (run->job->options.streaming == SONDE_FDTD_STREAMING_SKEW ||
	    run->job->options.streaming == SONDE_FDTD_STREAMING_PYRAMID)
		return use_one(run, "the grid goes through one device");
	if (run->space.frame.flat[0])
		return use_one(run, "the grid has a single plane");
	if (all_are_periodic(grid))
		return use_one(run, "all its axes are periodic");
	for (int n = 0; n < run->on.count; ++n)
		if (!device_has_windows(run->on.devices[n]))
			return use_one(run, "the devices cannot hold a part of the grid");
	CHECK(choose_count(run));
	if (run->on.count == 1)
		return use_one(run, "it is faster than several for a grid of this size");
	const uint32_t planes = (uint32_t)grid_end_node(grid, 0);
	while (run->on.count > 1 && !fdtd_share_planes(run, planes)) {
		if (run->on.height > 1)
			--run->on.height;
		else
			--run->on.count;
	}
	run->alone = run->on.count == 1 ? "the grid has too few planes" : NULL;
	return SONDE_OK;
}

/* Several ranks ------------------------------------------------------------------------------------------ */

/* What all ranks must know of a device. */
struct far_device {
	char kind[16];
	double rate;
	int32_t rank;
	uint32_t has_windows;
};

static sonde_status gather_devices(struct fdtd_run *run, struct far_device **all, size_t *count)
{
	struct parallel *ranks = context_ranks(run->context);
	struct far_device own[FIELDS_MOST_DEVICES];
	void *bytes;
	size_t size;

	memset(own, 0, sizeof own);
	for (int n = 0; n < run->on.count; ++n) {
		const struct device *device = run->on.devices[n];
		const char *name = device_name(device);
		own[n].rate = fields_suit_gpu(device) ? rate_of(device) : device_workers(device);
		own[n].rank = parallel_rank(ranks);
		own[n].has_windows = device_has_windows(device);
		snprintf(own[n].kind, sizeof own[n].kind, "%.*s", (int)strcspn(name, ":"), name);
	}
	CHECK(parallel_gather(ranks, own, (size_t)run->on.count * sizeof *own, &bytes, &size));
	*all = bytes;
	*count = size / sizeof **all;
	return SONDE_OK;
}

/* Null: all ranks can share the grid; else the reason. */
static const char *obstacle(const struct fdtd_run *run, const struct far_device *all, size_t count)
{
	if (run->space.frame.flat[0])
		return "it has a single plane";
	if (all_are_periodic(&run->space.grid))
		return "all its axes are periodic";
	for (size_t n = 0; n < count; ++n)
		if (!all[n].has_windows)
			return "their devices cannot hold a part of a grid";
	return NULL;
}

static sonde_status check_kinds(const struct far_device *all, size_t count)
{
	for (size_t n = 1; n < count; ++n)
		if (strcmp(all[n].kind, all[0].kind) != 0)
			return status_fail_option(SONDE_INVALID, "device",
						  "ranks of sonde fdtd need devices of one kind, but rank %d has %s "
						  "and rank %d has %s",
						  (int)all[0].rank, all[0].kind, (int)all[n].rank, all[n].kind);
	return SONDE_OK;
}

/* The end of the planes of device number `last` of all. */
static uint32_t end_of_planes(const struct far_device *all, size_t count, size_t last, uint32_t planes)
{
	double sum = 0.0, before = 0.0;

	for (size_t n = 0; n < count; ++n)
		sum += all[n].rate;
	for (size_t n = 0; n <= last; ++n)
		before += all[n].rate;
	return last + 1 == count ? planes : (uint32_t)lround(planes * before / sum);
}

/* The planes of this rank's devices; whether all devices of all ranks have enough. */
static bool share_among(struct fdtd_run *run, const struct far_device *all, size_t count, uint32_t planes)
{
	const int rank = parallel_rank(run->on.ranks);
	uint32_t begin = 0;
	int own = 0;

	for (size_t n = 0; n < count; ++n) {
		const uint32_t end = end_of_planes(all, count, n, planes);
		if (end < begin + fields_least_planes(run->on.height, true))
			return false;
		if (all[n].rank == rank && own == 0)
			run->on.begin = begin;
		if (all[n].rank == rank)
			run->on.end[own++] = end;
		begin = end;
	}
	return true;
}

/* From the rate of the first rank's devices that of all, on all ranks the same. */
static sonde_status estimate_all(struct fdtd_run *run, const struct far_device *all, size_t count)
{
	double here = 0.0, sum = 0.0;

	for (size_t n = 0; n < count; ++n) {
		here += all[n].rank == 0 ? all[n].rate : 0.0;
		sum += all[n].rate;
	}
	CHECK(fdtd_estimate(run));
	run->on.speedup = sum / here;
	return fdtd_estimate_ranks(run);
}

sonde_status fdtd_estimate_ranks(struct fdtd_run *run)
{
	sonde_fdtd_plan *plan = &run->plan;
	const double alone = fdtd_seconds_alone(run);
	double numbers[2];

	plan->rate *= run->on.speedup;
	plan->seconds +=
	    plan->steps > 0 ? (double)plan->runs * (double)plan->steps * (fdtd_seconds_alone(run) - alone) : 0.0;
	numbers[0] = plan->rate;
	numbers[1] = plan->seconds;
	CHECK(parallel_broadcast(context_ranks(run->context), numbers, sizeof numbers));
	plan->rate = numbers[0];
	plan->seconds = numbers[1];
	return SONDE_OK;
}

/* The most steps of a pass for which every rank has the planes that its neighbors need. */
static uint32_t most_height(const struct far_device *all, size_t count, uint32_t planes)
{
	uint32_t least = planes, begin = 0, height = 0;

	for (size_t n = 0; n < count; ++n) {
		const uint32_t end = end_of_planes(all, count, n, planes);
		least = end - begin < least ? end - begin : least;
		begin = end;
	}
	while (fields_least_planes(height + 1, true) <= least)
		++height;
	return height;
}

static sonde_status share_with_ranks(struct fdtd_run *run, const struct far_device *all, size_t count, bool streams)
{
	const uint32_t planes = (uint32_t)grid_end_node(&run->space.grid, 0);

	CHECK(check_kinds(all, count));
	run->alone = obstacle(run, all, count);
	if (run->alone != NULL)
		return SONDE_OK;
	run->on.all = (int)count;
	run->on.ranks = context_ranks(run->context);
	CHECK(rank_direct_probe(run->on.ranks, run->on.devices[0], run->on.devices[run->on.count - 1],
				&run->on.direct));
	/* planes that are streamed are those of the hosts */
	run->on.direct = run->on.direct && !streams;
	CHECK(estimate_all(run, all, count));
	if (streams)
		run->on.height = 1;
	else
		(void)choose_height(run, fdtd_seconds_alone(run));
	run->most_height = streams ? most_height(all, count, planes) : 0;
	while (run->on.height > 0 && !share_among(run, all, count, planes))
		--run->on.height;
	if (run->on.height > 0)
		return SONDE_OK;
	run->on.ranks = NULL;
	run->alone = "it has too few planes for their devices";
	return SONDE_OK;
}

sonde_status fdtd_choose_ranks(struct fdtd_run *run, bool streams)
{
	struct far_device *all;
	size_t count;
	int others;

	run->on = (struct fields_devices){.count = 0};
	run->alone = NULL;
	CHECK(fdtd_list_devices(run, &others));
	CHECK(gather_devices(run, &all, &count));
	const sonde_status status = share_with_ranks(run, all, count, streams);
	free(all);
	return status;
}

sonde_status fdtd_count_device_memory(const struct fdtd_run *run, double *most, const struct device **lacks)
{
	const struct fdtd_grid *grid = &run->space.grid;
	const bool bodies = run->job->bodies.count > 0,
		   single = run->job->options.precision != SONDE_FDTD_PRECISION_FLOAT64;
	const double parts = grid->bloch ? 2.0 : 1.0, whole = run->space.body_memory.whole,
		     lists = run->space.body_memory.bytes - whole;

	*most = 0.0;
	*lacks = NULL;
	for (int n = 0; n < run->on.count; ++n) {
		const uint32_t begin = n > 0 ? run->on.end[n - 1] : run->on.begin, end = run->on.end[n];
		const struct schedule schedule = {.planes = (uint32_t)grid_end_node(grid, 0),
						  .width = end - begin,
						  .height = run->on.height,
						  .lag = 1,
						  .kept = true,
						  .own = {begin, end}};
		struct fields_streamed_bytes bytes;
		CHECK(fields_streamed_bytes(run->on.devices[n], grid, run->job->bodies.count < 255 ? 2 : 300, bodies,
					    false, single, &schedule, &bytes));
		/* bodies' surfaces may be in these planes more than elsewhere */
		const double some = fmin(1.0, 2.0 * schedule_window(&schedule) / (double)schedule.planes),
			     needed = parts * (bytes.device + some * lists + whole);
		const uint64_t memory = device_properties(run->on.devices[n])->memory;
		*most = fmax(*most, needed);
		if (memory != UINT64_MAX && needed + run->monitor_memory.device > RESERVE * (double)memory)
			*lacks = run->on.devices[n];
	}
	return SONDE_OK;
}

void fdtd_estimate_exchanges(struct fdtd_run *run)
{
	sonde_fdtd_plan *plan = &run->plan;
	const double alone = fdtd_seconds_alone(run), step = step_seconds(run, alone);

	plan->rate *= alone / step;
	plan->seconds += plan->steps > 0 ? (double)plan->runs * (double)plan->steps * (step - alone) : 0.0;
	plan->devices = all_devices(run);
	plan->exchange_height = run->on.height;
	plan->exchange = run->on.ranks == NULL ? SONDE_FDTD_EXCHANGE_IN_PROCESS
			 : run->on.direct      ? SONDE_FDTD_EXCHANGE_DIRECT
					       : SONDE_FDTD_EXCHANGE_BY_HOST;
}

sonde_status fdtd_note_devices(const struct fdtd_run *run)
{
	struct device **devices;
	int count, there = 0;

	if (run->is_companion)
		return SONDE_OK;
	CHECK(context_devices(run->context, &devices, &count));
	for (int k = 0; k < count; ++k)
		there += devices[k] != NULL ? 1 : 0;
	if (run->on.ranks == NULL && parallel_size(context_ranks(run->context)) > 1 && run->alone != NULL)
		context_notef(run->context, "the ranks cannot share this grid, as %s: each computes all of it",
			      run->alone);
	else if (run->on.count > 1 && there > run->on.count)
		context_notef(run->context, "sonde fdtd runs on %d devices like %s; the others are not used",
			      run->on.count, device_name(run->on.devices[0]));
	else if (run->on.count == 1 && there > 1)
		context_notef(run->context, "sonde fdtd runs on one device, %s; the other devices are not used: %s",
			      device_name(run->on.devices[0]),
			      run->alone != NULL ? run->alone : "they are of another kind");
	return SONDE_OK;
}
