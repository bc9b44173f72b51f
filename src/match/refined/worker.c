#include "match/refined/worker.h"

#include <stdlib.h>

#include "base/memory.h"

static sonde_status begin(const struct refined_items *items, struct refined_worker *worker)
{
	const struct common *common = items->common;

	CHECK(memory_allocate(&worker->sets, (size_t)common->set_count, sizeof *worker->sets, "curves"));
	worker->common = (struct common){.sets = worker->sets, .count = common->count, .maps = common->maps};
	for (int d = 0; d < common->set_count; ++d) {
		CHECK(data_set_copy(&common->sets[d], &worker->sets[d]));
		++worker->common.set_count;
	}
	return refined_items_copy(items, &worker->common, &worker->items);
}

sonde_status refined_worker_begin(const struct refined_items *items, struct refined_worker *worker)
{
	*worker = (struct refined_worker){0};
	const sonde_status status = begin(items, worker);
	if (status != SONDE_OK)
		refined_worker_end(worker);
	worker->ready = status == SONDE_OK;
	return status;
}

void refined_worker_end(struct refined_worker *worker)
{
	refined_items_free_copy(&worker->items);
	for (int d = 0; d < worker->common.set_count; ++d)
		data_set_free_copy(&worker->sets[d]);
	free(worker->sets);
	*worker = (struct refined_worker){0};
}
