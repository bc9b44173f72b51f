/* Nearest neighbors and coordination numbers by linked cells. */
#ifndef SONDE_MATTER_NEIGHBORS_H
#define SONDE_MATTER_NEIGHBORS_H

#include "matter/atoms/atoms.h"

#define NEIGHBORS_REACH 5.0       /* Angstrom: atoms farther apart are not neighbors */
#define NEIGHBORS_SHELL 1.15      /* the first shell ends at this multiple of the mean nearest distance of its pair */
#define NEIGHBORS_MOST_SPECIES 16 /* for numbers by pairs of species */
#define NEIGHBORS_MOST_CENTERS 200000 /* atoms whose neighbors are counted: of larger samples every n-th */
#define NEIGHBORS_MOST_ATOMS 50000000

/* Neighbors of species b of the atoms of species a. */
struct neighbor_pair {
	double shortest, mean; /* of the distances to the nearest one, Angstrom */
	double shell;          /* radius of the first shell; 0: none is within the reach */
	double coordination;   /* mean number in it */
};

struct neighbors {
	int64_t centers, stride;     /* atoms that were looked at: every stride-th */
	double shortest, mean;       /* distances to the nearest atom; 0: none is within the reach */
	int species;                 /* 0: too many for pairs */
	struct neighbor_pair *pairs; /* of species a and b at a * species + b */
};

/* Counts neighbors, on all threads of the context, across periodic boundaries. Atoms at the same place (less than 1e-3 Angstrom) are not
 * neighbors. centers is 0 if that would take too long: too many atoms, or too many close to each other; or if the
 * cell has no volume. */
sonde_status neighbors_find(sonde_context *context, const sonde_atoms *atoms, struct neighbors *neighbors);
void neighbors_free(struct neighbors *neighbors);

#endif
