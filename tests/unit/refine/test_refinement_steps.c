/* Nonlinear least squares against certified values: NIST's Statistical Reference Datasets, Misra1a, y = b1 (1 - exp(-b2 x)). */
#include <math.h>

#include "unit/support.h"
#include "refine/minpack.h"

#define POINTS 14

static const double y[POINTS] = {10.07, 14.73, 17.94, 23.93, 29.61, 35.18, 40.02,
				 44.82, 50.76, 55.05, 61.01, 66.40, 75.47, 81.78},
		    x[POINTS] = {77.6,  114.9, 141.1, 190.8, 239.9, 289.0, 332.8,
				 378.4, 434.8, 477.3, 536.8, 593.1, 689.1, 760.0};

struct calls {
	int steps, stop_after;
	double square;
};

static int residuals(void *user, const double *b, double *r)
{
	(void)user;
	for (int k = 0; k < POINTS; ++k)
		r[k] = y[k] - b[0] * (1.0 - exp(-b[1] * x[k]));
	return 0;
}

static int jacobian(void *user, const double *b, double *derivatives)
{
	(void)user;
	for (int k = 0; k < POINTS; ++k) {
		derivatives[k] = -(1.0 - exp(-b[1] * x[k]));
		derivatives[POINTS + k] = -b[0] * x[k] * exp(-b[1] * x[k]);
	}
	return 0;
}

static int step(void *user, int64_t number, const double *b, double square)
{
	struct calls *calls = user;
	double r[POINTS], sum = 0.0;

	residuals(user, b, r);
	for (int k = 0; k < POINTS; ++k)
		sum += r[k] * r[k];
	assert_int_equal(number, calls->steps + 1);
	assert_close(square, sum, 1e-10, "square");
	calls->square = square;
	return ++calls->steps == calls->stop_after;
}

static struct minpack_problem problem_for(struct calls *calls, double convergence, int64_t steps)
{
	return (struct minpack_problem){.unknowns = 2,
					.points = POINTS,
					.freedom = POINTS - 2,
					.steps = steps,
					.convergence = convergence,
					.noise = 1e-15,
					.user = calls,
					.residuals = residuals,
					.jacobian = jacobian,
					.step = step};
}

static void test_certified_values(void **unused)
{
	static const double starts[2][2] = {{500.0, 0.0001}, {250.0, 0.0005}};

	(void)unused;
	for (int k = 0; k < 2; ++k) {
		struct calls calls = {0};
		const struct minpack_problem problem = problem_for(&calls, 1e-6, 100);
		double b[2] = {starts[k][0], starts[k][1]};
		assert_int_equal(minpack_minimize(&problem, b), MINPACK_CONVERGED);
		assert_close(b[0], 2.3894212918E+02, 1e-8, "b1");
		assert_close(b[1], 5.5015643181E-04, 1e-8, "b2");
		assert_close(calls.square, 1.2455138894E-01, 1e-9, "residual sum of squares");
	}
}

/* With a convergence of c, the values are within about c standard deviations, 2.7070075241 of b1, of the minimum. */
static void test_convergence_is_in_standard_errors(void **unused)
{
	struct calls calls = {0};
	const struct minpack_problem problem = problem_for(&calls, 0.1, 100);
	double b[2] = {500.0, 0.0001};

	(void)unused;
	assert_int_equal(minpack_minimize(&problem, b), MINPACK_CONVERGED);
	assert_within(b[0], 2.3894212918E+02, 0.2 * 2.7070075241, "b1");
}

static void test_ends(void **unused)
{
	struct calls calls = {.stop_after = 2};
	struct minpack_problem problem = problem_for(&calls, 1e-6, 100);
	double b[2] = {500.0, 0.0001};

	(void)unused;
	assert_int_equal(minpack_minimize(&problem, b), MINPACK_STOPPED);
	assert_int_equal(calls.steps, 2);
	calls = (struct calls){0};
	problem.steps = 3;
	b[0] = 500.0;
	b[1] = 0.0001;
	assert_int_equal(minpack_minimize(&problem, b), MINPACK_MOST_STEPS);
	assert_int_equal(calls.steps, 3);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_certified_values),
	    cmocka_unit_test(test_convergence_is_in_standard_errors),
	    cmocka_unit_test(test_ends),
	};

	return cmocka_run_group_tests_name("nonlinear least squares", tests, NULL, NULL);
}
