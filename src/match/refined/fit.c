#include "match/refined/fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/least_squares.h"
#include "base/memory.h"
#include "match/dot_product.h"
#include "run/context.h"

#define QDAMP_LIMIT 0.5
#define QDAMP_START 0.03
#define LEAST_WIDTH 0.01 /* of a distribution of sizes; narrower ones look like two sizes */
#define MOST_WIDTH 1.0
#define STRAIN_GRID \
	0.004 /* peaks at q = 20 with a width of 0.08, those of a particle of 80 Angstrom, are found from here */
#define TOLERANCE 1e-10
#define MOST_STEPS 100
#define POISSON_STEPS 3

static void add_parameter(struct refined_fit *fit, enum refined_kind kind, int item, int set, double start,
			  double low, double high)
{
	fit->parameters[fit->parameter_count++] = (struct refined_parameter){
	    .kind = kind, .item = item, .set = set, .value = start, .low = low, .high = high};
}

/* The parameters of an item, or, -1, of all of them. */
static void add_structure(struct refined_fit *fit, int item)
{
	const sonde_match_options *options = fit->options;

	if (fit->choice->strain)
		add_parameter(fit, REFINED_STRAIN, item, -1, 0.0, -options->strain_limit, options->strain_limit);
	if (fit->choice->b)
		add_parameter(fit, REFINED_B, item, -1, 0.02 * options->b_limit, 0.0, options->b_limit);
}

static void add_sizes(struct refined_fit *fit, int item)
{
	const struct refined_item *of = &fit->items->items[item];

	if (of->family == NULL)
		return;
	const double first = of->sizes[0], last = of->sizes[of->member_count - 1];
	add_parameter(fit, REFINED_MEAN, item, -1, 0.5 * (first + last), first, last);
	add_parameter(fit, REFINED_WIDTH, item, -1, 0.2, LEAST_WIDTH, MOST_WIDTH);
}

/* Squares, as everywhere in this file. */
static void add_instruments(struct refined_fit *fit)
{
	const struct common *common = fit->items->common;
	const double qdamp = fit->options->qdamp > 0.0 ? fit->options->qdamp : QDAMP_START,
		     qbroad = fit->options->qbroad_limit;

	for (int d = 0; d < common->set_count; ++d) {
		if (!common->sets[d].measured.of_r)
			continue;
		if (fit->choice->qdamp)
			add_parameter(fit, REFINED_QDAMP, -1, d, qdamp * qdamp, 0.0, QDAMP_LIMIT * QDAMP_LIMIT);
		if (fit->choice->qbroad)
			add_parameter(fit, REFINED_QBROAD, -1, d, 0.04 * qbroad * qbroad, 0.0, qbroad * qbroad);
	}
}

static sonde_status make_mixture(struct refined_fit *fit)
{
	struct mixture *mixture = &fit->mixture;
	const size_t count = (size_t)fit->count, rows = (size_t)fit->items->rows;

	CHECK(mixture_begin(fit->items->common, mixture));
	CHECK(memory_allocate(&mixture->candidates, count, sizeof(int64_t), "a mixture"));
	CHECK(memory_allocate(&mixture->raw, count * rows, sizeof(double), "the curves of candidates"));
	CHECK(memory_allocate(&mixture->a, count * rows, sizeof(double), "the curves of candidates"));
	mixture->capacity = count;
	mixture->count = fit->count;
	for (int k = 0; k < fit->count; ++k) {
		const struct refined_item *item = &fit->items->items[fit->chosen[k]];
		/* families are the first items */
		mixture->candidates[k] =
		    item->family != NULL ? fit->items->common->count + fit->chosen[k] : item->candidate;
	}
	return SONDE_OK;
}

sonde_status refined_fit_begin(sonde_context *context, struct refined_items *items,
			       const sonde_match_options *options, const struct refine_choice *choice,
			       const int *chosen, int count, struct refined_fit *fit)
{
	const size_t sets = (size_t)items->common->set_count;

	*fit = (struct refined_fit){.context = context,
				    .items = items,
				    .options = options,
				    .choice = choice,
				    .threads = context_threads(context),
				    .count = count,
				    .chosen = chosen};
	CHECK(memory_allocate(&fit->parameters, 4 * (size_t)count + 2 + 2 * sets, sizeof *fit->parameters,
			      "parameters"));
	CHECK(memory_allocate(&fit->deformations, sets, sizeof *fit->deformations, "parameters"));
	for (int k = 0; k < count; ++k)
		CHECK(refined_item_load(items, chosen[k]));
	if (options->shared)
		add_structure(fit, -1);
	for (int k = 0; k < count; ++k) {
		if (!options->shared)
			add_structure(fit, chosen[k]);
		add_sizes(fit, chosen[k]);
	}
	add_instruments(fit);
	return make_mixture(fit);
}

void refined_fit_end(struct refined_fit *fit)
{
	free(fit->parameters);
	free(fit->deformations);
	mixture_free(&fit->mixture);
	*fit = (struct refined_fit){0};
}

void refined_fit_take(struct refined_fit *fit, const struct refined_parameter *parameters, int count)
{
	for (int p = 0; p < fit->parameter_count; ++p)
		for (int q = 0; q < count; ++q)
			if (refined_parameter_is(&fit->parameters[p], &parameters[q]))
				fit->parameters[p].value = parameters[q].value;
}

bool refined_fit_is_uniform(const struct refined_fit *fit)
{
	const struct common *common = fit->items->common;

	for (int d = 0; d < common->set_count; ++d)
		if (common->sets[d].weights != SONDE_MATCH_WEIGHTS_UNIFORM)
			return false;
	return true;
}

/* Curves ---------------------------------------------------------------------------------------------------------------------- */

/* The curve of a column with the present parameters. */
static void find_curve(struct refined_fit *fit, int column, double *raw)
{
	const int item = fit->chosen[column], sets = fit->items->common->set_count;
	double mean = 0.0, width = 0.0;

	memset(fit->deformations, 0, (size_t)sets * sizeof *fit->deformations);
	for (int p = 0; p < fit->parameter_count; ++p) {
		const struct refined_parameter *parameter = &fit->parameters[p];
		if (parameter->item >= 0 && parameter->item != item)
			continue;
		mean = parameter->kind == REFINED_MEAN ? parameter->value : mean;
		width = parameter->kind == REFINED_WIDTH ? parameter->value : width;
		for (int d = 0; d < sets; ++d) {
			struct deformation *deformation = &fit->deformations[d];
			if (parameter->set >= 0 && parameter->set != d)
				continue;
			if (parameter->kind == REFINED_STRAIN)
				deformation->strain = parameter->value;
			if (parameter->kind == REFINED_B)
				deformation->b = parameter->value;
			if (parameter->kind == REFINED_QDAMP)
				deformation->qdamp_2 = parameter->value;
			if (parameter->kind == REFINED_QBROAD)
				deformation->qbroad_2 = parameter->value;
		}
	}
	refined_item_curve(fit->items, item, fit->deformations, mean, width, raw);
}

static sonde_status evaluate(struct refined_fit *fit, const double *values)
{
	for (int p = 0; values != NULL && p < fit->parameter_count; ++p)
		fit->parameters[p].value = values[p];
	for (int k = 0; k < fit->count; ++k)
		find_curve(fit, k, fit->mixture.raw + k * fit->mixture.rows);
	mixture_weigh(&fit->mixture, fit->threads);
	return mixture_solve(fit->options, fit->threads, &fit->mixture);
}

static sonde_status residual(void *state, const double *values, double *r)
{
	struct refined_fit *fit = state;

	CHECK(evaluate(fit, values));
	memcpy(r, fit->mixture.solution.residual, (size_t)fit->mixture.rows * sizeof *r);
	return SONDE_OK;
}

/* Derivatives ----------------------------------------------------------------------------------------------------------------- */

/* A change of the parameter for differences: errors of the difference and of rounding are of the order of 1e-8. */
static double change_of(const struct refined_parameter *parameter)
{
	switch (parameter->kind) {
	case REFINED_STRAIN:
		return 2e-5;
	case REFINED_B:
		return 1e-3 + 1e-3 * parameter->value;
	case REFINED_MEAN:
		return 1e-4 * parameter->value;
	case REFINED_WIDTH:
		return 1e-4;
	default:
		return 1e-2 * parameter->value + 1e-4 * parameter->high;
	}
}

static bool is_active(const struct refined_fit *fit, int column, double *weight)
{
	*weight = fit->mixture.solution.x[column];
	return *weight > 0.0;
}

bool refined_fit_matters(const struct refined_fit *fit, const struct refined_parameter *parameter)
{
	double weight;

	for (int k = 0; k < fit->count; ++k)
		if ((parameter->item < 0 || parameter->item == fit->chosen[k]) && is_active(fit, k, &weight))
			return true;
	return false;
}

/* Adds factor times the curve of a column to an unweighted sum, times the scales of the sets. */
static void add_curve(struct refined_fit *fit, int column, double factor, double *room, double *sum)
{
	const struct mixture *mixture = &fit->mixture;

	find_curve(fit, column, room);
	for (int d = 0; d < mixture->common->set_count; ++d)
		for (int64_t k = mixture->begin[d]; k < mixture->begin[d + 1]; ++k)
			sum[k] += factor * mixture->scales[d] * room[k];
}

sonde_status refined_fit_derivative(struct refined_fit *fit, int number, double *column)
{
	struct refined_parameter *parameter = &fit->parameters[number];
	struct mixture *mixture = &fit->mixture;
	const double value = parameter->value, change = change_of(parameter),
		     up = fmin(value + change, parameter->high), down = fmax(value - change, parameter->low);
	double weight, *room;

	memset(column, 0, (size_t)mixture->rows * sizeof *column);
	CHECK(memory_allocate(&room, (size_t)mixture->rows, sizeof *room, "a derivative"));
	for (int k = 0; k < fit->count; ++k) {
		if ((parameter->item >= 0 && parameter->item != fit->chosen[k]) || !is_active(fit, k, &weight))
			continue;
		parameter->value = up;
		add_curve(fit, k, weight / (up - down), room, column);
		parameter->value = down;
		add_curve(fit, k, -weight / (up - down), room, column);
		parameter->value = value;
	}
	free(room);
	for (int d = 0; d < mixture->common->set_count; ++d)
		data_set_project(&mixture->common->sets[d], column + mixture->begin[d]);
	return SONDE_OK;
}

/* Columns of weights and scales, orthonormal: what the mixture follows by itself; their number. */
static sonde_status make_basis(const struct refined_fit *fit, double **basis, int *count)
{
	const struct mixture *mixture = &fit->mixture;
	const int64_t rows = mixture->rows;
	const int sets = mixture->common->set_count;
	double weight;

	*count = 0;
	CHECK(memory_allocate(basis, (size_t)(fit->count + sets) * (size_t)rows, sizeof **basis, "derivatives"));
	for (int n = 0; n < fit->count + sets - 1; ++n) {
		double *row = *basis + *count * rows;
		if (n < fit->count && !is_active(fit, n, &weight))
			continue;
		if (n < fit->count) {
			memcpy(row, mixture->a + n * rows, (size_t)rows * sizeof *row);
		} else {
			const int d = n - fit->count + 1;
			memset(row, 0, (size_t)rows * sizeof *row);
			for (int64_t k = mixture->begin[d]; k < mixture->begin[d + 1]; ++k)
				row[k] = mixture->y[k] - mixture->solution.residual[k];
		}
		const double before = sqrt(dot_product(row, row, rows));
		for (int times = 0; times < 2; ++times)
			for (int other = 0; other < *count; ++other) {
				const double *of = *basis + other * rows, part = dot_product(of, row, rows);
				for (int64_t k = 0; k < rows; ++k)
					row[k] -= part * of[k];
			}
		const double left = sqrt(dot_product(row, row, rows));
		if (!(left > 1e-10 * before))
			continue;
		for (int64_t k = 0; k < rows; ++k)
			row[k] /= left;
		++*count;
	}
	return SONDE_OK;
}

/* The residual is y - sum of curves: Kaufman's derivatives are those of the curves without what the weights follow. */
static sonde_status derivatives(void *state, const double *values, const double *r, double *jacobian)
{
	struct refined_fit *fit = state;
	const int64_t rows = fit->mixture.rows;
	double *basis;
	int count;

	(void)values;
	(void)r;
	CHECK(make_basis(fit, &basis, &count));
	sonde_status status = SONDE_OK;
	for (int p = 0; p < fit->parameter_count && status == SONDE_OK; ++p) {
		double *column = jacobian + p * rows;
		status = refined_fit_derivative(fit, p, column);
		for (int n = 0; n < count; ++n) {
			const double *of = basis + n * rows, part = dot_product(of, column, rows);
			for (int64_t k = 0; k < rows; ++k)
				column[k] -= part * of[k];
		}
		for (int64_t k = 0; k < rows; ++k)
			column[k] = -column[k];
	}
	free(basis);
	return status;
}

/* The minimum --------------------------------------------------------------------------------------------------------------- */

/* Tries a value of all parameters of a kind (of an item; -1: all items), and keeps it if the square becomes less. */
static sonde_status try_value(struct refined_fit *fit, enum refined_kind kind, int item, double value, double *best,
			      double *kept)
{
	for (int p = 0; p < fit->parameter_count; ++p)
		if (fit->parameters[p].kind == kind && (item < 0 || fit->parameters[p].item == item))
			fit->parameters[p].value = fmin(fmax(value, fit->parameters[p].low), fit->parameters[p].high);
	CHECK(evaluate(fit, NULL));
	if (fit->mixture.solution.square < *best) {
		*best = fit->mixture.solution.square;
		*kept = value;
	}
	return SONDE_OK;
}

static sonde_status set_value(struct refined_fit *fit, enum refined_kind kind, int item, double value)
{
	double best = -1.0, kept;

	return try_value(fit, kind, item, value, &best, &kept);
}

/* Sizes and widths of each family, those of the others being in the middle. */
static sonde_status start_sizes(struct refined_fit *fit)
{
	static const double widths[] = {0.05, 0.15, 0.4};

	for (int k = 0; k < fit->count; ++k) {
		const int number = fit->chosen[k];
		const struct refined_item *item = &fit->items->items[number];
		double best = INFINITY, mean = 0.0, width = 0.0;
		if (item->family == NULL)
			continue;
		for (size_t w = 0; w < sizeof widths / sizeof *widths; ++w) {
			double kept = NAN;
			CHECK(set_value(fit, REFINED_WIDTH, number, widths[w]));
			for (int64_t m = 0; m < item->member_count; ++m)
				CHECK(try_value(fit, REFINED_MEAN, number, item->sizes[m], &best, &kept));
			width = isnan(kept) ? width : widths[w];
			mean = isnan(kept) ? mean : kept;
		}
		CHECK(set_value(fit, REFINED_WIDTH, number, width));
		CHECK(set_value(fit, REFINED_MEAN, number, mean));
	}
	return SONDE_OK;
}

int refined_fit_strains(double limit, double strains[REFINED_MOST_STRAINS])
{
	const int wanted = (int)ceil(limit / STRAIN_GRID), most = (REFINED_MOST_STRAINS - 1) / 2,
		  steps = wanted < most ? wanted : most;

	for (int k = 0; k <= 2 * steps; ++k) {
		const int step = (k + 1) / 2;
		const double part = (double)step / (double)steps;
		strains[k] = (k % 2 == 0 ? part : -part) * limit;
	}
	return 2 * steps + 1;
}

/* The strain of all candidates together. */
static sonde_status start_strain(struct refined_fit *fit)
{
	double strains[REFINED_MOST_STRAINS], best = INFINITY, kept = 0.0;
	const int count = refined_fit_strains(fit->options->strain_limit, strains);

	if (!fit->choice->strain)
		return SONDE_OK;
	for (int k = 0; k < count; ++k)
		CHECK(try_value(fit, REFINED_STRAIN, -1, strains[k], &best, &kept));
	return set_value(fit, REFINED_STRAIN, -1, kept);
}

static sonde_status report(void *state, int step, const double *values, double square)
{
	struct refined_fit *fit = state;

	(void)values;
	(void)square;
	if (context_cancelled(fit->context))
		return status_fail(SONDE_CANCELLED, "cancelled");
	return fit->stage != NULL ? stage_advance(fit->stage, (double)(fit->steps + step)) : SONDE_OK;
}

static sonde_status minimize(struct refined_fit *fit)
{
	const size_t count = (size_t)fit->parameter_count;
	struct least_squares_solution solution = {0};
	double *numbers;

	/* only candidates without sizes, of which nothing else is refined */
	fit->converged = count == 0;
	if (count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&numbers, 4 * count, sizeof *numbers, "parameters"));
	double *low = numbers + count, *high = low + count, *scales = high + count;
	for (size_t p = 0; p < count; ++p) {
		numbers[p] = fit->parameters[p].value;
		low[p] = fit->parameters[p].low;
		high[p] = fit->parameters[p].high;
		scales[p] = high[p] - low[p];
	}
	const struct least_squares_problem problem = {.parameters = (int)count,
						      .residuals = fit->mixture.rows,
						      .low = low,
						      .high = high,
						      .scales = scales,
						      .state = fit,
						      .residual = residual,
						      .derivatives = derivatives,
						      .report = report,
						      .tolerance = TOLERANCE,
						      .most_steps = MOST_STEPS};
	sonde_status status = least_squares_solve(&problem, numbers, &solution);
	if (status == SONDE_OK)
		status = evaluate(fit, solution.x);
	for (size_t p = 0; status == SONDE_OK && p < count; ++p) {
		fit->parameters[p].at_bound = solution.at_bound[p];
		fit->parameters[p].free = !solution.at_bound[p] && refined_fit_matters(fit, &fit->parameters[p]);
	}
	fit->steps += solution.steps;
	fit->converged = solution.converged;
	least_squares_free(&solution);
	free(numbers);
	return status;
}

static void save_values(const struct refined_fit *fit, double *values)
{
	for (int p = 0; p < fit->parameter_count; ++p)
		values[p] = fit->parameters[p].value;
}

static void restore_values(struct refined_fit *fit, const double *values)
{
	for (int p = 0; p < fit->parameter_count; ++p)
		fit->parameters[p].value = values[p];
}

/* The best of the coarse grids, and, if it is better, the values that were given. */
static sonde_status start(struct refined_fit *fit)
{
	double *values;

	CHECK(memory_allocate(&values, (size_t)fit->parameter_count, sizeof *values, "parameters"));
	save_values(fit, values);
	sonde_status status = evaluate(fit, NULL);
	const double given = fit->mixture.solution.square;
	if (status == SONDE_OK)
		status = start_sizes(fit);
	if (status == SONDE_OK)
		status = start_strain(fit);
	if (status == SONDE_OK)
		status = evaluate(fit, NULL);
	if (status == SONDE_OK && given < fit->mixture.solution.square) {
		restore_values(fit, values);
		status = evaluate(fit, NULL);
	}
	free(values);
	return status;
}

/* Uniform standard deviations of each of several sets from its residual; all parameters are divided by the numbers of points. */
static sonde_status find_levels(const struct refined_fit *fit)
{
	const struct mixture *mixture = &fit->mixture;
	const struct common *common = mixture->common;
	int parameters = mixture->solution.active_count + common->set_count - 1;

	for (int p = 0; p < fit->parameter_count; ++p)
		parameters += fit->parameters[p].free;
	for (int d = 0; d < common->set_count; ++d) {
		struct data_set *set = &common->sets[d];
		const double *residual = mixture->solution.residual + mixture->begin[d],
			     part = (double)set->independent / (double)mixture->independent,
			     freedom = (double)(set->independent - set->basis_count) - parameters * part;
		if (set->weights != SONDE_MATCH_WEIGHTS_UNIFORM)
			continue;
		const double square = dot_product(residual, residual, set->measured.count);
		set->level = fmax(set->level * sqrt(square / fmax(freedom, 1.0)), 1e-300);
		CHECK(data_set_weigh(set, NULL));
	}
	return SONDE_OK;
}

sonde_status refined_fit_find(struct refined_fit *fit)
{
	const struct common *common = fit->items->common;
	bool follows = false;

	for (int d = 0; d < common->set_count; ++d)
		follows =
		    follows || (fit->weighs && common->sets[d].weights == SONDE_MATCH_WEIGHTS_POISSON) ||
		    (fit->levels && common->set_count > 1 && common->sets[d].weights == SONDE_MATCH_WEIGHTS_UNIFORM);
	CHECK(fit->started ? evaluate(fit, NULL) : start(fit));
	CHECK(minimize(fit));
	/* standard deviations are those of the fit */
	for (int step = 0; follows && step < POISSON_STEPS; ++step) {
		if (fit->levels && common->set_count > 1)
			CHECK(find_levels(fit));
		CHECK(mixture_solve_weighted(fit->options, fit->threads, &fit->mixture));
		CHECK(minimize(fit));
	}
	return SONDE_OK;
}
