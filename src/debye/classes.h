/* Atoms in classes of one species and one occupancy, which the methods treat as species. */
#ifndef SONDE_DEBYE_CLASSES_H
#define SONDE_DEBYE_CLASSES_H

#include "debye/debye.h"

#define CLASSES_EXCLUSIVE 0.5     /* Angstrom; no two atoms are closer */
#define CLASSES_FULL (1.0 + 1e-6) /* upper limit of the sum of occupancies that exclude each other */

/* Two sites whose joint occupation probability differs from the product of their occupancies: it is
 * 1 + surplus times the product. Of many such pairs at the same distance the surplus is the sum. */
struct joint_pair {
	int pair; /* of classes: species_pair_index() */
	double r, surplus;
};

struct debye_classes {
	sonde_atoms
	    view; /* atoms with an occupancy above 0, with classes as species, in the order of labels and occupancies */
	sonde_atoms summed;             /* those whose pairs are summed: the view, or its first copy (copies.h) */
	struct species *summed_species; /* of the first copy; null for the view */
	int64_t copies;                 /* of the first copy; 1 for the view */
	double (*centers)[3];           /* of the copies; null for the view */
	bool averaged;                  /* with interference of copies of any orientation */
	int count;                      /* of classes */
	int species_count;              /* different labels */
	int *species;                   /* number of the label of each class */
	double *occupancy;              /* of each class */
	double present;                 /* mean number of atoms: the sum of all occupancies */
	double *
	    positions; /* of the view, if some occupancies are below 1; else null, and the view has those of the sample */
	uint32_t *locations; /* likewise: atoms_location() */
	struct joint_pair *joint;
	size_t joint_count, joint_capacity;
	/* U_iso of each label, Angstrom^2; null: atoms at rest */
	double *displacement;
	/* residues with occupancies of alternative locations that add up to more than 1, and the largest sum */
	int64_t overfull;
	double fullest;
	/* The lattice of the summed atoms, with the class of each of its kinds; null without one. It may be the only
	 * form of the sample, whose view has no positions then. */
	const struct sonde_lattice *lattice;
	struct sonde_lattice *own_lattice; /* the same if it was found in the atoms */
	int *class_of_kind;
};

/* Shares arrays with `atoms` where possible. Freed by debye_classes_free(), also after a failure. */
sonde_status debye_classes_make(const sonde_atoms *atoms, struct debye_classes *classes);
/* The classes of a sample that is a lattice, which has to outlive them. */
sonde_status debye_classes_of_lattice(const struct sonde_lattice *lattice, struct debye_classes *classes);
void debye_classes_free(struct debye_classes *classes);
/* Corrects the sums over the pairs of two classes for such pairs. */
sonde_status debye_add_joint(const sonde_context *context, const struct debye_classes *classes,
			     struct pair_sums *sums);

#endif
