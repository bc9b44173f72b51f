#include "match/nnls.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "match/dot_product.h"

#define DEPENDENT 1e-13 /* of the square of a column: what is left of it outside the space of others */
#define TOLERANCE 1e-12 /* of |y|: a gradient that is rounding */
#define REFINEMENTS 2   /* corrections of the seminormal equations */
#define STEPS_OF_COLUMN 10
#define GRAIN 65536 /* products of a thread at a time */

enum state { FREE, ACTIVE, REFUSED, FORBIDDEN };

/* Columns of unit length: the unknowns z_j = x_j |a_j|. */
struct work {
	const struct nnls_problem *problem;
	unsigned char *state; /* [columns] */
	double *norms, *gradient, *z, *residual;
	int *active, count, capacity;
	double *gram, *factor; /* [capacity][capacity]: lower triangles; gram by order of `active` */
	double *right, *trial, *correction;
	double *products; /* [columns] with a normal matrix: a_j y/|a_j| */
	bool by_gram;
	double length; /* |y| */
	int dependent, steps;
};

static const double *column(const struct work *work, int j)
{
	return work->problem->a + (int64_t)j * work->problem->rows;
}

static sonde_status allocate(struct work *work)
{
	const size_t n = (size_t)work->problem->columns, m = (size_t)work->problem->rows;
	const size_t most = n < m ? n : m;

	work->capacity = (int)most;
	CHECK(memory_allocate(&work->state, n, 1, "weights"));
	CHECK(memory_allocate(&work->norms, n, sizeof(double), "weights"));
	CHECK(memory_allocate(&work->gradient, n, sizeof(double), "weights"));
	CHECK(memory_allocate(&work->z, n, sizeof(double), "weights"));
	if (work->problem->gram != NULL)
		CHECK(memory_allocate(&work->products, n, sizeof(double), "weights"));
	CHECK(memory_allocate(&work->residual, m, sizeof(double), "a residual"));
	CHECK(memory_allocate(&work->active, most, sizeof(int), "weights"));
	CHECK(memory_allocate(&work->right, most, sizeof(double), "weights"));
	CHECK(memory_allocate(&work->trial, most, sizeof(double), "weights"));
	return memory_allocate(&work->correction, most, sizeof(double), "weights");
}

static void release(struct work *work)
{
	free(work->state);
	free(work->norms);
	free(work->gradient);
	free(work->z);
	free(work->products);
	free(work->residual);
	free(work->active);
	free(work->gram);
	free(work->factor);
	free(work->right);
	free(work->trial);
	free(work->correction);
}

/* Row k of a lower triangle. */
static double *row_of(double *triangle, int k)
{
	return triangle + (size_t)k * (size_t)(k + 1) / 2;
}

/* Room for one more active column; the arrays double. */
static sonde_status grow(struct work *work, int needed, size_t *room)
{
	size_t size = *room;

	if (needed * (needed + 1) / 2 <= (int)*room)
		return SONDE_OK;
	CHECK(memory_grow(&work->gram, room, (size_t)needed * (size_t)(needed + 1), sizeof(double), "a matrix"));
	return memory_grow(&work->factor, &size, *room, sizeof(double), "a matrix");
}

static void norm_body(void *state, int64_t first, int64_t end, int worker)
{
	struct work *work = state;

	(void)worker;
	for (int64_t j = first; j < end; ++j) {
		const double *a = column(work, (int)j), *gram = work->problem->gram;
		work->norms[j] = sqrt(gram != NULL ? gram[j * work->problem->columns + j]
						   : dot_product(a, a, work->problem->rows));
		if (gram != NULL && work->norms[j] > 0.0)
			work->products[j] = dot_product(a, work->problem->y, work->problem->rows) / work->norms[j];
	}
}

/* a_i a_j of two columns of unit length. */
static double cosine(const struct work *work, int i, int j)
{
	const double product = work->norms[i] * work->norms[j];

	return (work->problem->gram != NULL ? work->problem->gram[(int64_t)i * work->problem->columns + j]
					    : dot_product(column(work, i), column(work, j), work->problem->rows)) /
	       product;
}

/* The gradient with the normal matrix. */
static void find_gradient_by_gram(struct work *work)
{
	for (int j = 0; j < work->problem->columns; ++j) {
		if (work->state[j] != FREE && work->state[j] != REFUSED)
			continue;
		double sum = 0.0;
		for (int k = 0; k < work->count; ++k)
			sum += work->problem->gram[(int64_t)j * work->problem->columns + work->active[k]] *
			       (work->z[work->active[k]] / work->norms[work->active[k]]);
		work->gradient[j] = work->products[j] - sum / work->norms[j] - work->problem->penalty;
	}
}

static void gradient_body(void *state, int64_t first, int64_t end, int worker)
{
	struct work *work = state;

	(void)worker;
	for (int64_t j = first; j < end; ++j)
		if (work->state[j] == FREE || work->state[j] == REFUSED)
			work->gradient[j] =
			    dot_product(column(work, (int)j), work->residual, work->problem->rows) / work->norms[j] -
			    work->problem->penalty;
}

static void share(struct work *work, threads_body *body)
{
	const int64_t grain = 1 + GRAIN / (work->problem->rows + 1);

	threads_for(work->problem->threads, work->problem->columns, grain, body, work);
}

static void find_gradient(struct work *work)
{
	if (work->by_gram)
		find_gradient_by_gram(work);
	else
		share(work, gradient_body);
}

/* residual = y - A_P z_P, with the unknowns `z` of the active columns in their order. */
static void find_residual(struct work *work, const double *z)
{
	const int64_t m = work->problem->rows;

	memcpy(work->residual, work->problem->y, (size_t)m * sizeof(double));
	for (int k = 0; k < work->count; ++k) {
		const double *a = column(work, work->active[k]), factor = z[k] / work->norms[work->active[k]];
		for (int64_t i = 0; i < m; ++i)
			work->residual[i] -= factor * a[i];
	}
}

/* The last row of the factor of the normal matrix; false if the column depends on the others. */
static bool factorize_row(struct work *work, int k)
{
	const double *gram = row_of(work->gram, k);
	double *row = row_of(work->factor, k), left = gram[k];

	for (int l = 0; l < k; ++l) {
		const double *other = row_of(work->factor, l);
		double sum = gram[l];
		for (int i = 0; i < l; ++i)
			sum -= row[i] * other[i];
		row[l] = sum / other[l];
		left -= row[l] * row[l];
	}
	row[k] = left > 0.0 ? sqrt(left) : 0.0;
	return left > DEPENDENT;
}

/* Solves L L^T v = v. */
static void solve_factor(struct work *work, double *v)
{
	for (int k = 0; k < work->count; ++k) {
		const double *row = row_of(work->factor, k);
		for (int l = 0; l < k; ++l)
			v[k] -= row[l] * v[l];
		v[k] /= row[k];
	}
	for (int k = work->count - 1; k >= 0; --k) {
		const double *row = row_of(work->factor, k);
		v[k] /= row[k];
		for (int l = 0; l < k; ++l)
			v[l] -= row[l] * v[k];
	}
}

/* Adds a column to the active ones; false if it depends on them. */
static sonde_status add_column(struct work *work, int j, size_t *room, bool *added)
{
	const int64_t m = work->problem->rows;
	const int k = work->count;

	*added = false;
	if (k == work->capacity)
		return SONDE_OK;
	CHECK(grow(work, k + 1, room));
	double *gram = row_of(work->gram, k);
	for (int l = 0; l < k; ++l)
		gram[l] = cosine(work, j, work->active[l]);
	gram[k] = 1.0;
	*added = factorize_row(work, k);
	if (!*added)
		return SONDE_OK;
	work->active[k] = j;
	work->right[k] =
	    (work->products != NULL ? work->products[j]
				    : dot_product(column(work, j), work->problem->y, m) / work->norms[j]) -
	    work->problem->penalty;
	work->state[j] = ACTIVE;
	++work->count;
	return SONDE_OK;
}

/* Removes active columns whose unknown is 0, and factorizes the others again. */
static void remove_columns(struct work *work, const bool *gone)
{
	int kept = 0;

	for (int k = 0; k < work->count; ++k) {
		if (gone[k]) {
			work->state[work->active[k]] = FREE;
			work->z[work->active[k]] = 0.0;
			continue;
		}
		/* the row of a kept column, without the removed ones; rows above are not needed any more */
		const double *from = row_of(work->gram, k);
		double *to = row_of(work->gram, kept);
		int place = 0;
		for (int l = 0; l <= k; ++l)
			if (!gone[l])
				to[place++] = from[l];
		work->active[kept] = work->active[k];
		work->right[kept] = work->right[k];
		++kept;
	}
	work->count = kept;
	for (int k = 0; k < kept; ++k)
		(void)factorize_row(work, k);
}

/* The unknowns of the active columns without a bound, in work->trial. */
static void solve_active(struct work *work)
{
	const int64_t m = work->problem->rows;

	memcpy(work->trial, work->right, (size_t)work->count * sizeof(double));
	solve_factor(work, work->trial);
	for (int times = 0; times < REFINEMENTS && !work->by_gram; ++times) {
		find_residual(work, work->trial);
		for (int k = 0; k < work->count; ++k)
			work->correction[k] = dot_product(column(work, work->active[k]), work->residual, m) /
						  work->norms[work->active[k]] -
					      work->problem->penalty;
		solve_factor(work, work->correction);
		for (int k = 0; k < work->count; ++k)
			work->trial[k] += work->correction[k];
	}
}

/* Moves from the unknowns z, all >= 0, toward those of the active columns without a bound, and removes columns whose unknown becomes 0
 * on the way, until all are positive. */
static sonde_status settle(struct work *work)
{
	bool *gone;

	CHECK(memory_allocate(&gone, (size_t)work->capacity + 1, sizeof *gone, "weights"));
	for (;;) {
		double step = 1.0;
		int removed = 0;
		solve_active(work);
		for (int k = 0; k < work->count; ++k) {
			const double before = work->z[work->active[k]];
			if (work->trial[k] <= 0.0)
				step = fmin(step, before / (before - work->trial[k] + (before == 0.0)));
		}
		for (int k = 0; k < work->count; ++k) {
			double *z = &work->z[work->active[k]];
			const double limit = *z / (*z - work->trial[k] + (*z == 0.0));
			gone[k] = work->trial[k] <= 0.0 && limit <= step;
			*z = gone[k] ? 0.0 : *z + step * (work->trial[k] - *z);
			removed += gone[k];
		}
		if (removed == 0)
			break;
		remove_columns(work, gone);
	}
	free(gone);
	if (!work->by_gram)
		find_residual(work, work->trial);
	return SONDE_OK;
}

/* The column with the largest gradient; -1 if none is above rounding. */
static int find_entering(const struct work *work)
{
	double largest = TOLERANCE * work->length;
	int best = -1;

	for (int j = 0; j < work->problem->columns; ++j)
		if (work->state[j] == FREE && work->gradient[j] > largest) {
			largest = work->gradient[j];
			best = j;
		}
	return best;
}

static void allow_refused(struct work *work)
{
	for (int j = 0; j < work->problem->columns; ++j)
		if (work->state[j] == REFUSED)
			work->state[j] = FREE;
}

/* From now on with the columns themselves. */
static sonde_status confirm(struct work *work)
{
	work->by_gram = false;
	CHECK(settle(work));
	allow_refused(work);
	find_gradient(work);
	return SONDE_OK;
}

/* One step: a column enters; refused ones are those that would not be positive, or depend on others. */
static sonde_status step(struct work *work, size_t *room, bool *done)
{
	bool added;
	const int j = find_entering(work);

	*done = j < 0 && !work->by_gram;
	if (j < 0)
		return work->by_gram ? confirm(work) : SONDE_OK;
	CHECK(add_column(work, j, room, &added));
	if (!added) {
		work->state[j] = REFUSED;
		++work->dependent;
		return SONDE_OK;
	}
	solve_active(work);
	if (!(work->trial[work->count - 1] > 0.0)) {
		/* its gradient was rounding */
		--work->count;
		work->state[j] = REFUSED;
		return SONDE_OK;
	}
	CHECK(settle(work));
	allow_refused(work);
	work->dependent = 0;
	find_gradient(work);
	return SONDE_OK;
}

static sonde_status start(struct work *work, size_t *room)
{
	const struct nnls_problem *problem = work->problem;
	bool added;

	work->by_gram = problem->gram != NULL;
	share(work, norm_body);
	if (problem->allowed != NULL) {
		memset(work->state, FORBIDDEN, (size_t)problem->columns);
		for (int k = 0; k < problem->allowed_count; ++k)
			work->state[problem->allowed[k]] = FREE;
	}
	for (int j = 0; j < problem->columns; ++j)
		if (!(work->norms[j] > 0.0))
			work->state[j] = FORBIDDEN;
	for (int k = 0; k < problem->start_count; ++k)
		if (work->state[problem->start[k]] == FREE)
			CHECK(add_column(work, problem->start[k], room, &added));
	work->length = sqrt(dot_product(problem->y, problem->y, problem->rows));
	CHECK(settle(work));
	find_gradient(work);
	return SONDE_OK;
}

static sonde_status iterate(struct work *work, size_t *room)
{
	bool done = false;
	const int64_t most = (int64_t)STEPS_OF_COLUMN * (work->problem->columns + 10);

	CHECK(start(work, room));
	while (!done) {
		if (++work->steps > most)
			return status_fail(SONDE_RESOURCE, "the weights of %d candidates are not found in %lld steps",
					   work->problem->columns, (long long)most);
		CHECK(step(work, room, &done));
	}
	return SONDE_OK;
}

static int compare_integers(const void *a, const void *b)
{
	const int *p = a, *q = b;

	return (*p > *q) - (*p < *q);
}

/* Columns of the inverse, one after the other. */
static sonde_status find_covariance(struct work *work, struct nnls_solution *solution)
{
	const int p = work->count;
	int *place;

	CHECK(memory_allocate(&solution->covariance, (size_t)p * (size_t)p, sizeof(double), "a covariance"));
	CHECK(memory_allocate(&place, (size_t)p, sizeof *place, "a covariance"));
	for (int k = 0; k < p; ++k) {
		const int *found = bsearch(&work->active[k], solution->active, (size_t)p, sizeof *solution->active,
					   compare_integers);
		place[k] = (int)(found - solution->active);
	}
	for (int k = 0; k < p; ++k) {
		memset(work->correction, 0, (size_t)p * sizeof(double));
		work->correction[k] = 1.0;
		solve_factor(work, work->correction);
		for (int l = 0; l < p; ++l)
			solution->covariance[place[k] * p + place[l]] =
			    work->correction[l] / (work->norms[work->active[k]] * work->norms[work->active[l]]);
	}
	free(place);
	return SONDE_OK;
}

static sonde_status deliver(struct work *work, struct nnls_solution *solution)
{
	const struct nnls_problem *problem = work->problem;
	const size_t p = (size_t)work->count;

	CHECK(memory_allocate(&solution->x, (size_t)problem->columns, sizeof(double), "weights"));
	CHECK(memory_allocate(&solution->active, p, sizeof(int), "weights"));
	CHECK(memory_allocate(&solution->norms, p, sizeof(double), "weights"));
	memcpy(solution->active, work->active, p * sizeof(int));
	qsort(solution->active, p, sizeof(int), compare_integers);
	solution->active_count = work->count;
	for (int k = 0; k < work->count; ++k) {
		solution->norms[k] = work->norms[solution->active[k]];
		solution->x[solution->active[k]] = work->z[solution->active[k]] / solution->norms[k];
	}
	CHECK(find_covariance(work, solution));
	solution->gradient = -INFINITY;
	for (int j = 0; j < problem->columns; ++j)
		if (work->state[j] == FREE || work->state[j] == REFUSED)
			solution->gradient = fmax(solution->gradient, work->gradient[j]);
	solution->square = dot_product(work->residual, work->residual, problem->rows);
	solution->residual = work->residual;
	work->residual = NULL;
	solution->dependent = work->dependent;
	solution->steps = work->steps;
	return SONDE_OK;
}

sonde_status nnls_solve(const struct nnls_problem *problem, struct nnls_solution *solution)
{
	struct work work = {.problem = problem};
	size_t room = 0;

	*solution = (struct nnls_solution){0};
	sonde_status status = allocate(&work);
	if (status == SONDE_OK)
		status = iterate(&work, &room);
	if (status == SONDE_OK)
		status = deliver(&work, solution);
	release(&work);
	return status;
}

void nnls_free(struct nnls_solution *solution)
{
	free(solution->x);
	free(solution->active);
	free(solution->covariance);
	free(solution->norms);
	free(solution->residual);
	*solution = (struct nnls_solution){0};
}

int nnls_least_active(const struct nnls_solution *solution)
{
	double least = INFINITY;
	int found = -1;

	for (int k = 0; k < solution->active_count; ++k) {
		const double x = solution->x[solution->active[k]],
			     growth = x * x / solution->covariance[k * solution->active_count + k];
		if (growth < least) {
			least = growth;
			found = k;
		}
	}
	return found;
}
