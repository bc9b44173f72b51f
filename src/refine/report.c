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
#define MISFIT 2.0                   /* chi^2 per degree of freedom that is noted */
#define SINGULAR 1e-12               /* pivots of the matrix of correlations */
#define REACHED 1e-4                 /* distance from a bound, in units of the range */

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

/* A parameter is at a bound if it is as close to it as the method comes, and closer than its error were the others known. */
static int find_bound(const struct fit *fit, int k, double length)
{
	const struct bound *bound = &fit->bounds[k];
	const double value = fit->values[k],
		     range = isfinite(bound->upper - bound->lower) ? bound->upper - bound->lower : bound->scale,
		     close = fmin(REACHED * range, sqrt(fit->result->variance) / length);

	return value - bound->lower <= close ? -1 : bound->upper - value <= close;
}

/* Cholesky's factors of a matrix of correlations [n][n], in place, lower; false if it is singular. */
static bool factor(double *a, int n)
{
	for (int i = 0; i < n; ++i)
		for (int j = 0; j <= i; ++j) {
			double sum = a[i * n + j];
			for (int k = 0; k < j; ++k)
				sum -= a[i * n + k] * a[j * n + k];
			if (i == j && !(sum > SINGULAR))
				return false;
			a[i * n + j] = i == j ? sqrt(sum) : sum / a[j * n + j];
		}
	return true;
}

/* Column `c` of the inverse. */
static void invert_column(const double *factors, int n, int c, double *x)
{
	for (int i = 0; i < n; ++i) {
		double sum = i == c ? 1.0 : 0.0;
		for (int k = 0; k < i; ++k)
			sum -= factors[i * n + k] * x[k];
		x[i] = sum / factors[i * n + i];
	}
	for (int i = n - 1; i >= 0; --i) {
		double sum = x[i];
		for (int k = i + 1; k < n; ++k)
			sum -= factors[k * n + i] * x[k];
		x[i] = sum / factors[i * n + i];
	}
}

/* Covariances [parameter][parameter], 0 for those at bounds; false if some combination is not determined. */
static bool find_covariances(const struct fit *fit, const double *lengths, double *covariances)
{
	const int n = fit->job->count;
	const int64_t points = fit->model.set.measured.count;
	int open[REFINE_MOST_PARAMETERS], count = 0;
	double normal[REFINE_MOST_PARAMETERS * REFINE_MOST_PARAMETERS], column[REFINE_MOST_PARAMETERS];

	memset(covariances, 0, (size_t)(n * n) * sizeof *covariances);
	for (int k = 0; k < n; ++k)
		if (fit->result->parameters[k].bound == 0)
			open[count++] = k;
	for (int i = 0; i < count; ++i)
		for (int j = 0; j < count; ++j)
			normal[i * count + j] =
			    dot_product(fit->slopes + open[i] * points, fit->slopes + open[j] * points, points) /
			    (lengths[open[i]] * lengths[open[j]]);
	if (!factor(normal, count))
		return false;
	for (int j = 0; j < count; ++j) {
		invert_column(normal, count, j, column);
		for (int i = 0; i < count; ++i)
			covariances[open[i] * n + open[j]] =
			    fit->result->variance * column[i] / (lengths[open[i]] * lengths[open[j]]);
	}
	return true;
}

static void set_interval(double deviation, double lower, double upper, struct refine_value *value)
{
	value->error = deviation;
	value->low = fmax(value->value - DEVIATIONS * deviation, lower);
	value->high = fmin(value->value + DEVIATIONS * deviation, upper);
}

static sonde_status report_parameters(struct fit *fit, double *covariances)
{
	struct refine_result *result = fit->result;
	const int n = fit->job->count;
	const int64_t points = fit->model.set.measured.count;
	double lengths[REFINE_MOST_PARAMETERS] = {0.0};

	CHECK(memory_allocate(&result->parameters, (size_t)n, sizeof *result->parameters, "parameters"));
	CHECK(memory_allocate(&result->correlations, (size_t)(n * n), sizeof(double), "correlations"));
	result->parameter_count = n;
	for (int k = 0; k < n; ++k) {
		struct refine_value *value = &result->parameters[k];
		const double *slope = fit->slopes + k * points;
		lengths[k] = sqrt(dot_product(slope, slope, points));
		*value = (struct refine_value){.start = fit->job->starts[k],
					       .value = fit->values[k],
					       .error = NAN,
					       .low = NAN,
					       .high = NAN,
					       .lower = fit->bounds[k].lower,
					       .upper = fit->bounds[k].upper,
					       .bound = find_bound(fit, k, lengths[k]),
					       .step = fit->derivatives.steps[k]};
		CHECK(memory_copy_text(fit->job->names[k], &value->name, "a name"));
	}
	const bool determined = find_covariances(fit, lengths, covariances);
	if (!determined)
		context_note(fit->context, "the parameters, or scale and background, depend on each other: none of "
					   "their errors is known");
	for (int k = 0; determined && k < n; ++k)
		if (result->parameters[k].bound == 0)
			set_interval(sqrt(covariances[k * n + k]), fit->bounds[k].lower, fit->bounds[k].upper,
				     &result->parameters[k]);
	for (int i = 0; determined && i < n; ++i)
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
			if (!(step > 0.0))
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
	double *covariances;

	CHECK(fit_look(fit, fit->values, NULL));
	CHECK(fit_differentiate(fit, fit->values));
	result->points = fit->model.set.measured.count;
	result->fitted = n + 1 + fit->model.set.basis_count;
	CHECK(report_curve(fit));
	result->scale = fit->scale;
	result->chi_square = result->curve.chi_square;
	result->rwp = result->curve.rwp;
	CHECK(memory_allocate(&covariances, (size_t)(n * n), sizeof *covariances, "covariances"));
	sonde_status status = report_parameters(fit, covariances);
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
