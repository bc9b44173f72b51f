/* Laue classes: their operations, and means over equivalent points. */
#include "unit/support.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "pattern/laue.h"

#define EDGE 9

typedef double function(double h, double k, double l);

static int determinant(const int m[9])
{
	return m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
	       m[2] * (m[3] * m[7] - m[4] * m[6]);
}

static bool contains(const struct laue_class *class, const int operation[9])
{
	for (int n = 0; n < class->count; ++n)
		if (memcmp(class->operations[n], operation, 9 * sizeof *operation) == 0)
			return true;
	return false;
}

static void classes_are_groups_of_the_right_order(void **state)
{
	static const struct {
		const char *symbol;
		int order;
	} known[] = {{"-1", 2},    {"2/m", 4},   {"mmm", 8},  {"4/m", 8},    {"4/mmm", 16}, {"-3", 6},
		     {"-3m1", 12}, {"-31m", 12}, {"6/m", 12}, {"6/mmm", 24}, {"m-3", 24},   {"m-3m", 48}};
	struct laue_class class;

	(void)state;
	for (size_t k = 0; k < sizeof known / sizeof *known; ++k) {
		assert_status(SONDE_OK, laue_class_of(known[k].symbol, &class));
		assert_int_equal(class.count, known[k].order);
		for (int a = 0; a < class.count; ++a) {
			assert_int_equal(abs(determinant(class.operations[a])), 1);
			for (int b = 0; b < class.count; ++b) {
				int product[9] = {0};
				for (int n = 0; n < 27; ++n)
					product[n / 9 * 3 + n % 3] += class.operations[a][n / 9 * 3 + n / 3 % 3] *
								      class.operations[b][n / 3 % 3 * 3 + n % 3];
				assert_true(contains(&class, product));
			}
		}
	}
	assert_invalid("'m3m' is not a Laue class", laue_class_of("m3m", &class));
}

/* Values of a function on a cube of indices from -4 to 4. */
static void fill(function *of, double *values)
{
	for (int n = 0; n < EDGE * EDGE * EDGE; ++n) {
		const int h = n % EDGE - 4, k = n / EDGE % EDGE - 4, l = n / (EDGE * EDGE) - 4;
		values[n] = of(h, k, l);
	}
}

static void fold(const char *symbol, double *values)
{
	const struct laue_grid grid = {{EDGE, EDGE, EDGE}, {-4, -4, -4}, {1, 1, 1}};
	struct laue_class class;

	assert_status(SONDE_OK, laue_class_of(symbol, &class));
	assert_status(SONDE_OK, laue_fold(&class, &grid, 2, values));
}

/* The largest change of the function's values, and their largest mean, relative to the largest value; for classes of hexagonal axes on
 * points whose equivalents are all on the grid. */
static void measure(const char *symbol, function *of, double *change, double *mean)
{
	static double before[EDGE * EDGE * EDGE], after[EDGE * EDGE * EDGE];
	double largest = 0.0;

	fill(of, before);
	fill(of, after);
	fold(symbol, after);
	*change = *mean = 0.0;
	for (int n = 0; n < EDGE * EDGE * EDGE; ++n) {
		const int h = n % EDGE - 4, k = n / EDGE % EDGE - 4;
		if (abs(h) > 2 || abs(k) > 2)
			continue;
		largest = fmax(largest, fabs(before[n]));
		*change = fmax(*change, fabs(after[n] - before[n]));
		*mean = fmax(*mean, fabs(after[n]));
	}
	*change /= largest;
	*mean /= largest;
}

static double of_inversion(double h, double k, double l)
{
	return h * k + k * l;
}

static double of_axis_b(double h, double k, double l)
{
	return h * l + k * k;
}

static double of_squares(double h, double k, double l)
{
	return h * h + 2.0 * k * k + 3.0 * l * l;
}

/* Odd under mirrors that contain the axis of order 4, and of order 6. */
static double of_four(double h, double k, double l)
{
	return h * k * (h * h - k * k) + 0.0 * l;
}

static double of_six(double h, double k, double l)
{
	const double i = -h - k;

	return h * k * i * (h - k) * (k - i) * (i - h) + 0.0 * l;
}

/* Odd under the axis of order 6 and under either kind of mirrors. */
static double of_three(double h, double k, double l)
{
	return h * k * (h + k) * l;
}

static double of_three_turned(double h, double k, double l)
{
	const double i = -h - k;

	return (h - k) * (k - i) * (i - h) * l;
}

static double of_cube(double h, double k, double l)
{
	return h * h * h * h * (k * k - l * l) + k * k * k * k * (l * l - h * h) + l * l * l * l * (h * h - k * k);
}

static void means_keep_what_has_the_symmetry_and_remove_what_is_odd(void **state)
{
	static const struct {
		const char *symbol;
		function *of;
		bool kept; /* or removed */
	} cases[] = {{"-1", of_inversion, true},      {"2/m", of_inversion, false},
		     {"2/m", of_axis_b, true},        {"mmm", of_squares, true},
		     {"4/m", of_four, true},          {"4/mmm", of_four, false},
		     {"6/m", of_six, true},           {"6/mmm", of_six, false},
		     {"-3", of_three, true},          {"-3", of_three_turned, true},
		     {"6/m", of_three, false},        {"6/m", of_three_turned, false},
		     {"-3m1", of_three, false},       {"-31m", of_three, true},
		     {"-3m1", of_three_turned, true}, {"-31m", of_three_turned, false},
		     {"m-3", of_cube, true},          {"m-3m", of_cube, false}};

	(void)state;
	for (size_t k = 0; k < sizeof cases / sizeof *cases; ++k) {
		double change, mean;
		measure(cases[k].symbol, cases[k].of, &change, &mean);
		assert_within(cases[k].kept ? change : mean, 0.0, 1e-14, cases[k].symbol);
		assert_true((cases[k].kept ? mean : change) > 0.1);
	}
}

/* A plane of a coarse grid that does not have all equivalent points. */
static void points_without_equivalents_stay(void **state)
{
	const struct laue_grid grid = {{1, 2, 3}, {0, 0, 0}, {0, 0.5, 0.5}};
	double values[6] = {1, 2, 4, 8, 16, 32};
	struct laue_class class;

	(void)state;
	assert_status(SONDE_OK, laue_class_of("4/mmm", &class));
	assert_status(SONDE_OK, laue_fold(&class, &grid, 1, values));
	/* (1/2, 0) and (0, 1/2) are equivalent */
	const double expected[6] = {1, 5, 4, 5, 16, 32};
	for (int k = 0; k < 6; ++k)
		assert_within(values[k], expected[k], 1e-15, "mean");
}

static void vectors_without_the_symmetry_are_refused(void **state)
{
	const double cubic[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2}, long_c[9] = {2, 0, 0, 0, 2, 0, 0, 0, 2.1},
		     hexagonal[9] = {2, 0, 0, 1, sqrt(3.0), 0, 0, 0, 1};
	struct laue_class class;

	(void)state;
	assert_status(SONDE_OK, laue_class_of("m-3m", &class));
	assert_status(SONDE_OK, laue_check_basis(&class, "m-3m", cubic));
	assert_invalid("do not have the symmetry m-3m: |q| is 2", laue_check_basis(&class, "m-3m", long_c));
	/* a plane hk0 */
	assert_status(SONDE_OK, laue_check_basis(&class, "m-3m", (const double[9]){2, 0, 0, 0, 2, 0, 0, 0, 0}));
	assert_invalid("do not have the symmetry",
		       laue_check_basis(&class, "m-3m", (const double[9]){2, 0, 0, 0, 3, 0, 0, 0, 0}));
	assert_status(SONDE_OK, laue_class_of("6/mmm", &class));
	assert_status(SONDE_OK, laue_check_basis(&class, "6/mmm", hexagonal));
	assert_invalid("do not have the symmetry 6/mmm", laue_check_basis(&class, "6/mmm", cubic));
	assert_status(SONDE_OK, laue_class_of("4/mmm", &class));
	assert_status(SONDE_OK, laue_check_basis(&class, "4/mmm", long_c));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(classes_are_groups_of_the_right_order),
	    cmocka_unit_test(means_keep_what_has_the_symmetry_and_remove_what_is_odd),
	    cmocka_unit_test(points_without_equivalents_stay),
	    cmocka_unit_test(vectors_without_the_symmetry_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
