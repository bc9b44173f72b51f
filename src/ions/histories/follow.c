/* Rounds of ions on all devices. After each round the sums are those of all ions up to a number, so that any round
 * can be the last. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ions/histories/follow.h"

#include "base/clock.h"
#include "base/memory.h"
#include "ions/histories/history_device.h"
#include "ions/tallies/estimates.h"
#include "parallel/parallel.h"
#include "run/share.h"

#define SECONDS_OF_ROUND 5.0
/* Longer on GPUs: at the end of a round, few of a GPU's places are in use for about the time that one ion takes. */
#define SECONDS_OF_ROUND_OF_GPU 10.0
#define SMALL_REST 4 /* of a round: a smaller rest is added to the last one */
#define FIRST_ROUND_OF_CPU 1024
#define SECONDS_OF_FIRST_ROUND 0.5 /* at most, so that runs stopped early have some results */
#define FIRST_ROUND_OF_GPU 16384
#define THREADS_OF_WORKER 8.0 /* approximate number of CPU threads with the speed of a multiprocessor */
#define FIRST_CHECK 1000      /* number of ions after which a requested precision is first checked, */
#define NEXT_CHECK 4          /* and again after 1/4 more */

struct ions_run {
	sonde_context *context;
	const struct ions_plan *plan;
	struct ions_sums *sums;
	struct parallel *ranks;
	struct ions_sums *part; /* of this rank in a round; null: there is one rank */
	struct history_device devices[CONTEXT_MOST_DEVICES];
	uint64_t first; /* first ion of the round */
	uint64_t count;
	bool in_gap;          /* the round's ions were skipped by a stopped run */
	uint64_t first_round; /* number of ions for measuring speeds */
	struct stage stage;
	double done;
	struct precision wanted;
	ions_round *after;
	void *user;
};

static sonde_status prepare_device(void *user, struct device *device, void *state)
{
	const struct ions_run *run = user;

	return history_device_prepare(device, run->plan, state);
}

static void release_device(void *state)
{
	history_device_release(state);
}

static sonde_status run_pieces(void *user, void *state, uint64_t first, uint64_t count, double *work)
{
	const struct ions_run *run = user;
	uint32_t groups = run->plan->job.groups;
	uint64_t begin = first * groups, end = (first + count) * groups;

	end = end < run->count ? end : run->count;
	CHECK(history_device_run(state, run->first + begin, (uint32_t)(end - begin), context_threads(run->context)));
	*work = (double)(end - begin);
	return SONDE_OK;
}

static uint64_t pieces_at_once(void *user, struct device *device, const void *state)
{
	const struct ions_run *run = user;
	const struct history_device *own = state;

	if (own->device != NULL)
		return history_device_ions(own) / run->plan->job.groups;
	/* not yet prepared: enough for all lanes of a CPU at least */
	return device_properties(device)->gpu_kernels ? 2048 : device_workers(device);
}

static uint64_t pieces_in_progress(void *user, const void *state)
{
	const struct ions_run *run = user;

	return history_device_ions_in_progress(state) / run->plan->job.groups;
}

/* The sums to which the ions of devices are added. */
static struct ions_sums *sums_of_round(const struct ions_run *run)
{
	return run->part != NULL ? run->part : run->sums;
}

static sonde_status finish(void *user, void *state)
{
	const struct ions_run *run = user;

	return history_device_finish(state, context_threads(run->context));
}

static sonde_status collect(void *user, void *state)
{
	const struct ions_run *run = user;

	return history_device_collect(state, context_threads(run->context), sums_of_round(run));
}

/* The ions that all ranks have followed; if there is one, they are there already. */
static sonde_status merge_parts(void *user, struct parallel *ranks)
{
	const struct ions_run *run = user;

	if (run->part == NULL)
		return SONDE_OK;
	CHECK(ions_sums_share(run->part, ranks));
	return ions_sums_merge(run->sums, run->part);
}

static struct shared_work work_of(struct ions_run *run)
{
	return (struct shared_work){.user = run,
				    .states = run->devices,
				    .state_size = sizeof *run->devices,
				    .prepare = prepare_device,
				    .release = release_device,
				    .run = run_pieces,
				    .at_once = pieces_at_once,
				    .equal_ends = true,
				    .in_progress = pieces_in_progress,
				    .finish = finish,
				    .collect = collect,
				    .merge = merge_parts};
}

/* Number of ions that the devices of this rank follow in a round; 0: not yet known. */
static double ions_of_round(const struct ions_run *run)
{
	double all = 0.0;

	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k) {
		const struct history_device *own = &run->devices[k];
		if (own->device != NULL)
			all += own->ions_per_second * (device_properties(own->device)->gpu_kernels
							   ? SECONDS_OF_ROUND_OF_GPU
							   : SECONDS_OF_ROUND);
	}
	return all;
}

static uint64_t round_to_groups(const struct ions_run *run, uint64_t ions)
{
	uint64_t groups = run->plan->job.groups;

	return (ions + groups - 1) / groups * groups;
}

/* The next number of ions at which a requested precision is checked: independent of the machine's speed. */
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

/* Number of ions of the next round. */
static uint64_t next_round(const struct ions_run *run, double ions, uint64_t done, uint64_t number)
{
	uint64_t wanted = number, most = ions > 0.0 ? (uint64_t)ions + 1 : run->first_round;

	if (number - done > most + most / SMALL_REST)
		wanted = round_to_groups(run, done + most);
	if (run->wanted.count > 0 && wanted > next_check(run, done))
		wanted = next_check(run, done);
	return (wanted < number ? wanted : number) - done;
}

static sonde_status run_round(struct ions_run *run)
{
	uint64_t groups = run->plan->job.groups;
	struct shared_work work = work_of(run);

	work.pieces = (run->count + groups - 1) / groups;
	return share_work(run->context, &work, &run->stage, &run->done);
}

/* Discards the part of a round on the devices. */
static void forget_round(struct ions_run *run)
{
	const struct shared_work work = work_of(run);

	share_release(&work);
}

static int by_first(const void *a, const void *b)
{
	const struct ions_range *x = a, *y = b;

	return (x->first > y->first) - (x->first < y->first);
}

static sonde_status gather_ranges(struct parallel *ranks, struct ions_range **ranges, size_t *count)
{
	void *all;
	size_t size;

	CHECK(parallel_gather(ranks, *ranges, *count * sizeof **ranges, &all, &size));
	free(*ranges);
	*ranges = all;
	*count = size / sizeof **ranges;
	return SONDE_OK;
}

/* Records ions of the round that no device has started, below one that was started, as still to be done. */
static sonde_status note_gaps(struct ions_run *run)
{
	struct ions_range *ranges = NULL;
	size_t count = 0, capacity = 0;
	uint64_t next = run->first;
	sonde_status status = SONDE_OK;

	for (int k = 0; k < CONTEXT_MOST_DEVICES && status == SONDE_OK; ++k) {
		const struct history_device *own = &run->devices[k];
		status = memory_grow(&ranges, &capacity, count + (size_t)own->range_count, sizeof *ranges,
				     "the ions done");
		for (int64_t n = 0; n < own->range_count && status == SONDE_OK; ++n)
			ranges[count++] = own->ranges[n];
	}
	if (status == SONDE_OK && run->ranks != NULL)
		status = gather_ranges(run->ranks, &ranges, &count);
	if (count > 1)
		qsort(ranges, count, sizeof *ranges, by_first);
	for (size_t n = 0; n < count && status == SONDE_OK; ++n) {
		if (ranges[n].first > next)
			status = ions_sums_add_gap(run->sums, next, ranges[n].first - next);
		next = ranges[n].first + ranges[n].count;
	}
	/* those after the last one need no record, unless the round filled a gap itself */
	if (status == SONDE_OK && run->in_gap && next < run->first + run->count)
		status = ions_sums_add_gap(run->sums, next, run->first + run->count - next);
	free(ranges);
	return status;
}

/* After a stop: keeps the finished part of a round from all devices. That of a device that fails now becomes a
 * gap. */
static sonde_status interrupt(struct ions_run *run)
{
	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k) {
		struct history_device *own = &run->devices[k];
		if (own->device != NULL &&
		    history_device_suspend(own, context_threads(run->context), sums_of_round(run)) != SONDE_OK)
			history_device_release(own);
	}
	CHECK(merge_parts(run, run->ranks));
	return note_gaps(run);
}

/* Some of the suspended ions, on the first remaining device. */
static sonde_status go_on_with(struct ions_run *run, const struct ions_aside *aside, int64_t *next)
{
	const struct shared_work work = work_of(run);
	int64_t before = *next;
	int index, threads = context_threads(run->context);
	struct device *device;
	void *own;

	CHECK(context_first_device(run->context, &index, &device));
	sonde_status status = share_prepare(&work, index, device, &own);
	if (status == SONDE_OK)
		status = history_device_go_on(own, aside, next, threads);
	if (run->devices[index].device != NULL && (status == SONDE_OK || status == SONDE_CANCELLED)) {
		sonde_status collected = history_device_collect(own, threads, sums_of_round(run));
		status = collected != SONDE_OK ? collected : status;
	}
	if (status == SONDE_OK || status == SONDE_CANCELLED)
		return status;
	*next = before; /* nothing was added */
	return status == SONDE_RESOURCE ? share_drop_device(run->context, &work, index, status) : status;
}

/* The first rank has gone on, perhaps until it was stopped. */
static sonde_status merge_gone_on(struct ions_run *run, sonde_status own)
{
	char message[256];
	const sonde_status status = parallel_agree(run->ranks, own);

	if (status != SONDE_OK && status != SONDE_CANCELLED)
		return status;
	snprintf(message, sizeof message, "%s", status_message());
	CHECK(merge_parts(run, run->ranks));
	return status == SONDE_OK ? SONDE_OK : status_fail(status, "%s", message);
}

/* Finishes the ions suspended by a stopped run. */
static sonde_status go_on(struct ions_run *run)
{
	struct ions_aside aside = run->sums->aside;
	int64_t next = 0;
	sonde_status status;

	run->sums->aside = (struct ions_aside){0};
	status = ions_aside_sort(&aside);
	/* they are few: the first rank does them */
	while (status == SONDE_OK && next < aside.place_count && parallel_is_first(run->ranks)) {
		status = stage_advance(&run->stage, run->done);
		if (status == SONDE_OK)
			status = go_on_with(run, &aside, &next);
	}
	if (status == SONDE_CANCELLED && parallel_is_first(run->ranks)) {
		sonde_status kept = ions_aside_append(&sums_of_round(run)->aside, &aside, next);
		status = kept != SONDE_OK ? kept : status;
	}
	ions_aside_free(&aside);
	return merge_gone_on(run, status);
}

/* Number of ions for measuring speeds. */
static double first_round_of_cpu(const struct ions_run *run)
{
	return fmin(FIRST_ROUND_OF_CPU,
		    SECONDS_OF_FIRST_ROUND * context_threads(run->context) / ions_plan_seconds(run->plan));
}

/* Enough for all places of a GPU, since a smaller round takes as long. */
static double first_round_of_gpu(const struct ions_run *run, const struct device *gpu)
{
	return fmax(FIRST_ROUND_OF_GPU,
		    SECONDS_OF_ROUND_OF_GPU * THREADS_OF_WORKER * device_workers(gpu) / ions_plan_seconds(run->plan));
}

static sonde_status prepare_rounds(struct ions_run *run)
{
	struct device **devices;
	int count;

	CHECK(context_devices(run->context, &devices, &count));
	for (int k = 0; k < count; ++k)
		if (devices[k] != NULL && device_properties(devices[k])->gpu_kernels)
			run->first_round += (uint64_t)first_round_of_gpu(run, devices[k]);
	if (run->first_round == 0)
		run->first_round = (uint64_t)first_round_of_cpu(run) + 1;
	return parallel_sum(run->ranks, &run->first_round, 1);
}

/* One round; if it ends by a stop of the caller, its finished part is kept. */
static sonde_status finish_round(struct ions_run *run)
{
	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k)
		run->devices[k].range_count = 0;
	sonde_status status = run_round(run);
	if (status == SONDE_CANCELLED) {
		char message[256];
		snprintf(message, sizeof message, "%s", status_message());
		CHECK(interrupt(run));
		return status_fail(SONDE_CANCELLED, "%s", message);
	}
	return status;
}

/* Ions missing below ions that are done. */
static sonde_status fill_gaps(struct ions_run *run)
{
	struct ions_sums *sums = run->sums;

	run->in_gap = true;
	while (sums->gap_count > 0) {
		const struct ions_range *gap = &sums->gaps[--sums->gap_count];
		run->first = gap->first;
		run->count = gap->count;
		CHECK(finish_round(run));
	}
	run->in_gap = false;
	return SONDE_OK;
}

static sonde_status run_rounds(struct ions_run *run)
{
	uint64_t number = (uint64_t)run->plan->options.number;

	CHECK(prepare_rounds(run));
	stage_begin(&run->stage, run->context, "ions", "ions", (double)number);
	run->done = (double)run->sums->ions;
	CHECK(go_on(run));
	CHECK(fill_gaps(run));
	while ((uint64_t)run->sums->ions < number) {
		run->first = (uint64_t)run->sums->ions;
		if (is_check(run, run->first) && precision_reached(&run->wanted, run->plan, run->sums))
			break;
		double ions = ions_of_round(run);
		CHECK(parallel_sum_in_order(run->ranks, &ions, 1)); /* all ranks have the same round */
		run->count = next_round(run, ions, run->first, number);
		CHECK(finish_round(run));
		CHECK(run->after(run->user, run->sums));
	}
	return SONDE_OK;
}

sonde_status ions_follow(sonde_context *context, const struct ions_plan *plan, ions_round *after, void *user,
			 struct ions_sums *sums, double *seconds)
{
	struct ions_run *run;

	CHECK(memory_allocate(&run, 1, sizeof *run, "the run"));
	*run = (struct ions_run){.context = context,
				 .plan = plan,
				 .sums = sums,
				 .ranks = context_ranks(context),
				 .after = after,
				 .user = user};
	sonde_status status = precision_parse(plan->options.until, &run->wanted);
	if (status == SONDE_OK && run->ranks != NULL)
		status = ions_sums_make(&plan->job, plan->depth_unit, &run->part);
	if (status == SONDE_OK)
		status = run_rounds(run);
	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k)
		*seconds = fmax(*seconds, run->devices[k].seconds);
	forget_round(run);
	ions_sums_free(&run->part);
	free(run);
	return status;
}
