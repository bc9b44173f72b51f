/* Resources shared by mesh sums of one shape: cosines and sines, the kernel's coefficients, and memory. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "coulomb/mesh/mesh_run.h"
#include "coulomb/plan.h"

#define MOST_TOOLS 64
#define MOST_BYTES 268435456.0

#define MOST_SMOOTH 64

struct mesh_pool {
	const struct mesh_order *order;
	struct mesh_window window;
	pthread_mutex_t mutex;
	int count;
	double bytes;
	struct mesh_tools tools[MOST_TOOLS];
	int smooth_count;
	struct mesh_smooth smooth[MOST_SMOOTH];
};

sonde_status mesh_pool_make(const struct mesh_order *order, struct mesh_pool **pool)
{
	CHECK(memory_allocate(pool, 1, sizeof **pool, "the fast sum"));
	(void)pthread_mutex_init(&(*pool)->mutex, NULL);
	(*pool)->order = order;
	mesh_window_make(order, &(*pool)->window);
	return SONDE_OK;
}

void mesh_pool_smooth(struct mesh_pool *pool, const struct coulomb_plan *plan, double cutoff,
		      struct mesh_smooth *smooth)
{
	bool found = false;

	pthread_mutex_lock(&pool->mutex);
	for (int n = 0; n < pool->smooth_count && !found; ++n) {
		found = pool->smooth[n].cutoff == cutoff;
		if (found)
			*smooth = pool->smooth[n];
	}
	pthread_mutex_unlock(&pool->mutex);
	if (found)
		return;
	mesh_smooth_make(plan, pool->order, cutoff, smooth);
	pthread_mutex_lock(&pool->mutex);
	if (pool->smooth_count < MOST_SMOOTH)
		pool->smooth[pool->smooth_count++] = *smooth;
	pthread_mutex_unlock(&pool->mutex);
}

const struct mesh_window *mesh_pool_window(const struct mesh_pool *pool)
{
	return &pool->window;
}

static double bytes_of(const struct mesh_transform *transform)
{
	return (double)transform->weights.bytes + (double)transform->half.bytes + (double)transform->mesh.bytes +
	       (double)transform->all.bytes + (double)transform->spectrum.bytes;
}

bool mesh_pool_take(struct mesh_pool *pool, const struct mesh_shape *extent, double cutoff, double outer,
		    struct mesh_tools *tools)
{
	bool found = false;

	pthread_mutex_lock(&pool->mutex);
	for (int n = 0; n < pool->count && !found; ++n) {
		if (pool->tools[n].cutoff != cutoff || pool->tools[n].outer != outer ||
		    memcmp(&pool->tools[n].transform.extent, extent, sizeof *extent) != 0)
			continue;
		found = true;
		*tools = pool->tools[n];
		pool->tools[n] = pool->tools[--pool->count];
		pool->bytes -= bytes_of(&tools->transform);
	}
	pthread_mutex_unlock(&pool->mutex);
	return found;
}

void mesh_pool_give(struct mesh_pool *pool, struct mesh_tools *tools)
{
	double bytes = bytes_of(&tools->transform);
	struct mesh_tools oldest = {0};

	/* an incomplete one has no memory for the last step */
	if (tools->transform.all.memory == NULL) {
		mesh_transform_free(&tools->transform);
		return;
	}
	pthread_mutex_lock(&pool->mutex);
	if (pool->count == MOST_TOOLS || (pool->count > 0 && pool->bytes + bytes > MOST_BYTES)) {
		oldest = pool->tools[0];
		pool->bytes -= bytes_of(&oldest.transform);
		pool->tools[0] = pool->tools[--pool->count];
	}
	pool->tools[pool->count++] = *tools;
	pool->bytes += bytes;
	pthread_mutex_unlock(&pool->mutex);
	mesh_transform_free(&oldest.transform);
}

void mesh_pool_free(struct mesh_pool *pool)
{
	if (pool == NULL)
		return;
	for (int n = 0; n < pool->count; ++n)
		mesh_transform_free(&pool->tools[n].transform);
	(void)pthread_mutex_destroy(&pool->mutex);
	free(pool);
}
