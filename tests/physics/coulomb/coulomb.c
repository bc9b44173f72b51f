/* Potential and field of point charges: reference values, closed forms, limits and identities. */
#include "physics/charges.h"

#include <stdbool.h>

/* Numbers of a file of tests/data/coulomb. */
static double *read_numbers(const char *name, int64_t *count)
{
	char path[512];
	long bytes;

	snprintf(path, sizeof path, "%s/coulomb/%s", TEST_DATA, name);
	FILE *file = fopen(path, "rb");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	bytes = ftell(file);
	rewind(file);
	double *numbers = malloc((size_t)bytes);
	assert_non_null(numbers);
	*count = bytes / (long)sizeof *numbers;
	assert_int_equal(fread(numbers, sizeof *numbers, (size_t)*count, file), *count);
	fclose(file);
	return numbers;
}

/* Root mean square of the difference from phi, Ex, Ey, Ez of each point, relative to theirs. */
static double deviation(const sonde_coulomb_result *result, const double *answers, bool field)
{
	double squares = 0.0, own = 0.0;

	for (int64_t n = 0; n < result->point_count; ++n) {
		for (int k = field ? 1 : 0; k < (field ? 4 : 1); ++k) {
			double value = k == 0 ? result->potential[n] : result->field[3 * n + k - 1];
			squares += (value - answers[4 * n + k]) * (value - answers[4 * n + k]);
			own += answers[4 * n + k] * answers[4 * n + k];
		}
	}
	return sqrt(squares / own);
}

static void test_potentials_and_fields_are_those_of_stored_answers(void **state)
{
	static const struct {
		const char *name;
		double origin[3], spacing;
		int size[3];
		double field32; /* error of the field that float32 may have */
	} cases[] = {
	    {"point", {-2, -2, -2}, 0.5, {9, 9, 9}, 1e-6},
	    {"dipole", {-8, -8, -8.3000000000000007}, 2, {9, 9, 9}, 4e-5}, /* two terms cancel */
	    {"shell", {-10, -10, -10}, 2, {11, 11, 11}, 2e-6},
	    {"rand10k", {-5, -5, -5}, 3.8947368421052633, {20, 20, 20}, 2e-5} /* charges come near */,
	    {"seed512", {0, 0, 0}, 8, {64, 64, 1}, 2e-6},
	};
	(void)state;

	for (size_t c = 0; c < sizeof cases / sizeof *cases; ++c) {
		char name[64];
		int64_t count, answer_count;
		snprintf(name, sizeof name, "%s.atoms.f64", cases[c].name);
		double *numbers = read_numbers(name, &count);
		snprintf(name, sizeof name, "%s.phiE.f64", cases[c].name);
		double *answers = read_numbers(name, &answer_count);
		sonde_atoms *atoms = make_charges(numbers, count / 4);
		for (int precision = FLOAT32; precision <= FLOAT64; ++precision) {
			bool single = precision == FLOAT32;
			sonde_coulomb_options options =
			    grid_options(cases[c].origin[0], cases[c].origin[1], cases[c].origin[2], cases[c].spacing,
					 cases[c].size[0], cases[c].size[1], cases[c].size[2], precision);
			sonde_coulomb_result *result = solve(atoms, &options);
			assert_int_equal(4 * result->point_count, answer_count);
			double potential = deviation(result, answers, false),
			       field = deviation(result, answers, true);
			print_message("%-8s float%d: potential %.1e (estimate %.1e), field %.1e\n", cases[c].name,
				      single ? 32 : 64, potential, result->relative_error, field);
			double allowed = single ? (c == 1 ? 4e-6 : 6e-7) : 1e-12;
			assert_true(potential <= allowed);
			assert_true(field <= (single ? cases[c].field32 : 1e-12));
			assert_true(potential <= 3.0 * result->relative_error + 1e-15);
			sonde_coulomb_result_free(&result);
		}
		sonde_atoms_free(&atoms);
		free(numbers);
		free(answers);
	}
}

/* The constant of rocksalt from cubes of n cells round an ion, whose surface ions count by their part in the cube (Evjen,
 * Phys. Rev. 39 (1932) 675): the values of the notes that come with the data. */
static void test_evjens_cubes_give_the_constant_of_rocksalt(void **state)
{
	static const struct {
		int n;
		double constant;
	} known[] = {{1, 1.456029925630}, {2, 1.751769133337}, {4, 1.747721109631}, {8, 1.747574381726}};
	(void)state;

	for (size_t c = 0; c < sizeof known / sizeof *known; ++c) {
		int n = known[c].n, edge = 2 * n + 1;
		double *numbers = malloc((size_t)edge * edge * edge * 4 * sizeof *numbers), *next = numbers;
		assert_non_null(numbers);
		for (int i = -n; i <= n; ++i) {
			for (int j = -n; j <= n; ++j) {
				for (int k = -n; k <= n; ++k) {
					int faces = (abs(i) == n) + (abs(j) == n) + (abs(k) == n);
					*next++ = i;
					*next++ = j;
					*next++ = k;
					*next++ = ((i + j + k) % 2 == 0 ? 1.0 : -1.0) / (double)(1 << faces);
				}
			}
		}
		sonde_atoms *atoms = make_charges(numbers, edge * edge * edge);
		sonde_coulomb_options options = grid_options(0, 0, 0, 1, 1, 1, 1, FLOAT64);
		sonde_coulomb_result *result = solve(atoms, &options);
		print_message("Evjen, n = %d: %.12f\n", n, -result->potential[0]);
		assert_within(-result->potential[0], known[c].constant, 1e-12 * 1.75 + 5e-13, "potential 0");
		assert_int_equal(result->coincident, 1);
		sonde_coulomb_result_free(&result);
		sonde_atoms_free(&atoms);
		free(numbers);
	}
}

/* Twice the charges: the same bits twice. Another order, another place: roundings. Any number of threads: the same bits. */
static void test_order_place_and_threads_do_not_matter(void **state)
{
	sonde_atoms *atoms = random_charges(700, 20.0, 1.0, 0.0, false);
	sonde_atoms *twice = random_charges(700, 20.0, 2.0, 0.0, false);
	sonde_atoms *reversed = random_charges(700, 20.0, 1.0, 0.0, true);
	sonde_atoms *moved = random_charges(700, 20.0, 1.0, 64.0, false);
	(void)state;

	for (int precision = FLOAT32; precision <= FLOAT64; ++precision) {
		sonde_coulomb_options options = grid_options(-3, -3, -3, 1.25, 21, 20, 19, precision),
				      there = options;
		double rounding = precision == FLOAT32 ? 2e-6 : 1e-13;
		there.origin = (sonde_vector){61, 61, 61};
		sonde_coulomb_result *a = solve(atoms, &options), *b = solve(twice, &options),
				     *c = solve(reversed, &options), *d = solve(moved, &there),
				     *e = solve_on(NULL, 1, atoms, &options);
		assert_true(largest_difference(a, b, 2.0) == 0.0);
		assert_true(largest_difference(a, e, 1.0) == 0.0);
		assert_true(largest_difference(a, c, 1.0) < rounding);
		assert_true(largest_difference(a, d, 1.0) < rounding);
		sonde_coulomb_result_free(&a);
		sonde_coulomb_result_free(&b);
		sonde_coulomb_result_free(&c);
		sonde_coulomb_result_free(&d);
		sonde_coulomb_result_free(&e);
	}
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&twice);
	sonde_atoms_free(&reversed);
	sonde_atoms_free(&moved);
}

/* E against central differences of phi: the difference falls with the square of the step. */
static void test_field_is_the_slope_of_the_potential(void **state)
{
	sonde_atoms *atoms = random_charges(50, 5.0, 1.0, 0.0, false);
	double errors[3];
	(void)state;

	for (int s = 0; s < 3; ++s) {
		double h = 0.1 / (1 << s);
		sonde_coulomb_options options = grid_options(8 - h, 7 - h, 6 - h, h, 3, 3, 3, FLOAT64);
		sonde_coulomb_result *result = solve(atoms, &options);
		const double *phi = result->potential, *field = result->field + 3 * 13;
		double slopes[3] = {(phi[12] - phi[14]) / (2 * h), (phi[10] - phi[16]) / (2 * h),
				    (phi[4] - phi[22]) / (2 * h)};
		errors[s] =
		    sqrt(pow(slopes[0] - field[0], 2) + pow(slopes[1] - field[1], 2) + pow(slopes[2] - field[2], 2));
		sonde_coulomb_result_free(&result);
	}
	for (int s = 0; s < 2; ++s) {
		double slope = log2(errors[s] / errors[s + 1]);
		print_message("field against differences: %.2e, slope %.3f\n", errors[s], slope);
		assert_within(slope, 2.0, 0.02, "slope");
	}
	sonde_atoms_free(&atoms);
}

/* Values at a charge, and very near it, in both precisions and on planes of atoms. */
static void test_charges_at_points_do_what_self_says(void **state)
{
	const double numbers[] = {0, 0, 0, 1, 2, 0, 0, -1, 4, 1e-9, 0, 1, 6, 1e-3, 0, 1};
	sonde_atoms *atoms = make_charges(numbers, 4);
	(void)state;

	for (int precision = FLOAT32; precision <= FLOAT64; ++precision) {
		sonde_coulomb_options options = grid_options(0, 0, 0, 2, 4, 1, 1, precision);
		sonde_coulomb_result *result = solve(atoms, &options);
		double rounding = precision == FLOAT32 ? 1e-6 : 1e-13;
		assert_int_equal(result->coincident, 3);
		assert_within(result->potential[0], -0.5 + 0.25 + 1.0 / hypot(6.0, 1e-3), rounding, "potential 0");
		assert_within(result->potential[2], 0.25 - 0.5 + 1.0 / hypot(2.0, 1e-3), rounding, "potential 2");
		assert_within(result->potential[3], 1.0 / 6.0 - 0.25 + 0.5 + 1e3, 1e3 * rounding, "potential 3");
		sonde_coulomb_result_free(&result);

		options.self = SONDE_COULOMB_SELF_SOFTEN;
		options.softening = 0.5;
		result = solve(atoms, &options);
		double expected = 2.0 - 1.0 / sqrt(4.25) + 1.0 / sqrt(16.25) + 1.0 / sqrt(36.25 + 1e-6);
		assert_within(result->potential[0], expected, 4.0 * rounding, "potential 0");
		assert_int_equal(result->coincident, 0);
		sonde_coulomb_result_free(&result);

		options.self = SONDE_COULOMB_SELF_ERROR;
		sonde_context *context = make_context(1);
		assert_int_equal(sonde_coulomb_run(context, atoms, &options, &result), SONDE_INVALID);
		assert_non_null(strstr(sonde_status_message(), "3 times a charge coincides with a point"));
		assert_null(result);
		sonde_context_free(&context);
	}
	sonde_atoms_free(&atoms);
}

/* A device with little memory takes the points in more pieces; one with too little reports it. */
static void test_little_memory_takes_more_pieces_or_is_refused(void **state)
{
	sonde_atoms *atoms = random_charges(20, 12.0, 1.0, 0.0, false);
	sonde_coulomb_options options = grid_options(-2, -2, -2, 0.3, 60, 50, 20, FLOAT64);
	sonde_coulomb_result *plenty = solve_on("emulated", 2, atoms, &options), *little = NULL;
	sonde_context *context = make_context(2);
	(void)state;

	assert_int_equal(sonde_context_set_device(context, "emulated"), SONDE_OK);
	assert_int_equal(sonde_context_set_device_memory(context, 1 << 18), SONDE_OK);
	if (sonde_coulomb_run(context, atoms, &options, &little) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	assert_true(largest_difference(plenty, little, 1.0) == 0.0);
	sonde_coulomb_result_free(&plenty);
	sonde_coulomb_result_free(&little);
	assert_int_equal(sonde_context_set_device_memory(context, 256), SONDE_OK);
	assert_int_equal(sonde_coulomb_run(context, atoms, &options, &little), SONDE_RESOURCE);
	assert_null(little);
	sonde_context_free(&context);
	sonde_atoms_free(&atoms);
}

/* Gaussian charges: erf(r/(sqrt(2) sigma))/r, from the middle out, and far away those of points. */
static void test_gaussian_charges_have_the_potential_of_erf(void **state)
{
	static const char *const devices[] = {"cpu", "emulated", "opencl:0", "cuda:0"};
	const double numbers[] = {0, 0, 0, 1.5}, sigma = 0.7, a = 1.0 / (sqrt(2.0) * sigma);
	sonde_atoms *atoms = make_charges(numbers, 1);
	(void)state;

	for (size_t d = 0; d < sizeof devices / sizeof *devices; ++d) {
		sonde_context *context = make_context(2);
		sonde_coulomb_result *result = NULL;
		sonde_coulomb_options options = grid_options(0, 0, 0, 1, 1, 1, 1, SONDE_COULOMB_PRECISION_AUTO);
		options.smearing = sigma;
		options.forces = 1;
		strcpy(options.line, "0,0,0:0,3,0:3001");
		assert_int_equal(sonde_context_set_device(context, devices[d]), SONDE_OK);
		if (sonde_coulomb_run(context, atoms, &options, &result) != SONDE_OK) {
			if (!is_absent())
				fail_msg("%s: %s", devices[d], sonde_status_message());
			sonde_context_free(&context);
			continue;
		}
		double potential = fabs(result->potential[0] - 1.5 * 2.0 * a / sqrt(PI)),
		       field = fabs(result->field[1]);
		for (int n = 1; n <= 3000; ++n) {
			double r = 1e-3 * n, phi = 1.5 * erf(a * r) / r,
			       slope = phi / r - 1.5 * 2.0 * a / sqrt(PI) * exp(-a * a * r * r) / r;
			potential = fmax(potential, fabs(result->potential[n] - phi));
			/* the reference cancels near the middle */
			field = fmax(field, fabs(result->field[3 * n + 1] - slope) * fmin(1.0, r));
		}
		print_message("%s: Gaussian charge: potential off by %.1e, field by %.1e\n", devices[d], potential,
			      field);
		assert_true(potential < 2e-13 && field < 2e-13);
		assert_true(result->relative_error < 1e-12 && result->field_error < 1e-11);
		assert_int_equal(result->coincident, 0);
		assert_within(result->energy, 0.0, 1e-14, "energy");
		sonde_coulomb_result_free(&result);
		sonde_context_free(&context);
	}
	sonde_atoms_free(&atoms);
}

/* Screened charges: Yukawa's potential and its field, by every device. */
static void test_screened_charges_have_yukawas_potential(void **state)
{
	static const char *const devices[] = {"cpu", "emulated", "opencl:0", "cuda:0"};
	const double numbers[] = {0, 0, 0, 1.5, 3, 1, 0, -0.5};
	sonde_atoms *atoms = make_charges(numbers, 2);
	(void)state;

	for (size_t d = 0; d < sizeof devices / sizeof *devices; ++d) {
		sonde_coulomb_options options = grid_options(-1, -2, 2, 1.7, 4, 4, 3, SONDE_COULOMB_PRECISION_AUTO);
		sonde_context *context = make_context(1);
		sonde_coulomb_result *result = NULL;
		options.debye_length = 7.9;
		assert_int_equal(sonde_context_set_device(context, devices[d]), SONDE_OK);
		if (sonde_coulomb_run(context, atoms, &options, &result) != SONDE_OK) {
			if (!is_absent())
				fail_msg("%s: %s", devices[d], sonde_status_message());
			sonde_context_free(&context);
			continue;
		}
		for (int64_t n = 0; n < result->point_count; ++n) {
			double p[3] = {-1 + 1.7 * (double)(n % 4), -2 + 1.7 * (double)(n / 4 % 4),
				       2 + 1.7 * (double)(n / 16)};
			double phi = 0.0, field[3] = {0.0};
			for (int i = 0; i < 2; ++i) {
				const double *c = numbers + 4 * i;
				double e[3] = {p[0] - c[0], p[1] - c[1], p[2] - c[2]};
				double r = sqrt(e[0] * e[0] + e[1] * e[1] + e[2] * e[2]),
				       term = c[3] * exp(-r / 7.9) / r;
				phi += term;
				for (int k = 0; k < 3; ++k)
					field[k] += term * (1.0 / r + 1.0 / 7.9) * e[k] / r;
			}
			assert_within(result->potential[n], phi, 1e-15, "potential");
			for (int k = 0; k < 3; ++k)
				assert_within(result->field[3 * n + k], field[k], 1e-15, "field");
		}
		print_message("%s: Yukawa's potential and field\n", devices[d]);
		sonde_coulomb_result_free(&result);
		sonde_context_free(&context);
	}
	sonde_atoms_free(&atoms);
}

/* Energy and forces: of a pair by Coulomb's law, of many charges by actio and reactio and by the virial: the energy is
 * minus the sum of r F. Softened and screened pairs, too. */
static void test_energy_and_forces_obey_coulomb_newton_and_the_virial(void **state)
{
	const double numbers[] = {0, 0, 0, 1.5, 3, 0, 4, -0.5};
	sonde_atoms *pair = make_charges(numbers, 2), *many = random_charges(400, 9.0, 1.0, 0.0, false);
	sonde_coulomb_options options = grid_options(50, 0, 0, 1, 1, 1, 1, SONDE_COULOMB_PRECISION_AUTO);
	(void)state;

	options.forces = 1;
	sonde_coulomb_result *result = solve(pair, &options);
	assert_within(result->energy, -0.15, 1e-15, "energy");
	assert_within(result->forces[0], 0.75 / 25.0 * 0.6, 1e-15, "forces 0");
	assert_within(result->forces[5], -0.75 / 25.0 * 0.8, 1e-15, "forces 5");
	sonde_coulomb_result_free(&result);
	options.self = SONDE_COULOMB_SELF_SOFTEN;
	options.softening = 0.5;
	options.debye_length = 3.0;
	result = solve(pair, &options);
	double r = sqrt(25.25);
	assert_within(result->energy, -0.75 * exp(-r / 3.0) / r, 1e-15, "energy");
	sonde_coulomb_result_free(&result);

	options = grid_options(50, 0, 0, 1, 1, 1, 1, SONDE_COULOMB_PRECISION_AUTO);
	options.forces = 1;
	result = solve(many, &options);
	double sum[3] = {0.0}, virial = 0.0, size = 0.0;
	for (int64_t i = 0; i < result->charge_count; ++i) {
		for (int k = 0; k < 3; ++k) {
			sum[k] += result->forces[3 * i + k];
			virial += result->forces[3 * i + k] * result->charges[4 * i + k];
			size += fabs(result->forces[3 * i + k]);
		}
	}
	print_message("energy %.15g, virial %.15g, sum of forces %.1e of %.1e\n", result->energy, virial,
		      fabs(sum[0]) + fabs(sum[1]) + fabs(sum[2]), size);
	assert_within(result->energy, virial, 1e-10 * fabs(result->energy) + 1e-13 * size, "energy");
	assert_true(fabs(sum[0]) + fabs(sum[1]) + fabs(sum[2]) < 1e-13 * size);
	sonde_coulomb_result_free(&result);
	sonde_atoms_free(&pair);
	sonde_atoms_free(&many);
}

/* The flux of E through a box is 4 pi times the charge in it: midpoint rule on its faces. */
static void test_flux_through_a_box_is_the_charge_in_it(void **state)
{
	const double numbers[] = {0.1, 0.2, -0.1, 1.5, -0.3, 0.1, 0.2, -0.25, 4.0, 0.0, 0.0, 3.0};
	enum { N = 60 };
	sonde_atoms *atoms = make_charges(numbers, 3);
	double flux = 0.0, h = 4.0 / N;
	(void)state;

	for (int axis = 0; axis < 3; ++axis) {
		for (int side = -1; side <= 1; side += 2) {
			double origin[3] = {-2 + h / 2, -2 + h / 2, -2 + h / 2};
			int size[3] = {N, N, N};
			origin[axis] = 2.0 * side;
			size[axis] = 1;
			sonde_coulomb_options options =
			    grid_options(origin[0], origin[1], origin[2], h, size[0], size[1], size[2], FLOAT64);
			sonde_coulomb_result *result = solve(atoms, &options);
			for (int64_t n = 0; n < result->point_count; ++n)
				flux += side * result->field[3 * n + axis] * h * h;
			sonde_coulomb_result_free(&result);
		}
	}
	print_message("flux: %.8f, 4 pi q %.8f\n", flux, 4 * PI * 1.25);
	assert_within(flux, 4 * PI * 1.25, 1e-3, "flux");
	sonde_atoms_free(&atoms);
}

/* The same sums by every device that is here, on grids that its tiles do not fit, orthogonal or not, and with no charges. */
static void test_every_device_gives_the_same_sums(void **state)
{
	static const char *const devices[] = {"emulated", "opencl:0", "cuda:0", "cpu,emulated"};
	sonde_atoms *atoms = random_charges(600, 12.0, 1.0, 0.0, false),
		    *nothing = random_charges(1, 1.0, 0.0, 0.0, false);
	(void)state;

	for (size_t d = 0; d < sizeof devices / sizeof *devices; ++d) {
		for (int kind = 0; kind < 4; ++kind) {
			sonde_coulomb_options options =
			    grid_options(-2, -2, -2, 1.1, 13, 11, 5, kind % 2 == 0 ? FLOAT32 : FLOAT64);
			if (kind > 1) {
				options.step_a = (sonde_vector){1, 0.2, 0};
				options.step_b = (sonde_vector){0, 1, 0};
				options.step_c = (sonde_vector){0.3, 0, 1};
			}
			sonde_context *context = make_context(2);
			sonde_coulomb_result *result = NULL, *cpu = solve_on("cpu", 2, atoms, &options);
			assert_int_equal(sonde_context_set_device(context, devices[d]), SONDE_OK);
			if (sonde_coulomb_run(context, atoms, &options, &result) == SONDE_OK) {
				double difference = largest_difference(result, cpu, 1.0);
				if (kind == 0)
					print_message("%s: %.1e\n", devices[d], difference);
				assert_true(difference < (kind % 2 == 0 ? 3e-6 : 1e-13));
				assert_true(result->field_error < (kind % 2 == 0 ? 3e-6 : 1e-13));
				sonde_coulomb_result_free(&result);
				assert_int_equal(sonde_coulomb_run(context, nothing, &options, &result), SONDE_OK);
				assert_true(result->potential[3] == 0.0 && result->charge_count == 0);
				sonde_coulomb_result_free(&result);
			} else if (is_absent()) {
				if (kind == 0)
					print_message("%s: %s\n", devices[d], sonde_status_message());
			} else {
				fail_msg("%s: %s", devices[d], sonde_status_message());
			}
			sonde_coulomb_result_free(&cpu);
			sonde_context_free(&context);
		}
	}
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&nothing);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_potentials_and_fields_are_those_of_stored_answers),
	    cmocka_unit_test(test_evjens_cubes_give_the_constant_of_rocksalt),
	    cmocka_unit_test(test_order_place_and_threads_do_not_matter),
	    cmocka_unit_test(test_field_is_the_slope_of_the_potential),
	    cmocka_unit_test(test_charges_at_points_do_what_self_says),
	    cmocka_unit_test(test_flux_through_a_box_is_the_charge_in_it),
	    cmocka_unit_test(test_every_device_gives_the_same_sums),
	    cmocka_unit_test(test_screened_charges_have_yukawas_potential),
	    cmocka_unit_test(test_little_memory_takes_more_pieces_or_is_refused),
	    cmocka_unit_test(test_gaussian_charges_have_the_potential_of_erf),
	    cmocka_unit_test(test_energy_and_forces_obey_coulomb_newton_and_the_virial),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
