/* Measured curves: the fit of scale and background. */
#include "physics/physics.h"

#include <unistd.h>

#define POINTS 201
#define TERMS 4 /* of the background */
#define SCALE 3.5e-4

static const double coefficients[TERMS] = {12.0, -3.0, 0.75, 1.5};

static sonde_debye_options options_with(const char *path)
{
	sonde_debye_options options;

	sonde_debye_options_init(&options);
	options.background = TERMS - 1;
	options.r = (sonde_grid){1.0, 10.0, 4};
	snprintf(options.compare, sizeof options.compare, "%s", path);
	return options;
}

static double chebyshev(int j, double t)
{
	return cos(j * acos(fmax(-1.0, fmin(1.0, t))));
}

/* q is denser at small angles, as in many measurements. */
static double q_of(int k)
{
	const double x = (double)k / (POINTS - 1);

	return 0.3 + 11.7 * (0.5 * x + 0.5 * x * x);
}

static double position(double q)
{
	return (2.0 * q - q_of(0) - q_of(POINTS - 1)) / (q_of(POINTS - 1) - q_of(0));
}

static double background_at(double q)
{
	double sum = 0.0;

	for (int j = 0; j < TERMS; ++j)
		sum += coefficients[j] * chebyshev(j, position(q));
	return sum;
}

static double sigma_of(int k)
{
	return 0.02 + 0.01 * (k % 7);
}

/* Writes SCALE I + background + noise deviates, with standard deviations or without; I at the same points. */
static const char *write_measured(const sonde_debye_result *truth, double noise, bool sigma)
{
	static char path[64];
	FILE *file;

	snprintf(path, sizeof path, "measured-%d.xye", (int)getpid());
	file = fopen(path, "w");
	assert_non_null(file);
	fputs("# Q  I  dI\n", file);
	for (int k = 0; k < POINTS; ++k) {
		const double intensity = truth != NULL ? truth->intensity[k] : 1.0,
			     y = SCALE * intensity + background_at(q_of(k)) +
				 noise * sigma_of(k) * normal_number(5, (uint64_t)k);
		fprintf(file, "%.17g %.17g", q_of(k), y);
		if (sigma)
			fprintf(file, " %.17g", sigma_of(k));
		fputc('\n', file);
	}
	fclose(file);
	return path;
}

/* The pattern at the points of the file. */
static sonde_debye_result *run_truth(const sonde_atoms *atoms)
{
	sonde_debye_options options = options_with("");

	options.background = 0;
	snprintf(options.q_list, sizeof options.q_list, "%s", write_measured(NULL, 0.0, false));
	return run(atoms, &options);
}

static void test_scale_and_background_are_recovered(void **state)
{
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.08, 9.0);
	sonde_debye_result *truth = run_truth(atoms);
	sonde_debye_options options = options_with(write_measured(truth, 0.0, true));
	sonde_debye_result *result = run(atoms, &options);
	const sonde_debye_comparison *c = result->comparison;
	(void)state;

	unlink(options.compare);
	assert_null(truth->comparison);
	assert_int_equal(result->q_count, POINTS);
	assert_close(c->scale, SCALE, 1e-12, "scale");
	for (int j = 0; j < TERMS; ++j)
		assert_within(c->background_coefficients[j], coefficients[j], 1e-11, "background");
	for (int k = 0; k < POINTS; ++k) {
		assert_true(result->q[k] == q_of(k) && c->measured_error[k] == sigma_of(k));
		assert_close(result->intensity[k], truth->intensity[k], 1e-15, "I");
		assert_within(c->background[k], background_at(q_of(k)), 1e-11, "background");
		assert_within(c->residual[k], 0.0, 1e-9 * fabs(c->measured[k]), "residual");
	}
	assert_true(c->r < 1e-12 && c->rwp < 1e-12);
	assert_int_equal(c->degrees_of_freedom, POINTS - TERMS - 1);
	sonde_debye_result_free(&truth);
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

#define COLUMNS (TERMS + 1)

/* The inverse of the normal matrix and the solution, by Gauss and Jordan in long double. */
static void solve_normal_equations(const sonde_debye_result *result, bool weighted, double *x, double *variances)
{
	long double m[COLUMNS][2 * COLUMNS + 1] = {{0}};

	for (int k = 0; k < POINTS; ++k) {
		long double row[COLUMNS], w = weighted ? 1.0L / sigma_of(k) / sigma_of(k) : 1.0L;
		for (int j = 0; j < COLUMNS; ++j)
			row[j] = j == 0 ? result->intensity[k] : chebyshev(j - 1, position(q_of(k)));
		for (int i = 0; i < COLUMNS; ++i) {
			for (int j = 0; j < COLUMNS; ++j)
				m[i][j] += w * row[i] * row[j];
			m[i][2 * COLUMNS] += w * row[i] * result->comparison->measured[k];
		}
	}
	for (int i = 0; i < COLUMNS; ++i)
		m[i][COLUMNS + i] = 1.0L;
	for (int i = 0; i < COLUMNS; ++i) {
		const long double pivot = m[i][i];
		for (int j = 0; j <= 2 * COLUMNS; ++j)
			m[i][j] /= pivot;
		for (int other = 0; other < COLUMNS; ++other) {
			const long double factor = other != i ? m[other][i] : 0.0L;
			for (int j = 0; j <= 2 * COLUMNS; ++j)
				m[other][j] -= factor * m[i][j];
		}
	}
	for (int i = 0; i < COLUMNS; ++i) {
		x[i] = (double)m[i][2 * COLUMNS];
		variances[i] = (double)m[i][COLUMNS + i];
	}
}

static void check_noisy(const sonde_atoms *atoms, const sonde_debye_result *truth, bool weighted)
{
	sonde_debye_options options = options_with(write_measured(truth, 1.0, weighted));
	sonde_debye_result *result = run(atoms, &options);
	const sonde_debye_comparison *c = result->comparison;
	double x[COLUMNS], variances[COLUMNS], differences = 0, sizes = 0, squares = 0, total = 0;

	unlink(options.compare);
	solve_normal_equations(result, weighted, x, variances);
	for (int k = 0; k < POINTS; ++k) {
		const double w = weighted ? 1.0 / (sigma_of(k) * sigma_of(k)) : 1.0;
		double fitted = x[0] * result->intensity[k];
		for (int j = 1; j < COLUMNS; ++j)
			fitted += x[j] * chebyshev(j - 1, position(q_of(k)));
		assert_close(c->fitted[k], fitted, 1e-9, "fit");
		differences += fabs(c->measured[k] - fitted);
		sizes += fabs(c->measured[k]);
		squares += w * (c->measured[k] - fitted) * (c->measured[k] - fitted);
		total += w * c->measured[k] * c->measured[k];
	}
	const double freedom = POINTS - COLUMNS, unit = weighted ? 1.0 : squares / freedom;
	assert_close(c->scale, x[0], 1e-9, "scale");
	assert_close(c->scale_error, sqrt(variances[0] * unit), 1e-8, "standard error");
	for (int j = 1; j < COLUMNS; ++j) {
		assert_within(c->background_coefficients[j - 1], x[j], 1e-9, "background");
		assert_close(c->background_errors[j - 1], sqrt(variances[j] * unit), 1e-8, "standard error");
	}
	assert_close(c->r, differences / sizes, 1e-9, "R");
	assert_close(c->rwp, sqrt(squares / total), 1e-9, "Rwp");
	assert_close(c->chi_square, squares, 1e-9, "chi^2");
	assert_true(weighted == (c->measured_error != NULL));
	if (weighted) {
		assert_close(c->rexp, sqrt(freedom / total), 1e-9, "Rexp");
		/* deviates of unit variance: five standard deviations */
		assert_within(squares / freedom, 1.0, 5.0 * sqrt(2.0 / freedom), "chi^2");
		assert_within(c->scale, SCALE, 5.0 * c->scale_error, "scale");
	} else
		assert_true(isnan(c->rexp));
	sonde_debye_result_free(&result);
}

static void test_fit_is_that_of_the_normal_equations(void **state)
{
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.08, 9.0);
	sonde_debye_result *truth = run_truth(atoms);
	(void)state;

	check_noisy(atoms, truth, true);
	check_noisy(atoms, truth, false);
	sonde_debye_result_free(&truth);
	sonde_atoms_free(&atoms);
}

static void test_files_have_the_comparison(void **state)
{
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.08, 6.0);
	sonde_debye_options options = options_with(write_measured(NULL, 1.0, true));
	sonde_debye_result *one = run(atoms, &options), *again;
	char path[64];
	(void)state;

	unlink(options.compare);
	snprintf(path, sizeof path, "comparison-%d.h5", (int)getpid());
	assert_int_equal(sonde_debye_result_write(one, path, 1), SONDE_OK);
	assert_int_equal(sonde_debye_result_read(NULL, path, &again), SONDE_OK);
	unlink(path);
	const sonde_debye_comparison *a = one->comparison, *b = again->comparison;
	const double *const pairs[][2] = {{a->measured, b->measured},
					  {a->measured_error, b->measured_error},
					  {a->fitted, b->fitted},
					  {a->background, b->background},
					  {a->residual, b->residual}};
	for (int k = 0; k < 5; ++k)
		assert_memory_equal(pairs[k][0], pairs[k][1], POINTS * sizeof(double));
	assert_memory_equal(a->background_coefficients, b->background_coefficients, TERMS * sizeof(double));
	assert_memory_equal(a->background_errors, b->background_errors, TERMS * sizeof(double));
	assert_true(a->scale == b->scale && a->scale_error == b->scale_error && a->r == b->r && a->rwp == b->rwp &&
		    a->rexp == b->rexp && a->chi_square == b->chi_square &&
		    a->degrees_of_freedom == b->degrees_of_freedom && a->background_count == b->background_count);
	sonde_debye_result_free(&one);
	sonde_debye_result_free(&again);
	sonde_atoms_free(&atoms);
}

/* The pattern of a single atom of unit amplitude is a constant, and so is the background. */
static void test_undetermined_parameters_are_reported(void **state)
{
	sonde_atoms *atoms = empty_sample();
	sonde_debye_options options = options_with(write_measured(NULL, 0.0, false));
	(void)state;

	add_atom(atoms, "Au", 0, 0, 0);
	options.factors = SONDE_DEBYE_FACTORS_UNIT;
	options.background = 0;
	sonde_debye_result *result = run(atoms, &options);
	unlink(options.compare);
	assert_true(!(result->comparison->scale_error < 1e6));
	for (int k = 0; k < POINTS; ++k)
		assert_true(isfinite(result->comparison->fitted[k]));
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_scale_and_background_are_recovered),
	    cmocka_unit_test(test_fit_is_that_of_the_normal_equations),
	    cmocka_unit_test(test_files_have_the_comparison),
	    cmocka_unit_test(test_undetermined_parameters_are_reported),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
