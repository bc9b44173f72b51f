/* Lists of edges and nodes at surfaces with some numbers each, made and sorted by all threads. */
#ifndef SONDE_FDTD_MEDIA_EDGE_SITES_H
#define SONDE_FDTD_MEDIA_EDGE_SITES_H

#include "base/status.h"
#include "fdtd/media/edge_key.h"

/* An edge with its key (edge_key.h), or a node with that of its edge along x. */
struct edge_site {
	uint64_t key;
	double elements[3];
};

/* To be freed by edge_sites_free(). */
struct edge_sites {
	const struct fdtd_grid *grid;
	int threads;
	size_t count, capacity;
	struct edge_site *sites;
	uint32_t *first; /* of each row of each plane's kind, and the number of all; null: not sorted */
};

/* Adds a site without elements. */
sonde_status edge_sites_add(struct edge_sites *sites, uint64_t key);
void edge_sites_free(struct edge_sites *sites);

/* Adds the sites of items 0 to count - 1, at most `grain` of them per call; `made` is a list of the call's own. The
 * order is that of the items, however many threads there are. False: memory is lacking. */
typedef bool edge_sites_maker(void *state, int64_t first, int64_t end, int worker, struct edge_sites *made);
sonde_status edge_sites_make(struct edge_sites *sites, int64_t count, int64_t grain, edge_sites_maker *make,
			     void *state);

/* Sorts by keys and keeps one of each: they must have the same elements. */
sonde_status edge_sites_sort(struct edge_sites *sites);
/* Adds the sites of another list, which becomes empty, to a sorted one, and sorts it again if there are any. */
sonde_status edge_sites_join(struct edge_sites *from, struct edge_sites *sites);
/* A site of a sorted list; null if there is none. */
struct edge_site *edge_sites_find(const struct edge_sites *sites, uint64_t key);

#endif
