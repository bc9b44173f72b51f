#include "fdtd/device_choice.h"

#include <math.h>
#include <string.h>

#include "device/peers.h"
#include "fdtd/estimate.h"
#include "fdtd/fields/fields.h"
#include "fdtd/fields/fields_gpu.h"
#include "fdtd/grid/list_layout.h"

/* Seconds of an exchange of planes: its launches, and the wait for the slowest device; measured with two H200, for
 * planes of 256 x 256 and 512 x 512 cells. And of the host for one device's launches in a step. */
#define EXCHANGE_OF_GPU 75e-6
#define EXCHANGE_OF_CPU 30e-6
#define LAUNCHES_OF_GPU 25e-6
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

static sonde_status list_devices(struct fdtd_run *run, int *others)
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
	return fields_suit_gpu(run->on.devices[0]) ? EXCHANGE_OF_GPU : EXCHANGE_OF_CPU;
}

/* A step on the devices together, if they need `alone` seconds without neighbors. */
static double step_seconds(const struct fdtd_run *run, double alone)
{
	const double planes = (double)grid_end_node(&run->space.grid, 0) / run->on.count,
		     step = alone * (1.0 + extra_planes(run->on.height, lag_of(run)) / planes) +
			    exchange_seconds(run) / run->on.height,
		     launches = fields_suit_gpu(run->on.devices[0]) ? LAUNCHES_OF_GPU * run->on.count : 0.0;

	return fmax(step, launches);
}

static double seconds_alone(const struct fdtd_run *run)
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

	for (run->on.height = 1; run->on.height <= MOST_HEIGHT; ++run->on.height) {
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
		const double alone = seconds_alone(run),
			     seconds = run->on.count > 1 ? choose_height(run, alone) : alone;
		if (seconds < best)
			chosen = run->on.count;
		best = fmin(best, seconds);
	}
	run->on.count = chosen;
	CHECK(fdtd_estimate(run));
	(void)choose_height(run, seconds_alone(run));
	return SONDE_OK;
}

/* Ends of the devices' planes, the same share of the rates of all; whether each has enough. */
static bool share_planes(struct fdtd_run *run, uint32_t planes)
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
	CHECK(list_devices(run, &others));
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
	while (run->on.count > 1 && !share_planes(run, planes)) {
		if (run->on.height > 1)
			--run->on.height;
		else
			--run->on.count;
	}
	run->alone = run->on.count == 1 ? "the grid has too few planes" : NULL;
	return SONDE_OK;
}

/* All devices have a slab in work, except at the beginning of a pass and at its end. */
static void estimate_chain(struct fdtd_run *run)
{
	sonde_fdtd_plan *plan = &run->plan;
	const double planes = run->schedule.planes, width = run->on.width, height = run->on.height,
		     count = run->on.count, steps = run->schedule.height, alone = seconds_alone(run),
		     cells = alone * plan->rate, plane_step = alone / (planes + steps),
		     link = plan->streamed_memory / planes / plan->link_rate,
		     slab = width * fmax(plane_step * height, link),
		     slabs = (planes + count * (height + 1.0)) / width + count, before = plan->rate;

	plan->rate = cells * count * height / (slabs * slab);
	if (plan->steps > 0)
		plan->seconds += (double)plan->runs * (double)plan->steps * cells * (1.0 / plan->rate - 1.0 / before);
}

#define SLABS_OF_DEVICE 8u /* at least, so that all devices are at work most of the time */
#define NARROW_SLAB 16u    /* which is wide enough */

/* Memory of a device with slabs of `width` planes: its window is narrower than that of the schedule, but it has three
 * packages of a slab's planes in addition (chain.h), and samples of longer passes. */
static double chain_memory(const struct fdtd_run *run, uint32_t width)
{
	const double plane = run->plan.streamed_memory / run->schedule.planes,
		     of_chain = job_memory_of_samples(&run->space, &run->sources, &run->monitors,
						      (uint32_t)run->on.count * run->on.height),
		     of_one = job_memory_of_samples(&run->space, &run->sources, &run->monitors, run->schedule.height);

	return run->plan.device_memory + plane * (3.0 * width - 3.0 * ((double)run->schedule.width - width)) +
	       of_chain - of_one;
}

static double least_memory(const struct fdtd_run *run)
{
	double least = INFINITY;

	for (int n = 0; n < run->on.count; ++n) {
		const uint64_t memory = device_properties(run->on.devices[n])->memory;
		least = memory < UINT64_MAX ? fmin(least, (double)memory) : least;
	}
	return RESERVE * least;
}

sonde_status fdtd_choose_chain(struct fdtd_run *run)
{
	const struct schedule *schedule = &run->schedule;
	int others, count = 0;

	run->on = (struct fields_devices){.count = 0};
	CHECK(list_devices(run, &others));
	for (int n = 0; n < run->on.count; ++n)
		if (device_has_windows(run->on.devices[n]) &&
		    run->plan.device_memory <= (double)device_properties(run->on.devices[n])->memory)
			run->on.devices[count++] = run->on.devices[n];
	run->on.count = count > 1 && schedule->method == STREAMING_SKEW ? count : 1;
	if (run->on.count == 1)
		return SONDE_OK;
	if (schedule->store != NULL)
		return use_one(run, "a scratch file serves one device");
	/* a pass ends at the latest where the fields are surveyed, whatever the devices, unless the job wants more */
	const uint32_t most = STEPS_OF_SUMS / (uint32_t)count;
	const bool given = run->job->options.height > 0;
	const uint32_t narrow = schedule->planes / (SLABS_OF_DEVICE * (uint32_t)count),
		       widest = run->job->options.width > 0 ? schedule->width
				: narrow > NARROW_SLAB      ? narrow
							    : NARROW_SLAB;
	run->on.width = schedule->width < widest ? schedule->width : widest;
	run->on.height = given || schedule->height < most ? schedule->height : most > 0 ? most : 1;
	while (run->on.width > 1 && chain_memory(run, run->on.width) > least_memory(run))
		run->on.width /= 2;
	if (chain_memory(run, run->on.width) > least_memory(run))
		return use_one(run, "they have too little memory for planes on their way between them");
	run->plan.device_memory = chain_memory(run, run->on.width);
	run->on.whole = schedule->whole;
	run->alone = NULL;
	estimate_chain(run);
	run->plan.devices = run->on.count;
	run->plan.slab_width = run->on.width;
	run->plan.pass_height = (int64_t)run->on.height * run->on.count;
	return SONDE_OK;
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
		const uint32_t begin = n > 0 ? run->on.end[n - 1] : 0, end = run->on.end[n];
		const struct schedule schedule = {.planes = run->on.end[run->on.count - 1],
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
	const double alone = seconds_alone(run), step = step_seconds(run, alone);

	plan->rate *= alone / step;
	plan->seconds += plan->steps > 0 ? (double)plan->runs * (double)plan->steps * (step - alone) : 0.0;
	plan->devices = run->on.count;
	plan->exchange_height = run->on.height;
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
	if (run->on.count > 1 && there > run->on.count)
		context_notef(run->context, "sonde fdtd runs on %d devices like %s; the others are not used",
			      run->on.count, device_name(run->on.devices[0]));
	else if (run->on.count == 1 && there > 1)
		context_notef(run->context, "sonde fdtd runs on one device, %s; the other devices are not used: %s",
			      device_name(run->on.devices[0]), run->alone != NULL ? run->alone : "");
	return SONDE_OK;
}
