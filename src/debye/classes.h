/* Atoms in classes of one species, one occupancy, one mean square displacement, and one block, which the methods treat as species. */
#ifndef SONDE_DEBYE_CLASSES_H
#define SONDE_DEBYE_CLASSES_H

#include "debye/blocks.h"
#include "debye/debye.h"

/* Two sites whose joint occupation probability differs from the product of their occupancies: it is
 * 1 + surplus times the product. */
struct joint_pair {
	int pair; /* of classes: species_pair_index() */
	double r, surplus;
	double s;     /* mean square relative displacement in sums with a motion; else 0 */
	int64_t i, j; /* atoms of the view, i < j */
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
	int *block;                     /* of each class; null without blocks */
	struct debye_blocks blocks;     /* of the sample */
	double present;                 /* mean number of atoms: the sum of all occupancies */
	double *
	    positions; /* of the view, if some occupancies are below 1; else null, and the view has those of the sample */
	uint32_t *locations; /* likewise: atoms_location() */
	struct joint_pair *joint;
	size_t joint_count, joint_capacity;
	/* U_iso of each class, Angstrom^2; null: atoms at rest, or with tensors */
	double *displacement;
	double *tensors;  /* displacements of each atom of the view, six numbers; null */
	bool anisotropic; /* of these some are no numbers */
	struct pair_motion law,
	    *motion; /* of sums with a factor of each pair: the motion points to the law; else null */
	/* residues with occupancies of alternative locations that add up to more than 1, and the largest sum */
	int64_t overfull;
	double fullest;
};

/* `displacements`: those of the sample are used. Shares arrays with `atoms` where possible. Freed by debye_classes_free(), also after a failure. */
sonde_status debye_classes_make(const sonde_atoms *atoms, const sonde_debye_options *options, bool displacements,
				struct debye_classes *classes);
void debye_classes_free(struct debye_classes *classes);
/* Corrects the sums over the pairs of two classes for such pairs. */
sonde_status debye_add_joint(const sonde_context *context, const struct debye_classes *classes,
			     struct pair_sums *sums);

#endif
