/* Atoms of a sample under other labels: isotopes, ions, and random mixtures of them. */
#ifndef SONDE_MATTER_RELABEL_H
#define SONDE_MATTER_RELABEL_H

#include "matter/atoms/atoms.h"

/* A sample whose arrays are those of another as far as they are the same. */
struct relabeled_atoms {
	sonde_atoms atoms;
	bool renamed, mixed; /* species and their numbers are owned; so are all arrays */
};

/* Reads the atoms with the labels of a list as others, "H=D,Li=7Li", or as random mixtures, "H=0.7*D+0.3*H". All items refer to the
 * labels of `atoms`. An atom of a mixture becomes a site of each component, at the same place, one after the other, with the
 * occupancy times the fraction: joint_sites.h never occupies two of them. "" gives the sample as it is. `option` names the list in
 * messages. `atoms` have to outlive the result, which lacks charges, names, and radii. Freed by relabeled_atoms_free(), also after a
 * failure. */
sonde_status relabel_atoms(const sonde_atoms *atoms, const char *option, const char *list,
			   struct relabeled_atoms *relabeled);
void relabeled_atoms_free(struct relabeled_atoms *relabeled);

#endif
