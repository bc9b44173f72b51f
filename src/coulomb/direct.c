/* The direct sum: every charge at every point. The points are cut into pieces that the devices share. */
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

#include "base/memory.h"
#include "coulomb/direct_device.h"
#include "coulomb/ewald.h"
#include "parallel/share.h"

#define EVALUATIONS_OF_GPU 2e11 /* of a piece: a twentieth of a second */
#define EVALUATIONS_OF_CPU 1e9  /* a second or two of one slow thread, so that a stop is heard */
#define MOST_OF_PIECE (1 << 22) /* points */
#define LEAST_OF_PIECE 1024
#define POINTS_OF_THREAD 64.0 /* of a CPU, at least */
#define COST_OF_EWALD 6.0

struct direct_run {
	sonde_context *context;
	const struct charges *charges;
	const struct targets *targets;
	const struct coulomb_plan *plan;
	struct values *values;
	struct direct_device devices[CONTEXT_MOST_DEVICES];
	int64_t rows_of_piece, pieces_of_plane, planes_of_piece; /* a piece is rows of a plane, or planes */
	pthread_mutex_t mutex;
	uint64_t coincident;
};

static void release_device(void *user, int index, struct device *device)
{
	struct direct_run *run = user;
	(void)device;

	if (run->devices[index].device != NULL)
		direct_device_release(&run->devices[index]);
}

static struct target_range range_of(const struct direct_run *run, uint64_t piece)
{
	int64_t row = run->targets->size[0], rows = run->targets->size[1], plane = row * rows,
		number = (int64_t)piece;

	if (run->planes_of_piece > 0) {
		int64_t first = number * run->planes_of_piece, left = run->targets->size[2] - first;
		return (struct target_range){first * plane,
					     (left < run->planes_of_piece ? left : run->planes_of_piece) * plane};
	}
	int64_t first = number % run->pieces_of_plane * run->rows_of_piece, left = rows - first;
	return (struct target_range){(number / run->pieces_of_plane) * plane + first * row,
				     (left < run->rows_of_piece ? left : run->rows_of_piece) * row};
}

static sonde_status run_piece(void *user, int index, struct device *device, uint64_t piece, uint64_t count,
			      double *work)
{
	struct direct_run *run = user;
	struct direct_device *on = &run->devices[index];
	struct target_range range = range_of(run, piece);
	uint64_t coincident = 0;
	(void)count; /* one at a time */

	if (on->device == NULL)
		CHECK(direct_device_prepare(run->context, device, run->charges, run->plan, on));
	CHECK(direct_device_sum(on, run->targets, &range, run->values, &coincident));
	pthread_mutex_lock(&run->mutex);
	run->coincident += coincident;
	pthread_mutex_unlock(&run->mutex);
	*work = (double)range.count * run->charges->count;
	return SONDE_OK;
}

/* Pieces of a size that depends on the work and on the kind of devices, not on their number. */
static sonde_status cut(struct direct_run *run, uint64_t *pieces)
{
	const struct targets *targets = run->targets;
	struct device **devices;
	int count;
	bool gpus = true;

	CHECK(context_devices(run->context, &devices, &count));
	for (int k = 0; k < count; ++k)
		gpus &= devices[k] == NULL || device_properties(devices[k])->gpu_kernels;
	/* an error function costs some reciprocal square roots */
	const struct ewald *ewald = run->plan->ewald;
	double terms =
	    ewald != NULL ? COST_OF_EWALD * ((double)ewald->images.count + ewald->wave_count) : run->charges->count;
	double points = (gpus ? EVALUATIONS_OF_GPU : EVALUATIONS_OF_CPU) / fmax(1.0, terms);
	double least = fmin(LEAST_OF_PIECE, gpus ? LEAST_OF_PIECE : POINTS_OF_THREAD * context_threads(run->context));
	points = fmin(MOST_OF_PIECE, fmax(least, points));
	/* coordinates and values of a piece take a quarter of a device's memory, at most */
	for (int k = 0; k < count; ++k)
		if (devices[k] != NULL)
			points = fmin(points, (double)device_properties(devices[k])->memory / 4.0 /
						  (8.0 * (3.0 + run->charges->sets * (run->plan->field ? 4.0 : 1.0))));
	points = fmax(1.0, points / run->charges->sets);
	double plane = (double)targets->size[0] * (double)targets->size[1];
	if (plane <= points) {
		run->planes_of_piece = (int64_t)(points / plane);
		*pieces = (uint64_t)((targets->size[2] + run->planes_of_piece - 1) / run->planes_of_piece);
		return SONDE_OK;
	}
	run->rows_of_piece = (int64_t)fmax(1.0, points / (double)targets->size[0]);
	run->pieces_of_plane = (targets->size[1] + run->rows_of_piece - 1) / run->rows_of_piece;
	*pieces = (uint64_t)(run->pieces_of_plane * targets->size[2]);
	return SONDE_OK;
}

/* A list is a row, which is cut into rows of its own. */
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

sonde_status direct_sum(sonde_context *context, const struct charges *charges, const struct targets *targets,
			const struct coulomb_plan *plan, struct values *values, uint64_t *coincident)
{
	struct targets rows = as_rows(targets);
	struct direct_run *run;
	struct shared_work work = {.run = run_piece, .release = release_device};
	struct stage stage;
	double done = 0.0;

	if (charges->count == 0)
		return SONDE_OK; /* the values are 0 */
	CHECK(memory_allocate(&run, 1, sizeof *run, "the direct sum"));
	*run = (struct direct_run){.context = context,
				   .charges = charges,
				   .targets = &rows,
				   .plan = plan,
				   .values = values,
				   .mutex = PTHREAD_MUTEX_INITIALIZER};
	work.user = run;
	stage_begin(&stage, context, "points (direct)", "evaluations", (double)targets->count * charges->count);
	sonde_status status = cut(run, &work.pieces);
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
