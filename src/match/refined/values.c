#include "match/refined/values.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/least_squares.h"
#include "base/memory.h"

#define DEVIATIONS 1.959963984540054 /* of a 95 % interval */

static bool is_squared(const struct refined_parameter *parameter)
{
	return parameter->kind == REFINED_QDAMP || parameter->kind == REFINED_QBROAD;
}

double refined_value(const struct refined_parameter *parameter)
{
	return is_squared(parameter) ? sqrt(parameter->value) : parameter->value;
}

void refined_values_free(struct refined_values *values)
{
	free(values->parameters);
	free(values->weight_errors);
	free(values->correlations);
	*values = (struct refined_values){0};
}

/* Free parameters are no longer available to the residual. */
static void count_parameters(struct refined_fit *fit)
{
	struct mixture *mixture = &fit->mixture;

	for (int p = 0; p < fit->parameter_count; ++p)
		mixture->degrees_of_freedom -= fit->parameters[p].free;
	if (refined_fit_is_uniform(fit))
		mixture->variance = mixture->solution.square / fmax(1.0, (double)mixture->degrees_of_freedom);
}

/* Columns of the parameters, the active weights, and the scales of further sets. */
static sonde_status fill_columns(struct refined_fit *fit, double *columns)
{
	const struct mixture *mixture = &fit->mixture;
	const struct nnls_solution *solution = &mixture->solution;
	const int64_t rows = mixture->rows;

	for (int p = 0; p < fit->parameter_count; ++p)
		CHECK(refined_fit_derivative(fit, p, columns + p * rows));
	double *weights = columns + fit->parameter_count * rows, *scales = weights + solution->active_count * rows;
	for (int k = 0; k < solution->active_count; ++k)
		memcpy(weights + k * rows, mixture->a + solution->active[k] * rows, (size_t)rows * sizeof *weights);
	for (int d = 1; d < mixture->common->set_count; ++d)
		for (int64_t i = mixture->begin[d]; i < mixture->begin[d + 1]; ++i)
			scales[(d - 1) * rows + i] = (mixture->y[i] - solution->residual[i]) / mixture->scales[d];
	return SONDE_OK;
}

static void take_errors(struct refined_values *values, const struct refined_fit *fit, const double *covariance,
			int stride)
{
	const int parameters = fit->parameter_count, active = fit->mixture.solution.active_count,
		  size = parameters + active;

	for (int i = 0; i < size; ++i)
		for (int j = 0; j < size; ++j) {
			const double product = covariance[i * stride + i] * covariance[j * stride + j];
			values->correlations[i * size + j] =
			    product > 0.0 && isfinite(product) ? covariance[i * stride + j] / sqrt(product) : 0.0;
		}
	for (int p = 0; p < parameters; ++p) {
		struct refined_parameter *parameter = &values->parameters[p];
		const double error = sqrt(fit->mixture.variance * covariance[p * stride + p]);
		const bool squared = is_squared(parameter);
		/* d sqrt(v) = dv/(2 sqrt(v)) */
		parameter->error = squared && parameter->value > 0.0 ? error / (2.0 * sqrt(parameter->value)) : error;
		parameter->value = refined_value(parameter);
		parameter->low = squared ? sqrt(parameter->low) : parameter->low;
		parameter->high = squared ? sqrt(parameter->high) : parameter->high;
		for (int side = 0; side < 2; ++side) {
			const double end =
			    parameter->value + (side == 0 ? -1.0 : 1.0) * DEVIATIONS * parameter->error;
			parameter->interval[side] =
			    parameter->at_bound ? NAN : fmin(fmax(end, parameter->low), parameter->high);
		}
	}
	for (int k = 0; k < active; ++k)
		values->weight_errors[k] = sqrt(fit->mixture.variance * covariance[(parameters + k) * (stride + 1)]);
}

static sonde_status allocate(const struct refined_fit *fit, struct refined_values *values)
{
	const size_t parameters = (size_t)fit->parameter_count, active = (size_t)fit->mixture.solution.active_count,
		     size = parameters + active;

	CHECK(memory_allocate(&values->parameters, parameters, sizeof *values->parameters, "parameters"));
	memcpy(values->parameters, fit->parameters, parameters * sizeof *values->parameters);
	values->parameter_count = fit->parameter_count;
	CHECK(memory_allocate(&values->weight_errors, active, sizeof(double), "errors"));
	return memory_allocate(&values->correlations, size * size, sizeof(double), "correlations");
}

sonde_status refined_values_find(struct refined_fit *fit, struct refined_values *values)
{
	const int count =
	    fit->parameter_count + fit->mixture.solution.active_count + fit->items->common->set_count - 1;
	const size_t all = (size_t)count;
	double *columns = NULL, *covariance = NULL;
	bool *use = NULL;

	*values = (struct refined_values){0};
	count_parameters(fit);
	CHECK(allocate(fit, values));
	sonde_status status =
	    memory_allocate(&columns, all * (size_t)fit->mixture.rows, sizeof *columns, "a covariance");
	if (status == SONDE_OK)
		status = memory_allocate(&covariance, all * all, sizeof *covariance, "a covariance");
	if (status == SONDE_OK)
		status = memory_allocate(&use, all, sizeof *use, "a covariance");
	if (status == SONDE_OK)
		status = fill_columns(fit, columns);
	for (int k = 0; status == SONDE_OK && k < count; ++k)
		use[k] = k >= fit->parameter_count || fit->parameters[k].free;
	if (status == SONDE_OK)
		status = least_squares_covariance(columns, count, fit->mixture.rows, use, covariance);
	if (status == SONDE_OK)
		take_errors(values, fit, covariance, count);
	free(columns);
	free(covariance);
	free(use);
	return status;
}
