/* Atoms of bodies that lie too close to those of later bodies. */
#ifndef SONDE_MATTER_SAMPLE_CLEARANCE_H
#define SONDE_MATTER_SAMPLE_CLEARANCE_H

#include "matter/atoms.h"
#include "run/context.h"

/* Sets keep[i] to 0 for each atom i that is closer than `distance` (Angstrom, above 0) to an atom of a later body;
 * body_of[i] is the number of its body. Atoms that are not kept count as neighbors, too, so that the result does not
 * depend on the order of atoms. */
sonde_status clearance_mark(sonde_context *context, const sonde_atoms *atoms, const uint32_t *body_of,
			    double distance, unsigned char *keep);

#endif
