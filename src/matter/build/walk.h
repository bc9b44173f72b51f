/* The atoms of a lattice in a shape. */
#ifndef SONDE_MATTER_BUILD_WALK_H
#define SONDE_MATTER_BUILD_WALK_H

#include "matter/atoms/atoms.h"
#include "matter/build/bodies.h"
#include "matter/build/solid.h"
#include "matter/crystal/crystal.h"
#include "matter/shape/shape.h"
#include "run/context.h"

/* Where atoms are: in a solid, except in its hollow, and of other species in its core; and in bodies, the last of which that
 * contains a point holds. */
struct region {
	const struct build_solid *solid;
	double core;        /* the solid scaled by this has the species of the core; 0: none */
	struct shape *mesh; /* of STL: its surface, and the middle of the box around it */
	double middle[3];
	const struct build_bodies *bodies; /* or null */
	double low[3], high[3];            /* the box around it */
};

/* The region of a solid, without a core, and bodies, which may be null; reads the file of STL. To be freed by region_free(), also after a failure. */
sonde_status region_make(const struct build_solid *solid, const struct build_bodies *bodies, struct region *region);
void region_free(struct region *region);
/* 0: the point is outside; 1: in the region; 2: in its core. */
int region_part(const struct region *region, const double *r);
/* Narrows [*begin, *end] to where the line base + x vector is in the box around the region: *begin > *end if nowhere. */
void region_clip_line(const struct region *region, const double base[3], const double vector[3], double *begin,
		      double *end);

/* Appends the atoms whose positions minus `center` are in the region: cell by cell, along a, b and then c. Species are
 * those of the crystal, then as many of the core, then as many of each material of the bodies. */
sonde_status walk_lattice(sonde_context *context, const struct crystal *crystal, const struct region *region,
			  const double center[3], const uint16_t *species, sonde_atoms *atoms);

#endif
