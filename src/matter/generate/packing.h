/* Spheres in a periodic box that are moved apart until none overlaps. */
#ifndef SONDE_MATTER_PACKING_H
#define SONDE_MATTER_PACKING_H

#include "run/context.h"

#define PACKING_MOST_SPECIES 16

struct packing {
	int64_t count;
	double box[3];        /* edges, Angstrom; each at least twice the largest of `least` */
	double *positions;    /* x, y, z of each, in [0, box) */
	uint16_t *species_of; /* below PACKING_MOST_SPECIES */
	double least[PACKING_MOST_SPECIES][PACKING_MOST_SPECIES]; /* distance of two spheres, symmetric */
	double widest;                                            /* largest of `least` */
};

/* Moves the spheres in at most `steps` steps. *closest is the smallest distance of a pair relative to its least one: at least 1 if they
 * do not overlap; else the largest that a step has reached. The result does not depend on the number of threads. */
sonde_status packing_separate(sonde_context *context, struct packing *packing, int64_t steps, double *closest);

#endif
