/* The plan of a run, made before the work begins by method/choose.h. */
#ifndef SONDE_COULOMB_PLAN_H
#define SONDE_COULOMB_PLAN_H

#include <stdbool.h>

#include "sonde/coulomb.h"

struct cell;        /* periodic/cell.h */
struct ewald;       /* periodic/ewald.h */
struct block_tree;  /* fast/blocks.h */
struct mesh_choice; /* mesh/mesh.h */

/* Potential of a charge q at a distance r: q/r, q exp(-kappa r)/r, or q erf(kappa r)/r. The kernels' SCREENED. */
enum charge_form { CHARGE_POINT, CHARGE_SCREENED, CHARGE_GAUSSIAN };

struct coulomb_plan {
	sonde_coulomb_options options; /* with every "auto" decided */
	double softening;              /* Angstrom; 0: none */
	enum charge_form form;
	double kappa;                  /* 1/Angstrom; of screening, or 1/(sqrt(2) sigma) of Gaussian charges */
	double factor;                 /* from e/Angstrom to the unit of the result */
	const struct cell *cell;       /* of periodic charges; null: open boundaries */
	const struct ewald *ewald;     /* their sum */
	const struct ewald *check;     /* the same with another splitting, for the error estimate */
	struct block_tree *tree;       /* of the fast sum; owned; null: another method */
	struct mesh_choice *mesh;      /* of the fast sum for lists of points; owned; null: another method */
	int order;                     /* accuracy of the fast sum: index in a list of fast_plan.c or mesh_smooth.c */
	bool automatic;                /* the precision was chosen automatically */
	bool field, single;            /* whether the field is requested; float32 */
	double most_of_slab;           /* largest number of points of a slab */
	struct unfinished *unfinished; /* where the values of the sum at the points are kept; null: nowhere */
	uint32_t batch;                /* the first of the sets that are summed */
};

/* Decides the precision by the option and the method. */
void coulomb_plan_precision(struct coulomb_plan *plan, int wanted);

#endif
