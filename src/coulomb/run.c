/* A run from sample to result. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/options.h"
#include "coulomb/charges.h"
#include "coulomb/check/errors.h"
#include "coulomb/fast/blocks.h"
#include "coulomb/forces.h"
#include "coulomb/method/choose.h"
#include "coulomb/method/fast_periodic.h"
#include "coulomb/method/fast_plan.h"
#include "coulomb/method/sums.h"
#include "coulomb/option_table.h"
#include "coulomb/output/result.h"
#include "coulomb/periodic/ewald.h"
#include "coulomb/plan.h"
#include "coulomb/prepare.h"
#include "coulomb/slabs.h"
#include "coulomb/mask.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "io/volume/volume_formats.h"
#include "matter/atoms/atoms.h"
#include "run/checkpoint.h"
#include "run/context.h"
#include "run/provenance.h"
#include "run/unfinished.h"

/* The sets summed at a time, and their outcome. */
struct batch {
	struct charges charges;
	uint32_t first, sets;
	struct coulomb_errors errors;
	struct sum_totals totals;
};

/* Stores x, y, z and the charge in each of `sets` sets. */
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

static sonde_status prepare_result(struct coulomb_run *run)
{
	const struct targets *targets = &run->targets;
	size_t count = (size_t)targets->count, sets = run->charges.sets;
	sonde_coulomb_result *result = run->result;

	result->charge_count = run->charges.count;
	result->total_charge = run->charges.total;
	result->charge_sets = (int)sets;
	result->point_count = targets->count;
	result->is_grid = targets->is_grid;
	memcpy(result->size, targets->size, sizeof result->size);
	memcpy(result->origin, targets->origin, sizeof result->origin);
	memcpy(result->steps, targets->steps, sizeof result->steps);
	CHECK(memory_allocate(&result->provenance, 1, sizeof *result->provenance, "the result"));
	result->provenance->options = *run->options;
	result->options = &result->provenance->options;
	CHECK(provenance_make(run->context, run->atoms->source.bytes, run->atoms->sha256, &result->provenance->run));
	CHECK(copy_charges(&run->charges, (uint32_t)sets, &result->provenance->charges));
	CHECK(memory_allocate(&result->provenance->elements, run->charges.count + 1, 1, "the result"));
	memcpy(result->provenance->elements, run->charges.elements, run->charges.count);
	result->provenance->threads = context_threads(run->context);
	CHECK(memory_allocate(&result->total_charges, sets, sizeof(double), "the result"));
	if (run->options->forces) {
		CHECK(copy_charges(&run->charges, (uint32_t)sets, &result->charges));
		CHECK(memory_allocate(&result->forces, 3 * sets * run->charges.count + 1, sizeof(double),
				      "the forces"));
		CHECK(memory_allocate(&result->energies, sets, sizeof(double), "the forces"));
	}
	if (run->path != NULL)
		return SONDE_OK;
	if (!targets->is_grid) {
		CHECK(memory_allocate(&result->points, 3 * count, sizeof(double), "the result"));
		memcpy(result->points, targets->points, 3 * count * sizeof(double));
	}
	if (run->options->quantity != SONDE_COULOMB_QUANTITY_POTENTIAL)
		CHECK(memory_allocate(&result->field, 3 * sets * count, sizeof(double), "the result"));
	return memory_allocate(&result->potential, sets * count, sizeof(double), "the result");
}

static sonde_status refuse_coincident(const struct coulomb_plan *plan, uint64_t coincident)
{
	if (plan->options.self == SONDE_COULOMB_SELF_ERROR && coincident > 0)
		return status_fail(
		    SONDE_INVALID,
		    "%llu times a charge coincides with a point; move the grid by `origin`, or choose `self skip` "
		    "or `self soften`",
		    (unsigned long long)coincident);
	return SONDE_OK;
}

/* Output to the result. */
static sonde_status fill_result(struct coulomb_run *run, const struct coulomb_plan *plan, struct batch *batch,
				struct checked_points *checked)
{
	sonde_coulomb_result *result = run->result;
	int64_t at = batch->first * run->targets.count;
	struct values values = {.potential = result->potential + at,
				.field = result->field != NULL ? result->field + 3 * at : NULL,
				.factor = plan->factor,
				.sets = batch->sets,
				.stride = run->targets.count};
	const struct target_range all = {0, run->targets.count};

	batch->totals = (struct sum_totals){0};
	CHECK(sums_all(run->context, &batch->charges, &run->targets, plan, &values, &batch->totals.coincident));
	batch->totals.kernel_seconds = values.kernel_seconds;
	if (!context_writes(run->context))
		return SONDE_OK; /* the first rank has the values */
	checked_take(&values, run->targets.count, checked);
	batch->totals.masked = mask_apply(run->context, run->mask, &run->targets, &all, &values);
	return SONDE_OK;
}

/* Output to a file, complete except for quantities known later. */
static sonde_status fill_file(struct coulomb_run *run, const struct coulomb_plan *plan, struct batch *batch,
			      struct checked_points *checked)
{
	(void)delivery_close(&run->delivery, SONDE_CANCELLED); /* the file of a previous attempt */
	CHECK(delivery_open(run->context, run->result, run->path, run->overwrite, &run->delivery));
	return slabs_sum(run->context, &batch->charges, &run->targets, plan, run->mask, run->delivery, checked,
			 &batch->totals);
}

static sonde_status fill(struct coulomb_run *run, const struct coulomb_plan *plan, struct batch *batch)
{
	struct coulomb_plan kept = *plan; /* other sums by this plan are not kept */
	struct checked_points *checked;

	CHECK(memory_allocate(&checked, 1, sizeof *checked, "the checked points"));
	checked_choose(&batch->charges, &run->targets, plan, checked);
	kept.unfinished = run->unfinished;
	kept.batch = batch->first;
	sonde_status status = (run->path != NULL ? fill_file : fill_result)(run, &kept, batch, checked);
	if (status == SONDE_OK)
		status = refuse_coincident(plan, batch->totals.coincident);
	if (status == SONDE_OK)
		status = checked_compare(run->context, &batch->charges, batch->sets, &run->targets, plan, checked,
					 &batch->errors);
	free(checked);
	return status;
}

/* The same with the sums at the nodes of the largest block. */
static sonde_status settle_periodic(sonde_context *context, const struct charges *charges,
				    const struct targets *targets, struct coulomb_plan *plan,
				    struct coulomb_periodic *periodic)
{
	CHECK(coulomb_make_ewald(context, charges, targets, plan, periodic));
	return plan->cell != NULL && plan->tree != NULL ? fast_periodic(context, charges, plan) : SONDE_OK;
}

/* A sum that misses the tolerance is repeated with higher accuracy: where charges cancel, float32 may be
 * insufficient, and where they cluster, the fast sum may need more nodes. */
static sonde_status fill_within_tolerance(struct coulomb_run *run, struct coulomb_plan *plan,
					  struct coulomb_periodic *periodic, struct batch *batch)
{
	int precision = plan->automatic ? SONDE_COULOMB_PRECISION_AUTO : plan->options.precision;
	double before = INFINITY;

	for (;;) {
		CHECK(fill(run, plan, batch));
		double error = batch->errors.potential;
		bool helped = error < 0.5 * before; /* by the last change; if not, the error is float32 rounding */
		before = error;
		if (error <= plan->options.tolerance)
			return SONDE_OK;
		if ((plan->tree != NULL || plan->mesh != NULL) && (helped || !plan->automatic || !plan->single)) {
			CHECK(fast_plan_better(run->context, &batch->charges, &run->targets, error, plan));
			if (plan->tree == NULL && plan->mesh == NULL)
				coulomb_plan_precision(plan, precision);
			CHECK(settle_periodic(run->context, &batch->charges, &run->targets, plan, periodic));
		} else if (plan->automatic && plan->single) {
			plan->single = false;
			plan->options.precision = SONDE_COULOMB_PRECISION_FLOAT64;
		} else {
			return SONDE_OK;
		}
	}
}

/* Adds a batch to the result. */
static void take(const struct batch *batch, const struct coulomb_plan *plan, sonde_coulomb_result *result)
{
	const struct coulomb_errors *errors = &batch->errors;
	sonde_coulomb_options *options = &result->provenance->options;

	for (uint32_t s = 0; s < batch->sets; ++s)
		for (uint32_t j = 0; j < batch->charges.count; ++j)
			result->total_charges[batch->first + s] +=
			    batch->charges.q[(size_t)s * batch->charges.count + j];
	/* with the accuracy of the first batch, or higher */
	if (batch->first == 0 || plan->options.precision == SONDE_COULOMB_PRECISION_FLOAT64)
		*options = plan->options;
	if (plan->cell != NULL && options->method == SONDE_COULOMB_METHOD_DIRECT)
		options->method = SONDE_COULOMB_METHOD_EWALD;
	result->coincident = (int64_t)batch->totals.coincident;
	result->masked = batch->totals.masked;
	result->kernel_seconds += batch->totals.kernel_seconds;
	result->checked_points = errors->points;
	result->relative_error = fmax(result->relative_error, errors->potential);
	result->largest_error = fmax(result->largest_error, errors->largest);
	result->field_error = fmax(result->field_error, errors->field);
	result->largest_field_error = fmax(result->largest_field_error, errors->largest_field);
}

static sonde_status run_batch(struct coulomb_run *run, struct batch *batch)
{
	struct coulomb_periodic periodic = {0};
	struct coulomb_plan plan = {0};
	sonde_status status;

	CHECK_GOTO(status, coulomb_plan_batch(run, &batch->charges, &periodic, &plan), done);
	CHECK_GOTO(status, settle_periodic(run->context, &batch->charges, &run->targets, &plan, &periodic), done);
	CHECK_GOTO(status, fill_within_tolerance(run, &plan, &periodic, batch), done);
	if (run->options->forces)
		CHECK_GOTO(status,
			   coulomb_forces(run->context, run->atoms, &batch->charges, batch->first, batch->sets, &plan,
					  run->options->method, run->result),
			   done);
	take(batch, &plan, run->result);
done:
	coulomb_periodic_free(&periodic);
	coulomb_plan_free(&plan);
	return status;
}

/* Set by set if periodic, else several at a time. */
static sonde_status run_batches(struct coulomb_run *run)
{
	bool one = run->options->boundary != SONDE_COULOMB_BOUNDARY_OPEN;

	for (uint32_t first = 0; first < run->charges.sets;) {
		struct batch batch = {.first = first};
		batch.sets = charges_of_sets(&run->charges, first, one, &batch.charges);
		CHECK(run_batch(run, &batch));
		first += batch.sets;
	}
	if (run->options->forces)
		run->result->energy = run->result->energies[0];
	return SONDE_OK;
}

/* Lines by which the job of a checkpoint is compared, in addition to the options. */
static sonde_status describe_sample(const struct coulomb_run *run, struct text *lines)
{
	const struct charges *charges = &run->charges;
	const struct targets *targets = &run->targets;
	const size_t row = charges->count * sizeof(double);

	text_append(lines, "charges = %u in %u sets\npoints = %lld\n", charges->count, charges->sets,
		    (long long)targets->count);
	checkpoint_append_digest(lines, "x", charges->x, row);
	checkpoint_append_digest(lines, "y", charges->y, row);
	checkpoint_append_digest(lines, "z", charges->z, row);
	checkpoint_append_digest(lines, "charges", charges->q, charges->sets * row);
	checkpoint_append_digest(lines, "size of the grid", targets->size, sizeof targets->size);
	checkpoint_append_digest(lines, "origin of the grid", targets->origin, sizeof targets->origin);
	checkpoint_append_digest(lines, "steps of the grid", targets->steps, sizeof targets->steps);
	if (targets->points != NULL)
		checkpoint_append_digest(lines, "points of the list", targets->points,
					 3 * (size_t)targets->count * sizeof(double));
	return text_status(lines);
}

static sonde_status begin_kept(struct coulomb_run *run)
{
	struct text lines = {0};

	if (run->kept == NULL)
		return run->options->resume
			   ? status_fail_option(SONDE_INVALID, "resume",
						"no file to resume from is given; name it by `output`")
			   : SONDE_OK;
	sonde_status status = describe_sample(run, &lines);
	const struct unfinished_job job = {&coulomb_option_table, run->options, &lines};
	if (status == SONDE_OK)
		status = unfinished_begin(run->context, &job, run->kept, &run->unfinished);
	text_free(&lines);
	return status;
}

static sonde_status go(struct coulomb_run *run)
{
	sonde_coulomb_result *result;

	CHECK(coulomb_run_prepare(run));
	CHECK(begin_kept(run));
	CHECK(memory_allocate(&run->result, 1, sizeof *run->result, "the result"));
	CHECK(prepare_result(run));
	if (run->path != NULL)
		CHECK(delivery_check_disk(run->result, run->path));
	if (run->path != NULL && delivery_mirrored(run->path))
		coulomb_run_mirror(run);
	CHECK(run_batches(run));
	result = run->result;
	result->seconds = clock_seconds() - run->began;
	provenance_end(run->context, &result->provenance->run);
	return delivery_close(&run->delivery, SONDE_OK);
}

/* Where a run writes its result; path null: nowhere. */
struct destination {
	const char *path;
	const char *kept; /* the file next to which the sums are kept; null: nowhere */
	bool overwrite;
	bool written; /* set: the file is complete */
};

/* `planned`: targets of a plan, or null. */
static sonde_status run_to(sonde_context *context, const sonde_atoms *atoms, const sonde_coulomb_options *given,
			   const struct targets *planned, struct destination *destination,
			   sonde_coulomb_result **result)
{
	sonde_coulomb_options options;

	*result = NULL;
	if (context == NULL || atoms == NULL || given == NULL)
		return status_fail(SONDE_INVALID, "context, atoms and options are needed, one of them is null");
	CHECK(coulomb_settle_options(atoms, given, &options));
	struct coulomb_run run = {.context = context,
				  .atoms = atoms,
				  .options = &options,
				  .planned = planned,
				  .path = destination->path,
				  .kept = destination->kept,
				  .overwrite = destination->overwrite,
				  .began = clock_seconds()};
	sonde_status status = go(&run);
	destination->written = run.path != NULL;
	status = delivery_close(&run.delivery, status);
	status = unfinished_end(&run.unfinished, status);
	coulomb_run_free(&run);
	if (status == SONDE_OK)
		*result = run.result;
	else
		sonde_coulomb_result_free(&run.result);
	return status;
}

sonde_status sonde_coulomb_run(sonde_context *context, const sonde_atoms *atoms, const sonde_coulomb_options *options,
			       sonde_coulomb_result **result)
{
	struct destination nowhere = {.path = NULL};

	return run_to(context, atoms, options, NULL, &nowhere, result);
}

/* The same to a file: slab by slab, or at the end. */
static sonde_status run_to_file(sonde_context *context, const sonde_atoms *atoms, const sonde_coulomb_options *given,
				const struct targets *planned, struct destination *destination,
				sonde_coulomb_result **result)
{
	*result = NULL;
	if (destination->path == NULL)
		return status_fail(SONDE_INVALID, "a file name is needed, it is null");
	CHECK(coulomb_check_format(destination->path));
	CHECK(run_to(context, atoms, given, planned, destination, result));
	if (destination->written || !context_writes(context))
		return SONDE_OK;
	const sonde_status status = sonde_coulomb_result_write(*result, destination->path, destination->overwrite);
	if (status != SONDE_OK)
		sonde_coulomb_result_free(result);
	return status;
}

sonde_status coulomb_run_kept(sonde_context *context, const sonde_atoms *atoms, const sonde_coulomb_options *options,
			      const char *output, bool overwrite, bool streamed, sonde_coulomb_result **result)
{
	struct destination destination = {.path = streamed ? output : NULL, .kept = output, .overwrite = overwrite};

	return (streamed ? run_to_file : run_to)(context, atoms, options, NULL, &destination, result);
}

sonde_status sonde_coulomb_run_to_file(sonde_context *context, const sonde_atoms *atoms,
				       const sonde_coulomb_options *options, const char *path, int overwrite,
				       sonde_coulomb_result **result)
{
	struct destination destination = {.path = path, .overwrite = overwrite != 0};

	return run_to_file(context, atoms, options, NULL, &destination, result);
}

struct sonde_coulomb_plan {
	sonde_context *context;
	sonde_coulomb_options options; /* with boundary and quantity decided */
	struct targets targets;
};

sonde_status sonde_coulomb_plan(sonde_context *context, const sonde_atoms *atoms,
				const sonde_coulomb_options *options, struct sonde_coulomb_plan **plan)
{
	*plan = NULL;
	if (context == NULL || atoms == NULL || options == NULL)
		return status_fail(SONDE_INVALID, "context, atoms and options are needed, one of them is null");
	CHECK(memory_allocate(plan, 1, sizeof **plan, "the plan"));
	struct sonde_coulomb_plan *made = *plan;
	struct coulomb_run run = {.context = context, .atoms = atoms, .options = &made->options};
	sonde_status status = coulomb_settle_options(atoms, options, &made->options);
	if (status == SONDE_OK)
		status = coulomb_run_prepare(&run);
	made->context = context;
	made->targets = run.targets;
	run.planned = &made->targets; /* kept by the plan */
	coulomb_run_free(&run);
	if (status != SONDE_OK)
		sonde_coulomb_plan_free(plan);
	return status;
}

const sonde_coulomb_options *sonde_coulomb_plan_options(const struct sonde_coulomb_plan *plan)
{
	return &plan->options;
}

sonde_status sonde_coulomb_execute(struct sonde_coulomb_plan *plan, const sonde_atoms *atoms,
				   sonde_coulomb_result **result)
{
	struct destination nowhere = {.path = NULL};

	*result = NULL;
	if (plan == NULL || atoms == NULL)
		return status_fail(SONDE_INVALID, "a plan and atoms are needed, one of them is null");
	return run_to(plan->context, atoms, &plan->options, &plan->targets, &nowhere, result);
}

sonde_status sonde_coulomb_execute_to_file(struct sonde_coulomb_plan *plan, const sonde_atoms *atoms,
					   const char *path, int overwrite, sonde_coulomb_result **result)
{
	struct destination destination = {.path = path, .overwrite = overwrite != 0};

	*result = NULL;
	if (plan == NULL || atoms == NULL)
		return status_fail(SONDE_INVALID, "a plan and atoms are needed, one of them is null");
	return run_to_file(plan->context, atoms, &plan->options, &plan->targets, &destination, result);
}

void sonde_coulomb_plan_free(struct sonde_coulomb_plan **plan)
{
	if (plan == NULL || *plan == NULL)
		return;
	targets_free(&(*plan)->targets);
	free(*plan);
	*plan = NULL;
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
		free(r->provenance->elements);
	}
	free(r->provenance);
	free(r);
	*result = NULL;
}
