/* The fast sum over all devices: pieces of the grid, whole rows of blocks along the first step. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "coulomb/fast_device.h"
#include "parallel/share.h"

#define POINTS_OF_GPU 8e6 /* of a piece: memory of the host and the device, and few launches */
#define POINTS_OF_CPU 5e5 /* so that a stop is heard */

struct fast_run {
	sonde_context *context;
	const struct block_tree *tree;
	const struct targets *targets;
	const struct coulomb_plan *plan;
	struct values *values;
	struct fast_device devices[CONTEXT_MOST_DEVICES];
	int whole_level;
	uint32_t blocks_of_piece[2]; /* of that level, along the second and third step */
	uint32_t pieces[2];
	pthread_mutex_t mutex;
	uint64_t coincident;
};

static void release_device(void *user, int index, struct device *device)
{
	struct fast_run *run = user;
	(void)device;

	if (run->devices[index].device != NULL)
		fast_device_release(&run->devices[index]);
}

static sonde_status run_piece(void *user, int index, struct device *device, uint64_t piece, uint64_t count,
			      double *work)
{
	struct fast_run *run = user;
	struct fast_device *on = &run->devices[index];
	const uint32_t *blocks = run->tree->levels[run->whole_level].blocks;
	struct block_range range = {{0, 0, 0}, {blocks[0], 0, 0}};
	uint64_t coincident = 0;
	(void)count; /* one at a time */

	for (int k = 1; k < 3; ++k) {
		uint32_t number = (uint32_t)(k == 1 ? piece % run->pieces[0] : piece / run->pieces[0]);
		uint32_t end = (number + 1) * run->blocks_of_piece[k - 1];
		range.first[k] = number * run->blocks_of_piece[k - 1];
		range.end[k] = end < blocks[k] ? end : blocks[k];
	}
	if (on->device == NULL)
		CHECK(fast_device_prepare(run->context, device, run->tree, run->targets, run->plan, run->whole_level,
					  on));
	CHECK(fast_device_sum(on, &range, run->values, &coincident));
	pthread_mutex_lock(&run->mutex);
	run->coincident += coincident;
	pthread_mutex_unlock(&run->mutex);
	*work = 1.0;
	return SONDE_OK;
}

/* Points of a piece of one block of a level along the second and third step. */
static double points_of_row(const struct fast_run *run, int level)
{
	double points = (double)run->targets->size[0];

	for (int k = 1; k < 3; ++k)
		points *= fmin((double)run->targets->size[k], ldexp(run->tree->points[k], level));
	return points;
}

/* The level whose blocks are the pieces: as large as memory and patience allow. */
static sonde_status cut(struct fast_run *run, uint64_t *pieces)
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
		/* values, those of the nearest charges, and the nodes' */
		most = fmin(most, (double)has->memory / (run->plan->field ? 4.0 : 1.0) / run->tree->sets / 8.0 / 8.0);
	}
	most /= (run->plan->field ? 4.0 : 1.0) * run->tree->sets;
	run->whole_level = 0;
	while (run->whole_level + 1 < run->tree->level_count && points_of_row(run, run->whole_level + 1) <= most)
		++run->whole_level;
	*pieces = 1;
	for (int k = 1; k < 3; ++k) {
		uint32_t blocks = run->tree->levels[run->whole_level].blocks[k];
		run->blocks_of_piece[k - 1] = 1;
		run->pieces[k - 1] = blocks;
		*pieces *= blocks;
	}
	return SONDE_OK;
}

sonde_status fast_sum(sonde_context *context, const struct block_tree *tree, const struct targets *targets,
		      const struct coulomb_plan *plan, struct values *values, uint64_t *coincident)
{
	struct fast_run *run;
	struct shared_work work = {.run = run_piece, .release = release_device};
	struct stage stage;
	double done = 0.0;

	CHECK(memory_allocate(&run, 1, sizeof *run, "the fast sum"));
	*run = (struct fast_run){.context = context,
				 .tree = tree,
				 .targets = targets,
				 .plan = plan,
				 .values = values,
				 .mutex = PTHREAD_MUTEX_INITIALIZER};
	work.user = run;
	sonde_status status = cut(run, &work.pieces);
	stage_begin(&stage, context, "points (fast)", "pieces", (double)work.pieces);
	if (status == SONDE_OK)
		status = share_work(context, &work, &stage, &done);
	for (int k = 0; k < CONTEXT_MOST_DEVICES; ++k) {
		values->kernel_seconds = fmax(values->kernel_seconds, run->devices[k].seconds);
		release_device(run, k, NULL);
	}
	*coincident = run->coincident;
	free(run);
	return status;
}
