/* The lattice method for displacements that are tensors. */
#ifndef SONDE_DEBYE_LATTICE_VECTORS_H
#define SONDE_DEBYE_LATTICE_VECTORS_H

#include "debye/classes/classes.h"

/* Kinds of atoms of the summed atoms of the classes, one for each class and tensor. */
struct tensor_kinds {
	int count;
	int *class_of;     /* of each kind */
	double *tensors;   /* six numbers each */
	uint16_t *kind_of; /* of each atom */
};
/* Freed by tensor_kinds_free(), also after a failure. SONDE_INVALID if there are too many. */
sonde_status tensor_kinds_make(const struct debye_classes *classes, struct tensor_kinds *kinds);
void tensor_kinds_free(struct tensor_kinds *kinds);

/* The sums of lattice_pair_sums() with a motion that has tensors, vector by vector. */
sonde_status lattice_vector_sums(sonde_context *context, const struct debye_classes *classes,
				 const struct debye_plan *plan, struct pair_sums *sums);

#endif
