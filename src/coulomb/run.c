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

/* x, y, z and the charge in each of `sets` sets. */
static sonde_status copy_charges(const struct charges *charges, uint32_t sets, double **copy)
{
	size_t each = 3 + sets;

	CHECK(memory_allocate(copy, each * charges->count + 1, sizeof **copy, "the result"));
	for (uint32_t j = 0; j < charges->count; ++j) {
		double *to = *copy + each * j;
		to[0] = charges->x[j];
		to[1] = charges->y[j];
		to[2] = charges->z[j];
		for (uint32_t s = 0; s < sets; ++s)
			to[3 + s] = charges->q[(size_t)s * charges->count + j];
	}
	return SONDE_OK;
}

static sonde_status prepare_result(sonde_context *context, const sonde_atoms *atoms, const struct charges *charges,
				   const struct targets *targets, const sonde_coulomb_options *options,
				   sonde_coulomb_result *result)
{
	size_t count = (size_t)targets->count, sets = charges->sets;

	result->options = *options;
	result->charge_count = charges->count;
	result->total_charge = charges->total;
	result->charge_sets = (int)sets;
	result->point_count = targets->count;
	result->is_grid = targets->is_grid;
	memcpy(result->size, targets->size, sizeof result->size);
	memcpy(result->origin, targets->origin, sizeof result->origin);
	memcpy(result->steps, targets->steps, sizeof result->steps);
	CHECK(memory_allocate(&result->provenance, 1, sizeof *result->provenance, "the result"));
	CHECK(provenance_make(context, atoms, &result->provenance->run));
	CHECK(copy_charges(charges, 1, &result->provenance->charges));
	CHECK(memory_allocate(&result->total_charges, sets, sizeof(double), "the result"));
	if (!targets->is_grid) {
		CHECK(memory_allocate(&result->points, 3 * count, sizeof(double), "the result"));
		memcpy(result->points, targets->points, 3 * count * sizeof(double));
	}
	if (options->quantity != SONDE_COULOMB_QUANTITY_POTENTIAL)
		CHECK(memory_allocate(&result->field, 3 * sets * count, sizeof(double), "the result"));
	return memory_allocate(&result->potential, sets * count, sizeof(double), "the result");
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

/* The sets that are summed at a time, and where their values go. */
struct batch {
	struct charges charges;
	uint32_t first, sets;
	struct values values;
	struct coulomb_errors errors;
	uint64_t coincident;
};

static sonde_status fill(sonde_context *context, const struct targets *targets, const struct coulomb_plan *plan,
			 struct batch *batch)
{
	bool reference = plan->options.method == SONDE_COULOMB_METHOD_REFERENCE;

	batch->coincident = 0;
	batch->values.factor = plan->factor;
	if (plan->tree != NULL)
		CHECK(fast_sum(context, plan->tree, targets, plan, &batch->values, &batch->coincident));
	else
		CHECK((reference ? reference_sum : direct_sum)(context, &batch->charges, targets, plan,
							       &batch->values, &batch->coincident));
	CHECK(refuse_coincident(plan, batch->coincident));
	return coulomb_check(context, &batch->charges, targets, plan, &batch->values, &batch->errors);
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

/* Of the sets of a batch. */
static sonde_status find_forces(sonde_context *context, const struct batch *batch, const struct coulomb_plan *plan,
				sonde_coulomb_result *result)
{
	const struct charges *charges = &batch->charges;
	struct coulomb_plan carefully = *plan;
	struct targets targets = {0};
	size_t count = charges->count > 0 ? charges->count : 1;
	struct values values = {.factor = 1.0, .sets = batch->sets, .stride = charges->count};
	uint64_t coincident = 0;
	sonde_status status;

	carefully.single = false;
	carefully.field = true;
	CHECK_GOTO(status, targets_at_charges(charges, &targets), done);
	CHECK_GOTO(status, memory_allocate(&values.potential, batch->sets * count, sizeof(double), "the forces"),
		   done);
	CHECK_GOTO(status, memory_allocate(&values.field, 3 * batch->sets * count, sizeof(double), "the forces"),
		   done);
	CHECK_GOTO(status, direct_sum(context, charges, &targets, &carefully, &values, &coincident), done);
	for (uint32_t s = 0; s < batch->sets; ++s)
		result->energies[batch->first + s] =
		    sum_energy(charges, charges->q + s * count, &carefully, values.potential + s * count,
			       values.field + 3 * s * count, result->forces + 3 * (batch->first + s) * count);
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
static sonde_status fill_within_tolerance(sonde_context *context, const struct targets *targets,
					  struct coulomb_plan *plan, struct periodic *periodic, struct batch *batch)
{
	int precision = plan->automatic ? SONDE_COULOMB_PRECISION_AUTO : plan->options.precision;
	double before = INFINITY;

	for (;;) {
		CHECK(fill(context, targets, plan, batch));
		double error = batch->errors.potential;
		bool helped = error < 0.5 * before; /* what was changed last: if not, it is float32's roundings */
		before = error;
		if (error <= plan->options.tolerance)
			return SONDE_OK;
		if (plan->tree != NULL && (helped || !plan->automatic || !plan->single)) {
			CHECK(fast_plan_better(context, &batch->charges, targets, error, plan));
			if (plan->tree == NULL)
				coulomb_plan_precision(plan, precision);
			CHECK(settle_periodic(context, &batch->charges, targets, plan, periodic));
		} else if (plan->automatic && plan->single) {
			plan->single = false;
			plan->options.precision = SONDE_COULOMB_PRECISION_FLOAT64;
		} else {
			return SONDE_OK;
		}
	}
}

/* What a batch adds to the result. */
static void take(const struct batch *batch, const struct coulomb_plan *plan, sonde_coulomb_result *result)
{
	const struct coulomb_errors *errors = &batch->errors;

	for (uint32_t s = 0; s < batch->sets; ++s)
		for (uint32_t j = 0; j < batch->charges.count; ++j)
			result->total_charges[batch->first + s] +=
			    batch->charges.q[(size_t)s * batch->charges.count + j];
	/* as the first was run, or more carefully */
	if (batch->first == 0 || plan->options.precision == SONDE_COULOMB_PRECISION_FLOAT64)
		result->options = plan->options;
	result->coincident = (int64_t)batch->coincident;
	result->kernel_seconds += batch->values.kernel_seconds;
	result->checked_points = errors->points;
	result->relative_error = fmax(result->relative_error, errors->potential);
	result->largest_error = fmax(result->largest_error, errors->largest);
	result->field_error = fmax(result->field_error, errors->field);
}

static sonde_status run_batch(sonde_context *context, const sonde_atoms *atoms, const sonde_coulomb_options *options,
			      const struct targets *targets, struct batch *batch, sonde_coulomb_result *result)
{
	struct periodic periodic = {0};
	bool open = options->boundary == SONDE_COULOMB_BOUNDARY_OPEN;
	struct coulomb_plan plan = {0};
	sonde_status status;

	if (!open)
		CHECK_GOTO(status, make_cell(context, atoms, options, &batch->charges, targets, &periodic.cell),
			   done);
	CHECK_GOTO(status,
		   coulomb_plan_make(context, options, &batch->charges, targets, open ? NULL : &periodic.cell, &plan),
		   done);
	CHECK_GOTO(status, settle_periodic(context, &batch->charges, targets, &plan, &periodic), done);
	CHECK_GOTO(status, fill_within_tolerance(context, targets, &plan, &periodic, batch), done);
	if (options->forces)
		CHECK_GOTO(status, find_forces(context, batch, &plan, result), done);
	take(batch, &plan, result);
done:
	periodic_free(&periodic);
	coulomb_plan_free(&plan);
	return status;
}

/* Set by set where they are periodic, else several at a time. */
static sonde_status run_batches(sonde_context *context, const sonde_atoms *atoms,
				const sonde_coulomb_options *options, const struct charges *charges,
				const struct targets *targets, sonde_coulomb_result *result)
{
	bool one = options->boundary != SONDE_COULOMB_BOUNDARY_OPEN;
	size_t count = charges->count;

	if (options->forces) {
		CHECK(copy_charges(charges, charges->sets, &result->charges));
		CHECK(memory_allocate(&result->forces, 3 * charges->sets * count + 1, sizeof(double), "the forces"));
		CHECK(memory_allocate(&result->energies, charges->sets, sizeof(double), "the forces"));
	}
	for (uint32_t first = 0; first < charges->sets;) {
		int64_t at = first * targets->count;
		struct batch batch = {.first = first};
		batch.sets = charges_of_sets(charges, first, one, &batch.charges);
		batch.values = (struct values){.potential = result->potential + at,
					       .field = result->field != NULL ? result->field + 3 * at : NULL,
					       .sets = batch.sets,
					       .stride = targets->count};
		CHECK(run_batch(context, atoms, options, targets, &batch, result));
		first += batch.sets;
	}
	if (options->forces)
		result->energy = result->energies[0];
	return SONDE_OK;
}

static sonde_status run(sonde_context *context, const sonde_atoms *atoms, const sonde_coulomb_options *options,
			sonde_coulomb_result **result)
{
	struct charges charges = {0};
	struct targets targets = {0};
	double began = clock_seconds();
	sonde_status status;

	CHECK_GOTO(status, mask_check(options), done);
	CHECK_GOTO(status, charges_make(atoms, options->charges, &charges), done);
	CHECK_GOTO(status, targets_make(atoms, options, &targets), done);
	CHECK_GOTO(status, coulomb_check_memory(context, options, &charges, &targets), done);
	CHECK_GOTO(status, memory_allocate(result, 1, sizeof **result, "the result"), done);
	CHECK_GOTO(status, prepare_result(context, atoms, &charges, &targets, options, *result), done);
	CHECK_GOTO(status, run_batches(context, atoms, options, &charges, &targets, *result), done);
	CHECK_GOTO(status, mask_apply(context, atoms, &targets, *result), done);
	(*result)->seconds = clock_seconds() - began;
	(*result)->provenance->run.peak_memory = memory_peak();
done:
	charges_free(&charges);
	targets_free(&targets);
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
	free(r->total_charges);
	free(r->energies);
	if (r->provenance != NULL) {
		provenance_free(&r->provenance->run);
		free(r->provenance->charges);
	}
	free(r->provenance);
	free(r);
	*result = NULL;
}
