/* The fast sum at lists of points and at the charges, by a mesh, against the direct one in float64: within its
 * tolerance for any arrangement and form of the charges, and bit-identical for any number of threads. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "physics/charges.h"

#define FAST SONDE_COULOMB_METHOD_FAST
#define DIRECT SONDE_COULOMB_METHOD_DIRECT
#define CHARGES 3000
#define POINTS 2500

enum shape { CUBE, TWO_BALLS, SHELL, LINE };
static const char *const names[] = {"cube", "two balls", "shell", "line"};

/* Place number n of a shape, of one of two sequences. */
static void place(enum shape shape, uint64_t sequence, uint64_t n, double at[3])
{
	double normal[3], length = 0.0;

	for (uint64_t k = 0; k < 3; ++k) {
		normal[k] = normal_number(20 + sequence, 3 * n + k);
		at[k] = 12.0 * uniform_number(30 + sequence, 3 * n + k);
		length += normal[k] * normal[k];
	}
	double along = uniform_number(40 + sequence, n);
	for (int k = 0; k < 3; ++k) {
		if (shape == TWO_BALLS)
			at[k] = 3.0 * normal[k] + (along < 0.5 ? 0.0 : 100.0 - 20.0 * k);
		if (shape == SHELL)
			at[k] = 15.0 * normal[k] / sqrt(length);
		if (shape == LINE)
			at[k] = 100.0 * (k + 1) * along + 0.2 * normal[k];
	}
}

/* Charges of either sign, of +1 and -1 by turns, or positive ones. */
enum signs { RANDOM, NEUTRAL, POSITIVE };

static sonde_atoms *make(enum shape shape, enum signs signs, int count)
{
	double *numbers = malloc((size_t)count * 4 * sizeof *numbers);

	assert_non_null(numbers);
	for (int n = 0; n < count; ++n) {
		double u = uniform_number(50, (uint64_t)n);
		place(shape, 0, (uint64_t)n, numbers + 4 * (size_t)n);
		numbers[4 * n + 3] = signs == RANDOM     ? 2.0 * u - 1.0
				     : signs == POSITIVE ? u
				     : n % 2 == 0        ? 1.0
							 : -1.0;
	}
	sonde_atoms *atoms = make_charges(numbers, count);
	free(numbers);
	return atoms;
}

/* A file of points of a shape; every `on`-th one, where that is not 0, is where a charge is. */
static void write_points(enum shape shape, int on, const sonde_atoms *atoms, char path[32])
{
	strcpy(path, "coulomb_mesh_XXXXXX");
	int descriptor = mkstemp(path);
	assert_true(descriptor >= 0);
	FILE *file = fdopen(descriptor, "w");
	assert_non_null(file);
	for (int n = 0; n < POINTS; ++n) {
		double at[3];
		place(shape, 1, (uint64_t)n, at);
		if (on > 0 && n % on == 0)
			memcpy(at, sonde_atoms_positions(atoms) + 3 * n, sizeof at);
		fprintf(file, "%.17g %.17g %.17g\n", at[0], at[1], at[2]);
	}
	assert_int_equal(fclose(file), 0);
}

static sonde_coulomb_options list_options(const char *path)
{
	sonde_coulomb_options options;

	sonde_coulomb_options_init(&options);
	options.units = SONDE_COULOMB_UNITS_E_A;
	snprintf(options.points, sizeof options.points, "%s", path);
	return options;
}

/* Root mean square differences of all sets, relative to that of the values, and the largest ones. */
static void compare_all(const sonde_coulomb_result *fast, const sonde_coulomb_result *exact, double off[2],
			double largest[2])
{
	double squares[2] = {0.0, 0.0}, own[2] = {0.0, 0.0};
	int64_t count = fast->point_count * fast->charge_sets;

	assert_int_equal(fast->point_count, exact->point_count);
	largest[0] = largest[1] = 0.0;
	for (int64_t n = 0; n < count; ++n) {
		double here[2] = {0.0, 0.0};
		for (int k = 0; k < 4; ++k) {
			double is = k == 0 ? fast->potential[n] : fast->field[3 * n + k - 1],
			       should = k == 0 ? exact->potential[n] : exact->field[3 * n + k - 1];
			here[k > 0] += (is - should) * (is - should);
			own[k > 0] += should * should;
		}
		for (int k = 0; k < 2; ++k) {
			squares[k] += here[k];
			largest[k] = fmax(largest[k], sqrt(here[k]));
		}
	}
	for (int k = 0; k < 2; ++k)
		off[k] = sqrt(squares[k] / own[k]);
}

static void compare(const sonde_coulomb_result *fast, const sonde_coulomb_result *exact, double off[2])
{
	double largest[2];

	compare_all(fast, exact, off, largest);
}

static void check_tolerances(const char *name, const sonde_atoms *atoms, const sonde_coulomb_options *given)
{
	static const double tolerances[] = {1e-3, 1e-6, 1e-9};
	sonde_coulomb_options options = *given;
	double off[2], largest[2];

	options.method = DIRECT;
	options.precision = FLOAT64;
	options.tolerance = 1e-13;
	sonde_coulomb_result *exact = solve(atoms, &options);
	options.method = FAST;
	options.precision = SONDE_COULOMB_PRECISION_AUTO;
	for (size_t t = 0; t < sizeof tolerances / sizeof *tolerances; ++t) {
		options.tolerance = tolerances[t];
		sonde_coulomb_result *fast = solve(atoms, &options);
		compare_all(fast, exact, off, largest);
		print_message("%-22s tolerance %.0e: potential %.1e, field %.1e, estimate %.1e, float%d\n", name,
			      tolerances[t], off[0], off[1], fast->relative_error,
			      fast->options->precision == FLOAT32 ? 32 : 64);
		assert_int_equal(fast->options->method, FAST);
		assert_true(off[0] > 0.0 && off[0] <= 1.2 * tolerances[t]);
		/* where charges are all positive, or smooth, fields are small beside potentials */
		assert_true(off[1] <= 100.0 * tolerances[t]);
		assert_true(fast->relative_error <= tolerances[t]);
		/* the printed error is not below the true one, and not far above it; below 1e-9 the exact sums' own rounding is in it */
		assert_true(fast->relative_error >= off[0] && fast->field_error >= off[1]);
		assert_true(fast->largest_error >= largest[0] && fast->largest_field_error >= largest[1]);
		assert_true(tolerances[t] < 1e-8 || fast->largest_error <= 50.0 * largest[0]);
		assert_int_equal(fast->coincident, exact->coincident);
		sonde_coulomb_result_free(&fast);
	}
	sonde_coulomb_result_free(&exact);
}

static void test_tolerance_is_met_however_charges_lie(void **state)
{
	(void)state;

	for (enum shape shape = CUBE; shape <= LINE; ++shape) {
		for (enum signs signs = RANDOM; signs <= POSITIVE; ++signs) {
			sonde_atoms *atoms = make(shape, signs, CHARGES);
			char path[32];
			write_points(shape, 0, atoms, path);
			sonde_coulomb_options options = list_options(path);
			check_tolerances(names[shape], atoms, &options);
			unlink(path);
			sonde_atoms_free(&atoms);
		}
	}
}

/* Points at charges, which are left out there; screened, softened and Gaussian ones, and several sets. */
static void test_tolerance_is_met_for_all_forms_of_charges(void **state)
{
	sonde_atoms *atoms = make(CUBE, RANDOM, CHARGES);
	char path[32];
	(void)state;

	write_points(CUBE, 5, atoms, path);
	sonde_coulomb_options options = list_options(path);
	check_tolerances("at charges", atoms, &options);
	options.debye_length = 4.0;
	check_tolerances("screened", atoms, &options);
	options.debye_length = 0.3;
	check_tolerances("screened at once", atoms, &options);
	options.debye_length = 5000.0;
	check_tolerances("screened far away", atoms, &options);
	options.debye_length = 0.0;
	options.smearing = 0.2;
	check_tolerances("Gaussian", atoms, &options);
	options.smearing = 0.0;
	options.self = SONDE_COULOMB_SELF_SOFTEN;
	options.softening = 0.7;
	check_tolerances("softened", atoms, &options);
	options.debye_length = 4.0;
	check_tolerances("softened and screened", atoms, &options);
	options = list_options(path);
	double *charges = malloc(CHARGES * sizeof *charges);
	assert_non_null(charges);
	for (int s = 0; s < 2; ++s) {
		for (int n = 0; n < CHARGES; ++n)
			charges[n] = uniform_number(60 + (uint64_t)s, (uint64_t)n) - 0.4;
		assert_int_equal(sonde_atoms_add_charges(atoms, charges), SONDE_OK);
	}
	free(charges);
	check_tolerances("three sets", atoms, &options);
	unlink(path);
	sonde_atoms_free(&atoms);
}

/* Energy and forces, which add up to nothing. */
static void test_forces_add_up_to_nothing_and_meet_the_tolerance(void **state)
{
	static const double tolerances[] = {1e-4, 1e-8};
	sonde_atoms *atoms = make(CUBE, NEUTRAL, CHARGES);
	sonde_coulomb_options options = grid_options(0, 0, 0, 3, 3, 3, 3, FLOAT64);
	(void)state;

	options.forces = 1;
	options.method = DIRECT;
	sonde_coulomb_result *exact = solve(atoms, &options);
	options.method = FAST;
	for (size_t t = 0; t < sizeof tolerances / sizeof *tolerances; ++t) {
		double sum[3] = {0.0, 0.0, 0.0}, off = 0.0, own = 0.0;
		options.tolerance = tolerances[t];
		sonde_coulomb_result *fast = solve(atoms, &options);
		for (int n = 0; n < 3 * CHARGES; ++n) {
			double difference = fast->forces[n] - exact->forces[n];
			sum[n % 3] += fast->forces[n];
			off += difference * difference;
			own += exact->forces[n] * exact->forces[n];
		}
		print_message("forces, tolerance %.0e: %.1e, their sum %.1e, energy %.1e\n", tolerances[t],
			      sqrt(off / own), fmax(fabs(sum[0]), fmax(fabs(sum[1]), fabs(sum[2]))) / sqrt(own),
			      fabs(fast->energy / exact->energy - 1.0));
		assert_true(off > 0.0); /* by the mesh */
		assert_true(sqrt(off / own) <= tolerances[t]);
		assert_close(fast->energy, exact->energy, tolerances[t], "energy");
		for (int k = 0; k < 3; ++k)
			assert_within(sum[k], 0.0, tolerances[t] * sqrt(own), "sum");
		sonde_coulomb_result_free(&fast);
	}
	sonde_coulomb_result_free(&exact);
	sonde_atoms_free(&atoms);
}

static void test_threads_and_memory_change_no_bit(void **state)
{
	sonde_atoms *atoms = make(SHELL, RANDOM, CHARGES);
	char path[32];
	(void)state;

	write_points(CUBE, 0, atoms, path);
	sonde_coulomb_options options = list_options(path);
	options.method = FAST;
	options.forces = 1;
	for (int t = 0; t < 2; ++t) {
		options.tolerance = t == 0 ? 1e-4 : 1e-9;
		sonde_coulomb_result *one = solve_on(NULL, 1, atoms, &options),
				     *two = solve_on(NULL, 2, atoms, &options),
				     *three = solve_on(NULL, 3, atoms, &options);
		size_t bytes = POINTS * sizeof(double);
		assert_memory_equal(one->potential, two->potential, bytes);
		assert_memory_equal(one->field, two->field, 3 * bytes);
		assert_memory_equal(one->field, three->field, 3 * bytes);
		assert_memory_equal(one->forces, two->forces, 3 * CHARGES * sizeof(double));
		assert_memory_equal(one->forces, three->forces, 3 * CHARGES * sizeof(double));
		sonde_coulomb_result_free(&one);
		sonde_coulomb_result_free(&two);
		sonde_coulomb_result_free(&three);
	}
	unlink(path);
	sonde_atoms_free(&atoms);
}

/* auto takes it where it is less work, of the device: a GPU sums what this test can afford directly. */
static void test_mesh_is_chosen_where_it_is_less_work(void **state)
{
	sonde_atoms *many = make(CUBE, RANDOM, 200000), *few = make(CUBE, RANDOM, 50);
	const char *device = getenv("SONDE_TEST_DEVICE");
	char path[32];
	(void)state;

	write_points(CUBE, 0, many, path);
	sonde_coulomb_options options = list_options(path);
	options.tolerance = 1e-4;
	sonde_coulomb_result *fast = solve(many, &options), *direct = solve(few, &options);
	if (device == NULL || strcmp(device, "cpu") == 0)
		assert_int_equal(fast->options->method, FAST);
	assert_int_equal(direct->options->method, DIRECT);
	sonde_coulomb_result_free(&fast);
	sonde_coulomb_result_free(&direct);
	unlink(path);
	sonde_atoms_free(&many);
	sonde_atoms_free(&few);
}

/* Where there is OpenCL: the sum by the kernels for GPUs, beside that of the CPU, for points in clusters of any number and
 * for several sets. */
static void test_kernels_for_gpus_agree_with_the_cpu(void **state)
{
	sonde_atoms *atoms = make(TWO_BALLS, RANDOM, CHARGES);
	sonde_context *context = make_context(0);
	sonde_coulomb_result *result = NULL;
	double charges[CHARGES], off[2];
	char path[32];
	(void)state;

	write_points(TWO_BALLS, 7, atoms, path);
	for (int n = 0; n < CHARGES; ++n)
		charges[n] = uniform_number(60, (uint64_t)n) - 0.4;
	assert_int_equal(sonde_atoms_add_charges(atoms, charges), SONDE_OK);
	sonde_coulomb_options options = list_options(path);
	options.method = FAST;
	options.tolerance = 1e-5;
	assert_int_equal(sonde_context_set_device(context, "opencl:0"), SONDE_OK);
	if (sonde_coulomb_run(context, atoms, &options, &result) == SONDE_OK) {
		sonde_coulomb_result *cpu = solve_on("cpu", 0, atoms, &options);
		compare(result, cpu, off);
		assert_int_equal(result->options->method, FAST);
		assert_true(off[0] <= options.tolerance && off[1] <= options.tolerance);
		assert_int_equal(result->coincident, cpu->coincident);
		sonde_coulomb_result_free(&cpu);
	} else {
		assert_true(is_absent());
	}
	sonde_coulomb_result_free(&result);
	sonde_context_free(&context);
	unlink(path);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_tolerance_is_met_however_charges_lie),
	    cmocka_unit_test(test_tolerance_is_met_for_all_forms_of_charges),
	    cmocka_unit_test(test_forces_add_up_to_nothing_and_meet_the_tolerance),
	    cmocka_unit_test(test_threads_and_memory_change_no_bit),
	    cmocka_unit_test(test_mesh_is_chosen_where_it_is_less_work),
	    cmocka_unit_test(test_kernels_for_gpus_agree_with_the_cpu),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
