#include "debye/curves/comparison.h"

#include <math.h>
#include <stdlib.h>

#include "base/dense.h"
#include "base/memory.h"
#include "base/text.h"
#include "debye/curves/compton.h"

/* y ~ scale I + sum_j b_j T_j(t), with t from -1 to 1 across the points, in units of the standard deviations. */
struct model {
	int64_t points;
	int columns;
	double unit;    /* of I, its largest value, so that the columns of the matrix have similar sizes */
	double *matrix; /* by columns: I/unit, T_0, T_1, ..., divided by the standard deviations */
	double *right;  /* y, likewise */
	double *parameters, *variances;
};

static void model_free(struct model *model)
{
	free(model->matrix);
	free(model->right);
	free(model->parameters);
	free(model->variances);
}

const char *comparison_curve(const sonde_debye_result *result)
{
	return result->intensity_absolute != NULL    ? "I_absolute"
	       : result->intensity_resolved != NULL  ? "I_resolved"
	       : result->intensity_corrected != NULL ? "I_corrected"
	       : result->intensity_total != NULL     ? "I_total"
						     : "I";
}

static const double *curve_of(const sonde_debye_result *result)
{
	return result->intensity_absolute != NULL    ? result->intensity_absolute
	       : result->intensity_resolved != NULL  ? result->intensity_resolved
	       : result->intensity_corrected != NULL ? result->intensity_corrected
						     : compton_total(result);
}

sonde_status comparison_check(const sonde_debye_options *options)
{
	const int64_t parameters = options->background + 2;

	if (options->compare[0] == '\0')
		return options->background == 0
			   ? SONDE_OK
			   : status_fail_option(SONDE_INVALID, "background", "has no effect without `compare`");
	return options->q.points > parameters
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, "background",
					"%lld points do not determine %lld parameters: the scale and the background",
					(long long)options->q.points, (long long)parameters);
}

/* The variable of the polynomials: the angle, if points are angles. */
static double position(const sonde_debye_result *result, int64_t k)
{
	const double *x = result->two_theta != NULL ? result->two_theta : result->q;
	const double first = x[0], last = x[result->q_count - 1];

	return (2.0 * x[k] - first - last) / (last - first);
}

/* T_0 to T_(count - 1) at t. */
static void chebyshev(double t, int count, double *values)
{
	for (int j = 0; j < count; ++j)
		values[j] = j == 0 ? 1.0 : j == 1 ? t : 2.0 * t * values[j - 1] - values[j - 2];
}

#define MOST_TERMS 21 /* limit of the option `background`, and 1 */

static sonde_status model_make(const struct curve_file *measured, const sonde_debye_result *result,
			       struct model *model)
{
	const double *curve = curve_of(result);
	const size_t points = (size_t)result->q_count, columns = (size_t)result->options->background + 2;
	double terms[MOST_TERMS] = {0};

	model->points = result->q_count;
	model->columns = (int)columns;
	CHECK(memory_allocate(&model->matrix, points * columns, sizeof(double), "the fit"));
	CHECK(memory_allocate(&model->right, points, sizeof(double), "the fit"));
	CHECK(memory_allocate(&model->parameters, columns, sizeof(double), "the fit"));
	CHECK(memory_allocate(&model->variances, columns, sizeof(double), "the fit"));
	for (size_t k = 0; k < points; ++k)
		model->unit = fmax(model->unit, fabs(curve[k]));
	model->unit = model->unit > 0.0 ? model->unit : 1.0;
	for (size_t k = 0; k < points; ++k) {
		const double weight = measured->sigma != NULL ? 1.0 / measured->sigma[k] : 1.0;
		chebyshev(position(result, (int64_t)k), (int)columns - 1, terms);
		model->right[k] = measured->y[k] * weight;
		for (size_t j = 0; j < columns; ++j)
			model->matrix[j * points + k] = (j == 0 ? curve[k] / model->unit : terms[j - 1]) * weight;
	}
	return SONDE_OK;
}

static sonde_status allocate(const struct curve_file *measured, int64_t points, int terms,
			     sonde_debye_comparison *comparison)
{
	const struct {
		double **values;
		int64_t count;
	} arrays[] = {{&comparison->measured, points},
		      {&comparison->measured_error, measured == NULL || measured->sigma != NULL ? points : -1},
		      {&comparison->fitted, points},
		      {&comparison->background, points},
		      {&comparison->residual, points},
		      {&comparison->background_coefficients, terms},
		      {&comparison->background_errors, terms}};

	comparison->background_count = terms;
	for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
		if (arrays[k].count >= 0)
			CHECK(memory_allocate(arrays[k].values, (size_t)arrays[k].count, sizeof(double), "the fit"));
	return SONDE_OK;
}

/* Curves of the fit and the sums over their residuals: H. M. Rietveld, J. Appl. Cryst. 2 (1969) 65; R. A. Young, The
 * Rietveld Method (1993), ch. 1. */
static void evaluate(const struct model *model, const struct curve_file *measured, const sonde_debye_result *result,
		     sonde_debye_comparison *comparison)
{
	const double *curve = curve_of(result);
	double terms[MOST_TERMS] = {0}, differences = 0.0, sizes = 0.0, squares = 0.0, total = 0.0;

	for (int64_t k = 0; k < model->points; ++k) {
		double background = 0.0;
		chebyshev(position(result, k), comparison->background_count, terms);
		for (int j = 0; j < comparison->background_count; ++j)
			background += comparison->background_coefficients[j] * terms[j];
		const double y = measured->y[k], fitted = comparison->scale * curve[k] + background,
			     weight = measured->sigma != NULL ? 1.0 / (measured->sigma[k] * measured->sigma[k]) : 1.0;
		comparison->measured[k] = y;
		if (measured->sigma != NULL)
			comparison->measured_error[k] = measured->sigma[k];
		comparison->background[k] = background;
		comparison->fitted[k] = fitted;
		comparison->residual[k] = y - fitted;
		differences += fabs(y - fitted);
		sizes += fabs(y);
		squares += weight * (y - fitted) * (y - fitted);
		total += weight * y * y;
	}
	comparison->r = differences / sizes;
	comparison->rwp = sqrt(squares / total);
	comparison->degrees_of_freedom = model->points - model->columns;
	comparison->rexp = measured->sigma != NULL ? sqrt((double)comparison->degrees_of_freedom / total) : NAN;
	comparison->chi_square = squares;
}

/* Standard errors: the standard deviations of the points are taken as they are; without any, that of a point follows
 * from the residuals. */
static void find_errors(const struct model *model, bool weighted, sonde_debye_comparison *comparison)
{
	const double variance = weighted ? 1.0 : comparison->chi_square / (double)comparison->degrees_of_freedom;

	comparison->scale_error = sqrt(model->variances[0] * variance) / model->unit;
	for (int j = 0; j < comparison->background_count; ++j)
		comparison->background_errors[j] = sqrt(model->variances[j + 1] * variance);
}

static sonde_status solve(struct model *model)
{
	const enum dense_result solved = dense_real_least_squares((int)model->points, model->columns, model->matrix,
								  model->right, model->parameters, model->variances);

	return solved == DENSE_OK ? SONDE_OK : memory_missing("the fit");
}

static void note_fit(sonde_context *context, const sonde_debye_comparison *comparison)
{
	if (!isfinite(comparison->scale_error))
		context_notef(context, "compare: the points do not determine the scale and the background, which are "
				       "similar to each other; lower `background`");
	else if (comparison->scale < 0.0)
		context_notef(context, "compare: the scale is negative, %.4g: the curves do not resemble each other",
			      comparison->scale);
}

sonde_status comparison_make(sonde_context *context, const struct curve_file *measured, sonde_debye_result *result)
{
	struct model model = {0};
	sonde_debye_comparison *comparison;
	sonde_status status;

	if (measured->count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&result->comparison, 1, sizeof *result->comparison, "the fit"));
	comparison = result->comparison;
	CHECK_GOTO(status, model_make(measured, result, &model), done);
	CHECK_GOTO(status, allocate(measured, model.points, model.columns - 1, comparison), done);
	CHECK_GOTO(status, solve(&model), done);
	comparison->scale = model.parameters[0] / model.unit;
	for (int j = 0; j < comparison->background_count; ++j)
		comparison->background_coefficients[j] = model.parameters[j + 1];
	evaluate(&model, measured, result, comparison);
	find_errors(&model, measured->sigma != NULL, comparison);
	note_fit(context, comparison);
	if (measured->columns > 3)
		context_notef(
		    context,
		    "compare: the file has %d columns, of which the first two are used; standard deviations "
		    "are read from files of three columns",
		    measured->columns);
done:
	model_free(&model);
	return status;
}

void comparison_free(sonde_debye_comparison **comparison)
{
	sonde_debye_comparison *c = *comparison;

	if (c == NULL)
		return;
	double *arrays[] = {c->measured, c->measured_error,          c->fitted,           c->background,
			    c->residual, c->background_coefficients, c->background_errors};
	for (size_t k = 0; k < sizeof arrays / sizeof *arrays; ++k)
		free(arrays[k]);
	free(c);
	*comparison = NULL;
}
