/* Non-negative least squares, compared with all subsets of columns, one by one. */
#include <math.h>
#include <stdlib.h>

#include "unit/support.h"
#include "base/dense.h"
#include "match/nnls.h"

#define PROBLEMS 200
#define MOST_COLUMNS 8
#define MOST_ROWS 24

struct problem {
	int columns, rows;
	double a[MOST_COLUMNS * MOST_ROWS], y[MOST_ROWS];
	bool degenerate;
};

static void make_problem(int number, uint64_t *state, struct problem *problem)
{
	problem->columns = 1 + (int)(test_random(state) % MOST_COLUMNS);
	problem->rows = 3 + (int)(test_random(state) % (MOST_ROWS - 2));
	problem->degenerate = problem->rows < problem->columns || number % 3 == 0;
	for (int k = 0; k < problem->columns * problem->rows; ++k)
		problem->a[k] = test_random_real(state) - (number % 2 == 0 ? 0.0 : 0.3);
	for (int k = 0; k < problem->rows; ++k)
		problem->y[k] = test_random_real(state) - 0.3;
	/* a column twice, in another unit, one of zeros, and one that is nearly another */
	for (int k = 0; number % 3 == 0 && problem->columns > 3 && k < problem->rows; ++k) {
		double *a = problem->a + k;
		a[problem->rows] = 3.0 * a[0];
		a[2 * problem->rows] = 0.0;
		a[3 * problem->rows] = a[0] + (number % 2 == 0 ? 1e-7 : 0.0) * test_random_real(state);
	}
}

static double square_of(const struct problem *problem, const double *x)
{
	double sum = 0.0;

	for (int i = 0; i < problem->rows; ++i) {
		double left = problem->y[i];
		for (int j = 0; j < problem->columns; ++j)
			left -= problem->a[j * problem->rows + i] * x[j];
		sum += left * left;
	}
	return sum;
}

/* The least square over all subsets whose unknowns are positive. */
static double search(const struct problem *problem, double *best)
{
	double least = square_of(problem, (double[MOST_COLUMNS]){0.0});

	memset(best, 0, MOST_COLUMNS * sizeof *best);
	for (unsigned subset = 1; subset < 1U << problem->columns; ++subset) {
		double a[MOST_COLUMNS * MOST_ROWS], x[MOST_COLUMNS], whole[MOST_COLUMNS] = {0.0};
		int count = 0;
		bool positive = true;
		for (int j = 0; j < problem->columns; ++j)
			if (subset >> j & 1U)
				memcpy(a + count++ * problem->rows, problem->a + j * problem->rows,
				       (size_t)problem->rows * sizeof *a);
		if (count > problem->rows ||
		    dense_real_least_squares(problem->rows, count, a, problem->y, x, NULL) != DENSE_OK)
			continue;
		for (int j = 0, k = 0; j < problem->columns; ++j)
			if (subset >> j & 1U) {
				positive = positive && x[k] >= 0.0;
				whole[j] = x[k++];
			}
		const double square = positive ? square_of(problem, whole) : INFINITY;
		if (square < least) {
			least = square;
			memcpy(best, whole, sizeof whole);
		}
	}
	return least;
}

static void make_gram(const struct problem *problem, double *gram)
{
	for (int i = 0; i < problem->columns; ++i)
		for (int j = 0; j < problem->columns; ++j) {
			gram[i * problem->columns + j] = 0.0;
			for (int k = 0; k < problem->rows; ++k)
				gram[i * problem->columns + j] +=
				    problem->a[i * problem->rows + k] * problem->a[j * problem->rows + k];
		}
}

static void test_the_best_of_all_subsets_is_found(void **unused)
{
	uint64_t state = 1;

	(void)unused;
	for (int number = 0; number < PROBLEMS; ++number) {
		struct problem problem;
		struct nnls_solution solution;
		double best[MOST_COLUMNS], gram[MOST_COLUMNS * MOST_COLUMNS];
		make_problem(number, &state, &problem);
		const double least = search(&problem, best);
		make_gram(&problem, gram);
		for (int by_gram = 0; by_gram < 2; ++by_gram) {
			const struct nnls_problem nnls = {.columns = problem.columns,
							  .rows = problem.rows,
							  .a = problem.a,
							  .y = problem.y,
							  .gram = by_gram ? gram : NULL,
							  .threads = 1};
			assert_status(SONDE_OK, nnls_solve(&nnls, &solution));
			for (int j = 0; j < problem.columns; ++j)
				assert_true(solution.x[j] >= 0.0);
			assert_within(solution.square, least, 1e-10 * (1.0 + least), "square");
			assert_within(solution.square, square_of(&problem, solution.x), 1e-12 * (1.0 + least),
				      "square");
			assert_true(solution.gradient < 1e-9);
			for (int j = 0; !problem.degenerate && j < problem.columns; ++j)
				assert_within(solution.x[j], best[j], 1e-8 * (1.0 + best[j]), "weight");
			nnls_free(&solution);
		}
	}
}

/* The variances are those of the least squares with the active columns only. */
static void test_the_covariance_is_that_of_the_active_columns(void **unused)
{
	uint64_t state = 5;
	struct problem problem;
	struct nnls_solution solution;
	double a[MOST_COLUMNS * MOST_ROWS], x[MOST_COLUMNS], variances[MOST_COLUMNS];

	(void)unused;
	do
		make_problem(1, &state, &problem);
	while (problem.columns < 6 || problem.rows < 12);
	const struct nnls_problem nnls = {
	    .columns = problem.columns, .rows = problem.rows, .a = problem.a, .y = problem.y, .threads = 1};
	assert_status(SONDE_OK, nnls_solve(&nnls, &solution));
	const int count = solution.active_count;
	assert_true(count > 0);
	for (int k = 0; k < count; ++k)
		memcpy(a + k * problem.rows, problem.a + solution.active[k] * problem.rows,
		       (size_t)problem.rows * sizeof *a);
	assert_int_equal(dense_real_least_squares(problem.rows, count, a, problem.y, x, variances), DENSE_OK);
	for (int k = 0; k < count; ++k)
		assert_close(solution.covariance[k * count + k], variances[k], 1e-9, "count");
	nnls_free(&solution);
}

/* A penalty is an offset of all gradients; one that exceeds them leaves nothing. */
static void test_penalties_and_restrictions(void **unused)
{
	const double a[] = {1, 0, 0, 0, 2, 0, 0, 0, 1}, y[] = {1, 3, 2};
	const int allowed[] = {0, 2};
	struct nnls_problem problem = {.columns = 3, .rows = 3, .a = a, .y = y, .penalty = 1.5, .threads = 1};
	struct nnls_solution solution;

	(void)unused;
	assert_status(SONDE_OK, nnls_solve(&problem, &solution));
	assert_int_equal(solution.active_count, 2);
	assert_close(solution.x[1], 0.75, 1e-14, "weight");
	assert_close(solution.x[2], 0.5, 1e-14, "weight");
	nnls_free(&solution);
	problem.penalty = 0.0;
	problem.allowed = allowed;
	problem.allowed_count = 2;
	problem.start = (const int[]){1, 2};
	problem.start_count = 2;
	assert_status(SONDE_OK, nnls_solve(&problem, &solution));
	assert_close(solution.x[0], 1.0, 1e-14, "weight");
	assert_true(solution.x[1] == 0.0);
	assert_close(solution.square, 9.0, 1e-14, "square");
	nnls_free(&solution);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_the_best_of_all_subsets_is_found),
	    cmocka_unit_test(test_the_covariance_is_that_of_the_active_columns),
	    cmocka_unit_test(test_penalties_and_restrictions),
	};

	return cmocka_run_group_tests_name("non-negative least squares", tests, NULL, NULL);
}
