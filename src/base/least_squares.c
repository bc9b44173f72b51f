#include "base/least_squares.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dense.h"
#include "base/memory.h"
#include "base/minpack.h"

#define FIRST_RADIUS 0.5 /* of the first step, in units of `scales` */

struct search {
	const struct least_squares_problem *problem;
	struct least_squares_solution *solution;
	int n;
	int64_t m;
	double *start;   /* [n] */
	double *at;      /* [n]: where r was computed last, within the bounds */
	double *r;       /* [m]: the last r */
	double *lengths; /* [n]: of the derivatives, the largest so far */
	double first;    /* length of the first step that was tried since the derivatives are known, beyond bounds */
	bool cut;        /* the last one that was tried was cut at a bound */
	bool begun;      /* the method has r at the start */
	bool derived;    /* the derivatives are those at solution->x */
	sonde_status status;
};

static double product_of(const double *a, const double *b, int64_t m)
{
	double sum = 0.0;

	for (int64_t k = 0; k < m; ++k)
		sum += a[k] * b[k];
	return sum;
}

static double length_of(const double *r, int64_t m)
{
	return sqrt(product_of(r, r, m));
}

/* What the method calls ------------------------------------------------------------------------------------------------------- */

/* r at search->at. */
static sonde_status look(struct search *search)
{
	++search->solution->evaluations;
	search->status = search->problem->residual(search->problem->state, search->at, search->r);
	return search->status;
}

/* Steps that leave the bounds end on them. */
static int residuals(void *user, const double *x, double *r)
{
	struct search *search = user;
	const struct least_squares_problem *problem = search->problem;
	double square = 0.0;

	search->cut = false;
	for (int k = 0; k < search->n; ++k) {
		search->at[k] = fmin(fmax(x[k], problem->low[k]), problem->high[k]);
		search->cut = search->cut || search->at[k] != x[k];
		square += pow(search->lengths[k] * (x[k] - search->solution->x[k]), 2.0);
	}
	if (!(search->first > 0.0))
		search->first = sqrt(square);
	if (search->begun && look(search) != SONDE_OK)
		return 1;
	search->begun = true;
	memcpy(r, search->r, (size_t)search->m * sizeof *r);
	return 0;
}

/* The derivatives at solution->x, and which parameters are kept at their bounds. */
static sonde_status derive(struct search *search, const double *r)
{
	const struct least_squares_problem *problem = search->problem;
	struct least_squares_solution *solution = search->solution;

	CHECK(problem->derivatives(problem->state, solution->x, r, solution->jacobian));
	search->derived = true;
	for (int k = 0; k < search->n; ++k) {
		const double *column = solution->jacobian + k * search->m,
			     gradient = product_of(column, r, search->m), length = length_of(column, search->m);
		search->lengths[k] = fmax(search->lengths[k], length);
		solution->at_bound[k] = (solution->x[k] <= problem->low[k] && gradient > 0.0) ||
					(solution->x[k] >= problem->high[k] && gradient < 0.0);
	}
	return SONDE_OK;
}

static double first_radius(const struct search *search)
{
	double square = 0.0;

	for (int k = 0; k < search->n; ++k)
		square += pow(search->lengths[k] * search->problem->scales[k], 2.0);
	return FIRST_RADIUS * sqrt(square);
}

/* No step changes a parameter without derivatives, be it at a bound. */
static int jacobian(void *user, const double *x, const double *r, double *derivatives, double *lengths,
		    double *radius)
{
	struct search *search = user;
	const struct least_squares_solution *solution = search->solution;
	const bool is_first = lengths[0] == 0.0;

	(void)x;
	search->status = derive(search, r);
	if (search->status != SONDE_OK)
		return 1;
	for (int k = 0; k < search->n; ++k) {
		lengths[k] = search->lengths[k] > 0.0 ? search->lengths[k] : 1.0;
		if (solution->at_bound[k])
			memset(derivatives + k * search->m, 0, (size_t)search->m * sizeof *derivatives);
		else
			memcpy(derivatives + k * search->m, solution->jacobian + k * search->m,
			       (size_t)search->m * sizeof *derivatives);
	}
	/* a step that was cut yields less than was promised: the method mistrusts the promise, which is another one from here on */
	*radius = is_first ? first_radius(search) : search->cut ? search->first : 0.0;
	search->first = 0.0;
	return 0;
}

static sonde_status report(struct search *search)
{
	const struct least_squares_problem *problem = search->problem;
	const struct least_squares_solution *solution = search->solution;

	return problem->report != NULL
		   ? problem->report(problem->state, solution->steps, solution->x, solution->square)
		   : SONDE_OK;
}

static int step(void *user, int64_t number, double *x, double square)
{
	struct search *search = user;
	struct least_squares_solution *solution = search->solution;
	const size_t bytes = (size_t)search->n * sizeof *x;

	memcpy(solution->x, search->at, bytes);
	memcpy(x, search->at, bytes);
	solution->square = square;
	solution->steps = (int)number;
	search->derived = false;
	search->status = report(search);
	return search->status != SONDE_OK;
}

/* The whole ------------------------------------------------------------------------------------------------------------------- */

static sonde_status allocate(struct search *search)
{
	const size_t n = (size_t)search->n, m = (size_t)search->m;
	struct least_squares_solution *solution = search->solution;
	double **const vectors[] = {&solution->x, &search->start, &search->at, &search->lengths};

	for (size_t k = 0; k < sizeof vectors / sizeof *vectors; ++k)
		CHECK(memory_allocate(vectors[k], n, sizeof(double), "least squares"));
	CHECK(memory_allocate(&solution->at_bound, n, sizeof(bool), "least squares"));
	CHECK(memory_allocate(&solution->covariance, n * n, sizeof(double), "least squares"));
	CHECK(memory_allocate(&solution->jacobian, n * m, sizeof(double), "least squares"));
	return memory_allocate(&search->r, m, sizeof(double), "least squares");
}

static void release(struct search *search)
{
	free(search->start);
	free(search->at);
	free(search->lengths);
	free(search->r);
}

static sonde_status begin(struct search *search, const double *start)
{
	const struct least_squares_problem *problem = search->problem;
	struct least_squares_solution *solution = search->solution;

	CHECK(allocate(search));
	for (int k = 0; k < search->n; ++k)
		search->start[k] = search->at[k] = solution->x[k] =
		    fmin(fmax(start[k], problem->low[k]), problem->high[k]);
	CHECK(look(search));
	solution->square = product_of(search->r, search->r, search->m);
	if (!isfinite(solution->square))
		return status_fail(SONDE_INVALID, "the residual of the fit is not finite at the start");
	return report(search);
}

static sonde_status minimize(struct search *search)
{
	const struct least_squares_problem *problem = search->problem;
	const struct minpack_problem given = {.unknowns = search->n,
					      .points = search->m,
					      .freedom = problem->freedom > 0 ? problem->freedom : search->m,
					      .steps = problem->most_steps,
					      .convergence = problem->convergence,
					      .tolerance = problem->tolerance,
					      .user = search,
					      .residuals = residuals,
					      .jacobian = jacobian,
					      .step = step};
	const enum minpack_end end = minpack_minimize(&given, search->start);

	if (end == MINPACK_NO_MEMORY)
		return memory_missing("least squares");
	if (end == MINPACK_STOPPED)
		return search->status;
	search->solution->converged = end == MINPACK_CONVERGED || end == MINPACK_STEADY;
	return SONDE_OK;
}

/* Derivatives where the search has ended, and what follows from them. */
static sonde_status finish(struct search *search)
{
	struct least_squares_solution *solution = search->solution;
	const size_t bytes = (size_t)search->n * sizeof(double);
	bool *use;

	if (!search->derived && memcmp(search->at, solution->x, bytes) != 0) {
		memcpy(search->at, solution->x, bytes);
		CHECK(look(search));
	}
	if (!search->derived)
		CHECK(derive(search, search->r));
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
	sonde_status status = begin(&search, start);
	if (status == SONDE_OK)
		status = minimize(&search);
	if (status == SONDE_OK)
		status = finish(&search);
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
		norms[k] = use == NULL || use[k] ? length_of(a + k * rows, rows) : 0.0;
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
