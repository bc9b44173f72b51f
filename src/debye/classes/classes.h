/* Atoms in classes of one species, one occupancy, one mean square displacement, and one block, which the methods treat as species. */
#ifndef SONDE_DEBYE_CLASSES_H
#define SONDE_DEBYE_CLASSES_H

#include "matter/atoms/atom_blocks.h"
#include "debye/debye.h"
#include "matter/atoms/relabel.h"

/* Two sites whose joint occupation probability differs from the product of their occupancies: it is
 * 1 + surplus times the product. Of many such pairs at the same distance the surplus is the sum. */
struct joint_pair {
	int pair; /* of classes: species_pair_index() */
	double r, surplus;
	double in_sine; /* the distance in the sine: r, but for tensors of displacements (motion.h) */
	double s;       /* mean square relative displacement in sums with a motion; else 0 */
	double d[3];    /* from one site to the other, Angstrom */
	int64_t i, j;   /* atoms of the view, i < j */
};

/* Copies of one structure, consecutive atoms of the view. */
struct debye_structure {
	int64_t first, count;       /* the atoms of its first copy; of a sample by placements, before it is placed */
	int64_t copies, first_copy; /* and their place among all copies */
	double center[3];           /* of these atoms */
};

struct debye_classes {
	sonde_atoms *placed;              /* the sample by option `placements`; null: the sample as it is */
	struct relabeled_atoms relabeled; /* the sample by option `labels`, whose arrays the view shares */
	sonde_atoms
	    view; /* atoms with an occupancy above 0, with classes as species, in the order of labels and occupancies */
	/* those whose pairs are summed: the view, or the first copy of its largest structure, number `largest`; the other
	 * structures are summed in the same way (copies.h) */
	sonde_atoms summed;
	int structure_count, largest; /* 0 for the view */
	struct debye_structure structures[ATOMS_MOST_STRUCTURES];
	struct species *structure_species; /* [structure][class], with the atoms of a copy; null for the view */
	int64_t copies;                    /* of all structures; 1 for the view */
	double (*centers)[3];              /* of the copies; null for the view */
	bool averaged;                     /* with interference of copies of any orientation */
	int count;                         /* of classes */
	int species_count;                 /* different labels */
	int *species;                      /* number of the label of each class */
	double *occupancy;                 /* of each class */
	int *block;                        /* of each class; null without blocks */
	struct atom_blocks blocks;         /* of the sample */
	int64_t atoms;                     /* with those of copies that the view does not have */
	double present;                    /* mean number of atoms: the sum of all occupancies */
	/* of the view, if some occupancies are below 1, or of a periodic sample; else null, and the view has those of the
	 * sample */
	double *positions;
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
	/* The lattice of the summed atoms, with the class of each of its kinds; null without one. It may be the only
	 * form of the sample, whose view has no positions then. */
	const struct sonde_lattice *lattice;
	struct sonde_lattice *own_lattice; /* the same if it was found in the atoms */
	int *class_of_kind;
	double *tensor_of_kind; /* the displacements of its atoms, six numbers; null unless the motion has tensors */
};

/* `displacements`: those of the sample are used. Shares arrays with `atoms` where possible. Freed by
 * debye_classes_free(), also after a failure. */
sonde_status debye_classes_make(const sonde_atoms *atoms, const sonde_debye_options *options, bool displacements,
				struct debye_classes *classes);
/* Of a periodic sample: moves the atoms into the cell, and finds sites that depend on those of other cells. */
sonde_status debye_classes_wrap(const sonde_context *context, struct debye_classes *classes,
				const struct periodic *periodic);
/* The classes of a sample that is a lattice, which has to outlive them. */
sonde_status debye_classes_of_lattice(const struct sonde_lattice *lattice, struct debye_classes *classes);
void debye_classes_free(struct debye_classes *classes);
/* Finds the joint pairs of the view, again if they are known; `periodic`: its cell, or null for a cluster. */
sonde_status debye_find_joint(struct debye_classes *classes, const struct periodic *periodic);
/* Corrects the sums over the pairs of two classes for joint pairs. */
sonde_status debye_add_joint(const sonde_context *context, const struct debye_classes *classes,
			     struct pair_sums *sums);
/* Of a periodic sample: subtracts the mean density, which scatters in the forward direction only. */
sonde_status debye_subtract_mean(sonde_context *context, const struct debye_classes *classes, struct pair_sums *sums);

#endif
