#include "base/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/memory.h"

#define ACCEPTED 1e-4      /* part of the predicted reduction from which a step is taken */
#define FIRST_DAMPING 1e-3 /* in units of the squares of the derivatives */
#define MOST_DAMPING 1e18  /* no step lowers |r|^2 any more */
#define SMALL_CHANGE 1e-6  /* of `steps` */

struct search {
	const struct least_squares_problem *problem;
	struct least_squares_solution *solution;
	int n;
	int64_t m;
	double *r, *next_r;    /* [m] */
	double *next_x, *step; /* [n] */
	double *scale;         /* [n]: largest lengths of the derivatives so far */
	double *gradient;      /* [n] */
	bool *held;            /* [n]: of the present step */
	double *matrix, *side; /* [n][m + n], [m + n]: those of a step */
	double *numbers;       /* [n]: solution of a step */
};

static double square_of(const double *r, int64_t m)
{
	double sum = 0.0;

	for (int64_t k = 0; k < m; ++k)
		sum += r[k] * r[k];
	return sum;
}

static double product_of(const double *a, const double *b, int64_t m)
{
	double sum = 0.0;

	for (int64_t k = 0; k < m; ++k)
		sum += a[k] * b[k];
	return sum;
}

static sonde_status residual(struct search *search, const double *x, double *r)
{
	++search->solution->evaluations;
	return search->problem->residual(search->problem->state, x, r);
}

/* Derivatives ----------------------------------------------------------------------------------------------------------------- */

/* One column by differences; next_r is used. */
static sonde_status difference(struct search *search, int k, double *column)
{
	const struct least_squares_problem *problem = search->problem;
	const double x = search->solution->x[k], h = problem->steps[k];
	const bool up = x + h <= problem->high[k], down = x - h >= problem->low[k];
	double *at = search->next_x;

	memcpy(at, search->solution->x, (size_t)search->n * sizeof *at);
	if (up && down && !problem->one_sided) {
		at[k] = x + h;
		CHECK(residual(search, at, column));
		at[k] = x - h;
		CHECK(residual(search, at, search->next_r));
		for (int64_t i = 0; i < search->m; ++i)
			column[i] = (column[i] - search->next_r[i]) / (2.0 * h);
		return SONDE_OK;
	}
	/* toward the farther bound, if both are near */
	const double room_up = problem->high[k] - x, room_down = x - problem->low[k],
		     change = up                    ? h
			      : down                ? -h
			      : room_up > room_down ? room_up
						    : -room_down;
	at[k] = x + change;
	CHECK(residual(search, at, column));
	for (int64_t i = 0; i < search->m; ++i)
		column[i] = (column[i] - search->r[i]) / change;
	return SONDE_OK;
}

static sonde_status find_derivatives(struct search *search)
{
	const struct least_squares_problem *problem = search->problem;
	struct least_squares_solution *solution = search->solution;

	if (problem->derivatives != NULL)
		CHECK(problem->derivatives(problem->state, solution->x, search->r, solution->jacobian));
	for (int k = 0; problem->derivatives == NULL && k < search->n; ++k)
		CHECK(difference(search, k, solution->jacobian + k * search->m));
	for (int k = 0; k < search->n; ++k) {
		const double *column = solution->jacobian + k * search->m;
		search->scale[k] = fmax(search->scale[k], sqrt(square_of(column, search->m)));
		search->gradient[k] = product_of(column, search->r, search->m);
		solution->at_bound[k] = (solution->x[k] <= problem->low[k] && search->gradient[k] > 0.0) ||
					(solution->x[k] >= problem->high[k] && search->gradient[k] < 0.0);
	}
	return SONDE_OK;
}

/* The largest cosine of an angle between r and the derivative by a free parameter. */
static double largest_cosine(const struct search *search)
{
	const double length = sqrt(search->solution->square);
	double largest = 0.0;

	for (int k = 0; k < search->n; ++k) {
		const double norm = sqrt(square_of(search->solution->jacobian + k * search->m, search->m));
		if (!search->solution->at_bound[k] && norm > 0.0 && length > 0.0)
			largest = fmax(largest, fabs(search->gradient[k]) / (norm * length));
	}
	return largest;
}

/* Steps ----------------------------------------------------------------------------------------------------------------------- */

/* min |J p + r|^2 + damping sum (scale p)^2 over the parameters that are not held, those having their steps. */
static sonde_status solve_step(struct search *search, double damping)
{
	const int64_t rows = search->m + search->n;
	int columns = 0;

	for (int64_t i = 0; i < search->m; ++i)
		search->side[i] = -search->r[i];
	memset(search->side + search->m, 0, (size_t)search->n * sizeof *search->side);
	for (int k = 0; k < search->n; ++k) {
		const double *from = search->solution->jacobian + k * search->m;
		if (search->held[k]) {
			for (int64_t i = 0; search->step[k] != 0.0 && i < search->m; ++i)
				search->side[i] -= from[i] * search->step[k];
			continue;
		}
		/* in units of 1/scale, so that the factorization sees columns of comparable lengths */
		double *to = search->matrix + columns * rows;
		for (int64_t i = 0; i < search->m; ++i)
			to[i] = from[i] / search->scale[k];
		memset(to + search->m, 0, (size_t)search->n * sizeof *to);
		to[search->m + columns] = sqrt(damping);
		++columns;
	}
	if (columns == 0)
		return SONDE_OK;
	if (dense_real_least_squares((int)rows, columns, search->matrix, search->side, search->numbers, NULL) !=
	    DENSE_OK)
		return memory_missing("a step of least squares");
	for (int k = 0, n = 0; k < search->n; ++k)
		if (!search->held[k])
			search->step[k] = search->numbers[n++] / search->scale[k];
	return SONDE_OK;
}

/* The step within the bounds; next_x. */
static sonde_status find_step(struct search *search, double damping)
{
	const struct least_squares_problem *problem = search->problem;
	const double *x = search->solution->x;

	for (int k = 0; k < search->n; ++k) {
		search->held[k] = search->solution->at_bound[k] || !(search->scale[k] > 0.0);
		search->step[k] = 0.0;
	}
	for (bool again = true; again;) {
		CHECK(solve_step(search, damping));
		again = false;
		for (int k = 0; k < search->n; ++k) {
			const double to = x[k] + search->step[k];
			if (search->held[k] || (to >= problem->low[k] && to <= problem->high[k]))
				continue;
			search->step[k] = (to < problem->low[k] ? problem->low[k] : problem->high[k]) - x[k];
			search->held[k] = again = true;
		}
	}
	for (int k = 0; k < search->n; ++k)
		search->next_x[k] = fmin(fmax(x[k] + search->step[k], problem->low[k]), problem->high[k]);
	return SONDE_OK;
}

/* |r|^2 - |r + J p|^2 */
static double predicted_reduction(const struct search *search)
{
	double after = 0.0;

	for (int64_t i = 0; i < search->m; ++i) {
		double value = search->r[i];
		for (int k = 0; k < search->n; ++k)
			value += search->solution->jacobian[k * search->m + i] * search->step[k];
		after += value * value;
	}
	return search->solution->square - after;
}

static bool is_small(const struct search *search)
{
	for (int k = 0; k < search->n; ++k)
		if (fabs(search->step[k]) > SMALL_CHANGE * search->problem->steps[k])
			return false;
	return true;
}

static sonde_status take(struct search *search, double square)
{
	struct least_squares_solution *solution = search->solution;
	double *r = search->r;

	search->r = search->next_r;
	search->next_r = r;
	memcpy(solution->x, search->next_x, (size_t)search->n * sizeof *solution->x);
	solution->square = square;
	++solution->steps;
	if (search->problem->report != NULL)
		CHECK(search->problem->report(search->problem->state, solution->steps, solution->x, square));
	return find_derivatives(search);
}

static sonde_status iterate(struct search *search)
{
	const struct least_squares_problem *problem = search->problem;
	struct least_squares_solution *solution = search->solution;
	double damping = FIRST_DAMPING, growth = 2.0;

	for (int tries = 0; !solution->converged && solution->steps < problem->most_steps && tries < 100;) {
		if (!(largest_cosine(search) > problem->tolerance)) {
			solution->converged = true;
			break;
		}
		CHECK(find_step(search, damping));
		const double predicted = predicted_reduction(search);
		const bool small = is_small(search), flat = predicted <= problem->tolerance * solution->square;
		CHECK(residual(search, search->next_x, search->next_r));
		const double square = square_of(search->next_r, search->m), reduction = solution->square - square;
		if (isfinite(square) && reduction > ACCEPTED * predicted && reduction >= 0.0) {
			const bool done = small || (flat && reduction <= problem->tolerance * solution->square);
			damping *= fmax(1.0 / 3.0, 1.0 - pow(2.0 * reduction / predicted - 1.0, 3.0));
			growth = 2.0;
			tries = 0;
			CHECK(take(search, square));
			solution->converged = done;
			continue;
		}
		/* a reduction below rounding errors cannot be seen: the point is the minimum as far as one can tell */
		solution->converged = small || flat || damping > MOST_DAMPING;
		damping *= growth;
		growth *= 2.0;
		++tries;
	}
	return SONDE_OK;
}

/* The whole ------------------------------------------------------------------------------------------------------------------- */

static sonde_status allocate(struct search *search)
{
	const size_t n = (size_t)search->n, m = (size_t)search->m;
	struct least_squares_solution *solution = search->solution;
	double **const vectors[] = {&solution->x,   &search->next_x,   &search->step,
				    &search->scale, &search->gradient, &search->numbers};

	for (size_t k = 0; k < sizeof vectors / sizeof *vectors; ++k)
		CHECK(memory_allocate(vectors[k], n, sizeof(double), "least squares"));
	CHECK(memory_allocate(&solution->at_bound, n, sizeof(bool), "least squares"));
	CHECK(memory_allocate(&search->held, n, sizeof(bool), "least squares"));
	CHECK(memory_allocate(&solution->covariance, n * n, sizeof(double), "least squares"));
	CHECK(memory_allocate(&solution->jacobian, n * m, sizeof(double), "least squares"));
	CHECK(memory_allocate(&search->matrix, n * (m + n), sizeof(double), "least squares"));
	CHECK(memory_allocate(&search->side, m + n, sizeof(double), "least squares"));
	CHECK(memory_allocate(&search->r, m, sizeof(double), "least squares"));
	return memory_allocate(&search->next_r, m, sizeof(double), "least squares");
}

static void release(struct search *search)
{
	double *const vectors[] = {search->r,        search->next_r, search->next_x, search->step,   search->scale,
				   search->gradient, search->matrix, search->side,   search->numbers};

	for (size_t k = 0; k < sizeof vectors / sizeof *vectors; ++k)
		free(vectors[k]);
	free(search->held);
}

static sonde_status search_minimum(struct search *search, const double *start)
{
	const struct least_squares_problem *problem = search->problem;
	struct least_squares_solution *solution = search->solution;
	bool *use;

	CHECK(allocate(search));
	for (int k = 0; k < search->n; ++k)
		solution->x[k] = fmin(fmax(start[k], problem->low[k]), problem->high[k]);
	CHECK(residual(search, solution->x, search->r));
	solution->square = square_of(search->r, search->m);
	if (!isfinite(solution->square))
		return status_fail(SONDE_INVALID, "the residual of the fit is not finite at the start");
	if (problem->report != NULL)
		CHECK(problem->report(problem->state, 0, solution->x, solution->square));
	CHECK(find_derivatives(search));
	CHECK(iterate(search));
	CHECK(memory_allocate(&use, (size_t)search->n, sizeof *use, "least squares"));
	for (int k = 0; k < search->n; ++k)
		use[k] = !solution->at_bound[k];
	const sonde_status status =
	    least_squares_covariance(solution->jacobian, search->n, search->m, use, solution->covariance);
	free(use);
	return status;
}

sonde_status least_squares_solve(const struct least_squares_problem *problem, const double *start,
				 struct least_squares_solution *solution)
{
	struct search search = {
	    .problem = problem, .solution = solution, .n = problem->parameters, .m = problem->residuals};

	*solution = (struct least_squares_solution){0};
	if (problem->residuals < problem->parameters)
		return status_fail(SONDE_INVALID, "the fit has %d parameters and %lld points: it needs more points",
				   problem->parameters, (long long)problem->residuals);
	const sonde_status status = search_minimum(&search, start);
	release(&search);
	return status;
}

void least_squares_free(struct least_squares_solution *solution)
{
	free(solution->x);
	free(solution->jacobian);
	free(solution->at_bound);
	free(solution->covariance);
	*solution = (struct least_squares_solution){0};
}

sonde_status least_squares_covariance(const double *a, int count, int64_t rows, const bool *use, double *covariance)
{
	double *scaled, *inverse, *norms;
	int columns = 0;

	CHECK(memory_allocate(&scaled, (size_t)count * ((size_t)rows + (size_t)count + 1), sizeof *scaled,
			      "a covariance"));
	inverse = scaled + (size_t)count * (size_t)rows;
	norms = inverse + (size_t)count * (size_t)count;
	memset(covariance, 0, (size_t)count * (size_t)count * sizeof *covariance);
	for (int k = 0; k < count; ++k) {
		norms[k] = use == NULL || use[k] ? sqrt(square_of(a + k * rows, rows)) : 0.0;
		for (int64_t i = 0; norms[k] > 0.0 && i < rows; ++i)
			scaled[columns * rows + i] = a[k * rows + i] / norms[k];
		columns += norms[k] > 0.0;
		if ((use == NULL || use[k]) && !(norms[k] > 0.0))
			covariance[k * count + k] = INFINITY;
	}
	sonde_status status = SONDE_OK;
	if (columns > 0 && dense_real_inverse_gram((int)rows, columns, scaled, inverse) != DENSE_OK)
		status = memory_missing("a covariance");
	for (int k = 0, i = 0; status == SONDE_OK && k < count; ++k) {
		if (!(norms[k] > 0.0))
			continue;
		for (int l = 0, j = 0; l < count; ++l)
			if (norms[l] > 0.0)
				covariance[k * count + l] = inverse[i * columns + j++] / (norms[k] * norms[l]);
		++i;
	}
	free(scaled);
	return status;
}
