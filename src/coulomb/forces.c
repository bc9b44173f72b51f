/* Energy of the charges among themselves, and the force on each. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "coulomb/coulomb.h"
#include "coulomb/direct_layout.h"
#include "parallel/ordered_sum.h"

/* The charges as points. */
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

/* Energy and forces of a set from potential and field at the charges, where each is left out; of a softened one its own
 * potential is taken away again. */
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

sonde_status coulomb_forces(sonde_context *context, const struct charges *charges, uint32_t first, uint32_t sets,
			    const struct coulomb_plan *plan, sonde_coulomb_result *result)
{
	struct coulomb_plan carefully = *plan;
	struct targets targets = {0};
	size_t count = charges->count > 0 ? charges->count : 1;
	struct values values = {.factor = 1.0, .sets = sets, .stride = charges->count};
	uint64_t coincident = 0;
	sonde_status status;

	carefully.single = false;
	carefully.field = true;
	carefully.tree = NULL;
	carefully.options.method = SONDE_COULOMB_METHOD_DIRECT;
	CHECK_GOTO(status, targets_at_charges(charges, &targets), done);
	CHECK_GOTO(status, memory_allocate(&values.potential, sets * count, sizeof(double), "the forces"), done);
	CHECK_GOTO(status, memory_allocate(&values.field, 3 * sets * count, sizeof(double), "the forces"), done);
	CHECK_GOTO(status, sums_all(context, charges, &targets, &carefully, &values, &coincident), done);
	for (uint32_t s = 0; s < sets; ++s)
		result->energies[first + s] =
		    sum_energy(charges, charges->q + s * count, &carefully, values.potential + s * count,
			       values.field + 3 * s * count, result->forces + 3 * (first + s) * count);
done:
	targets_free(&targets);
	free(values.potential);
	free(values.field);
	return status;
}
