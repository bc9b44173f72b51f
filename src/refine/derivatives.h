/* Derivatives of the model's curve by differences, with steps that are found. */
#ifndef SONDE_REFINE_DERIVATIVES_H
#define SONDE_REFINE_DERIVATIVES_H

#include "refine/model.h"

struct derivatives {
	struct model *model;
	bool central;
	double steps[REFINE_MOST_PARAMETERS]; /* in use */
	bool chosen[REFINE_MOST_PARAMETERS];  /* a step was found */
	bool jumps[REFINE_MOST_PARAMETERS];   /* the number of atoms depends on the parameter, which has no grid */
	bool flat; /* the last failure is that of a parameter on which the curve does not depend */
};

void derivatives_begin(struct model *model, bool central, struct derivatives *derivatives);
/* d curve / d parameter [parameter][point] at some values, where the curve is known. SONDE_INVALID, with its name, for a parameter on which the curve does
 * not depend. */
sonde_status derivatives_find(struct derivatives *derivatives, const double *values, const double *curve,
			      double *slopes);

#endif
