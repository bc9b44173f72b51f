/* Bodies of a list, as those of engines, that are added to the shape of a sample or removed from it. */
#ifndef SONDE_MATTER_BUILD_BODIES_H
#define SONDE_MATTER_BUILD_BODIES_H

#include "base/options.h"
#include "matter/shape/shape.h"

#define BODIES_MOST 4096 /* bodies, each copy counted */

enum body_part {
	BODY_OUTSIDE = -1, /* in no body */
	BODY_EMPTY,        /* in a body of vacuum */
	BODY_LATTICE,      /* with the species of the sample */
	BODY_SPECIES       /* this and larger ones: with the species of materials[part - BODY_SPECIES] */
};

struct build_bodies {
	int count;
	struct build_body {
		struct shape *shape;
		int part;
	} * bodies;
	int material_count;
	char (*materials)[OPTION_TEXT_SIZE]; /* labels separated by commas */
	size_t capacity, material_capacity;
	double low[3], high[3]; /* the box around those that are not empty; low > high: none */
};

/* The bodies in the text of option `bodies`, in Angstrom around the sample's center. To be freed by bodies_free(), also
 * after a failure. */
sonde_status bodies_make(const char *text, struct build_bodies *bodies);
void bodies_free(struct build_bodies *bodies);

/* The part of the last body that contains a point; BODY_OUTSIDE: none does. Points on surfaces, to a relative 1e-9, are
 * inside bodies, and outside empty ones. */
int bodies_part(const struct build_bodies *bodies, const double point[3]);

#endif
