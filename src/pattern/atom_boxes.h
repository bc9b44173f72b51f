/* Boxes around blocks of consecutive atoms, by which the outermost atoms along any direction are found among many: only those of blocks
 * whose box goes farther than an atom that is known already are looked at. */
#ifndef SONDE_PATTERN_ATOM_BOXES_H
#define SONDE_PATTERN_ATOM_BOXES_H

#include <stdint.h>

#include "base/status.h"

struct atom_boxes {
	int64_t count, group_count;
	double *boxes;  /* [block][lowest x y z, highest x y z] */
	double *groups; /* the same around groups of consecutive blocks */
};

/* Of the positions [atom][x y z], Angstrom; `low` and `high` are the box around all. Freed by atom_boxes_free(). */
sonde_status atom_boxes_make(const double *positions, int64_t atoms, int threads, struct atom_boxes *boxes,
			     double low[3], double high[3]);
void atom_boxes_free(struct atom_boxes *boxes);

/* An atom and its coordinate. */
struct outermost {
	double t;
	int64_t atom;
};
/* The atoms with the lowest and the highest coordinate e.(r - origin), of several the first one. */
void atom_boxes_search(const struct atom_boxes *boxes, const double *positions, int64_t atoms, const double origin[3],
		       const double e[3], struct outermost *lowest, struct outermost *highest);

#endif
