#include "ions/histories/trajectories.h"

#include <stdlib.h>

#include "base/memory.h"
#include "ions/histories/history_device.h"
#include "run/context.h"

#define ANGSTROM_PER_NM 10.0

static int by_path(const void *a, const void *b)
{
	const struct ions_left *x = *(const struct ions_left *const *)a, *y = *(const struct ions_left *const *)b;

	if (x->path != y->path)
		return x->path < y->path ? -1 : 1;
	return (x->step > y->step) - (x->step < y->step);
}

/* Appends the points of an ion's history, path by path, starting with that of the ion. */
static void append(const struct ions_left *const *points, uint32_t count, uint64_t ion, sonde_ions_result *result)
{
	int64_t atom = 0;

	for (uint32_t k = 0; k < count; ++k) {
		const struct ions_left *point = points[k];
		atom += k > 0 && point->path != points[k - 1]->path;
		result->vertices[result->vertex_count++] = (sonde_ions_vertex){
		    .ion = (int64_t)ion,
		    .atom = atom,
		    .kind = (int)point->kind_and_fate,
		    .energy = (double)point->energy * (double)EV_PER_UNIT,
		    .position = {ANGSTROM_PER_NM * point->x, ANGSTROM_PER_NM * point->y, ANGSTROM_PER_NM * point->z}};
	}
}

static sonde_status follow_ion(struct history_device *own, uint64_t ion, size_t *capacity, sonde_ions_result *result)
{
	const struct ions_left *points, **sorted;
	uint32_t count;

	CHECK(history_device_trace(own, ion, &points, &count));
	CHECK(memory_grow(&result->vertices, capacity, (size_t)result->vertex_count + count, sizeof *result->vertices,
			  "the trajectories"));
	CHECK(memory_allocate(&sorted, count, sizeof *sorted, "the trajectories"));
	for (uint32_t k = 0; k < count; ++k)
		sorted[k] = &points[k];
	qsort(sorted, count, sizeof *sorted, by_path);
	append(sorted, count, ion, result);
	free(sorted);
	return SONDE_OK;
}

static sonde_status follow_ions(sonde_context *context, struct history_device *own, uint64_t wanted,
				sonde_ions_result *result)
{
	size_t capacity = 0;

	for (uint64_t ion = 0; ion < wanted; ++ion) {
		if (context_cancelled(context))
			return status_fail(SONDE_CANCELLED, "stopped on request");
		CHECK(follow_ion(own, ion, &capacity, result));
	}
	return SONDE_OK;
}

sonde_status trajectories_follow(sonde_context *context, const struct ions_plan *plan, int64_t ions,
				 sonde_ions_result *result)
{
	struct device_settings settings = context_settings(context);
	struct history_device own = {0};
	struct device *host = NULL;
	int64_t wanted = plan->options.trajectories < ions ? plan->options.trajectories : ions;

	if (wanted == 0)
		return SONDE_OK;
	settings.threads = 1; /* one ion at a time */
	CHECK(device_open("cpu", &settings, &host));
	sonde_status status = history_device_prepare_traced(host, plan, &own);
	if (status == SONDE_OK)
		status = follow_ions(context, &own, (uint64_t)wanted, result);
	history_device_release(&own);
	device_close(&host);
	return status;
}
