/* Atoms in classes of one species and one occupancy, which the methods take for species. */
#ifndef SONDE_DEBYE_CLASSES_H
#define SONDE_DEBYE_CLASSES_H

#include "debye/debye.h"

/* Two sites that are occupied together with another probability than the product of their occupancies: that is
 * 1 + surplus times the product. */
struct joint_pair {
	int pair; /* of classes: species_pair_index() */
	double r, surplus;
};

struct debye_classes {
	sonde_atoms
	    view; /* the atoms that are not empty, with classes for species, in the order of labels and occupancies */
	int count;         /* of classes */
	int species_count; /* different labels */
	int *species;      /* number of the label of each class */
	double *occupancy; /* of each class */
	double present;    /* atoms there are on the average: the sum of all occupancies */
	double *
	    positions; /* of the view, where some occupancies are below 1; else null, and the view has the sample's */
	uint32_t *locations; /* likewise: atoms_location() */
	struct joint_pair *joint;
	size_t joint_count, joint_capacity;
	/* residues in which alternative locations have occupancies that add up to more than 1, and the largest sum */
	int64_t overfull;
	double fullest;
};

/* Shares what it can with `atoms`. Freed by debye_classes_free(), also after a failure. */
sonde_status debye_classes_make(const sonde_atoms *atoms, struct debye_classes *classes);
void debye_classes_free(struct debye_classes *classes);
/* Puts the sums over the pairs of two classes right for such pairs. */
sonde_status debye_add_joint(const sonde_context *context, const struct debye_classes *classes,
			     struct pair_sums *sums);

#endif
