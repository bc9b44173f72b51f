/* Fields on a regular set of nodes, as means of the edges and faces around each: the required places, without
 * duplicates, and their weights. */
#ifndef SONDE_FDTD_MONITORS_FIELD_SAMPLING_H
#define SONDE_FDTD_MONITORS_FIELD_SAMPLING_H

#include <complex.h>

#include "fdtd/fields/lists.h"

/* Positions of the components. Means are over the 2 or 4 nearest places, to second order in the cell size. */
enum field_placement {
	PLACED_AS_STEPPED, /* at their places in Yee's grid: E half a cell along its axis, H along both others */
	PLACED_AT_NODES,   /* corners of cells */
	PLACED_AT_CENTERS  /* of cells */
};

#define FIELD_COMPONENT(field, component) (1u << (3 * (int)(field) + (component)))
#define ALL_OF_E 07u
#define ALL_OF_H 070u

/* Nodes low, low + stride ... up to high of each axis: a point, line, plane or volume. */
struct field_region {
	int low[3], high[3], stride[3];
	enum field_placement placement;
	unsigned components; /* FIELD_COMPONENT()s */
};

struct field_sampling {
	struct fdtd_grid grid;
	struct fdtd_step layout;
	struct field_region region;
	int shape[3]; /* nodes of each axis */
	size_t points;
	int component_count;
	int field_of[6], component_of[6]; /* Ex, Ey, Ez, Hx, Hy, Hz, those requested */
	int box_low[3], box_size[3];      /* nodes that may have places */
	uint64_t *marks[2];  /* of E and H: a bit for each node and component of those, set if it is a place */
	uint32_t *before[2]; /* places before each 64 of them */
	uint32_t place_count[2];
};

/* A place and its weight in a value. */
struct sampling_term {
	uint32_t number;
	double complex weight; /* with a phase if it lies beyond a Bloch wall, else real */
};
#define MOST_SAMPLING_TERMS 8

/* To be released by sampling_release(), also after a failure. SONDE_INVALID for regions that are empty or
 * not within the grid. */
sonde_status sampling_make(const struct fields *fields, const struct field_region *region,
			   struct field_sampling *sampling);
void sampling_release(struct field_sampling *sampling);
/* The places of one field, for observation_make(): to be freed. */
sonde_status sampling_places(const struct field_sampling *sampling, enum field field, uint64_t **places);
/* Terms of a component (number `which` of the requested ones) of a point, as samples of its field; returns their
 * number. Points are ordered with z fastest. */
int sampling_terms(const struct field_sampling *sampling, int which, size_t point,
		   struct sampling_term terms[MOST_SAMPLING_TERMS]);
/* Position of the point, in cells from node 0. */
void sampling_position(const struct field_sampling *sampling, int which, size_t point, double position[3]);

#endif
