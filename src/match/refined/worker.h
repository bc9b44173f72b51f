/* What a thread needs to fit other curves with the same refined candidates: sets and items of its own, whose computed curves are shared. */
#ifndef SONDE_MATCH_REFINED_WORKER_H
#define SONDE_MATCH_REFINED_WORKER_H

#include "match/refined/items.h"

struct refined_worker {
	struct common common; /* copies of the sets */
	struct refined_items items;
	bool ready; /* begun */
};

/* The curves of all items have to be loaded (refined_item_load()), and outlive the worker. Freed by
 * refined_worker_end(), which accepts one that was not begun. */
sonde_status refined_worker_begin(const struct refined_items *items, struct refined_worker *worker);
void refined_worker_end(struct refined_worker *worker);

#endif
