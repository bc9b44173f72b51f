#include "refine/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "match/dot_product.h"
#include "match/fitted_curve.h"
#include "run/context.h"

#define DEVIATIONS 1.959963984540054 /* of a 95 % interval */
#define COARSE 1e-3                  /* error of interpolation that is noted */
#define STRONG 0.95                  /* correlations that are noted */
#define LARGEST_INFLATION 1e12       /* of the variance of a parameter by the others */
#define MISFIT 2.0                   /* chi^2 per degree of freedom that is noted */

/* The curves ------------------------------------------------------------------------------------------------------- */

static sonde_status report_curve(struct fit *fit, int d, double *computed)
{
	const struct data_set *set = &fit->model.sets[d];
	struct match_curve *curve = &fit->result->curves[d];

	for (int64_t p = 0; p < set->measured.count; ++p)
		computed[p] = fit->scales[d] * fit->curve[fit->model.begin[d] + p];
	CHECK(fitted_curve_make(set, computed, fit->scales[d], curve));
	curve->interpolation_error = fit->model.interpolation_errors[d];
	for (int64_t p = 0; p < curve->count; ++p)
		fit->result->chi_square += pow(curve->residual[p] * set->inverse_sigma[p], 2.0);
	return SONDE_OK;
}

/* The variance of weighted points is 1, unless only their residual shows it. */
static sonde_status report_curves(struct fit *fit)
{
	struct refine_result *result = fit->result;
	const struct model *model = &fit->model;
	double *computed;

	CHECK(memory_allocate(&result->curves, (size_t)model->set_count, sizeof *result->curves, "curves"));
	result->curve_count = model->set_count;
	CHECK(memory_allocate(&computed, (size_t)model_points(model), sizeof *computed, "a curve"));
	sonde_status status = SONDE_OK;
	for (int d = 0; d < model->set_count && status == SONDE_OK; ++d)
		status = report_curve(fit, d, computed);
	free(computed);
	CHECK(status);
	result->rwp = fit->whole > 0.0 ? sqrt(result->chi_square / fit->whole) : NAN;
	result->variance = model->set_count == 1 && model->sets[0].weights == SONDE_MATCH_WEIGHTS_UNIFORM
			       ? result->chi_square / (double)(result->independent - result->fitted)
			       : 1.0;
	for (int d = 0; d < model->set_count; ++d)
		fitted_curve_judge(&model->sets[d], fit_freedom(fit, d), result->variance, fit->options->peak,
				   &result->curves[d]);
	return SONDE_OK;
}

/* Errors ----------------------------------------------------------------------------------------------------------- */

static void set_interval(double deviation, double lower, double upper, struct refine_value *value)
{
	value->error = deviation;
	if (isnan(deviation)) {
		value->low = value->high = NAN;
		return;
	}
	value->low = fmax(value->value - DEVIATIONS * deviation, lower);
	value->high = fmin(value->value + DEVIATIONS * deviation, upper);
}

/* A parameter at a bound is within a distance at which chi^2 is that of 1.96 standard deviations more, while the others follow it. */
static sonde_status set_interval_at_bound(const struct fit *fit, int k, const double *residual,
					  struct refine_value *value)
{
	const struct least_squares_solution *solution = &fit->solution;
	const int n = fit->job->count;
	const int64_t points = model_points(&fit->model);
	bool use[REFINE_MOST_PARAMETERS];
	double *covariance;

	for (int j = 0; j < n; ++j)
		use[j] = j == k || !solution->at_bound[j];
	CHECK(memory_allocate(&covariance, (size_t)(n * n), sizeof *covariance, "covariances"));
	const sonde_status status = least_squares_covariance(solution->jacobian, n, points, use, covariance);
	const double half = 1.0 / covariance[k * n + k],
		     slope = fabs(dot_product(solution->jacobian + k * points, residual, points)),
		     most = DEVIATIONS * DEVIATIONS * fit->result->variance,
		     /* 2 slope d + half d^2 = most */
	    distance = most / (slope + sqrt(slope * slope + half * most));
	free(covariance);
	CHECK(status);
	value->low = value->bound < 0 ? value->value : fmax(value->value - distance, value->lower);
	value->high = value->bound < 0 ? fmin(value->value + distance, value->upper) : value->value;
	return SONDE_OK;
}

/* Whether all parameters that are not at bounds are determined. */
static bool are_determined(const struct fit *fit)
{
	const struct least_squares_solution *solution = &fit->solution;
	const int n = fit->job->count;
	const int64_t points = model_points(&fit->model);

	for (int k = 0; k < n; ++k) {
		const double *column = solution->jacobian + k * points;
		if (!solution->at_bound[k] &&
		    !(solution->covariance[k * (n + 1)] * dot_product(column, column, points) < LARGEST_INFLATION))
			return false;
	}
	return true;
}

static sonde_status make_parameters(struct fit *fit)
{
	struct refine_result *result = fit->result;
	const int n = fit->job->count;

	CHECK(memory_allocate(&result->parameters, (size_t)n, sizeof *result->parameters, "parameters"));
	result->parameter_count = n;
	for (int k = 0; k < n; ++k) {
		struct refine_value *value = &result->parameters[k];
		const struct bound *bound = &fit->job->parameters[k].bound;
		*value = (struct refine_value){.start = bound->start,
					       .value = fit->values[k],
					       .error = NAN,
					       .low = NAN,
					       .high = NAN,
					       .lower = bound->lower,
					       .upper = bound->upper,
					       .bound = !fit->solution.at_bound[k]       ? 0
							: fit->values[k] <= bound->lower ? -1
											 : 1,
					       .step = fit->derivatives.steps[k]};
		CHECK(memory_copy_text(fit->job->names[k], &value->name, "a name"));
	}
	return SONDE_OK;
}

/* Covariances [parameter][parameter], 0 of those at bounds; NaN if they are not determined. */
static sonde_status report_parameters(struct fit *fit, const double *residual, double *covariances)
{
	struct refine_result *result = fit->result;
	const int n = fit->job->count;

	CHECK(make_parameters(fit));
	CHECK(memory_allocate(&result->correlations, (size_t)(n * n), sizeof(double), "correlations"));
	if (!are_determined(fit)) {
		context_note(fit->context, "the parameters, or scales and backgrounds, depend on each other: none of "
					   "their errors is known");
		for (int k = 0; k < n * n; ++k)
			covariances[k] = NAN;
		return SONDE_OK;
	}
	for (int k = 0; k < n * n; ++k)
		covariances[k] = result->variance * fit->solution.covariance[k];
	for (int k = 0; k < n; ++k) {
		struct refine_value *value = &result->parameters[k];
		if (value->bound == 0)
			set_interval(sqrt(covariances[k * n + k]), value->lower, value->upper, value);
		else
			CHECK(set_interval_at_bound(fit, k, residual, value));
	}
	for (int i = 0; i < n; ++i)
		for (int j = 0; j < n; ++j) {
			const double product = covariances[i * n + i] * covariances[j * n + j];
			result->correlations[i * n + j] =
			    product > 0.0 ? covariances[i * n + j] / sqrt(product) : 0.0;
		}
	return SONDE_OK;
}

/* NaN where the formula has no value, as log(0) at a bound: that is no failure of the fit. */
static sonde_status derive(const struct fit *fit, int d, const double *values, double *value)
{
	const sonde_status status = refine_job_derive(fit->job, d, values, value);

	if (status != SONDE_INVALID)
		return status;
	*value = NAN;
	return SONDE_OK;
}

/* Derived numbers; their errors are those of their linear parts. */
static sonde_status report_derived(struct fit *fit, const double *covariances)
{
	struct refine_result *result = fit->result;
	const int n = fit->job->count;

	CHECK(memory_allocate(&result->derived, (size_t)fit->job->derived_count, sizeof *result->derived, "numbers"));
	for (int d = 0; d < fit->job->derived_count; ++d) {
		struct refine_value *value = &result->derived[result->derived_count++];
		double slopes[REFINE_MOST_PARAMETERS] = {0.0}, variance = 0.0;
		*value = (struct refine_value){.lower = -INFINITY, .upper = INFINITY};
		CHECK(memory_copy_text(fit->job->derived[d].name, &value->name, "a name"));
		CHECK(refine_job_derive(fit->job, d, fit->job->starts, &value->start));
		CHECK(derive(fit, d, fit->values, &value->value));
		if (isnan(value->value))
			context_notef(fit->context, "%s: the formula has no finite value at the refined parameters",
				      value->name);
		for (int k = 0; k < n; ++k) {
			const double step = 1e-3 * sqrt(covariances[k * n + k]);
			double at[REFINE_MOST_PARAMETERS], high, low;
			if (step == 0.0) /* at a bound */
				continue;
			memcpy(at, fit->values, (size_t)n * sizeof *at);
			at[k] = fit->values[k] + step;
			CHECK(derive(fit, d, at, &high));
			at[k] = fit->values[k] - step;
			CHECK(derive(fit, d, at, &low));
			slopes[k] = (high - low) / (2.0 * step);
		}
		for (int i = 0; i < n; ++i)
			for (int j = 0; j < n; ++j)
				variance += slopes[i] * slopes[j] * covariances[i * n + j];
		const double deviation = sqrt(variance < 0.0 ? 0.0 : variance);
		set_interval(isnan(value->value) ? NAN : deviation, -INFINITY, INFINITY, value);
	}
	return SONDE_OK;
}

/* Notes ------------------------------------------------------------------------------------------------------------ */

static void note_parameters(const struct fit *fit)
{
	const struct refine_result *result = fit->result;
	const int n = result->parameter_count;

	for (int k = 0; k < n; ++k) {
		const struct refine_value *value = &result->parameters[k];
		if (value->bound != 0)
			context_notef(fit->context,
				      "%s is at its %s bound, %g: its error is not known, and those of the "
				      "others are for this value",
				      value->name, value->bound < 0 ? "lower" : "upper",
				      value->bound < 0 ? value->lower : value->upper);
		if (fit->derivatives.jumps[k])
			context_notef(
			    fit->context,
			    "%s: the number of atoms depends on it, and the curve jumps where it changes; "
			    "a 'grid' of sizes, or lengths of the shape in units of the lattice constant, as "
			    "${x*a}, make the curve smooth",
			    value->name);
		for (int j = k + 1; j < n; ++j)
			if (fabs(result->correlations[k * n + j]) > STRONG)
				context_notef(fit->context,
					      "%s and %s are correlated, %.3f: their errors are large "
					      "since either can take the place of the other",
					      value->name, result->parameters[j].name,
					      result->correlations[k * n + j]);
	}
}

static void note_curve(const struct fit *fit, int d)
{
	const struct data_set *set = &fit->model.sets[d];
	const char *path = set->measured.path;
	const int64_t out = set->points_of_file - set->measured.count;

	if (out > 0 && !(fit->job->curves[d].fit.range.last > 0.0))
		context_notef(
		    fit->context,
		    "%s: %lld of %lld points are beyond the computed curve, which goes from %.6g to %.6g, and "
		    "are not used",
		    path, (long long)out, (long long)set->points_of_file, set->candidates.low, set->candidates.high);
	if (set->measured.of_r && !(set->qmax > 0.0))
		context_notef(
		    fit->context,
		    "%s: the largest q of the measurement is not known, and all points of G(r) are taken to "
		    "be independent: errors are too small by up to the square root of pi/qmax over the "
		    "distance of the points; `qmax` of 'fit' states it",
		    path);
	if (!(fit->scales[d] > 0.0))
		context_notef(fit->context,
			      "%s: the scale of the computed curve is not above 0: the start is too far from the "
			      "measured curve",
			      path);
	if (fit->model.interpolation_errors[d] > COARSE)
		context_notef(
		    fit->context,
		    "%s: the computed curve is coarse: interpolation between its points may be wrong by %.2g "
		    "of its largest value",
		    path, fit->model.interpolation_errors[d]);
}

/* chi^2 per degree of freedom says something where standard deviations are known. */
static void note_misfit(const struct fit *fit)
{
	const struct refine_result *result = fit->result;
	double freedom = 0.0, square = 0.0;

	for (int d = 0; d < result->curve_count; ++d) {
		if (result->curves[d].weights == SONDE_MATCH_WEIGHTS_UNIFORM)
			continue;
		square += result->curves[d].chi_square;
		freedom += fit_freedom(fit, d);
	}
	if (square > MISFIT * freedom)
		context_notef(fit->context,
			      "chi^2 per degree of freedom is %.3g: the model does not explain the measured points "
			      "within their standard deviations, and errors that only count these are too small",
			      square / freedom);
}

static void note_fit(const struct fit *fit)
{
	const struct refine_result *result = fit->result;

	for (int d = 0; d < result->curve_count; ++d)
		note_curve(fit, d);
	if (!result->converged)
		context_notef(fit->context,
			      "not converged after %lld steps; more `steps`, or another start, may help",
			      (long long)result->step_count - 1);
	note_misfit(fit);
}

sonde_status fit_report(struct fit *fit)
{
	struct refine_result *result = fit->result;
	const int n = fit->job->count;
	double *covariances, *residual;

	result->points = model_points(&fit->model);
	result->independent = model_independent(&fit->model);
	result->fitted = fit_parameters(fit);
	CHECK(memory_allocate(&covariances, (size_t)(n * n) + (size_t)result->points, sizeof *covariances,
			      "covariances"));
	residual = covariances + n * n;
	sonde_status status = fit_look(fit, fit->values, residual);
	if (status == SONDE_OK)
		status = report_curves(fit);
	if (status == SONDE_OK)
		status = report_parameters(fit, residual, covariances);
	if (status == SONDE_OK)
		status = report_derived(fit, covariances);
	free(covariances);
	CHECK(status);
	CHECK(model_curves(&fit->model, fit->values, 1, fit->curve, &result->atoms));
	result->structures = fit->model.structures;
	result->building = fit->model.building;
	result->computing = fit->model.computing;
	result->error = fit->model.error;
	note_parameters(fit);
	note_fit(fit);
	return SONDE_OK;
}
