/* Numbers of the entries of lists in each plane of a grid that several ranks share: each has its own planes' entries, with
 * their numbers in the lists of the whole grid (fields/shared_lists.h). */
#ifndef SONDE_FDTD_MEDIA_LIST_TOTALS_H
#define SONDE_FDTD_MEDIA_LIST_TOTALS_H

#include <stdint.h>

/* Of `planes` planes. first[]: the first entry of each, then the number of all. */
struct list_totals {
	uint32_t *poles;                   /* places of media with poles, [plane][medium with poles] */
	uint32_t *smooth, *smooth_x;       /* first edge, and first edge along x (smooth.h) */
	uint32_t *edges, *edges_x, *terms; /* the same of answers.h; first term */
	uint32_t *kinds;                   /* first answer, counted from that of the kind, [kind][planes + 1] */
};
void list_totals_free(struct list_totals **totals);

#endif
