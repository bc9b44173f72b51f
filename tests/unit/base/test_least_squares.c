/* Bounded least squares: a problem with certified values, bounds, undetermined parameters, failures. */
#include <math.h>
#include <string.h>

#include "unit/support.h"
#include "base/least_squares.h"

/* Misra1a of the Statistical Reference Datasets of the US National Institute of Standards and Technology: y = b1 (1 - exp(-b2 x)). */
#define ROWS 14
static const double misra_y[ROWS] = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
				     44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78},
		    misra_x[ROWS] = {77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
				     378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};

static sonde_status misra(void *state, const double *x, double *r)
{
	(void)state;
	for (int k = 0; k < ROWS; ++k)
		r[k] = x[0] * (1.0 - exp(-x[1] * misra_x[k])) - misra_y[k];
	return SONDE_OK;
}

static sonde_status misra_derivatives(void *state, const double *x, const double *r, double *jacobian)
{
	(void)state;
	(void)r;
	for (int k = 0; k < ROWS; ++k) {
		jacobian[k] = 1.0 - exp(-x[1] * misra_x[k]);
		jacobian[ROWS + k] = x[0] * misra_x[k] * exp(-x[1] * misra_x[k]);
	}
	return SONDE_OK;
}

static const double none[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY},
		    any[4] = {INFINITY, INFINITY, INFINITY, INFINITY};

static struct least_squares_problem problem_of_misra(const double *scales)
{
	return (struct least_squares_problem){.parameters = 2,
					      .residuals = ROWS,
					      .low = none,
					      .high = any,
					      .scales = scales,
					      .residual = misra,
					      .derivatives = misra_derivatives,
					      .tolerance = 1e-13,
					      .most_steps = 200};
}

static void test_certified_values_are_found(void **unused)
{
	static const double starts[2][2] = {{500.0, 1e-4}, {250.0, 5e-4}};

	(void)unused;
	for (int k = 0; k < 2; ++k) {
		const struct least_squares_problem problem = problem_of_misra(starts[k]);
		struct least_squares_solution solution;
		assert_status(SONDE_OK, least_squares_solve(&problem, starts[k], &solution));
		assert_true(solution.converged && !solution.at_bound[0] && !solution.at_bound[1]);
		const double variance = solution.square / (ROWS - 2);
		assert_close(solution.x[0], 2.3894212918e+02, 1e-7, "b1");
		assert_close(solution.x[1], 5.5015643181e-04, 1e-7, "b2");
		assert_close(solution.square, 1.2455138894e-01, 1e-9, "sum of squares");
		assert_close(sqrt(variance * solution.covariance[0]), 2.7070075241e+00, 1e-6, "error of b1");
		assert_close(sqrt(variance * solution.covariance[3]), 7.2668688436e-06, 1e-6, "error of b2");
		least_squares_free(&solution);
	}
}

/* With a convergence of c, the values are within about c standard deviations, 2.7070075241 of b1, of the minimum. */
static void test_convergence_is_in_standard_errors(void **unused)
{
	static const double start[2] = {500.0, 1e-4};
	struct least_squares_problem problem = problem_of_misra(start);
	struct least_squares_solution exact, near;

	(void)unused;
	problem.freedom = ROWS - 2;
	assert_status(SONDE_OK, least_squares_solve(&problem, start, &exact));
	problem.convergence = 0.1;
	assert_status(SONDE_OK, least_squares_solve(&problem, start, &near));
	assert_true(near.converged && near.steps < exact.steps);
	assert_within(near.x[0], 2.3894212918e+02, 0.2 * 2.7070075241, "b1");
	least_squares_free(&exact);
	least_squares_free(&near);
	problem.most_steps = 3;
	assert_status(SONDE_OK, least_squares_solve(&problem, start, &near));
	assert_true(!near.converged && near.steps == 3);
	least_squares_free(&near);
}

/* Rosenbrock's valley, whose minimum (1, 1) is outside: on the bound x = b < 1 the best is y = b^2. */
static sonde_status valley(void *state, const double *x, double *r)
{
	(void)state;
	r[0] = 10.0 * (x[1] - x[0] * x[0]);
	r[1] = 1.0 - x[0];
	r[2] = 0.0;
	return SONDE_OK;
}

static sonde_status valley_derivatives(void *state, const double *x, const double *r, double *jacobian)
{
	const double derivatives[6] = {-20.0 * x[0], -1.0, 0.0, 10.0, 0.0, 0.0};

	(void)state;
	(void)r;
	memcpy(jacobian, derivatives, sizeof derivatives);
	return SONDE_OK;
}

static struct least_squares_problem problem_of_valley(const double *low, const double *high)
{
	static const double scales[2] = {1.0, 1.0};

	return (struct least_squares_problem){.parameters = 2,
					      .residuals = 3,
					      .low = low,
					      .high = high,
					      .scales = scales,
					      .residual = valley,
					      .derivatives = valley_derivatives,
					      .tolerance = 1e-13,
					      .most_steps = 200};
}

static void test_minima_on_bounds_are_found(void **unused)
{
	static const double start[2] = {-1.2, 1.0}, high[2] = {0.6, 5.0}, low[2] = {-5.0, -5.0};
	const struct least_squares_problem problem = problem_of_valley(low, high);
	struct least_squares_solution solution;

	(void)unused;
	assert_status(SONDE_OK, least_squares_solve(&problem, start, &solution));
	assert_true(solution.at_bound[0] && !solution.at_bound[1] && solution.converged);
	assert_true(solution.x[0] == 0.6);
	assert_close(solution.x[1], 0.36, 1e-9, "y");
	assert_true(solution.covariance[0] == 0.0 && solution.covariance[1] == 0.0);
	assert_close(solution.covariance[3], 0.01, 1e-6, "variance of y");
	least_squares_free(&solution);
}

/* From a start on a bound, or so close to it that nearly all of a step is cut, there is the same minimum. */
static void test_bounds_let_parameters_go(void **unused)
{
	static const double low[2] = {-5.0, -5.0}, high[2] = {5.0, 0.49}, wide[2] = {5.0, 5.0},
			    narrow[2] = {-1.2, -5.0},
			    starts[4][2] = {{-1.2, 1.0}, {-1.2, 0.49}, {-1.2, 0.49 - 1e-9}, {5.0, -5.0}};
	struct least_squares_problem problem = problem_of_valley(low, high);
	struct least_squares_solution solution;
	double left = 0.7, right = 0.75;

	(void)unused;
	/* y at most 0.49: 200 (y - x^2) x = -(1 - x), found here by bisection */
	for (int k = 0; k < 60; ++k) {
		const double x = 0.5 * (left + right), slope = 200.0 * (x * x - 0.49) * x - (1.0 - x);
		*(slope > 0.0 ? &right : &left) = x;
	}
	for (int k = 0; k < 4; ++k) {
		assert_status(SONDE_OK, least_squares_solve(&problem, starts[k], &solution));
		assert_true(solution.at_bound[1] && !solution.at_bound[0] && solution.converged);
		assert_true(solution.x[1] == 0.49);
		assert_close(solution.x[0], left, 1e-8, "x");
		assert_true(solution.evaluations < 100);
		least_squares_free(&solution);
	}
	/* the minimum is inside, and the start is at the lower bound of x */
	problem.low = narrow;
	problem.high = wide;
	assert_status(SONDE_OK, least_squares_solve(&problem, starts[0], &solution));
	assert_true(!solution.at_bound[0] && !solution.at_bound[1]);
	assert_close(solution.x[0], 1.0, 1e-7, "x");
	assert_close(solution.x[1], 1.0, 1e-7, "y");
	least_squares_free(&solution);
}

/* x[0] + x[1] alone matters, x[2] not at all. */
static sonde_status degenerate(void *state, const double *x, double *r)
{
	(void)state;
	for (int k = 0; k < 5; ++k)
		r[k] = (x[0] + x[1]) * (1.0 + k) - 2.0 * (1.0 + k) + (k % 2 == 0 ? 0.1 : -0.1);
	return SONDE_OK;
}

static sonde_status degenerate_derivatives(void *state, const double *x, const double *r, double *jacobian)
{
	(void)state;
	(void)x;
	(void)r;
	for (int k = 0; k < 5; ++k) {
		jacobian[k] = jacobian[5 + k] = 1.0 + k;
		jacobian[10 + k] = 0.0;
	}
	return SONDE_OK;
}

static void test_undetermined_parameters_are_seen(void **unused)
{
	static const double scales[3] = {1.0, 1.0, 1.0}, start[3] = {0.0, 0.0, 7.0};
	const struct least_squares_problem problem = {.parameters = 3,
						      .residuals = 5,
						      .low = none,
						      .high = any,
						      .scales = scales,
						      .residual = degenerate,
						      .derivatives = degenerate_derivatives,
						      .tolerance = 1e-12,
						      .most_steps = 100};
	struct least_squares_solution solution;

	(void)unused;
	assert_status(SONDE_OK, least_squares_solve(&problem, start, &solution));
	/* sum over k of (1 + k)(2 (1 + k) -+ 0.1) over 55 */
	assert_close(solution.x[0] + solution.x[1], 2.0 - 0.1 * (1.0 - 2.0 + 3.0 - 4.0 + 5.0) / 55.0, 1e-8, "sum");
	assert_true(solution.x[2] == 7.0 && isinf(solution.covariance[8]));
	assert_true(isinf(solution.covariance[0]) != isinf(solution.covariance[4]));
	least_squares_free(&solution);
}

/* The logarithm of a number that a long step makes negative. */
static sonde_status logarithm(void *state, const double *x, double *r)
{
	(void)state;
	r[0] = log(x[0]) + 2.0;
	r[1] = 0.0;
	return SONDE_OK;
}

static sonde_status logarithm_derivative(void *state, const double *x, const double *r, double *jacobian)
{
	(void)state;
	(void)r;
	jacobian[0] = 1.0 / x[0];
	jacobian[1] = 0.0;
	return SONDE_OK;
}

static void test_steps_to_no_number_are_refused(void **unused)
{
	static const double scale = 1e3, start = 50.0;
	const struct least_squares_problem problem = {.parameters = 1,
						      .residuals = 2,
						      .low = none,
						      .high = any,
						      .scales = &scale,
						      .residual = logarithm,
						      .derivatives = logarithm_derivative,
						      .tolerance = 1e-13,
						      .most_steps = 100};
	struct least_squares_solution solution;

	(void)unused;
	assert_status(SONDE_OK, least_squares_solve(&problem, &start, &solution));
	assert_close(solution.x[0], exp(-2.0), 1e-9, "x");
	least_squares_free(&solution);
}

static sonde_status stop_at_two(void *state, int step, const double *x, double square)
{
	double r[ROWS], sum = 0.0;

	misra(NULL, x, r);
	for (int k = 0; k < ROWS; ++k)
		sum += r[k] * r[k];
	assert_close(square, sum, 1e-10, "square");
	assert_int_equal(step, *(int *)state + 1);
	*(int *)state = step;
	return step == 2 ? status_fail(SONDE_CANCELLED, "stopped") : SONDE_OK;
}

static sonde_status fail_to_derive(void *state, const double *x, const double *r, double *jacobian)
{
	(void)state;
	(void)x;
	(void)r;
	(void)jacobian;
	return status_fail(SONDE_RESOURCE, "none");
}

static void test_failures_end_the_search(void **unused)
{
	const double start[2] = {500.0, 1e-4}, bad[2] = {NAN, 1e-4};
	int step = -1;
	struct least_squares_problem problem = problem_of_misra(start);
	struct least_squares_solution solution;

	(void)unused;
	problem.state = &step;
	problem.report = stop_at_two;
	assert_status(SONDE_CANCELLED, least_squares_solve(&problem, start, &solution));
	assert_int_equal(step, 2);
	assert_true(solution.steps == 2 && solution.x[1] > 1e-4);
	least_squares_free(&solution);
	problem.report = NULL;
	problem.derivatives = fail_to_derive;
	assert_status(SONDE_RESOURCE, least_squares_solve(&problem, start, &solution));
	assert_true(solution.x[0] == 500.0);
	least_squares_free(&solution);
	problem.low = problem.high = bad;
	assert_status(SONDE_INVALID, least_squares_solve(&problem, bad, &solution));
	least_squares_free(&solution);
	problem.residuals = 1;
	assert_status(SONDE_INVALID, least_squares_solve(&problem, start, &solution));
	least_squares_free(&solution);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_certified_values_are_found),
					   cmocka_unit_test(test_convergence_is_in_standard_errors),
					   cmocka_unit_test(test_minima_on_bounds_are_found),
					   cmocka_unit_test(test_bounds_let_parameters_go),
					   cmocka_unit_test(test_undetermined_parameters_are_seen),
					   cmocka_unit_test(test_steps_to_no_number_are_refused),
					   cmocka_unit_test(test_failures_end_the_search)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
