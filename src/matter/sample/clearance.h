/* Atoms of bodies that lie close to those of other bodies. */
#ifndef SONDE_MATTER_SAMPLE_CLEARANCE_H
#define SONDE_MATTER_SAMPLE_CLEARANCE_H

#include "matter/atoms/atoms.h"
#include "run/context.h"

/* Sets keep[i] to 0 for each atom i that is closer than `distance` (Angstrom, above 0) to an atom of a later body;
 * body_of[i] is the number of its body. Atoms that are not kept count as neighbors, too, so that the result does not
 * depend on the order of atoms. */
sonde_status clearance_mark(sonde_context *context, const sonde_atoms *atoms, const uint32_t *body_of,
			    double distance, unsigned char *keep);

/* Atoms of different bodies that are close to each other. */
struct contacts {
	int64_t pairs;   /* closer than CONTACTS_CLOSE of the sum of their covalent radii */
	double shortest; /* distance of all pairs up to CONTACTS_REACH, Angstrom; 0: there is none */
	double longest;  /* distance of these pairs, Angstrom */
};
#define CONTACTS_CLOSE 0.7
#define CONTACTS_REACH 3.6 /* Angstrom: CONTACTS_CLOSE of the largest sum, of two francium atoms, to 0.1 */

/* A clearance that separates these pairs, in tenths of an Angstrom. */
double contacts_clearance(const struct contacts *contacts);
/* Finds them among the atoms with candidate[i] != 0. */
sonde_status contacts_find(sonde_context *context, const sonde_atoms *atoms, const uint32_t *body_of,
			   const unsigned char *candidate, struct contacts *contacts);

#endif
