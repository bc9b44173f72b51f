/* The direct sum: every charge at every point. The points are divided into pieces shared by the devices. */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "coulomb/direct/direct.h"

#include "base/clock.h"
#include "base/memory.h"
#include "coulomb/charges.h"
#include "coulomb/direct/direct_device.h"
#include "coulomb/direct/kept_slab.h"
#include "coulomb/periodic/ewald.h"
#include "coulomb/plan.h"
#include "coulomb/ranks.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "device/device.h"
#include "parallel/parallel.h"
#include "run/context.h"
#include "run/exchange.h"
#include "run/share.h"

#define EVALUATIONS_OF_GPU 2e11 /* per piece: a twentieth of a second */
#define EVALUATIONS_OF_CPU 1e9  /* a second or two on one slow thread, so that a cancellation takes effect */
#define MOST_OF_PIECE (1 << 22) /* points */
#define LEAST_OF_PIECE 1024
#define WORTH_KEEPING 30.0    /* seconds of a sum */
#define POINTS_OF_THREAD 64.0 /* on a CPU, at least */
#define COST_OF_EWALD 6.0

struct direct_run {
	sonde_context *context;
	const struct charges *charges;
	struct targets targets; /* lists as rows of one point */
	const struct coulomb_plan *plan;
	struct values *values;
	struct target_range slab;
	uint64_t first_piece; /* of a round of pieces */
	struct direct_device devices[CONTEXT_MOST_DEVICES];
	int64_t rows_of_piece, pieces_of_plane, planes_of_piece; /* a piece is rows of a plane, or planes */
	int slow;
	pthread_mutex_t mutex;
	uint64_t coincident;
	struct stage stage;
	bool has_rounds; /* of a kept sum, so that their size is known */
	double done;     /* evaluations */
};

static sonde_status prepare_device(void *user, struct device *device, void *state)
{
	const struct direct_run *run = user;

	return direct_device_prepare(run->context, device, run->charges, run->plan, state);
}

static void release_device(void *state)
{
	direct_device_release(state);
}

/* The slab consists of whole planes, or of rows of the only plane. */
static struct target_range range_of(const struct direct_run *run, uint64_t piece)
{
	const int64_t *size = run->targets.size, row = size[0], plane = row * size[1], number = (int64_t)piece;
	int64_t first, count;

	if (run->planes_of_piece > 0) {
		first = number * run->planes_of_piece * plane;
		count = run->planes_of_piece * plane;
	} else {
		first =
		    number / run->pieces_of_plane * plane + number % run->pieces_of_plane * run->rows_of_piece * row;
		count = run->rows_of_piece * row;
		/* rows of one plane do not continue in the next */
		int64_t left = plane - first % plane;
		count = count < left ? count : left;
	}
	int64_t left = run->slab.count - first;
	return (struct target_range){run->slab.first + first, count < left ? count : left};
}

static sonde_status run_piece(void *user, void *state, uint64_t piece, uint64_t count, double *work)
{
	struct direct_run *run = user;
	struct target_range range = range_of(run, run->first_piece + piece);
	uint64_t coincident = 0;
	(void)count; /* one piece at a time */

	CHECK(direct_device_sum(state, &run->targets, &range, run->values, &coincident));
	pthread_mutex_lock(&run->mutex);
	run->coincident += coincident;
	const sonde_status status = coulomb_have(run->values, range.first, range.count);
	pthread_mutex_unlock(&run->mutex);
	*work = (double)range.count * run->charges->count;
	return status;
}

/* The values of a piece, for other ranks. */
static sonde_status pack(void *user, uint64_t piece, struct text *packed)
{
	const struct direct_run *run = user;
	const struct target_range range = range_of(run, run->first_piece + piece);

	coulomb_pack(run->values, range.first, range.count, packed);
	return SONDE_OK;
}

static sonde_status unpack(void *user, uint64_t piece, const char *bytes, size_t size)
{
	const struct direct_run *run = user;
	const struct target_range range = range_of(run, run->first_piece + piece);

	if (size != coulomb_packed(run->values, range.first, range.count))
		return status_fail(SONDE_INTERNAL, "a piece of another rank has another size");
	(void)coulomb_unpack(run->values, range.first, range.count, bytes);
	return SONDE_OK;
}

static sonde_status merge(void *user, struct parallel *ranks)
{
	struct direct_run *run = user;

	return parallel_sum(ranks, &run->coincident, 1);
}

static struct shared_work work_of(struct direct_run *run)
{
	return (struct shared_work){.user = run,
				    .states = run->devices,
				    .state_size = sizeof *run->devices,
				    .prepare = prepare_device,
				    .release = release_device,
				    .run = run_piece,
				    .pack = pack,
				    .unpack = unpack,
				    .merge = merge};
}

/* A run that is resumed has the pieces that it was begun with, on whatever number of threads that was. */
static void cut_as_before(struct direct_run *run)
{
	struct kept_cut before;

	if (!kept_slab_cut(run->plan, &before))
		return;
	run->planes_of_piece = before.planes;
	run->rows_of_piece = before.rows;
}

/* The size of pieces depends on the work and on the kind of devices, not on their number or on the slabs: work-items
 * take several points together, and float32 coordinates are relative to the first one. With more than 10^6 charges it
 * also depends on the threads. */
static sonde_status cut(struct direct_run *run)
{
	const struct targets *targets = &run->targets;
	struct device **devices;
	struct device_count present;
	int count;

	CHECK(context_devices(run->context, &devices, &count));
	CHECK(context_count_devices(run->context, &present));
	const bool gpus = present.gpus == present.all;
	/* an error function costs as much as several reciprocal square roots */
	const struct ewald *ewald = run->plan->ewald;
	double terms =
	    ewald != NULL ? COST_OF_EWALD * ((double)ewald->images.count + ewald->wave_count) : run->charges->count;
	double points = (gpus ? EVALUATIONS_OF_GPU : EVALUATIONS_OF_CPU) / fmax(1.0, terms);
	double least = fmin(LEAST_OF_PIECE, gpus ? LEAST_OF_PIECE : POINTS_OF_THREAD * context_threads(run->context));
	points = fmin(MOST_OF_PIECE, fmax(least, points));
	/* coordinates and values of a piece take at most a quarter of the device's memory */
	for (int k = 0; k < count; ++k)
		if (devices[k] != NULL)
			points =
			    fmin(points, (double)device_properties(devices[k])->memory / 4.0 /
					     (8.0 * (3.0 + run->charges->sets * (run->plan->field ? 4.0 : 1.0))));
	CHECK(parallel_least(context_ranks(run->context), &points));
	points = fmax(1.0, fmin(points / run->charges->sets, run->plan->most_of_slab));
	int64_t row = targets->size[0], plane = row * targets->size[1];
	if ((double)plane <= points) {
		run->planes_of_piece = (int64_t)(points / (double)plane);
	} else {
		run->rows_of_piece = (int64_t)fmax(1.0, points / (double)row);
	}
	cut_as_before(run);
	if (run->planes_of_piece == 0)
		run->pieces_of_plane = (targets->size[1] + run->rows_of_piece - 1) / run->rows_of_piece;
	return SONDE_OK;
}

static uint64_t pieces_of(const struct direct_run *run, const struct target_range *slab)
{
	int64_t row = run->targets.size[0], plane = row * run->targets.size[1], planes = slab->count / plane;

	if (run->planes_of_piece > 0)
		return (uint64_t)((planes + run->planes_of_piece - 1) / run->planes_of_piece);
	if (slab->count < plane)
		return (uint64_t)((slab->count / row + run->rows_of_piece - 1) / run->rows_of_piece);
	return (uint64_t)(planes * run->pieces_of_plane);
}

/* A list is a single row, which is divided into shorter rows. */
static struct targets as_rows(const struct targets *targets)
{
	struct targets rows = *targets;

	if (!targets->is_grid || targets->size[1] * targets->size[2] == 1) {
		rows.size[0] = 1;
		rows.size[1] = targets->count;
		rows.size[2] = 1;
		rows.is_orthogonal = false;
		for (int c = 0; c < 3; ++c)
			rows.steps[1][c] = targets->steps[0][c];
	}
	return rows;
}

sonde_status direct_begin(sonde_context *context, const struct charges *charges, const struct targets *targets,
			  const struct coulomb_plan *plan, struct direct_run **run)
{
	CHECK(memory_allocate(run, 1, sizeof **run, "the direct sum"));
	**run = (struct direct_run){.context = context,
				    .charges = charges,
				    .targets = as_rows(targets),
				    .plan = plan,
				    .mutex = PTHREAD_MUTEX_INITIALIZER};
	(*run)->slow = targets_slow(targets);
	sonde_status status = cut(*run);
	if (status != SONDE_OK) {
		free(*run);
		*run = NULL;
		return status;
	}
	stage_begin(&(*run)->stage, context, "points (direct)", "evaluations",
		    (double)targets->count * charges->count);
	return SONDE_OK;
}

int64_t direct_planes(const struct direct_run *run)
{
	if (run->slow == 2)
		return run->planes_of_piece > 0 ? run->planes_of_piece : 1;
	if (run->slow == 1 && run->planes_of_piece == 0)
		return run->rows_of_piece;
	return INT32_MAX; /* a line, or a small plane */
}

/* The end of the first pieces of the slab. */
static int64_t end_of(const struct direct_run *run, uint64_t pieces)
{
	const struct target_range last = range_of(run, pieces - 1);

	return last.first + last.count;
}

/* Whether the sum takes so long that its values are worth keeping, as its speed so far shows. */
static bool is_long(const struct direct_run *run)
{
	const double share = run->done / run->stage.total;

	return share > 0.0 && clock_seconds() - run->stage.began > share * WORTH_KEEPING;
}

/* The pieces that this rank has not computed belong to others. */
static void find_owners(const struct direct_run *run, uint64_t pieces, int16_t *owner)
{
	const struct own_points *own = run->values->own;

	for (uint64_t k = 0; k < pieces; ++k) {
		const int64_t first = range_of(run, k).first;
		owner[k] = SHARE_ELSEWHERE;
		for (size_t n = 0; n < own->count && owner[k] == SHARE_ELSEWHERE; ++n)
			if (own->ranges[n].first <= first && first < own->ranges[n].first + own->ranges[n].count)
				owner[k] = 0;
	}
}

/* From now on the slab is kept, if there is memory for that: the first rank, which had values at some points only, gets those of all of the
 * first `pieces` pieces. */
static sonde_status begin_keeping(struct direct_run *run, struct kept_slab *kept, uint64_t pieces)
{
	struct shared_work work = work_of(run);
	int16_t *owner;

	CHECK(kept_slab_keep(kept));
	if (kept->part == NULL || run->values->wanted == NULL)
		return SONDE_OK;
	run->values->wanted = NULL;
	work.pieces = pieces;
	run->first_piece = 0;
	sonde_status status = memory_allocate(&owner, pieces, sizeof *owner, "the pieces of ranks");
	status = parallel_agree(context_ranks(run->context), status);
	if (status == SONDE_OK) {
		find_owners(run, pieces, owner);
		status = exchange_packed(context_ranks(run->context), &work, owner);
	}
	free(owner);
	return status;
}

/* The pieces of the slab that are left, in rounds, after each of which the values are kept. */
static sonde_status sum_rounds(struct direct_run *run, struct kept_slab *kept)
{
	struct shared_work work = work_of(run);

	for (; kept->done < kept->pieces; run->has_rounds = true) {
		CHECK(unfinished_round(kept->unfinished, run->has_rounds ? 0 : 1, kept->pieces - kept->done,
				       &work.pieces));
		run->first_piece = kept->done;
		work.for_all = run->values->for_all;
		if (!context_writes(run->context)) /* the first rank has the pairs so far */
			run->coincident = 0;
		const sonde_status status = share_work(run->context, &work, &run->stage, &run->done);
		if (status == SONDE_CANCELLED && kept->done > 0 && kept->part == NULL) {
			CHECK(begin_keeping(run, kept, kept->done));
			run->first_piece = 0;
			CHECK(kept_slab_add(kept, 0, end_of(run, kept->done)));
		}
		CHECK(status);
		const uint64_t done = kept->done + work.pieces;
		uint64_t as_long = is_long(run); /* by the clock of the first rank */
		CHECK(parallel_broadcast(context_ranks(run->context), &as_long, sizeof as_long));
		if (as_long != 0 && kept->part == NULL)
			CHECK(begin_keeping(run, kept, done));
		run->first_piece = 0;
		CHECK(kept_slab_add(kept, work.pieces, end_of(run, done)));
	}
	run->first_piece = 0;
	return SONDE_OK;
}

static sonde_status sum_kept(struct direct_run *run, uint64_t pieces)
{
	struct kept_slab kept = {.unfinished = run->plan->unfinished,
				 .pieces = pieces,
				 .values = run->values,
				 .slab = run->slab,
				 .coincident = &run->coincident};

	kept_slab_name(run->plan, &(struct kept_cut){run->slab.count, run->planes_of_piece, run->rows_of_piece},
		       &kept);
	kept_slab_begin(&kept);
	if (kept.done > 0) {
		run->done += (double)run->slab.count * run->charges->count * (double)kept.done / (double)pieces;
		run->values->wanted = NULL; /* the checkpoint has all values */
		if (context_writes(run->context))
			CHECK(coulomb_have(run->values, run->slab.first, end_of(run, kept.done) - run->slab.first));
	}
	return sum_rounds(run, &kept);
}

sonde_status direct_slab(struct direct_run *run, const struct target_range *slab, struct values *values,
			 uint64_t *coincident)
{
	struct shared_work work = work_of(run);

	if (run->charges->count == 0) {
		memset(values->potential, 0, (size_t)slab->count * sizeof(double));
		if (values->field != NULL)
			memset(values->field, 0, 3 * (size_t)slab->count * sizeof(double));
		return context_writes(run->context) ? coulomb_have(values, slab->first, slab->count) : SONDE_OK;
	}
	work.pieces = pieces_of(run, slab);
	work.for_all = values->for_all;
	run->slab = *slab;
	run->values = values;
	run->coincident = 0;
	sonde_status status = run->plan->unfinished != NULL
				  ? sum_kept(run, work.pieces)
				  : share_work(run->context, &work, &run->stage, &run->done);
	*coincident += run->coincident;
	return status;
}

double direct_end(struct direct_run **run)
{
	double seconds = 0.0;

	if (*run == NULL)
		return 0.0;
	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k) {
		seconds = fmax(seconds, (*run)->devices[k].seconds);
	}
	const struct shared_work work = work_of(*run);
	share_release(&work);
	free(*run);
	*run = NULL;
	return seconds;
}
