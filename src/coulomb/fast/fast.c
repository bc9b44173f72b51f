/* The fast sum over all devices: pieces of the grid, whole rows of blocks along the first step. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "coulomb/fast/fast.h"

#include "base/memory.h"
#include "coulomb/fast/fast_device.h"
#include "coulomb/plan.h"
#include "coulomb/ranks.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "device/device.h"
#include "parallel/parallel.h"
#include "run/context.h"
#include "run/share.h"

#define POINTS_OF_GPU 2.4e7 /* per piece: limits the memory of host and device, with few launches */
#define POINTS_OF_CPU 5e5   /* so that a cancellation takes effect */

struct fast_run {
	sonde_context *context;
	const struct block_tree *tree;
	const struct targets *targets;
	const struct coulomb_plan *plan;
	struct values *values;
	struct fast_device devices[CONTEXT_MOST_DEVICES];
	int whole_level;
	int slow;        /* the step along which slabs are stacked: the last one with several points */
	uint32_t across; /* pieces of a layer of blocks along that step */
	uint32_t first;  /* first layer of the slab */
	pthread_mutex_t mutex;
	uint64_t coincident;
	struct stage stage;
	double done; /* pieces */
};

static sonde_status prepare_device(void *user, struct device *device, void *state)
{
	const struct fast_run *run = user;

	return fast_device_prepare(run->context, device, run->tree, run->targets, run->plan, run->whole_level, state);
}

static void release_device(void *state)
{
	fast_device_release(state);
}

/* The blocks of a piece. */
static struct block_range range_of(const struct fast_run *run, uint64_t piece)
{
	const uint32_t *blocks = run->tree->levels[run->whole_level].blocks;
	struct block_range range = {{0, 0, 0}, {blocks[0], 0, 0}};

	/* a piece is a row of blocks along the first step; a line has one row, a plane a sequence of layers */
	const uint32_t at[3] = {0, run->slow == 2 ? (uint32_t)(piece % run->across) : run->first + (uint32_t)piece,
				run->slow == 2 ? run->first + (uint32_t)(piece / run->across) : 0};
	for (int k = 1; k < 3; ++k) {
		range.first[k] = at[k];
		range.end[k] = at[k] + 1;
	}
	return range;
}

/* Consecutive points of a piece: rows of a plane, which follow each other in the grid. */
struct rows {
	struct point_box box;
	int64_t plane, row;
};

static struct rows rows_of(const struct fast_run *run, uint64_t piece)
{
	const struct block_range range = range_of(run, piece);
	const int64_t row = run->targets->size[0];

	return (struct rows){.box = fast_points_of(run->tree, run->targets, run->whole_level, &range),
			     .plane = row * run->targets->size[1],
			     .row = row};
}

static int64_t first_of(const struct rows *rows, int64_t z)
{
	return (rows->box.first[2] + z) * rows->plane + rows->box.first[1] * rows->row;
}

static sonde_status have(const struct fast_run *run, uint64_t piece)
{
	const struct rows rows = rows_of(run, piece);

	for (int64_t z = 0; z < rows.box.size[2]; ++z)
		CHECK(coulomb_have(run->values, first_of(&rows, z), rows.box.size[1] * rows.row));
	return SONDE_OK;
}

static sonde_status run_piece(void *user, void *state, uint64_t piece, uint64_t count, double *work)
{
	struct fast_run *run = user;
	const struct block_range range = range_of(run, piece);
	uint64_t coincident = 0;
	(void)count; /* one piece at a time */

	CHECK(fast_device_sum(state, &range, run->values, &coincident));
	pthread_mutex_lock(&run->mutex);
	run->coincident += coincident;
	const sonde_status status = have(run, piece);
	pthread_mutex_unlock(&run->mutex);
	*work = 1.0;
	return status;
}

/* The values of a piece, for other ranks. */
static sonde_status pack(void *user, uint64_t piece, struct text *packed)
{
	const struct fast_run *run = user;
	const struct rows rows = rows_of(run, piece);

	for (int64_t z = 0; z < rows.box.size[2]; ++z)
		coulomb_pack(run->values, first_of(&rows, z), rows.box.size[1] * rows.row, packed);
	return SONDE_OK;
}

static sonde_status unpack(void *user, uint64_t piece, const char *bytes, size_t bytes_of_piece)
{
	const struct fast_run *run = user;
	const struct rows rows = rows_of(run, piece);
	const int64_t count = rows.box.size[1] * rows.row;
	size_t wanted = 0;

	for (int64_t z = 0; z < rows.box.size[2]; ++z)
		wanted += coulomb_packed(run->values, first_of(&rows, z), count);
	if (bytes_of_piece != wanted)
		return status_fail(SONDE_INTERNAL, "a piece of another rank has another size");
	for (int64_t z = 0; z < rows.box.size[2]; ++z)
		bytes = coulomb_unpack(run->values, first_of(&rows, z), count, bytes);
	return SONDE_OK;
}

static sonde_status merge(void *user, struct parallel *ranks)
{
	struct fast_run *run = user;

	return parallel_sum(ranks, &run->coincident, 1);
}

static struct shared_work work_of(struct fast_run *run)
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

/* Number of points of a piece of one block of a level along the second and third step. */
static double points_of_row(const struct fast_run *run, int level)
{
	double points = (double)run->targets->size[0];

	for (int k = 1; k < 3; ++k)
		points *= fmin((double)run->targets->size[k], ldexp(run->tree->points[k], level));
	return points;
}

/* Number of points of a layer of blocks along the slow step. */
static double points_of_layer(const struct fast_run *run, int level)
{
	double points = (double)run->targets->count / (double)run->targets->size[run->slow];

	return points * fmin((double)run->targets->size[run->slow], ldexp(run->tree->points[run->slow], level));
}

/* The level whose blocks are the pieces: the largest allowed by memory and response time. */
static sonde_status cut(struct fast_run *run)
{
	struct device **devices;
	int count;
	double most = POINTS_OF_GPU;

	CHECK(context_devices(run->context, &devices, &count));
	for (int k = 0; k < count; ++k) {
		if (devices[k] == NULL)
			continue;
		const struct device_properties *has = device_properties(devices[k]);
		if (!has->gpu_kernels)
			most = fmin(most, POINTS_OF_CPU);
		/* values, those of the nearest charges, and those at the nodes */
		most = fmin(most, (double)has->memory / 8.0 / sizeof(double));
	}
	CHECK(parallel_least(context_ranks(run->context), &most));
	most /= (run->plan->field ? 4.0 : 1.0) * run->tree->sets; /* values per point */
	run->whole_level = 0;
	while (run->whole_level + 1 < run->tree->level_count && points_of_row(run, run->whole_level + 1) <= most &&
	       points_of_layer(run, run->whole_level + 1) <= run->plan->most_of_slab)
		++run->whole_level;
	run->across = run->tree->levels[run->whole_level].blocks[1];
	return SONDE_OK;
}

sonde_status fast_begin(sonde_context *context, const struct block_tree *tree, const struct targets *targets,
			const struct coulomb_plan *plan, struct fast_run **run)
{
	CHECK(memory_allocate(run, 1, sizeof **run, "the fast sum"));
	**run = (struct fast_run){.context = context,
				  .tree = tree,
				  .targets = targets,
				  .plan = plan,
				  .slow = targets_slow(targets),
				  .mutex = PTHREAD_MUTEX_INITIALIZER};
	sonde_status status = cut(*run);
	if (status != SONDE_OK) {
		free(*run);
		*run = NULL;
		return status;
	}
	const uint32_t *blocks = tree->levels[(*run)->whole_level].blocks;
	stage_begin(&(*run)->stage, context, "points (fast)", "pieces", (double)blocks[1] * blocks[2]);
	return SONDE_OK;
}

int64_t fast_planes(const struct fast_run *run)
{
	return run->slow == 0 ? run->targets->size[0] : (int64_t)run->tree->points[run->slow] << run->whole_level;
}

sonde_status fast_slab(struct fast_run *run, int64_t first, int64_t count, struct values *values,
		       uint64_t *coincident)
{
	struct shared_work work = work_of(run);
	int64_t each = fast_planes(run);

	run->values = values;
	run->coincident = 0;
	run->first = (uint32_t)(first / each);
	work.pieces = (uint64_t)((first + count + each - 1) / each) - run->first;
	if (run->slow == 2)
		work.pieces *= run->across;
	sonde_status status = share_work(run->context, &work, &run->stage, &run->done);
	*coincident += run->coincident;
	return status;
}

double fast_end(struct fast_run **run)
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
