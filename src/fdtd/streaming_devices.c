/* Several devices of one process, through which the planes of a grid go. */
#include "fdtd/streaming_devices.h"

#include <math.h>

#include "device/peers.h"
#include "fdtd/device_choice.h"
#include "fdtd/fields/fields.h"

#define RESERVE 0.98 /* of the memory: tables, results of surveys */
/* Of the rate that follows from the slabs' steps: what planes take from device to device, measured with two H200 that have 6 GB
 * of 2048 x 1024 x 1024 cells; wide slabs lose less. */
#define RATE_OF_CHAIN 0.57

static sonde_status use_one(struct fdtd_run *run, const char *alone)
{
	run->alone = alone;
	run->on.count = 1;
	return SONDE_OK;
}

/* The devices that may hold windows for the slabs of the plan, one of them at least. */
static sonde_status list_suitable(struct fdtd_run *run)
{
	int others, count = 0;

	run->on = (struct fields_devices){.count = 0};
	CHECK(fdtd_list_devices(run, &others));
	for (int n = 0; n < run->on.count; ++n)
		if (device_has_windows(run->on.devices[n]) &&
		    run->plan.device_memory <= (double)device_properties(run->on.devices[n])->memory)
			run->on.devices[count++] = run->on.devices[n];
	run->on.count = count > 1 ? count : 1;
	return SONDE_OK;
}

/* One after the other ------------------------------------------------------------------------------------- */

/* All devices have a slab in work, except at the beginning of a pass and at its end. */
static void estimate_chain(struct fdtd_run *run)
{
	sonde_fdtd_plan *plan = &run->plan;
	const double planes = run->schedule.planes, width = run->on.width, height = run->on.height,
		     count = run->on.count, steps = run->schedule.height, alone = fdtd_seconds_alone(run),
		     cells = alone * plan->rate, plane_step = alone / (planes + steps),
		     link = plan->streamed_memory / planes / plan->link_rate,
		     slab = width * fmax(plane_step * height, link),
		     slabs = (planes + count * (height + 1.0)) / width + count, before = plan->rate;

	plan->rate = RATE_OF_CHAIN * cells * count * height / (slabs * slab);
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

	CHECK(list_suitable(run));
	const int count = run->on.count;
	if (schedule->method != STREAMING_SKEW)
		run->on.count = 1;
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

/* Each with planes of its own ----------------------------------------------------------------------------- */

sonde_status fdtd_share_streaming(struct fdtd_run *run, bool *possible)
{
	const uint32_t planes = (uint32_t)grid_end_node(&run->space.grid, 0);
	const int64_t given = run->job->options.height;

	CHECK(list_suitable(run));
	run->on.height = given > 0 ? (uint32_t)given : 1;
	*possible = run->on.count > 1 && fdtd_share_planes(run, planes);
	if (!*possible)
		return SONDE_OK;
	while (fdtd_share_planes(run, planes))
		++run->on.height;
	run->most_height = --run->on.height;
	*possible = fdtd_share_planes(run, planes);
	return SONDE_OK;
}
