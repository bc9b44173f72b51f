/* The first guess of the lattice of atoms. */
#ifndef SONDE_MATTER_LATTICE_GUESS_H
#define SONDE_MATTER_LATTICE_GUESS_H

#include "matter/crystal/lattice.h"

#define LATTICE_COARSE 0.02 /* Angstrom: deviations of atoms from places that follow from a guess */

/* An atom near the middle, relative to the origin. */
struct near_atom {
	double along, r[3], distance;
	int kind;
};

/* Atoms around one of a kind near the middle of all, the origin, sorted by their coordinate along a direction in which
 * no lattice plane lies. To be freed by lattice_middle_free(), also after a failure; empty if there are too few of the
 * kind. */
struct lattice_middle {
	double origin[3];
	int kind;
	struct near_atom *atoms;
	size_t count;
};
sonde_status lattice_middle_take(int threads, const struct lattice_atoms *atoms, int kind,
				 struct lattice_middle *middle);
void lattice_middle_free(struct lattice_middle *middle);

/* The three shortest translations that carry most of the `tested` atoms closest to the origin to others of their kind.
 * *guessed: there are three. */
sonde_status lattice_guess(const struct lattice_middle *middle, size_t tested, double vectors[3][3], bool *guessed);

#endif
