#include "coulomb/slabs.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "coulomb/charges.h"
#include "coulomb/check/errors.h"
#include "coulomb/check/needed.h"
#include "coulomb/direct/kept_slab.h"
#include "coulomb/method/sums.h"
#include "coulomb/plan.h"
#include "coulomb/ranks.h"
#include "coulomb/mask.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "parallel/parallel.h"
#include "run/context.h"

#define BUFFERS 2
#define SLABS_WANTED 8.0  /* of a grid, so that computing and writing overlap */
#define LEAST_POINTS 4e6  /* of a slab, to be shared by the devices */
#define MOST_POINTS 6.4e7 /* half a gigabyte */
#define MOST_OF_RANKS 4.0 /* times as many in slabs of several ranks */
#define POINTS_AT_ONCE \
	((int64_t)1 << 18)  /* written between checks for Ctrl-C: a tenth of a second on one core, as text */
#define SHARE_OF_MEMORY 0.6 /* for the buffers; the pieces of the devices also need memory */

struct slab {
	double *potential, *field;
	int64_t first, count;  /* points; count is 0 while the slab is free */
	struct own_points own; /* of these, those that this rank writes */
};

/* Two slabs, and the thread that writes one of them. */
struct pipeline {
	const sonde_context *context;
	struct delivery *delivery;
	struct slab slabs[BUFFERS];
	bool ended, has_writer;
	sonde_status status; /* status of the writer */
	char message[512];
	pthread_mutex_t mutex;
	pthread_cond_t changed;
	pthread_t writer;
};

double slabs_most_points(const sonde_context *context, const struct charges *charges, bool field)
{
	double memory = SHARE_OF_MEMORY * (double)context_host_memory(context) - 100.0 * charges->count;

	return fmax(1.0, memory / (BUFFERS * 8.0 * (field ? 4.0 : 1.0)));
}

static sonde_status deliver_points(const struct pipeline *pipeline, const struct slab *slab, int64_t first,
				   int64_t count)
{
	for (const int64_t end = first + count; first < end; first += POINTS_AT_ONCE) {
		const int64_t left = end - first, now = left < POINTS_AT_ONCE ? left : POINTS_AT_ONCE,
			      at = first - slab->first;
		if (context_cancelled(pipeline->context))
			return status_fail(SONDE_CANCELLED, "stopped on request while writing the result");
		CHECK(delivery_add(pipeline->delivery, slab->potential + at,
				   slab->field != NULL ? slab->field + 3 * at : NULL, first, now));
	}
	return SONDE_OK;
}

/* Writes a slab, unless an earlier one has failed, and frees it. The mutex is held on entry and return, but not
 * during the writing. */
static void deliver(struct pipeline *pipeline, struct slab *slab)
{
	sonde_status status = pipeline->status;
	bool failed = status != SONDE_OK;

	pthread_mutex_unlock(&pipeline->mutex);
	for (size_t n = 0; n < slab->own.count && status == SONDE_OK; ++n)
		status = deliver_points(pipeline, slab, slab->own.ranges[n].first, slab->own.ranges[n].count);
	pthread_mutex_lock(&pipeline->mutex);
	if (!failed && status != SONDE_OK) {
		pipeline->status = status;
		snprintf(pipeline->message, sizeof pipeline->message, "%s", status_message());
	}
	slab->count = 0;
	slab->own.count = 0;
	pthread_cond_broadcast(&pipeline->changed);
}

static void *write_slabs(void *user)
{
	struct pipeline *pipeline = user;

	pthread_mutex_lock(&pipeline->mutex);
	for (int next = 0;; next = (next + 1) % BUFFERS) {
		struct slab *slab = &pipeline->slabs[next];
		while (slab->count == 0 && !pipeline->ended)
			pthread_cond_wait(&pipeline->changed, &pipeline->mutex);
		if (slab->count == 0)
			break;
		deliver(pipeline, slab);
	}
	pthread_mutex_unlock(&pipeline->mutex);
	return NULL;
}

/* Waits until a slab is free. */
static sonde_status await(struct pipeline *pipeline, const struct slab *slab)
{
	pthread_mutex_lock(&pipeline->mutex);
	while (slab->count > 0)
		pthread_cond_wait(&pipeline->changed, &pipeline->mutex);
	bool fine = pipeline->status == SONDE_OK;
	pthread_mutex_unlock(&pipeline->mutex);
	return fine ? SONDE_OK : status_fail(pipeline->status, "%s", pipeline->message);
}

/* Passes a slab to the writer. Without a writer thread it is written here. */
static void give(struct pipeline *pipeline, struct slab *slab, int64_t count)
{
	pthread_mutex_lock(&pipeline->mutex);
	slab->count = count;
	if (pipeline->has_writer)
		pthread_cond_broadcast(&pipeline->changed);
	else
		deliver(pipeline, slab);
	pthread_mutex_unlock(&pipeline->mutex);
}

/* Planes of a slab of an earlier run, from which this one continues, if there is memory for them; 0: there is none. */
static int64_t planes_before(sonde_context *context, const struct coulomb_plan *plan, double plane)
{
	struct kept_cut before;

	if (!kept_slab_cut(plan, &before))
		return 0;
	if ((double)before.points <= plan->most_of_slab)
		return (int64_t)((double)before.points / plane);
	context_notef(
	    context,
	    "the slabs of the checkpoint, of %lld points, need more memory than this run has, which begins again",
	    (long long)before.points);
	return 0;
}

/* Number of planes of a slab: a multiple of the planes that the sum computes at a time. The grid is divided into several slabs if it
 * has enough points. */
static sonde_status choose_planes(sonde_context *context, const struct sums *sums, const struct targets *targets,
				  const struct coulomb_plan *plan, bool shared, int64_t *planes)
{
	int64_t all = targets->size[targets_slow(targets)], each = sums_planes(sums);
	double plane = (double)targets->count / (double)all;
	/* ranks that write their own points use no more memory for slabs of their number, which are shared better */
	const double own = shared ? fmin(parallel_size(context_ranks(context)), MOST_OF_RANKS) : 1.0;
	double points = fmin(own * MOST_POINTS, fmax(LEAST_POINTS, (double)targets->count * own / SLABS_WANTED));

	points = fmin(points, plan->most_of_slab);
	each = each < all ? each : all;
	*planes = (int64_t)fmax(1.0, floor(points / plane / (double)each)) * each;
	*planes = *planes < all ? *planes : all;
	/* whose number is another one on another number of ranks */
	const int64_t before = planes_before(context, plan, plane);
	*planes = before > 0 ? before : *planes;
	if ((double)*planes * plane <= plan->most_of_slab)
		return SONDE_OK;
	double needed = (double)*planes * plane * BUFFERS * 8.0 * (plan->field ? 4.0 : 1.0) / SHARE_OF_MEMORY;
	return status_fail(
	    SONDE_INVALID,
	    "not enough memory: %lld of %lld planes are computed at a time, which needs %.3g GB, and %.3g GB "
	    "are allowed; a larger `spacing` or a `plane` would fit",
	    (long long)*planes, (long long)all, needed * 1e-9, (double)context_host_memory(context) * 1e-9);
}

/* Allocation of half a gigabyte takes some tenths of a second. */
static sonde_status allocate(struct pipeline *pipeline, int64_t points, bool field)
{
	for (int k = 0; k < BUFFERS; ++k) {
		struct slab *slab = &pipeline->slabs[k];
		if (context_cancelled(pipeline->context))
			return status_fail(SONDE_CANCELLED, "stopped on request before the points");
		CHECK(memory_allocate(&slab->potential, (size_t)points, sizeof(double), "a slab"));
		if (field)
			CHECK(memory_allocate(&slab->field, 3 * (size_t)points, sizeof(double), "a slab"));
	}
	return SONDE_OK;
}

/* What all slabs have in common. */
struct going {
	sonde_context *context;
	struct sums *sums;
	const struct targets *targets;
	const struct mask *mask;
	struct checked_points *checked;
	struct sum_totals *totals;
	bool shared; /* ranks write what they have computed; else the first one writes all */
};

static void mask_own(const struct going *going, const struct own_points *own, struct values *values)
{
	for (size_t n = 0; n < own->count; ++n) {
		const struct target_range range = {own->ranges[n].first, own->ranges[n].count};
		going->totals->masked += mask_apply(going->context, going->mask, going->targets, &range, values);
	}
}

/* Sums a slab, and notes which points this rank writes. */
static sonde_status sum_slab(const struct going *going, int64_t first, int64_t count, struct slab *slab,
			     struct values *values)
{
	int64_t *wanted = NULL;

	if (going->shared) {
		values->own = &slab->own;
		CHECK(needed_points(going->checked, values->first, values->stride, &wanted, &values->wanted_count));
		values->wanted = wanted;
	}
	const sonde_status status = sums_slab(going->sums, first, count, values, &going->totals->coincident);
	free(wanted);
	values->wanted = NULL;
	CHECK(status);
	if (context_writes(going->context)) {
		checked_take(values, values->stride, going->checked);
		if (!going->shared) {
			values->own = &slab->own;
			CHECK(coulomb_have(values, values->first, values->stride));
		}
	}
	mask_own(going, &slab->own, values);
	return SONDE_OK;
}

static sonde_status go_through(sonde_context *context, struct sums *sums, const struct targets *targets,
			       int64_t planes, const struct coulomb_plan *plan, const struct mask *mask,
			       struct pipeline *pipeline, struct checked_points *checked, struct sum_totals *totals)
{
	const struct going going = {
	    context, sums, targets, mask, checked, totals, delivery_is_shared(pipeline->delivery)};
	int64_t all = targets->size[targets_slow(targets)];
	int next = 0;

	for (int64_t first = 0; first < all; first += planes, next = (next + 1) % BUFFERS) {
		int64_t count = first + planes < all ? planes : all - first;
		struct target_range range = targets_planes(targets, first, count);
		struct slab *slab = &pipeline->slabs[next];
		CHECK(await(pipeline, slab));
		slab->first = range.first;
		struct values values = {.potential = slab->potential,
					.field = slab->field,
					.factor = plan->factor,
					.sets = 1,
					.stride = range.count,
					.first = range.first};
		CHECK(sum_slab(&going, first, count, slab, &values));
		if (slab->own.count > 0)
			give(pipeline, slab, range.count);
	}
	return SONDE_OK;
}

static void end(struct pipeline *pipeline)
{
	if (pipeline->has_writer) {
		pthread_mutex_lock(&pipeline->mutex);
		pipeline->ended = true;
		pthread_cond_broadcast(&pipeline->changed);
		pthread_mutex_unlock(&pipeline->mutex);
		pthread_join(pipeline->writer, NULL);
	}
	for (int k = 0; k < BUFFERS; ++k) {
		free(pipeline->slabs[k].potential);
		free(pipeline->slabs[k].field);
		free(pipeline->slabs[k].own.ranges);
	}
}

/* Once this rank has written its points, or has failed. */
static sonde_status settle(sonde_context *context, struct delivery *delivery, sonde_status status,
			   struct sum_totals *totals)
{
	uint64_t masked = (uint64_t)totals->masked;

	CHECK(delivery_settle(delivery, context_ranks(context), status));
	CHECK(parallel_sum(context_ranks(context), &masked, 1));
	totals->masked = (int64_t)masked;
	return SONDE_OK;
}

sonde_status slabs_sum(sonde_context *context, const struct charges *charges, const struct targets *targets,
		       const struct coulomb_plan *plan, const struct mask *mask, struct delivery *delivery,
		       struct checked_points *checked, struct sum_totals *totals)
{
	struct pipeline pipeline = {.context = context,
				    .delivery = delivery,
				    .mutex = PTHREAD_MUTEX_INITIALIZER,
				    .changed = PTHREAD_COND_INITIALIZER};
	struct sums *sums;
	int64_t planes = 0;

	*totals = (struct sum_totals){0};
	CHECK(sums_begin(context, charges, targets, plan, &sums));
	sonde_status status = choose_planes(context, sums, targets, plan, delivery_is_shared(delivery), &planes);
	if (status == SONDE_OK)
		status = allocate(&pipeline, targets_planes(targets, 0, planes).count, plan->field);
	if (status == SONDE_OK) {
		pipeline.has_writer = pthread_create(&pipeline.writer, NULL, write_slabs, &pipeline) == 0;
		status = go_through(context, sums, targets, planes, plan, mask, &pipeline, checked, totals);
	}
	end(&pipeline);
	if (status == SONDE_OK && pipeline.status != SONDE_OK)
		status = status_fail(pipeline.status, "%s", pipeline.message);
	if (delivery_is_shared(delivery))
		status = settle(context, delivery, status, totals);
	totals->kernel_seconds = sums_end(&sums);
	return status;
}
