#include "match/refined/worker.h"

static sonde_status begin(const struct refined_items *items, struct refined_worker *worker)
{
	CHECK(common_copy(items->common, &worker->common));
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
	common_free_copy(&worker->common);
	*worker = (struct refined_worker){0};
}
