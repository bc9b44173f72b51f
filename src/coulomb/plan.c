#include "coulomb/plan.h"

#include <stddef.h>

#define FLOAT32_ERROR 6e-7 /* relative error of a sum */

void coulomb_plan_precision(struct coulomb_plan *plan, int wanted)
{
	/* exponentials are implemented in float64 only */
	bool exponential = plan->form != CHARGE_POINT || (plan->cell != NULL && plan->tree == NULL);
	/* periodic charges screen one another, so that rounding errors are larger relative to the sum */
	double roundings = FLOAT32_ERROR * (plan->cell != NULL ? 4.0 : 1.0);
	bool suffices = plan->options.tolerance >= roundings;

	plan->automatic = wanted == SONDE_COULOMB_PRECISION_AUTO;
	plan->single = !exponential && (plan->automatic ? suffices : wanted == SONDE_COULOMB_PRECISION_FLOAT32);
	plan->options.precision = plan->single ? SONDE_COULOMB_PRECISION_FLOAT32 : SONDE_COULOMB_PRECISION_FLOAT64;
}
