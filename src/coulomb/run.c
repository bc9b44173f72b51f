/* A run from sample to result. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "coulomb/blocks.h"
#include "coulomb/direct_layout.h"
#include "coulomb/ewald.h"
#include "parallel/ordered_sum.h"

static sonde_status copy_charges(const struct charges *charges, double **copy)
{
	CHECK(memory_allocate(copy, 4 * (size_t)charges->count + 1, sizeof **copy, "the result"));
	for (uint32_t j = 0; j < charges->count; ++j) {
		double *to = *copy + 4 * (size_t)j;
		to[0] = charges->x[j];
		to[1] = charges->y[j];
		to[2] = charges->z[j];
		to[3] = charges->q[j];
	}
	return SONDE_OK;
}

static sonde_status prepare_result(sonde_context *context, const sonde_atoms *atoms, const struct charges *charges,
				   const struct targets *targets, const struct coulomb_plan *plan,
				   sonde_coulomb_result *result)
{
	size_t count = (size_t)targets->count;

	result->options = plan->options;
	result->charge_count = charges->count;
	result->total_charge = charges->total;
	result->point_count = targets->count;
	result->is_grid = targets->is_grid;
	memcpy(result->size, targets->size, sizeof result->size);
	memcpy(result->origin, targets->origin, sizeof result->origin);
	memcpy(result->steps, targets->steps, sizeof result->steps);
	CHECK(memory_allocate(&result->provenance, 1, sizeof *result->provenance, "the result"));
	CHECK(provenance_make(context, atoms, &result->provenance->run));
	CHECK(copy_charges(charges, &result->provenance->charges));
	if (!targets->is_grid) {
		CHECK(memory_allocate(&result->points, 3 * count, sizeof(double), "the result"));
		memcpy(result->points, targets->points, 3 * count * sizeof(double));
	}
	if (plan->field)
		CHECK(memory_allocate(&result->field, 3 * count, sizeof(double), "the result"));
	return memory_allocate(&result->potential, count, sizeof(double), "the result");
}

static sonde_status refuse_coincident(const struct coulomb_plan *plan, uint64_t coincident)
{
	if (plan->options.self == SONDE_COULOMB_SELF_ERROR && coincident > 0)
		return status_fail(
		    SONDE_INVALID,
		    "%llu times a charge lies at a point; move the grid by --origin, or choose --self skip "
		    "or --self soften",
		    (unsigned long long)coincident);
	return SONDE_OK;
}

static sonde_status fill(sonde_context *context, const struct charges *charges, const struct targets *targets,
			 const struct coulomb_plan *plan, sonde_coulomb_result *result)
{
	struct values values = {.potential = result->potential, .field = result->field, .factor = plan->factor};
	bool reference = plan->options.method == SONDE_COULOMB_METHOD_REFERENCE;
	uint64_t coincident = 0;

	if (plan->tree != NULL)
		CHECK(fast_sum(context, plan->tree, targets, plan, &values, &coincident));
	else
		CHECK(
		    (reference ? reference_sum : direct_sum)(context, charges, targets, plan, &values, &coincident));
	CHECK(refuse_coincident(plan, coincident));
	result->coincident = (int64_t)coincident;
	result->kernel_seconds = values.kernel_seconds;
	return coulomb_errors(context, charges, targets, plan, result);
}

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

/* Energy and forces from potential and field at the charges, where each is left out; of a softened one its own potential
 * is taken away again. */
static void sum_energy(const struct charges *charges, const struct coulomb_plan *plan, const struct values *values,
		       sonde_coulomb_result *result)
{
	double own = plan->form == CHARGE_GAUSSIAN ? plan->kappa * TWO_OVER_SQRT_PI
		     : plan->softening > 0.0       ? exp(-plan->kappa * plan->softening) / plan->softening
						   : 0.0;
	struct ordered_sum energy = {0};

	for (uint32_t i = 0; i < charges->count; ++i) {
		double q = charges->q[i];
		ordered_sum_add(&energy, 0.5 * q * (values->potential[i] - q * own));
		for (int k = 0; k < 3; ++k)
			result->forces[3 * i + k] = q * plan->factor * values->field[3 * i + k];
	}
	result->energy = plan->factor * ordered_sum_value(&energy);
}

static sonde_status find_forces(sonde_context *context, const struct charges *charges,
				const struct coulomb_plan *plan, sonde_coulomb_result *result)
{
	struct coulomb_plan carefully = *plan;
	struct targets targets = {0};
	struct values values = {.factor = 1.0};
	size_t count = charges->count > 0 ? charges->count : 1;
	uint64_t coincident = 0;
	sonde_status status;

	carefully.single = false;
	carefully.field = true;
	CHECK_GOTO(status, targets_at_charges(charges, &targets), done);
	CHECK_GOTO(status, memory_allocate(&values.potential, count, sizeof(double), "the forces"), done);
	CHECK_GOTO(status, memory_allocate(&values.field, 3 * count, sizeof(double), "the forces"), done);
	CHECK_GOTO(status, copy_charges(charges, &result->charges), done);
	CHECK_GOTO(status, memory_allocate(&result->forces, 3 * count, sizeof(double), "the forces"), done);
	CHECK_GOTO(status, direct_sum(context, charges, &targets, &carefully, &values, &coincident), done);
	sum_energy(charges, &carefully, &values, result);
done:
	targets_free(&targets);
	free(values.potential);
	free(values.field);
	return status;
}

#define OTHER_SPLIT 1.2 /* of the sum that the result is compared with */
#define CHECKED_POINTS 64.0

/* What periodic charges need, and nothing of open boundaries. */
struct periodic {
	struct cell cell;
	struct ewald ewald, check;
};

static void periodic_free(struct periodic *periodic)
{
	ewald_free(&periodic->ewald);
	ewald_free(&periodic->check);
}

static sonde_status make_cell(sonde_context *context, const sonde_atoms *atoms, const sonde_coulomb_options *options,
			      const struct charges *charges, const struct targets *targets, struct cell *cell)
{
	bool slab = options->boundary == SONDE_COULOMB_BOUNDARY_SLAB;
	char note[160];

	if (fabs(charges->total) > 1e-9 * charges->absolute) {
		snprintf(note, sizeof note, "the charges of the cell add up to %.6g e; %s", charges->total,
			 slab ? "the potential falls for ever on both sides of the slab"
			      : "a uniform background makes it neutral");
		context_note(context, note);
	}
	return cell_make(atoms, options, charges, targets, 0.01 * options->tolerance, cell);
}

/* Ewald's sums for the method of the plan: at all points, or at the nodes of the largest block. */
static sonde_status settle_periodic(sonde_context *context, const struct charges *charges,
				    const struct targets *targets, struct coulomb_plan *plan,
				    struct periodic *periodic)
{
	double tolerance = 0.1 * plan->options.tolerance;
	double points = plan->tree != NULL ? (double)plan->tree->node_count : (double)targets->count;

	if (plan->cell == NULL)
		return SONDE_OK;
	ewald_free(&periodic->ewald);
	CHECK(ewald_make(context, charges, plan->cell, tolerance, 1.0, points, &periodic->ewald));
	plan->ewald = &periodic->ewald;
	if (plan->check == NULL)
		CHECK(ewald_make(context, charges, plan->cell, 0.1 * tolerance, OTHER_SPLIT, CHECKED_POINTS,
				 &periodic->check));
	plan->check = &periodic->check;
	return plan->tree != NULL ? fast_periodic(context, charges, plan) : SONDE_OK;
}

/* A sum that misses the tolerance is done again, more exactly: where charges cancel, float32 may not do, and where they
 * cluster, the fast sum may need more nodes. */
static sonde_status fill_within_tolerance(sonde_context *context, const struct charges *charges,
					  const struct targets *targets, struct coulomb_plan *plan,
					  struct periodic *periodic, sonde_coulomb_result *result)
{
	int precision = plan->automatic ? SONDE_COULOMB_PRECISION_AUTO : plan->options.precision;
	double before = INFINITY;

	for (;;) {
		CHECK(fill(context, charges, targets, plan, result));
		double error = result->relative_error;
		bool helped = error < 0.5 * before; /* what was changed last: if not, it is float32's roundings */
		before = error;
		if (error <= plan->options.tolerance)
			return SONDE_OK;
		if (plan->tree != NULL && (helped || !plan->automatic || !plan->single)) {
			CHECK(fast_plan_better(context, charges, targets, error, plan));
			if (plan->tree == NULL)
				coulomb_plan_precision(plan, precision);
			CHECK(settle_periodic(context, charges, targets, plan, periodic));
		} else if (plan->automatic && plan->single) {
			plan->single = false;
			plan->options.precision = SONDE_COULOMB_PRECISION_FLOAT64;
		} else {
			return SONDE_OK;
		}
		result->options = plan->options;
		result->largest_error = 0.0;
	}
}

static sonde_status run(sonde_context *context, const sonde_atoms *atoms, const sonde_coulomb_options *options,
			sonde_coulomb_result **result)
{
	struct charges charges = {0};
	struct targets targets = {0};
	struct periodic periodic = {0};
	bool open = options->boundary == SONDE_COULOMB_BOUNDARY_OPEN;
	struct coulomb_plan plan = {0};
	double began = clock_seconds();
	sonde_status status;

	CHECK_GOTO(status, mask_check(options), done);
	CHECK_GOTO(status, charges_make(atoms, options->charges, &charges), done);
	CHECK_GOTO(status, targets_make(atoms, options, &targets), done);
	if (!open)
		CHECK_GOTO(status, make_cell(context, atoms, options, &charges, &targets, &periodic.cell), done);
	CHECK_GOTO(status,
		   coulomb_plan_make(context, options, &charges, &targets, open ? NULL : &periodic.cell, &plan),
		   done);
	CHECK_GOTO(status, settle_periodic(context, &charges, &targets, &plan, &periodic), done);
	CHECK_GOTO(status, memory_allocate(result, 1, sizeof **result, "the result"), done);
	CHECK_GOTO(status, prepare_result(context, atoms, &charges, &targets, &plan, *result), done);
	CHECK_GOTO(status, fill_within_tolerance(context, &charges, &targets, &plan, &periodic, *result), done);
	if (plan.options.forces)
		CHECK_GOTO(status, find_forces(context, &charges, &plan, *result), done);
	CHECK_GOTO(status, mask_apply(context, atoms, &targets, *result), done);
	(*result)->seconds = clock_seconds() - began;
	(*result)->provenance->run.peak_memory = memory_peak();
done:
	charges_free(&charges);
	targets_free(&targets);
	periodic_free(&periodic);
	coulomb_plan_free(&plan);
	if (status != SONDE_OK)
		sonde_coulomb_result_free(result);
	return status;
}

sonde_status sonde_coulomb_run(sonde_context *context, const sonde_atoms *atoms, const sonde_coulomb_options *given,
			       sonde_coulomb_result **result)
{
	sonde_coulomb_options options;

	*result = NULL;
	if (context == NULL || atoms == NULL || given == NULL)
		return status_fail(SONDE_INVALID, "context, atoms and options are needed, one of them is null");
	CHECK(options_complete(&coulomb_option_table, given, &options));
	CHECK(options_check(&coulomb_option_table, &options));
	return run(context, atoms, &options, result);
}

void sonde_coulomb_result_free(sonde_coulomb_result **result)
{
	sonde_coulomb_result *r = result != NULL ? *result : NULL;

	if (r == NULL)
		return;
	free(r->points);
	free(r->potential);
	free(r->field);
	free(r->charges);
	free(r->forces);
	if (r->provenance != NULL) {
		provenance_free(&r->provenance->run);
		free(r->provenance->charges);
	}
	free(r->provenance);
	free(r);
	*result = NULL;
}
