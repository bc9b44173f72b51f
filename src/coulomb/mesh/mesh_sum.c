/* The mesh sum of a list of points: the steps of one mesh, then those of its parts, recursively. */
#include "coulomb/mesh/mesh_sum.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "coulomb/mesh/mesh_run.h"
#include "device/device.h"

#define LARGE_OF_THREADS 4.0 /* a part is large if it is at least a fourth of a thread's work */

static sonde_status sum_run(struct mesh_run *run, struct values *values);

static void add_values(const struct mesh_part *part, const struct values *from, struct values *to)
{
	for (uint32_t s = 0; s < to->sets; ++s)
		for (int64_t n = 0; n < part->targets.count; ++n) {
			int64_t here = s * from->stride + n, there = s * to->stride + part->numbers[n] - to->first;
			to->potential[there] += from->potential[here];
			for (int k = 0; to->field != NULL && k < 3; ++k)
				to->field[3 * there + k] += from->field[3 * here + k];
		}
}

/* State of the summation of parts. */
struct summing {
	struct mesh_run *above;
	struct values *values;
	const uint32_t *small; /* parts processed in parallel */
	pthread_mutex_t mutex; /* for the following members, and for the counts of the parent sum */
	sonde_status status;
	char message[512];
};

static sonde_status sum_part(struct summing *summing, struct mesh_part *part)
{
	struct mesh_run *above = summing->above, *run;
	struct values *values = summing->values,
		      own = {.factor = values->factor, .sets = values->sets, .stride = part->targets.count};
	size_t numbers = (size_t)part->targets.count * values->sets;
	sonde_status status;

	if (context_cancelled(above->context))
		return status_fail(SONDE_CANCELLED, "stopped on request at the fast sum");
	CHECK(memory_allocate(&run, 1, sizeof *run, "the parts"));
	*run = (struct mesh_run){.context = above->context,
				 .device = above->device,
				 .groups = above->groups,
				 .threads = above->threads,
				 .charges = &part->charges,
				 .targets = &part->targets,
				 .plan = above->plan,
				 .order = above->order,
				 .choice = part->choice,
				 .pool = above->pool};
	CHECK_GOTO(status, memory_allocate(&own.potential, numbers, sizeof(double), "the parts"), done);
	if (values->field != NULL)
		CHECK_GOTO(status, memory_allocate(&own.field, 3 * numbers, sizeof(double), "the parts"), done);
	CHECK_GOTO(status, sum_run(run, &own), done);
	add_values(part, &own, values);
	pthread_mutex_lock(&summing->mutex);
	above->coincident += run->coincident;
	above->part_sum += 1.0 + run->part_sum;
	above->near_pairs += run->near_pairs;
	pthread_mutex_unlock(&summing->mutex);
done:
	mesh_part_free(part);
	free(own.potential);
	free(own.field);
	free(run);
	return status;
}

static void sum_some(void *state, int64_t first, int64_t end, int worker)
{
	struct summing *summing = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		sonde_status status = sum_part(summing, &summing->above->parts[summing->small[n]]);
		if (status == SONDE_OK)
			continue;
		pthread_mutex_lock(&summing->mutex);
		if (summing->status == SONDE_OK) {
			summing->status = status;
			snprintf(summing->message, sizeof summing->message, "%s", status_message());
		}
		pthread_mutex_unlock(&summing->mutex);
		return;
	}
}

/* Large parts are summed one after another, by all threads, and the others in parallel. Their points are disjoint,
 * and the values of each do not depend on the number of threads. */
static sonde_status sum_parts(struct mesh_run *run, struct values *values)
{
	struct summing summing = {.above = run, .values = values, .mutex = PTHREAD_MUTEX_INITIALIZER};
	uint32_t *small, count = 0;
	double seconds = 0.0;

	if (run->part_count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&small, run->part_count, sizeof *small, "the parts"));
	for (uint32_t n = 0; n < run->part_count; ++n)
		seconds += run->parts[n].choice.seconds;
	for (uint32_t n = 0; n < run->part_count && summing.status == SONDE_OK; ++n) {
		if (run->parts[n].choice.seconds * LARGE_OF_THREADS * run->threads > seconds)
			summing.status = sum_part(&summing, &run->parts[n]);
		else
			small[count++] = n;
	}
	summing.small = small;
	if (summing.status == SONDE_OK) {
		threads_for(run->threads, count, 1, sum_some, &summing);
		if (summing.status != SONDE_OK)
			status_set_message("%s", summing.message);
	}
	free(small);
	return summing.status;
}

/* The complete sum of a run; releases its resources. */
static sonde_status sum_run(struct mesh_run *run, struct values *values)
{
	sonde_status status = mesh_steps_sum(run, values);

	mesh_steps_release(run);
	if (status == SONDE_OK)
		status = sum_parts(run, values);
	mesh_parts_free(run);
	return status == SONDE_OK ? mesh_clock(run, MESH_PARTS) : status;
}

sonde_status mesh_sum_on(sonde_context *context, struct device *device, const struct charges *charges,
			 const struct targets *targets, const struct coulomb_plan *plan, struct values *values,
			 uint64_t *coincident, struct mesh_times *times)
{
	struct mesh_run *run;
	sonde_status status;

	CHECK(memory_allocate(&run, 1, sizeof *run, "the fast sum"));
	*run = (struct mesh_run){.context = context,
				 .reports = context != NULL,
				 .device = device,
				 .groups = mesh_has_groups(device),
				 .threads = context_threads(context),
				 .charges = charges,
				 .targets = targets,
				 .plan = plan,
				 .order = &mesh_orders[plan->order],
				 .choice = *plan->mesh,
				 .times = times,
				 .since = clock_seconds()};
	CHECK_GOTO(status, mesh_pool_make(run->order, &run->pool), done);
	stage_begin(&run->stage, context, "points (fast)", "steps", MESH_STEPS * values->sets + 1.0);
	status = sum_run(run, values);
	*coincident += run->coincident;
	if (times != NULL) {
		times->parts = run->part_sum;
		times->near_pairs = run->near_pairs;
	}
done:
	mesh_pool_free(run->pool);
	free(run);
	return status;
}

sonde_status mesh_sum(sonde_context *context, const struct charges *charges, const struct targets *targets,
		      const struct coulomb_plan *plan, struct values *values, uint64_t *coincident, double *seconds)
{
	double began = clock_seconds();

	for (;;) {
		struct device **devices;
		int count, index = 0;
		CHECK(context_devices(context, &devices, &count));
		while (devices[index] == NULL)
			++index;
		sonde_status status =
		    mesh_sum_on(context, devices[index], charges, targets, plan, values, coincident, NULL);
		*seconds = clock_seconds() - began;
		if (status != SONDE_RESOURCE)
			return status;
		/* by the next one, or, unless a GPU was requested, by the CPU */
		CHECK(context_drop_device(context, index, status));
	}
}
