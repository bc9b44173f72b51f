/* Rounds of ions on all devices. After each round all sums belong to the ions up to a number, so that it can be the last one. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "ions/estimates.h"
#include "ions/follow.h"
#include "ions/history_device.h"
#include "parallel/share.h"

#define SECONDS_OF_ROUND 5.0
#define FIRST_ROUND_OF_CPU 1024
#define SECONDS_OF_FIRST_ROUND 0.5 /* at most, so that long histories that are stopped soon leave something, too */
#define FIRST_ROUND_OF_GPU 16384
#define SECONDS_OF_FIRST_ROUND_OF_GPU 1.0
#define THREADS_OF_WORKER 8.0 /* of a CPU, that a multiprocessor is as fast as, roughly */
#define FIRST_CHECK 1000      /* ions after which a wanted precision is looked at first, */
#define NEXT_CHECK 4          /* and again after a part of so many more */

struct ions_run {
	sonde_context *context;
	const struct ions_plan *plan;
	struct ions_sums *sums;
	struct history_device devices[CONTEXT_MOST_DEVICES];
	uint64_t first; /* ion of the round */
	uint64_t count;
	uint64_t first_round; /* ions from which speeds are learnt */
	struct stage stage;
	double done;
	struct precision wanted;
	ions_round *after;
	void *user;
};

static sonde_status run_pieces(void *user, int index, struct device *device, uint64_t first, uint64_t count,
			       double *work)
{
	struct ions_run *run = user;
	struct history_device *own = &run->devices[index];
	uint32_t groups = run->plan->job.groups;
	uint64_t begin = first * groups, end = (first + count) * groups;

	if (own->device == NULL)
		CHECK(history_device_prepare(device, run->plan, own));
	end = end < run->count ? end : run->count;
	CHECK(history_device_run(own, run->first + begin, (uint32_t)(end - begin), context_threads(run->context)));
	*work = (double)(end - begin);
	return SONDE_OK;
}

static uint64_t pieces_at_once(void *user, struct device *device)
{
	const struct ions_run *run = user;

	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k)
		if (run->devices[k].device == device)
			return history_device_ions(&run->devices[k]) / run->plan->job.groups;
	/* not prepared yet: enough for all of its lanes, on a CPU at least */
	return device_properties(device)->gpu_kernels ? 2048 : device_workers(device);
}

static sonde_status collect(void *user, int index, struct device *device)
{
	struct ions_run *run = user;
	(void)device;

	return run->devices[index].device != NULL
		   ? history_device_collect(&run->devices[index], context_threads(run->context), run->sums)
		   : SONDE_OK;
}

static void release_device(void *user, int index, struct device *device)
{
	struct ions_run *run = user;
	(void)device;

	history_device_release(&run->devices[index]);
}

static double ions_per_second(const struct ions_run *run)
{
	double all = 0.0;

	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k)
		all += run->devices[k].ions_per_second;
	return all;
}

static uint64_t round_to_groups(const struct ions_run *run, uint64_t ions)
{
	uint64_t groups = run->plan->job.groups;

	return (ions + groups - 1) / groups * groups;
}

/* The next number of ions at which a wanted precision is looked at: the same however fast the machine is. */
static uint64_t next_check(const struct ions_run *run, uint64_t done)
{
	uint64_t check = FIRST_CHECK;

	while (round_to_groups(run, check) <= done)
		check += check / NEXT_CHECK;
	return round_to_groups(run, check);
}

static bool is_check(const struct ions_run *run, uint64_t done)
{
	return run->wanted.count > 0 && done > 0 && next_check(run, done - 1) == done;
}

/* Ions of the next round. */
static uint64_t next_round(const struct ions_run *run, uint64_t done, uint64_t number)
{
	double rate = ions_per_second(run);
	uint64_t wanted = number, most = rate > 0.0 ? (uint64_t)(SECONDS_OF_ROUND * rate) + 1 : run->first_round;

	if (number - done > most)
		wanted = round_to_groups(run, done + most);
	if (run->wanted.count > 0 && wanted > next_check(run, done))
		wanted = next_check(run, done);
	return (wanted < number ? wanted : number) - done;
}

static sonde_status run_round(struct ions_run *run)
{
	uint64_t groups = run->plan->job.groups;
	const struct shared_work work = {.pieces = (run->count + groups - 1) / groups,
					 .user = run,
					 .run = run_pieces,
					 .at_once = pieces_at_once,
					 .collect = collect,
					 .release = release_device};

	return share_work(run->context, &work, &run->stage, &run->done);
}

/* The round is left out where it was not finished: devices may hold parts of it. */
static void forget_round(struct ions_run *run)
{
	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k)
		history_device_release(&run->devices[k]);
}

/* Ions from which speeds are learnt. */
static double first_round_of_cpu(const struct ions_run *run)
{
	return fmin(FIRST_ROUND_OF_CPU,
		    SECONDS_OF_FIRST_ROUND * context_threads(run->context) / ions_plan_seconds(run->plan));
}

/* Enough for all places of a GPU, since a small one takes as long. */
static double first_round_of_gpu(const struct ions_run *run, const struct device *gpu)
{
	return fmax(FIRST_ROUND_OF_GPU, SECONDS_OF_FIRST_ROUND_OF_GPU * THREADS_OF_WORKER * device_workers(gpu) /
					    ions_plan_seconds(run->plan));
}

static sonde_status run_rounds(struct ions_run *run)
{
	uint64_t number = (uint64_t)run->plan->options.number;
	struct device **devices;
	int count;

	CHECK(context_devices(run->context, &devices, &count));
	run->first_round = (uint64_t)first_round_of_cpu(run) + 1;
	for (int k = 0; k < count; ++k)
		if (devices[k] != NULL && device_properties(devices[k])->gpu_kernels)
			run->first_round = (uint64_t)first_round_of_gpu(run, devices[k]);
	stage_begin(&run->stage, run->context, "ions", "ions", (double)number);
	run->done = (double)run->sums->ions;
	while ((uint64_t)run->sums->ions < number) {
		run->first = (uint64_t)run->sums->ions;
		if (is_check(run, run->first) && precision_reached(&run->wanted, run->plan, run->sums))
			break;
		run->count = next_round(run, run->first, number);
		CHECK(run_round(run));
		CHECK(run->after(run->user, run->sums));
	}
	return SONDE_OK;
}

sonde_status ions_follow(sonde_context *context, const struct ions_plan *plan, ions_round *after, void *user,
			 struct ions_sums *sums, double *seconds)
{
	struct ions_run *run;

	CHECK(memory_allocate(&run, 1, sizeof *run, "the run"));
	*run = (struct ions_run){.context = context, .plan = plan, .sums = sums, .after = after, .user = user};
	sonde_status status = precision_parse(plan->options.until, &run->wanted);
	if (status == SONDE_OK)
		status = run_rounds(run);
	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k)
		*seconds = fmax(*seconds, run->devices[k].seconds);
	forget_round(run);
	free(run);
	return status;
}
