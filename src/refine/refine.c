#include "refine/refine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "match/dot_product.h"
#include "refine/fit.h"
#include "refine/report.h"
#include "refine/state.h"
#include "run/context.h"

#define NOISE 1e-9    /* of chi^2: changes due to rounding and to the accuracy of patterns */
#define REWEIGHINGS 2 /* of standard deviations that follow the fit */

/* The method's calls ---------------------------------------------------------------------------------------------- */

/* A step to values without a structure was too long: it is not taken. */
static sonde_status find_residual(void *state, const double *values, double *r)
{
	struct fit *fit = state;
	const sonde_status status = fit_look(fit, values, r);

	if (status != SONDE_INVALID || fit->result->step_count == 0)
		return status;
	for (int64_t p = 0; p < model_points(&fit->model); ++p)
		r[p] = NAN;
	return SONDE_OK;
}

static sonde_status differentiate(void *state, const double *values, const double *r, double *derivatives)
{
	(void)r;
	return fit_differentiate(state, values, derivatives);
}

/* A step, or the start, joins the history. */
static sonde_status keep_step(struct fit *fit, double square)
{
	struct refine_result *result = fit->result;
	const size_t n = (size_t)fit->job->count, count = (size_t)result->step_count;
	size_t capacity = (size_t)result->step_capacity, same = capacity;

	CHECK(memory_grow(&result->step_rwp, &capacity, count + 1, sizeof(double), "steps"));
	CHECK(memory_grow(&result->step_values, &same, count + 1, n * sizeof(double), "steps"));
	result->step_capacity = (int64_t)(capacity < same ? capacity : same);
	result->step_rwp[count] = fit->whole > 0.0 ? sqrt(square / fit->whole) : NAN;
	memcpy(result->step_values + count * n, fit->values, n * sizeof(double));
	++result->step_count;
	return SONDE_OK;
}

/* Progress, with Rwp in the name of the stage. */
static sonde_status tell(struct fit *fit)
{
	struct refine_result *result = fit->result;
	const int64_t done = result->step_count - 1;
	char name[64];
	struct stage stage;

	snprintf(name, sizeof name, "refine, Rwp %.3g %%", 100.0 * result->step_rwp[done]);
	context_mute(fit->context, false);
	stage_begin(&stage, fit->context, name, "steps", (double)fit->options->steps);
	const sonde_status status = stage_advance(&stage, (double)done);
	context_mute(fit->context, true);
	return status;
}

static sonde_status step(void *state, int number, const double *values, double square)
{
	struct fit *fit = state;

	memcpy(fit->values, values, (size_t)fit->job->count * sizeof *values);
	/* a search with other weights begins where the one before has ended */
	if (number == 0 && fit->result->step_count > 0)
		return SONDE_OK;
	CHECK(keep_step(fit, square));
	return tell(fit);
}

/* Fits ------------------------------------------------------------------------------------------------------------- */

static sonde_status minimize(struct fit *fit)
{
	const int n = fit->job->count;
	const int64_t points = model_points(&fit->model), done = fit->result->step_count - 1;
	double low[REFINE_MOST_PARAMETERS], high[REFINE_MOST_PARAMETERS], scales[REFINE_MOST_PARAMETERS],
	    start[REFINE_MOST_PARAMETERS];

	for (int k = 0; k < n; ++k) {
		const struct bound *bound = &fit->job->parameters[k].bound;
		const double range = bound->upper - bound->lower;
		low[k] = bound->lower;
		high[k] = bound->upper;
		scales[k] = isfinite(range) ? 0.5 * range : bound->scale;
	}
	const struct least_squares_problem problem = {.parameters = n,
						      .residuals = points,
						      .low = low,
						      .high = high,
						      .scales = scales,
						      .state = fit,
						      .residual = find_residual,
						      .derivatives = differentiate,
						      .report = step,
						      .tolerance = NOISE,
						      .convergence = fit->options->convergence,
						      .freedom = model_independent(&fit->model) - fit_parameters(fit),
						      .most_steps =
							  (int)(fit->options->steps - (done > 0 ? done : 0))};

	memcpy(start, fit->values, sizeof start);
	least_squares_free(&fit->solution);
	CHECK(least_squares_solve(&problem, start, &fit->solution));
	fit->result->converged = fit->solution.converged;
	return SONDE_OK;
}

/* Standard deviations of counts from the fitted ones; uniform ones of one of several curves from its residual. */
static sonde_status weigh_curve(struct fit *fit, int d, const double *residual)
{
	struct data_set *set = &fit->model.sets[d];
	const int64_t points = set->measured.count, begin = fit->model.begin[d];
	double *fitted, *rest;

	if (set->weights == SONDE_MATCH_WEIGHTS_UNIFORM) {
		const double square = dot_product(residual + begin, residual + begin, points);
		set->level = fmax(set->level * sqrt(square / fit_freedom(fit, d)), 1e-300);
		return data_set_weigh(set, NULL);
	}
	CHECK(memory_allocate(&fitted, 2 * (size_t)points, sizeof *fitted, "a curve"));
	rest = fitted + points;
	for (int64_t p = 0; p < points; ++p)
		rest[p] = set->measured.y[p] - fit->scales[d] * fit->curve[begin + p];
	data_set_background(set, rest, fitted);
	for (int64_t p = 0; p < points; ++p)
		fitted[p] += fit->scales[d] * fit->curve[begin + p];
	const sonde_status status = data_set_weigh(set, fitted);
	free(fitted);
	return status;
}

static bool follows_fit(const struct fit *fit, int d)
{
	const int weights = fit->model.sets[d].weights;

	return weights == SONDE_MATCH_WEIGHTS_POISSON ||
	       (weights == SONDE_MATCH_WEIGHTS_UNIFORM && fit->model.set_count > 1);
}

static sonde_status weigh_again(struct fit *fit)
{
	double *residual;

	CHECK(memory_allocate(&residual, (size_t)model_points(&fit->model), sizeof *residual, "a curve"));
	sonde_status status = fit_look(fit, fit->values, residual);
	for (int d = 0; d < fit->model.set_count && status == SONDE_OK; ++d)
		if (follows_fit(fit, d))
			status = weigh_curve(fit, d, residual);
	free(residual);
	return status;
}

static void find_whole(struct fit *fit)
{
	fit->whole = 0.0;
	for (int d = 0; d < fit->model.set_count; ++d) {
		const struct data_set *set = &fit->model.sets[d];
		for (int64_t p = 0; p < set->measured.count; ++p)
			fit->whole += pow(set->measured.y[p] * set->inverse_sigma[p], 2.0);
	}
}

static sonde_status minimize_all(struct fit *fit)
{
	bool again = false;

	for (int d = 0; d < fit->model.set_count; ++d)
		again = again || follows_fit(fit, d);
	CHECK(minimize(fit));
	for (int times = 0; again && times < REWEIGHINGS && fit->result->step_count <= fit->options->steps; ++times) {
		CHECK(weigh_again(fit));
		find_whole(fit);
		CHECK(minimize(fit));
	}
	return SONDE_OK;
}

static sonde_status begin_fit(struct fit *fit)
{
	CHECK(model_make(fit->context, fit->job, &fit->model));
	const size_t points = (size_t)model_points(&fit->model);
	const int64_t independent = model_independent(&fit->model);
	if (independent <= fit_parameters(fit))
		return status_fail(
		    SONDE_INVALID,
		    "the refinement has %lld parameters, with scale and background, and %lld %spoints: it "
		    "needs more points than parameters",
		    (long long)fit_parameters(fit), (long long)independent,
		    independent < (int64_t)points ? "independent " : "");
	CHECK(memory_allocate(&fit->curve, points, sizeof(double), "a curve"));
	CHECK(memory_allocate(&fit->unit, points, sizeof(double), "a curve"));
	derivatives_begin(&fit->model, fit->options->derivatives == SONDE_REFINE_DERIVATIVES_CENTRAL,
			  &fit->derivatives);
	find_whole(fit);
	return SONDE_OK;
}

/* The best parameters of a run that was stopped. */
static sonde_status keep_best(struct fit *fit, const char *output)
{
	const struct refine_result *result = fit->result;
	struct text text = {0};

	if (result->step_count == 0)
		return SONDE_CANCELLED;
	if (output != NULL && output[0] != '\0' && context_writes(fit->context)) {
		CHECK(refine_state_write(output, fit->job, fit->values));
		return status_fail(SONDE_SUSPENDED,
				   "stopped on request after %lld steps, Rwp %.4g %%: the best parameters are in "
				   "%s.checkpoint, from which `resume` continues",
				   (long long)result->step_count - 1,
				   100.0 * result->step_rwp[result->step_count - 1], output);
	}
	for (int k = 0; k < fit->job->count; ++k)
		text_append(&text, "%s%s = %.10g", k > 0 ? ", " : "", fit->job->names[k], fit->values[k]);
	const sonde_status status =
	    status_fail(SONDE_CANCELLED, "stopped on request after %lld steps; the best parameters so far: %s",
			(long long)result->step_count - 1, text.bytes != NULL ? text.bytes : "");
	text_free(&text);
	return status;
}

static sonde_status refine(struct fit *fit, const char *output)
{
	const bool resume = fit->options->resume;

	if (resume && (output == NULL || output[0] == '\0'))
		return status_fail_option(SONDE_INVALID, "resume",
					  "no file to resume from is given; name it by `output`");
	CHECK(begin_fit(fit));
	memcpy(fit->values, fit->job->starts, (size_t)fit->job->count * sizeof(double));
	if (resume)
		CHECK(refine_state_read(output, fit->job, fit->values));
	CHECK(minimize_all(fit));
	return fit_report(fit);
}

static void release(struct fit *fit)
{
	model_free(&fit->model);
	free(fit->curve);
	free(fit->unit);
	least_squares_free(&fit->solution);
}

sonde_status refine_run(sonde_context *context, const struct refine_job *job, const sonde_refine_options *options,
			const char *output, struct refine_result *result)
{
	const double began = clock_seconds();
	struct fit *fit;

	*result = (struct refine_result){.options = options, .job = job};
	CHECK(memory_allocate(&fit, 1, sizeof *fit, "a refinement"));
	*fit = (struct fit){.context = context, .job = job, .options = options, .result = result};
	context_mute(context, true);
	sonde_status status = refine(fit, output);
	context_mute(context, false);
	if (status == SONDE_CANCELLED)
		status = keep_best(fit, output);
	release(fit);
	free(fit);
	if (status != SONDE_OK)
		refine_result_free(result);
	result->seconds = clock_seconds() - began;
	return status;
}

sonde_status refine_plan(sonde_context *context, const struct refine_job *job, const sonde_refine_options *options,
			 struct refine_plan *plan)
{
	struct fit *fit;
	int64_t structures = 1;

	CHECK(memory_allocate(&fit, 1, sizeof *fit, "a refinement"));
	*fit = (struct fit){.context = context, .job = job, .options = options};
	context_mute(context, true);
	sonde_status status = begin_fit(fit);
	const double began = clock_seconds();
	if (status == SONDE_OK)
		status = fit_look(fit, job->starts, NULL);
	context_mute(context, false);
	if (status == SONDE_OK)
		status = model_count(job, job->starts, &structures);
	if (status == SONDE_OK) {
		const double seconds = clock_seconds() - began, each = seconds / (double)fit->model.structures;
		/* those of a parameter with a grid are, nearly always, known */
		plan->structures = structures * (1 + (job->count - job->grids) * (fit->derivatives.central ? 2 : 1));
		plan->points = model_points(&fit->model);
		plan->atoms = fit->model.atoms;
		plan->fitted = fit_parameters(fit);
		plan->pairs = 0.5 * (double)plan->atoms * (double)plan->atoms;
		plan->seconds = each * (double)plan->structures;
	}
	release(fit);
	free(fit);
	return status;
}
