/* Energy of the charges among themselves, and the force on each of them. */
#include <math.h>
#include <stdlib.h>

#include "coulomb/forces.h"

#include "base/memory.h"
#include "coulomb/charges.h"
#include "coulomb/check/errors.h"
#include "coulomb/coincident.h"
#include "coulomb/kernels/direct_layout.h"
#include "coulomb/method/choose.h"
#include "coulomb/method/fast_plan.h"
#include "coulomb/method/sums.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "run/ordered_sum.h"

/* The charges as target points. */
static sonde_status targets_at_charges(const struct charges *charges, struct targets *targets)
{
	*targets = (struct targets){.count = charges->count, .size = {charges->count, 1, 1}};
	CHECK(memory_allocate(&targets->points, 3 * (size_t)charges->count + 1, sizeof(double), "the forces"));
	for (uint32_t i = 0; i < charges->count; ++i) {
		targets->points[3 * i] = charges->x[i];
		targets->points[3 * i + 1] = charges->y[i];
		targets->points[3 * i + 2] = charges->z[i];
	}
	return SONDE_OK;
}

/* Energy and forces of a set from potential and field at the charges without the charge itself; of a softened one
 * its own potential is subtracted. */
static double sum_energy(const struct charges *charges, const double *q_of_set, const struct coulomb_plan *plan,
			 const double *potential, const double *field, double *forces)
{
	double own = plan->form == CHARGE_GAUSSIAN ? plan->kappa * TWO_OVER_SQRT_PI
		     : plan->softening > 0.0       ? exp(-plan->kappa * plan->softening) / plan->softening
						   : 0.0;
	struct ordered_sum energy = {0};

	for (uint32_t i = 0; i < charges->count; ++i) {
		double q = q_of_set[i];
		ordered_sum_add(&energy, 0.5 * q * (potential[i] - q * own));
		for (int k = 0; k < 3; ++k)
			forces[3 * i + k] = q * plan->factor * field[3 * i + k];
	}
	return plan->factor * ordered_sum_value(&energy);
}

/* Potential and field by the method of the plan, or by a more accurate one if the error is too large. *coincident
 * counts each charge with itself as well. */
static sonde_status sum_within_tolerance(sonde_context *context, const struct charges *charges,
					 const struct targets *targets, struct coulomb_plan *plan,
					 struct values *values, uint64_t *coincident)
{
	struct checked_points *checked;
	struct coulomb_errors errors;
	sonde_status status;

	CHECK(memory_allocate(&checked, 1, sizeof *checked, "the checked points"));
	for (;;) {
		*coincident = 0;
		CHECK_GOTO(status, sums_all(context, charges, targets, plan, values, coincident), done);
		if (plan->mesh == NULL)
			break;
		checked_choose(charges, targets, plan, checked);
		checked_take(values, targets->count, checked);
		CHECK_GOTO(status, checked_compare(context, charges, values->sets, targets, plan, checked, &errors),
			   done);
		double error = fmax(errors.potential, errors.field);
		if (error <= plan->options.tolerance)
			break;
		CHECK_GOTO(status, fast_plan_better(context, charges, targets, error, plan), done);
	}
done:
	free(checked);
	return status;
}

/* Direct sum, unless another method is allowed and the fast sum is less work. */
static sonde_status plan_forces(sonde_context *context, const struct charges *charges, const struct targets *targets,
				const struct coulomb_plan *plan, int method, struct coulomb_plan *carefully)
{
	double evaluations = (double)charges->count * (double)targets->count;

	*carefully = *plan;
	carefully->factor = 1.0;
	carefully->field = true;
	carefully->tree = NULL;
	carefully->mesh = NULL;
	carefully->order = 0;
	carefully->options.precision = SONDE_COULOMB_PRECISION_FLOAT64;
	carefully->options.method = method;
	if (plan->cell == NULL && (method == SONDE_COULOMB_METHOD_AUTO || method == SONDE_COULOMB_METHOD_FAST))
		CHECK(fast_plan(context, charges, targets, carefully, &evaluations));
	if (carefully->mesh == NULL)
		carefully->options.method = SONDE_COULOMB_METHOD_DIRECT;
	carefully->single = false;
	return SONDE_OK;
}

sonde_status coulomb_forces(sonde_context *context, const sonde_atoms *atoms, const struct charges *charges,
			    uint32_t first, uint32_t sets, const struct coulomb_plan *plan, int method,
			    sonde_coulomb_result *result)
{
	struct coulomb_plan carefully = {0};
	struct targets targets = {0};
	size_t count = charges->count > 0 ? charges->count : 1;
	struct values values = {.factor = 1.0, .sets = sets, .stride = charges->count};
	uint64_t coincident = 0;
	sonde_status status;

	CHECK_GOTO(status, targets_at_charges(charges, &targets), done);
	CHECK_GOTO(status, plan_forces(context, charges, &targets, plan, method, &carefully), done);
	CHECK_GOTO(status, memory_allocate(&values.potential, sets * count, sizeof(double), "the forces"), done);
	CHECK_GOTO(status, memory_allocate(&values.field, 3 * sets * count, sizeof(double), "the forces"), done);
	CHECK_GOTO(status, sum_within_tolerance(context, charges, &targets, &carefully, &values, &coincident), done);
	/* softened and smeared charges are never left out; the positions of all sets are the same */
	if (coincident > charges->count && first == 0)
		CHECK_GOTO(status,
			   coincident_report(context, atoms, charges, plan, (coincident - charges->count) / 2), done);
	for (uint32_t s = 0; s < sets; ++s)
		result->energies[first + s] =
		    sum_energy(charges, charges->q + s * count, plan, values.potential + s * count,
			       values.field + 3 * s * count, result->forces + 3 * (first + s) * count);
done:
	coulomb_plan_free(&carefully);
	targets_free(&targets);
	free(values.potential);
	free(values.field);
	return status;
}
