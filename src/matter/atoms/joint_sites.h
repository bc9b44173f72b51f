/* Sites that are not occupied independently of each other: those nearer than an atom's size, and the alternative locations
 * of residues. */
#ifndef SONDE_MATTER_JOINT_SITES_H
#define SONDE_MATTER_JOINT_SITES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

#define JOINT_EXCLUSIVE 0.5     /* Angstrom; no two atoms are closer */
#define JOINT_FULL (1.0 + 1e-6) /* upper limit of the sum of occupancies that exclude each other */

/* A partly occupied site. */
struct joint_site {
	int32_t cell[3];   /* of JOINT_EXCLUSIVE Angstrom */
	uint32_t location; /* atoms_location() */
	int64_t atom;
	double r[3], occupancy;
	bool image; /* in another cell of a periodic sample */
};
struct joint_sites {
	struct joint_site *sites; /* released with free() */
	size_t count, capacity;
};
/* Adds a site, and sets its cell. */
sonde_status joint_sites_add(struct joint_sites *list, struct joint_site site);
double joint_sites_distance(const struct joint_site *a, const struct joint_site *b);

/* Two sites that are both occupied with this probability. */
typedef sonde_status joint_pair_body(void *user, const struct joint_site *a, const struct joint_site *b,
				     double probability);
/* Sorts the sites, and calls `body` for pairs of a residue with several locations: those of one letter occur together, those of
 * different letters never. *overfull is the number of residues with occupancies that add up to more than 1, *fullest the
 * largest sum. */
sonde_status joint_sites_of_residues(struct joint_sites *list, joint_pair_body *body, void *user, int64_t *overfull,
				     double *fullest);
/* The same for sites closer than JOINT_EXCLUSIVE that may belong to one atom: never occupied together. Pairs of two images
 * are left out. */
sonde_status joint_sites_near(struct joint_sites *list, joint_pair_body *body, void *user);

#endif
