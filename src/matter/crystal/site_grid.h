/* Sites of a unit cell by place: which of them are near a point, in a time that does not grow with their number. */
#ifndef SONDE_MATTER_SITE_GRID_H
#define SONDE_MATTER_SITE_GRID_H

#include "matter/crystal/unit_cell.h"

/* The unit cell divided into boxes; those at opposite faces are neighbors. */
struct site_grid {
	int64_t boxes[3]; /* along each edge */
	int64_t *first;   /* of each box, its first place in `sites`, and at the end their number */
	int64_t *sites;
};

/* For points that are up to `distance` from the sites, in Angstrom. Freed by site_grid_free(), also after a failure. */
sonde_status site_grid_make(const struct unit_cell *cell, double distance, struct site_grid *grid);
void site_grid_free(struct site_grid *grid);

/* Walks the sites that may be within the distance of a point, given in fractions from 0 to below 1: all that are, each once, and
 * some that are not. */
struct site_walk {
	const struct site_grid *grid;
	int64_t low[3], high[3], box[3]; /* boxes, before division by their number */
	int64_t next, end;               /* places in `sites` of the current box */
};
struct site_walk site_walk_begin(const struct site_grid *grid, const double position[3]);
/* The next site; -1 after the last one. */
int64_t site_walk_next(struct site_walk *walk);

#endif
