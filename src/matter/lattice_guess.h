/* The first guess of the lattice of atoms. */
#ifndef SONDE_MATTER_LATTICE_GUESS_H
#define SONDE_MATTER_LATTICE_GUESS_H

#include "matter/lattice.h"

#define LATTICE_COARSE 0.02 /* Angstrom: deviations of atoms from places that follow from a guess */

/* Takes an atom of a kind near the middle as the origin, and as vectors the three shortest translations that carry most
 * of the `tested` atoms closest to it to others of their kind. *guessed: there are three. */
sonde_status lattice_guess(const struct lattice_atoms *atoms, int kind, size_t tested, double origin[3],
			   double vectors[3][3], bool *guessed);

#endif
