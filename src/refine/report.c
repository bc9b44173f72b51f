#include "refine/report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "match/dot_product.h"
#include "run/context.h"

#define DEVIATIONS 1.959963984540054 /* of a 95 % interval */
#define COARSE 1e-3                  /* error of interpolation that is noted */
#define STRONG 0.95                  /* correlations that are noted */
#define LARGEST_INFLATION 1e12       /* of the variance of a parameter by the others */
#define MISFIT 2.0                   /* chi^2 per degree of freedom that is noted */

/* The curve -------------------------------------------------------------------------------------------------------- */

static sonde_status allocate_curve(const struct data_set *set, struct match_curve *curve)
{
	const size_t points = (size_t)set->measured.count;
	double **const arrays[] = {&curve->x,      &curve->measured,   &curve->sigma,
				   &curve->fitted, &curve->background, &curve->residual};

	CHECK(memory_copy_text(set->measured.path, &curve->path, "a path"));
	for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
		CHECK(memory_allocate(arrays[k], points, sizeof(double), "a curve"));
	return memory_allocate(&curve->peaks, MOST_PEAKS, sizeof *curve->peaks, "peaks");
}

static void judge_curve(const struct fit *fit, struct match_curve *curve)
{
	struct refine_result *result = fit->result;
	const struct data_set *set = &fit->model.set;
	const int64_t points = curve->count;
	const double freedom = (double)(points - result->fitted);

	for (int64_t p = 0; p < points; ++p)
		curve->chi_square += pow(curve->residual[p] * set->inverse_sigma[p], 2.0);
	result->variance = set->weights == SONDE_MATCH_WEIGHTS_UNIFORM ? curve->chi_square / freedom : 1.0;
	for (int64_t p = 0; p < points; ++p)
		curve->sigma[p] = sqrt(result->variance) / set->inverse_sigma[p];
	curve->rwp = fit->whole > 0.0 ? sqrt(curve->chi_square / fit->whole) : NAN;
	curve->rexp =
	    fit->whole > 0.0 && set->weights != SONDE_MATCH_WEIGHTS_UNIFORM ? sqrt(freedom / fit->whole) : NAN;
	const double deviation = sqrt(result->variance);
	curve->peak_count = find_peaks(curve->x, curve->residual, set->inverse_sigma, points,
				       fit->options->peak * deviation, curve->peaks);
	for (int k = 0; k < curve->peak_count; ++k)
		curve->peaks[k].significance /= deviation;
}

static sonde_status report_curve(struct fit *fit)
{
	const struct data_set *set = &fit->model.set;
	const int64_t points = set->measured.count;
	struct match_curve *curve = &fit->result->curve;

	CHECK(allocate_curve(set, curve));
	curve->curve = set->candidates.curve;
	curve->radiation = set->candidates.radiation;
	curve->count = points;
	curve->left_out = set->points_of_file - points;
	curve->weights = set->weights;
	curve->scale = fit->scale;
	curve->interpolation_error = fit->model.interpolation_error;
	memcpy(curve->x, set->measured.x, (size_t)points * sizeof(double));
	memcpy(curve->measured, set->measured.y, (size_t)points * sizeof(double));
	for (int64_t p = 0; p < points; ++p) {
		curve->fitted[p] = fit->scale * fit->curve[p];
		curve->residual[p] = curve->measured[p] - curve->fitted[p];
	}
	data_set_background(set, curve->residual, curve->background);
	for (int64_t p = 0; p < points; ++p) {
		curve->fitted[p] += curve->background[p];
		curve->residual[p] = curve->measured[p] - curve->fitted[p];
	}
	judge_curve(fit, curve);
	return SONDE_OK;
}

/* Errors ----------------------------------------------------------------------------------------------------------- */

static void set_interval(double deviation, double lower, double upper, struct refine_value *value)
{
	value->error = deviation;
	value->low = fmax(value->value - DEVIATIONS * deviation, lower);
	value->high = fmin(value->value + DEVIATIONS * deviation, upper);
}

/* A parameter at a bound is within a distance at which chi^2 is that of 1.96 standard deviations more, while the others follow it. */
static sonde_status set_interval_at_bound(const struct fit *fit, int k, const double *residual,
					  struct refine_value *value)
{
	const struct least_squares_solution *solution = &fit->solution;
	const int n = fit->job->count;
	const int64_t points = fit->model.set.measured.count;
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
	const int64_t points = fit->model.set.measured.count;

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
					       .bound = !fit->solution.at_bound[k]         ? 0
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
		context_note(fit->context, "the parameters, or scale and background, depend on each other: none of "
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
		CHECK(refine_job_derive(fit->job, d, fit->values, &value->value));
		for (int k = 0; k < n; ++k) {
			const double step = 1e-3 * sqrt(covariances[k * n + k]);
			double at[REFINE_MOST_PARAMETERS], high, low;
			if (step == 0.0) /* at a bound */
				continue;
			memcpy(at, fit->values, (size_t)n * sizeof *at);
			at[k] = fit->values[k] + step;
			CHECK(refine_job_derive(fit->job, d, at, &high));
			at[k] = fit->values[k] - step;
			CHECK(refine_job_derive(fit->job, d, at, &low));
			slopes[k] = (high - low) / (2.0 * step);
		}
		for (int i = 0; i < n; ++i)
			for (int j = 0; j < n; ++j)
				variance += slopes[i] * slopes[j] * covariances[i * n + j];
		set_interval(sqrt(fmax(variance, 0.0)), -INFINITY, INFINITY, value);
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

static void note_fit(const struct fit *fit)
{
	const struct refine_result *result = fit->result;
	const struct data_set *set = &fit->model.set;
	const double reduced = result->chi_square / (double)(result->points - result->fitted);
	const int64_t out = set->points_of_file - result->points;

	if (out > 0 && !(fit->job->fit.range.last > 0.0))
		context_notef(
		    fit->context,
		    "%s: %lld of %lld points are beyond the computed curve, which goes from %.6g to %.6g, and "
		    "are not used",
		    set->measured.path, (long long)out, (long long)set->points_of_file, set->candidates.low,
		    set->candidates.high);
	if (!result->converged)
		context_notef(fit->context,
			      "not converged after %lld steps; more `steps`, or another start, may help",
			      (long long)result->step_count - 1);
	if (!(result->scale > 0.0))
		context_note(fit->context,
			     "the scale of the computed curve is not above 0: the start is too far from "
			     "the measured curve");
	if (set->weights != SONDE_MATCH_WEIGHTS_UNIFORM && reduced > MISFIT)
		context_notef(fit->context,
			      "chi^2 per degree of freedom is %.3g: the model does not explain the curve within its "
			      "standard deviations, and errors that only count these are too small",
			      reduced);
	if (fit->model.interpolation_error > COARSE)
		context_notef(fit->context,
			      "the computed curve is coarse: interpolation between its points may be wrong "
			      "by %.2g of its largest value",
			      fit->model.interpolation_error);
}

sonde_status fit_report(struct fit *fit)
{
	struct refine_result *result = fit->result;
	const int n = fit->job->count;
	double *covariances, *residual;

	result->points = fit->model.set.measured.count;
	result->fitted = n + 1 + fit->model.set.basis_count;
	CHECK(memory_allocate(&covariances, (size_t)(n * n) + (size_t)result->points, sizeof *covariances,
			      "covariances"));
	residual = covariances + n * n;
	sonde_status status = fit_look(fit, fit->values, residual);
	if (status == SONDE_OK)
		status = report_curve(fit);
	result->scale = fit->scale;
	result->chi_square = result->curve.chi_square;
	result->rwp = result->curve.rwp;
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
