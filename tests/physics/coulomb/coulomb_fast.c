/* The fast sum against the direct one in float64: within its tolerance for all kinds of charges and grids, and
 * bit-identical for any number of threads. */
#include "physics/charges.h"

#define FAST SONDE_COULOMB_METHOD_FAST
#define CLOUD_JOBS 12
#define FIRST_CLOUD 100 /* seeds */
#define DIRECT SONDE_COULOMB_METHOD_DIRECT

/* Twenty balls of different size. */
static sonde_atoms *clusters(int64_t count, double edge)
{
	double *numbers = malloc((size_t)count * 4 * sizeof *numbers);

	assert_non_null(numbers);
	for (int64_t i = 0; i < count; ++i) {
		int64_t ball = i % 20;
		for (int k = 0; k < 3; ++k)
			numbers[4 * i + k] =
			    edge * uniform_number(7, (uint64_t)(3 * ball + k)) +
			    0.02 * edge * (1.0 + (double)(ball % 4)) * normal_number(8, (uint64_t)(3 * i + k));
		numbers[4 * i + 3] = 2.0 * uniform_number(9, (uint64_t)i) - 0.6;
	}
	sonde_atoms *atoms = make_charges(numbers, count);
	free(numbers);
	return atoms;
}

/* Rocksalt, ions on points of a grid of spacing 1. */
static sonde_atoms *crystal(int cells, double half)
{
	sonde_atoms *atoms = build_cells(SONDE_BUILD_CELL_ROCKSALT, "Na,Cl", 2.0 * half, cells);
	int64_t count = sonde_atoms_count(atoms);
	double *charges = malloc((size_t)count * sizeof *charges);

	assert_non_null(charges);
	for (int64_t i = 0; i < count; ++i)
		charges[i] = sonde_atoms_species(atoms)[i] == 0 ? 1.0 : -1.0;
	assert_int_equal(sonde_atoms_set_charges(atoms, charges), SONDE_OK);
	free(charges);
	return atoms;
}

struct deviation {
	double potential, field;
};

static struct deviation compare(const sonde_coulomb_result *fast, const sonde_coulomb_result *exact)
{
	double squares[2] = {0.0, 0.0}, own[2] = {0.0, 0.0};

	assert_int_equal(fast->point_count, exact->point_count);
	for (int64_t n = 0; n < fast->point_count; ++n) {
		for (int k = 0; k < 4; ++k) {
			double is = k == 0 ? fast->potential[n] : fast->field[3 * n + k - 1],
			       should = k == 0 ? exact->potential[n] : exact->field[3 * n + k - 1];
			squares[k > 0] += (is - should) * (is - should);
			own[k > 0] += should * should;
		}
	}
	return (struct deviation){sqrt(squares[0] / own[0]), sqrt(squares[1] / own[1])};
}

/* Fast at all tolerances, against direct in float64. */
static void check_tolerances(const char *name, const sonde_atoms *atoms, const sonde_coulomb_options *given)
{
	/* float32 serves down to 1e-6 or so: one on each side of it, and the ends */
	static const double tolerances[] = {1e-3, 1e-6, 1e-7, 1e-9, 1e-5};
	const size_t count = is_thorough() ? 5 : 4;
	sonde_coulomb_options options = *given;

	options.method = DIRECT;
	options.precision = FLOAT64;
	options.tolerance = 1e-12;
	sonde_coulomb_result *exact = solve(atoms, &options);
	options.method = FAST;
	options.precision = SONDE_COULOMB_PRECISION_AUTO;
	for (size_t t = 0; t < count; ++t) {
		options.tolerance = tolerances[t];
		sonde_coulomb_result *fast = solve(atoms, &options);
		struct deviation off = compare(fast, exact);
		print_message("%-22s tolerance %.0e: potential %.1e, field %.1e, estimate %.1e, float%d\n", name,
			      tolerances[t], off.potential, off.field, fast->relative_error,
			      fast->options->precision == FLOAT32 ? 32 : 64);
		assert_int_equal(fast->options->method, FAST);
		assert_true(off.potential <= tolerances[t]);
		assert_true(fast->relative_error <= tolerances[t]);
		assert_int_equal(fast->coincident, exact->coincident);
		sonde_coulomb_result_free(&fast);
	}
	sonde_coulomb_result_free(&exact);
}

static void test_tolerance_is_met_for_charges_of_all_kinds(void **state)
{
	sonde_atoms *random = random_charges(3000, 40.0, 2.0, 0.0, false), *balls = clusters(3000, 40.0),
		    *ions = crystal(7, 3.0);
	sonde_coulomb_options options = grid_options(-2.1, -1.9, -2.2, 1.1, 24, 41, 29, FLOAT64),
			      on_ions = grid_options(-3, -3, -3, 1, 48, 24, 30, FLOAT64);
	(void)state;

	check_tolerances("random", random, &options);
	check_tolerances("clusters", balls, &options);
	check_tolerances("crystal", ions, &on_ions);
	sonde_atoms_free(&random);
	sonde_atoms_free(&balls);
	sonde_atoms_free(&ions);
}

static void test_tolerance_is_met_on_grids_of_all_kinds(void **state)
{
	sonde_atoms *atoms = random_charges(2000, 40.0, 2.0, 0.0, false);
	sonde_coulomb_options options = grid_options(3, 4, 5, 1, 24, 40, 33, FLOAT64);
	(void)state;

	options.step_a = (sonde_vector){1.1, 0.2, 0.0};
	options.step_b = (sonde_vector){-0.4, 0.8, 0.1};
	options.step_c = (sonde_vector){0.3, 0.3, 0.7};
	check_tolerances("triclinic", atoms, &options);
	options = grid_options(-1, -1, -1, 1, 90, 42, 7, FLOAT64);
	options.spacing = (sonde_vector){0.5, 1, 5.5};
	check_tolerances("flat cells", atoms, &options);
	options = grid_options(-1, -1, -1, 0.2, 200, 1, 210, FLOAT64);
	strcpy(options.plane, "y=17.3");
	check_tolerances("plane", atoms, &options);
	options = grid_options(0, 0, 0, 1, 1, 1, 1, FLOAT64);
	strcpy(options.line, "0,1,2:40,37,39:20000");
	check_tolerances("line", atoms, &options);
	options = grid_options(1000, 2000, -3000, 3, 30, 30, 30, FLOAT64);
	check_tolerances("far away", atoms, &options);
	options = grid_options(18, 19, 20, 0.05, 30, 33, 36, FLOAT64);
	check_tolerances("small, in the middle", atoms, &options);
	sonde_atoms_free(&atoms);
}

static void test_tolerance_is_met_for_screened_and_softened_charges(void **state)
{
	sonde_atoms *atoms = random_charges(2000, 40.0, 2.0, 0.0, false);
	sonde_coulomb_options options = grid_options(-2.1, -1.9, -2.2, 1.1, 24, 41, 29, FLOAT64);
	(void)state;

	options.debye_length = 7.0;
	check_tolerances("screened", atoms, &options);
	options.debye_length = 0.0;
	options.self = SONDE_COULOMB_SELF_SOFTEN;
	options.softening = 0.8;
	check_tolerances("softened", atoms, &options);
	options.self = SONDE_COULOMB_SELF_SKIP;
	options.smearing = 1.3;
	check_tolerances("Gaussian", atoms, &options);
	sonde_atoms_free(&atoms);
}

/* The pieces of the grid do not depend on threads, and little memory makes only more of them. */
static void test_threads_and_memory_change_no_bit(void **state)
{
	sonde_atoms *atoms = random_charges(1000, 40.0, 2.0, 0.0, false);
	sonde_coulomb_options options = grid_options(-2, -2, -2, 1, 50, 45, 40, FLOAT32);
	sonde_context *context = make_context(2);
	sonde_coulomb_result *little = NULL;
	(void)state;

	options.method = FAST;
	options.tolerance = 1e-5;
	sonde_coulomb_result *one = solve_on("cpu", 1, atoms, &options), *three = solve_on("cpu", 3, atoms, &options);
	assert_true(largest_difference(one, three, 1.0) == 0.0);
	assert_int_equal(sonde_context_set_device(context, "cpu"), SONDE_OK);
	assert_int_equal(sonde_context_set_device_memory(context, 4 << 20), SONDE_OK);
	if (sonde_coulomb_run(context, atoms, &options, &little) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	assert_true(largest_difference(one, little, 1.0) == 0.0);
	sonde_coulomb_result_free(&one);
	sonde_coulomb_result_free(&three);
	sonde_coulomb_result_free(&little);
	sonde_context_free(&context);
	sonde_atoms_free(&atoms);
}

static void test_tolerance_is_met_on_every_device(void **state)
{
	static const char *const devices[] = {"emulated", "opencl:0", "cuda:0", "all"};
	sonde_atoms *atoms = random_charges(1500, 40.0, 2.0, 0.0, false);
	sonde_coulomb_options options = grid_options(-2, -2, -2, 1, 24, 45, 20, FLOAT64);
	(void)state;

	options.method = DIRECT;
	sonde_coulomb_result *exact = solve(atoms, &options);
	options.method = FAST;
	for (size_t d = 0; d < sizeof devices / sizeof *devices; ++d) {
		for (int precision = FLOAT32; precision <= FLOAT64; ++precision) {
			sonde_context *context = make_context(2);
			sonde_coulomb_result *result = NULL;
			options.precision = precision;
			options.tolerance = precision == FLOAT32 ? 1e-5 : 1e-8;
			assert_int_equal(sonde_context_set_device(context, devices[d]), SONDE_OK);
			if (sonde_coulomb_run(context, atoms, &options, &result) != SONDE_OK) {
				if (!is_absent())
					fail_msg("%s: %s", devices[d], sonde_status_message());
				sonde_context_free(&context);
				continue;
			}
			struct deviation off = compare(result, exact);
			print_message("%s, float%d: potential %.1e, field %.1e\n", devices[d],
				      precision == FLOAT32 ? 32 : 64, off.potential, off.field);
			assert_true(off.potential <= 1.2 * options.tolerance);
			sonde_coulomb_result_free(&result);
			sonde_context_free(&context);
		}
	}
	sonde_coulomb_result_free(&exact);
	sonde_atoms_free(&atoms);
}

/* Cells and slabs that repeat, grids of a part of them and of several, against Ewald's sum at every point. */
static void test_periodic_grids_agree_with_ewalds_sum(void **state)
{
	sonde_atoms *atoms = random_charges(60, 6.0, 2.0, 0.0, false);
	sonde_coulomb_options options = grid_options(-2.1, -1.9, -2.2, 0.5, 25, 31, 22, FLOAT64);
	(void)state;

	for (int slab = 0; slab < 2; ++slab) {
		options.boundary = slab ? SONDE_COULOMB_BOUNDARY_SLAB : SONDE_COULOMB_BOUNDARY_PERIODIC;
		options.cell = (sonde_vector){7, 8, 9};
		options.size = (sonde_vector){16, 19, 20};
		check_tolerances(slab ? "slab" : "periodic", atoms, &options);
		options.cell = (sonde_vector){7, 19, 6.5};
		options.size = (sonde_vector){10, 12, 11};
		check_tolerances(slab ? "slab, a part" : "periodic, a part", atoms, &options);
		strcpy(options.plane, "z=3.1");
		options.size = (sonde_vector){60, 50, 1};
		check_tolerances(slab ? "slab, a plane" : "periodic, a plane", atoms, &options);
		options.plane[0] = '\0';
	}
	sonde_atoms_free(&atoms);
}

/* auto takes the fast sum where it is less work, and only there; a grid is needed. */
static void test_fast_sum_is_chosen_where_it_is_less_work(void **state)
{
	sonde_atoms *many = random_charges(20000, 40.0, 2.0, 0.0, false),
		    *few = random_charges(50, 40.0, 2.0, 0.0, false);
	sonde_coulomb_options options = grid_options(-2, -2, -2, 1, 44, 45, 40, SONDE_COULOMB_PRECISION_AUTO);
	(void)state;

	options.tolerance = 1e-4;
	sonde_coulomb_result *fast = solve(many, &options), *direct = solve(few, &options);
	assert_int_equal(fast->options->method, FAST);
	assert_int_equal(direct->options->method, DIRECT);
	sonde_coulomb_result_free(&fast);
	sonde_coulomb_result_free(&direct);
	sonde_atoms_free(&many);
	sonde_atoms_free(&few);
}

/* On a shell, along a line, or in two clouds of which one is small. */
static sonde_atoms *uneven_charges(int kind, int64_t count, double edge)
{
	double *numbers = malloc((size_t)count * 4 * sizeof *numbers);

	assert_non_null(numbers);
	for (int64_t i = 0; i < count; ++i) {
		double *r = numbers + 4 * i, length = 0.0;
		for (int k = 0; k < 3; ++k) {
			r[k] = normal_number(21, (uint64_t)(3 * i + k));
			length += r[k] * r[k];
		}
		for (int k = 0; k < 3; ++k) {
			double shell = 0.5 + 0.4 * r[k] / sqrt(length),
			       line = k == 0 ? uniform_number(22, (uint64_t)i) : 0.5,
			       cloud = i % 2 == 0 ? 0.2 + 0.01 * r[k] : 0.7 + 0.05 * r[k];
			r[k] = edge * (kind == 0 ? shell : kind == 1 ? line : cloud);
		}
		r[3] = uniform_number(23, (uint64_t)i) - (kind == 1 ? 0.0 : 0.4);
	}
	sonde_atoms *atoms = make_charges(numbers, count);
	free(numbers);
	return atoms;
}

static void largest_differences(const sonde_coulomb_result *is, const sonde_coulomb_result *exact, double *potential,
				double *field)
{
	*potential = *field = 0.0;
	for (int64_t n = 0; n < is->point_count; ++n) {
		double squares = 0.0;
		for (int k = 0; k < 3; ++k)
			squares += pow(is->field[3 * n + k] - exact->field[3 * n + k], 2.0);
		*potential = fmax(*potential, fabs(is->potential[n] - exact->potential[n]));
		*field = fmax(*field, sqrt(squares));
	}
}

/* The error reported from some points is not below the error of all, also where charges lie so that few points spread over the
 * grid come near them. */
static void test_estimated_errors_are_not_below_those_of_all_points(void **state)
{
	static const double tolerances[] = {1e-3, 1e-5, 1e-8};
	(void)state;

	for (int kind = 0; kind < 3; ++kind) {
		sonde_atoms *atoms = uneven_charges(kind, 400, 30.0);
		sonde_coulomb_options options = grid_options(-3.3, -2.9, -3.1, 1.5, 25, 24, 25, FLOAT64);
		options.quantity = BOTH;
		options.method = SONDE_COULOMB_METHOD_REFERENCE;
		sonde_coulomb_result *exact = solve(atoms, &options);
		for (int t = 0; t < 6; ++t) {
			double potential, field;
			options.method = t % 2 == 0 ? FAST : DIRECT;
			options.precision = SONDE_COULOMB_PRECISION_AUTO;
			options.tolerance = tolerances[t / 2];
			sonde_coulomb_result *is = solve(atoms, &options);
			struct deviation off = compare(is, exact);
			largest_differences(is, exact, &potential, &field);
			assert_true(off.potential <= is->relative_error && off.field <= is->field_error);
			assert_true(potential <= is->largest_error && field <= is->largest_field_error);
			/* and not so far above that it says nothing */
			assert_true(is->relative_error <= 10.0 * off.potential &&
				    is->largest_error <= 20.0 * potential);
			sonde_coulomb_result_free(&is);
		}
		sonde_coulomb_result_free(&exact);
		sonde_atoms_free(&atoms);
	}
}

/* Two clouds of +-1 far from each other: most of a grid is empty, and errors are where few points are. */
static sonde_atoms *clouds(uint64_t seed, int64_t count, double apart)
{
	double *numbers = malloc((size_t)count * 4 * sizeof *numbers);

	assert_non_null(numbers);
	for (int64_t i = 0; i < count; ++i) {
		for (int k = 0; k < 3; ++k)
			numbers[4 * i + k] =
			    2.0 * normal_number(seed, (uint64_t)(3 * i + k)) + (i % 2 == 0 ? 0.0 : apart);
		numbers[4 * i + 3] = uniform_number(seed + 1, (uint64_t)i) < 0.5 ? -1.0 : 1.0;
	}
	sonde_atoms *atoms = make_charges(numbers, count);
	free(numbers);
	return atoms;
}

static void test_estimated_errors_hold_for_clouds(void **state)
{
	(void)state;

	for (int job = 0; job < (is_thorough() ? CLOUD_JOBS : CLOUD_JOBS / 2); ++job) {
		const double apart = 20.0 + 10.0 * (job % 5), step = (apart + 20.0) / 26.0;
		sonde_atoms *atoms = clouds(FIRST_CLOUD + (uint64_t)(2 * job), 600, apart);
		sonde_coulomb_options options = grid_options(-9.7, -9.9, -10.1, step, 26, 26, 26, FLOAT64);
		options.quantity = BOTH;
		options.method = SONDE_COULOMB_METHOD_REFERENCE;
		sonde_coulomb_result *exact = solve(atoms, &options);
		options.method = FAST;
		options.precision = SONDE_COULOMB_PRECISION_AUTO;
		options.tolerance = 1e-3;
		sonde_coulomb_result *is = solve(atoms, &options);
		struct deviation off = compare(is, exact);
		double potential, field;
		largest_differences(is, exact, &potential, &field);
		print_message("clouds %d: true errors are %.2f %.2f (largest) %.2f %.2f (field) of the estimates\n",
			      job, off.potential / is->relative_error, potential / is->largest_error,
			      off.field / is->field_error, field / is->largest_field_error);
		assert_true(off.potential <= is->relative_error && off.field <= is->field_error);
		assert_true(potential <= is->largest_error && field <= is->largest_field_error);
		sonde_coulomb_result_free(&is);
		sonde_coulomb_result_free(&exact);
		sonde_atoms_free(&atoms);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_tolerance_is_met_for_charges_of_all_kinds),
	    cmocka_unit_test(test_tolerance_is_met_on_grids_of_all_kinds),
	    cmocka_unit_test(test_tolerance_is_met_for_screened_and_softened_charges),
	    cmocka_unit_test(test_threads_and_memory_change_no_bit),
	    cmocka_unit_test(test_tolerance_is_met_on_every_device),
	    cmocka_unit_test(test_fast_sum_is_chosen_where_it_is_less_work),
	    cmocka_unit_test(test_periodic_grids_agree_with_ewalds_sum),
	    cmocka_unit_test(test_estimated_errors_are_not_below_those_of_all_points),
	    cmocka_unit_test(test_estimated_errors_hold_for_clouds),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
