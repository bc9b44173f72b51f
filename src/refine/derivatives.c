#include "refine/derivatives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* A difference of the curve, as a part of it, from which the derivative is taken. The error of central differences is about a sixth of its square, that
 * of patterns with a relative error of 1e-6 is 3e-4 of it. */
#define CHANGE 3e-3
#define FAR 10.0       /* a step is changed if the difference is this factor away from that */
#define NONE 1e-9      /* of the curve: no difference but rounding */
#define ROUNDS 6       /* of changing steps */
#define LARGEST 0.25   /* of the range, or of the start: steps */
#define PART_OF_GRID 8 /* steps of parameters with a grid, whose curves are cubic between its nodes */
#define SHORTENINGS 4  /* of steps to values without a structure, each */
#define SHORTER 0.25
#define FIRST_STEP 1e-3 /* of the range, or of the scale */

static double range_of(const struct refine_parameter *parameter)
{
	const struct bound *bound = &parameter->bound;
	const double range = bound->upper - bound->lower;

	return isfinite(range) ? range : 10.0 * bound->scale;
}

void derivatives_begin(struct model *model, bool central, struct derivatives *derivatives)
{
	*derivatives = (struct derivatives){.model = model, .central = central};
	for (int k = 0; k < model->job->count; ++k) {
		const struct refine_parameter *parameter = &model->job->parameters[k];
		derivatives->chosen[k] = parameter->step > 0.0 || parameter->grid > 0.0;
		derivatives->steps[k] = parameter->step > 0.0   ? parameter->step
					: parameter->grid > 0.0 ? parameter->grid / PART_OF_GRID
								: FIRST_STEP * range_of(parameter);
	}
}

/* The two values of parameter `k`, within its bounds. */
static void find_ends(const struct derivatives *derivatives, const double *values, int k, double *low, double *high)
{
	const struct bound *bound = &derivatives->model->job->parameters[k].bound;
	const double step = derivatives->steps[k];

	*high = fmin(values[k] + step, bound->upper);
	*low = derivatives->central ? fmax(values[k] - step, bound->lower) : values[k];
	if (!(*high > values[k]) && !derivatives->central) /* at the upper bound */
		*low = fmax(values[k] - step, bound->lower);
}

/* The largest of the curves' differences, each as a part of its curve. */
static double find_change(const struct model *model, const double *difference, const double *curve)
{
	double largest = 0.0;

	for (int d = 0; d < model->set_count; ++d) {
		double whole = 0.0, change = 0.0;
		for (int64_t p = model->begin[d]; p < model->begin[d + 1]; ++p) {
			const double weight = model->sets[d].inverse_sigma[p - model->begin[d]];
			whole += pow(curve[p] * weight, 2.0);
			change += pow(difference[p] * weight, 2.0);
		}
		largest = whole > 0.0 ? fmax(largest, sqrt(change / whole)) : largest;
	}
	return largest;
}

/* Whether the difference is too small or too large, and another step can be tried. */
static bool wants_another(struct derivatives *derivatives, int k, double change)
{
	const struct refine_parameter *parameter = &derivatives->model->job->parameters[k];
	const double most = LARGEST * range_of(parameter), before = derivatives->steps[k];

	if (derivatives->chosen[k])
		return false;
	if (change > CHANGE / FAR && change < CHANGE * FAR)
		return false;
	derivatives->steps[k] = fmin(most, before * (change > NONE ? fmin(fmax(CHANGE / change, 1e-4), 1e4) : 100.0));
	return derivatives->steps[k] != before;
}

static sonde_status fail_flat(struct derivatives *derivatives, int k)
{
	const struct refine_job *job = derivatives->model->job;
	const struct refine_parameter *parameter = &job->parameters[k];

	derivatives->flat = true;
	return yaml_tree_fail(
	    job->path, parameter->line, parameter->column, NULL,
	    "%s: the curve does not depend on this parameter: a step of %.3g changes it by less than "
	    "%g of its size; if the structure depends on it in jumps, a larger 'step' or a 'grid' is "
	    "needed",
	    parameter->name, derivatives->steps[k], NONE);
}

/* One round: differences of the parameters that are open, and whether they are still. */
struct round {
	double *values, *curves, *atoms; /* two of each */
	int open[REFINE_MOST_PARAMETERS], count;
};

static sonde_status do_round(struct derivatives *derivatives, const double *values, const double *curve,
			     struct round *round, bool last, double *slopes)
{
	struct model *model = derivatives->model;
	const int n = model->job->count;
	const int64_t points = model_points(model);
	int open = 0;

	for (int k = 0; k < round->count; ++k)
		for (int side = 0; side < 2; ++side) {
			double ends[2], *at = round->values + (2 * k + side) * n;
			memcpy(at, values, (size_t)n * sizeof *at);
			find_ends(derivatives, values, round->open[k], &ends[0], &ends[1]);
			at[round->open[k]] = ends[side];
		}
	CHECK(model_curves(model, round->values, 2 * round->count, round->curves, round->atoms));
	for (int k = 0; k < round->count; ++k) {
		const int parameter = round->open[k];
		const double *low = round->curves + 2 * k * points, *high = low + points,
			     width =
				 round->values[(2 * k + 1) * n + parameter] - round->values[2 * k * n + parameter];
		double *slope = slopes + parameter * points;
		for (int64_t p = 0; p < points; ++p)
			slope[p] = high[p] - low[p];
		const double change = find_change(model, slope, curve);
		for (int64_t p = 0; p < points; ++p)
			slope[p] /= width;
		if (round->atoms[2 * k] != round->atoms[2 * k + 1] &&
		    !(model->job->parameters[parameter].grid > 0.0) && !model->job->parameters[parameter].in_spread)
			derivatives->jumps[parameter] = true;
		if (!last && wants_another(derivatives, parameter, change))
			round->open[open++] = parameter;
		else if (!(change > NONE))
			return fail_flat(derivatives, parameter);
	}
	round->count = open;
	return SONDE_OK;
}

static sonde_status find_all(struct derivatives *derivatives, const double *values, const double *curve,
			     struct round *round, double *slopes)
{
	sonde_status status = SONDE_OK;

	round->count = derivatives->model->job->count;
	for (int k = 0; k < round->count; ++k)
		round->open[k] = k;
	for (int number = 1; number <= ROUNDS && round->count > 0 && status == SONDE_OK; ++number)
		status = do_round(derivatives, values, curve, round, number == ROUNDS, slopes);
	return status;
}

sonde_status derivatives_find(struct derivatives *derivatives, const double *values, const double *curve,
			      double *slopes)
{
	const struct model *model = derivatives->model;
	const size_t n = (size_t)model->job->count, points = (size_t)model_points(model);
	struct round round = {.count = 0};
	sonde_status status;

	CHECK_GOTO(status, memory_allocate(&round.values, 2 * n * n, sizeof(double), "derivatives"), done);
	CHECK_GOTO(status, memory_allocate(&round.curves, 2 * n * points, sizeof(double), "derivatives"), done);
	CHECK_GOTO(status, memory_allocate(&round.atoms, 2 * n, sizeof(double), "derivatives"), done);
	derivatives->flat = false;
	status = find_all(derivatives, values, curve, &round, slopes);
	/* there may be no structure a step away: shorter ones are tried */
	for (int times = 0; times < SHORTENINGS && status == SONDE_INVALID && !derivatives->flat; ++times) {
		for (size_t k = 0; k < n; ++k)
			derivatives->steps[k] *= SHORTER;
		status = find_all(derivatives, values, curve, &round, slopes);
	}
done:
	free(round.values);
	free(round.curves);
	free(round.atoms);
	return status;
}
