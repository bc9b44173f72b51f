/* Limits of patterns: Guinier's law, the form factor of a sphere, S -> 1; and invariances. */
#include "physics/physics.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define UNIT SONDE_DEBYE_FACTORS_UNIT
#define AUTO SONDE_DEBYE_FACTORS_AUTO

static const double unmoved[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, nowhere[3] = {0, 0, 0};

/* Squared radius of gyration, every atom counting 1. */
static double gyration(const sonde_atoms *atoms)
{
	const double *r = sonde_atoms_positions(atoms);
	double n = (double)sonde_atoms_count(atoms), sum = 0.0;

	for (int k = 0; k < 3; ++k) {
		double mean = 0.0;
		for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i)
			mean += r[3 * i + k] / n;
		for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i)
			sum += (r[3 * i + k] - mean) * (r[3 * i + k] - mean) / n;
	}
	return sum;
}

/* ln I falls by (q Rg)^2/3, on q Rg < 0.3: the slope by least squares over q^2. */
static void test_guiniers_law_gives_the_radius_of_gyration(void **state)
{
	static const struct {
		int cell;
		const char *species;
		double a, radius, known;
	} samples[] = {{SONDE_BUILD_CELL_FCC, "Au", 4.0782, 16.0, 12.159952567},
		       {SONDE_BUILD_CELL_FCC, "Au", 4.0782, 58.7, 45.448692},
		       {SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614, 40.0, 30.952888470}};
	(void)state;

	for (int s = 0; s < 3; ++s) {
		sonde_atoms *atoms =
		    build_sphere(samples[s].cell, samples[s].species, samples[s].a, samples[s].radius);
		double rg = sqrt(gyration(atoms)), x = 0.0, y = 0.0, xx = 0.0, xy = 0.0, n = 20.0;
		assert_within(rg, samples[s].known, 1e-6, "rg");
		sonde_debye_result *result = run_simply(atoms, HISTOGRAM, UNIT, 0.005 / rg, 0.1 / rg, 20);
		for (int64_t k = 0; k < 20; ++k) {
			double q2 = result->q[k] * result->q[k], log_i = log(result->intensity[k]);
			x += q2 / n;
			y += log_i / n;
			xx += q2 * q2 / n;
			xy += q2 * log_i / n;
		}
		double slope = (xy - x * y) / (xx - x * x), found = sqrt(-3.0 * slope);
		print_message("Guinier: Rg %.6f of %.6f\n", found, rg);
		assert_close(found, rg, 1e-3, "found");
		sonde_debye_result_free(&result);
		/* one point further out, q Rg = 0.3 */
		result = run_simply(atoms, HISTOGRAM, UNIT, 0.0, 0.3 / rg, 2);
		assert_true(fabs(log(result->intensity[1] / result->intensity[0]) + 0.03) < 1e-3 * 0.3);
		sonde_debye_result_free(&result);
		sonde_atoms_free(&atoms);
	}
}

/* A sphere's form factor, with the radius of the atoms' volume. */
static void test_sphere_has_its_form_factor(void **state)
{
	static const double known[] = {1.0003, 1.0020, 1.0164};
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.0782, 58.7);
	double n = (double)sonde_atoms_count(atoms), volume = pow(4.0782, 3) / 4.0 * n;
	double radius = cbrt(3.0 * volume / (4.0 * PI));
	(void)state;

	assert_within(radius, 58.6753, 1e-4, "radius");
	for (int method = is_thorough() ? EXACT : HISTOGRAM; method <= HISTOGRAM; ++method) {
		sonde_debye_result *result = run_simply(atoms, method, UNIT, 0.1, 0.3, 3);
		for (int64_t k = 0; k < 3; ++k) {
			double x = result->q[k] * radius, form = 3.0 * (sin(x) - x * cos(x)) / (x * x * x);
			double ratio = result->intensity[k] / (n * n * form * form);
			print_message("sphere of Au, q = %g: I/(N^2 P) = %.5f\n", result->q[k], ratio);
			assert_within(ratio, known[k], 1e-3, "ratio");
		}
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

static double mean_structure_factor(const sonde_debye_result *result)
{
	double sum = 0.0;

	for (int64_t k = 0; k < result->q_count; ++k)
		sum += result->structure_factor[k] / (double)result->q_count;
	return sum;
}

static void test_structure_factor_tends_to_one(void **state)
{
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.0782, 34.4);
	sonde_atoms *atoms = displace(crystal, 0.1, 1), *molecule = read_sample("C60.xyz");
	(void)state;

	sonde_debye_result *result = run_simply(atoms, HISTOGRAM, AUTO, 15.0, 20.0, 251);
	sonde_debye_result *small = run_simply(molecule, EXACT, AUTO, 15.0, 20.0, 251);
	double gold = mean_structure_factor(result), carbon = mean_structure_factor(small);
	print_message("mean S for q in 15 .. 20: disordered Au %.4f, C60 %.4f\n", gold, carbon);
	assert_within(gold, 1.0, 1e-2, "gold");
	assert_within(carbon, 1.0, 1e-2, "carbon");
	sonde_debye_result_free(&result);
	/* far out, even q by q */
	result = run_simply(atoms, HISTOGRAM, AUTO, 60.0, 75.0, 151);
	for (int64_t k = 0; k < result->q_count; ++k)
		assert_within(result->structure_factor[k], 1.0, 0.1, "structure factor");
	assert_within(mean_structure_factor(result), 1.0, 1e-2, "mean structure factor");
	sonde_debye_result_free(&result);
	sonde_debye_result_free(&small);
	sonde_atoms_free(&crystal);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&molecule);
}

/* The product of three rotations, by any angles. */
static void make_rotation(double matrix[3][3])
{
	static const double angles[3] = {0.7, 1.9, -2.3};

	memcpy(matrix, unmoved, sizeof unmoved);
	for (int axis = 0; axis < 3; ++axis) {
		int u = (axis + 1) % 3, v = (axis + 2) % 3;
		double c = cos(angles[axis]), s = sin(angles[axis]);
		for (int k = 0; k < 3; ++k) {
			double a = matrix[u][k], b = matrix[v][k];
			matrix[u][k] = c * a - s * b;
			matrix[v][k] = s * a + c * b;
		}
	}
}

static void test_motions_change_nothing(void **state)
{
	static const double far[3] = {1234.5, -777.7, 31.4};
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_FLUORITE, "Ca2+,F1-", 5.463, 16.0);
	double rotation[3][3];
	(void)state;

	make_rotation(rotation);
	sonde_atoms *turned = move(crystal, rotation, nowhere), *shifted = move(crystal, unmoved, far);
	sonde_atoms *both = move(crystal, rotation, far);
	for (int method = EXACT; method <= HISTOGRAM; ++method) {
		double tolerance = method == EXACT ? 1e-11 : 1e-7;
		sonde_debye_result *here = run_simply(crystal, method, AUTO, 0.1, 20.0, 200);
		sonde_debye_result *a = run_simply(turned, method, AUTO, 0.1, 20.0, 200);
		sonde_debye_result *b = run_simply(shifted, method, AUTO, 0.1, 20.0, 200);
		sonde_debye_result *c = run_simply(both, method, AUTO, 0.1, 20.0, 200);
		double errors[3] = {largest_error(a, here->intensity_per_atom),
				    largest_error(b, here->intensity_per_atom),
				    largest_error(c, here->intensity_per_atom)};
		print_message("fluorite, method %d: turned %.1e, shifted %.1e, both %.1e\n", method, errors[0],
			      errors[1], errors[2]);
		for (int k = 0; k < 3; ++k)
			assert_true(errors[k] <= tolerance);
		sonde_debye_result_free(&here);
		sonde_debye_result_free(&a);
		sonde_debye_result_free(&b);
		sonde_debye_result_free(&c);
	}
	sonde_atoms_free(&crystal);
	sonde_atoms_free(&turned);
	sonde_atoms_free(&shifted);
	sonde_atoms_free(&both);
}

/* The same atoms in another order, species after species so that these keep their numbers. */
static sonde_atoms *shuffle(const sonde_atoms *atoms)
{
	int64_t count = sonde_atoms_count(atoms), *order = malloc((size_t)count * sizeof *order);
	const double *r = sonde_atoms_positions(atoms);
	sonde_atoms *shuffled = empty_sample();

	assert_non_null(order);
	for (int64_t i = 0; i < count; ++i)
		order[i] = i;
	for (int64_t i = count - 1; i > 0; --i) {
		int64_t j = (int64_t)(uniform_number(11, (uint64_t)i) * (double)(i + 1)), k = order[i];
		order[i] = order[j];
		order[j] = k;
	}
	for (int s = 0; s < sonde_atoms_species_count(atoms); ++s)
		for (int64_t i = 0; i < count; ++i)
			if (sonde_atoms_species(atoms)[order[i]] == s)
				add_atom(shuffled, sonde_atoms_species_label(atoms, s), r[3 * order[i]],
					 r[3 * order[i] + 1], r[3 * order[i] + 2]);
	free(order);
	return shuffled;
}

static void test_order_of_atoms_changes_nothing(void **state)
{
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_PEROVSKITE, "Sr,Ti,O", 3.905, 20.0);
	sonde_atoms *atoms = displace(crystal, 0.05, 9), *shuffled = shuffle(atoms);
	(void)state;

	assert_int_equal(sonde_atoms_count(atoms), sonde_atoms_count(shuffled));
	assert_memory_not_equal(sonde_atoms_positions(atoms), sonde_atoms_positions(shuffled), 3 * sizeof(double));
	for (int method = EXACT; method <= HISTOGRAM; ++method) {
		sonde_debye_result *a = run_simply(atoms, method, AUTO, 0.0, 20.0, 201);
		sonde_debye_result *b = run_simply(shuffled, method, AUTO, 0.0, 20.0, 201);
		double error = largest_error(b, a->intensity_per_atom);
		print_message("perovskite, shuffled, method %d: %.1e\n", method, error);
		assert_true(error <= 1e-12);
		if (method == HISTOGRAM)
			assert_memory_equal(a->intensity, b->intensity, 201 * sizeof(double));
		sonde_debye_result_free(&a);
		sonde_debye_result_free(&b);
	}
	sonde_atoms_free(&crystal);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&shuffled);
}

/* k copies so far apart that their pairs hardly interfere: I becomes k I, but for |F|^2/(q r) <= N^2/(q r) of two
 * copies. */
static void test_distant_copies_add_up(void **state)
{
	enum { COPIES = 5 };
	double apart = 1e5;
	sonde_atoms *one = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.0782, 8.0), *all = empty_sample();
	(void)state;

	for (int k = 0; k < COPIES; ++k)
		append(all, one, apart * k * k, -0.3 * apart * k, 0.0);
	sonde_debye_result *a = run_simply(one, EXACT, UNIT, 1.0, 20.0, 200);
	sonde_debye_result *b = run_simply(all, EXACT, UNIT, 1.0, 20.0, 200);
	for (int64_t k = 0; k < 200; ++k) {
		double error = fabs(b->intensity_per_atom[k] - a->intensity_per_atom[k]);
		assert_true(error <= (COPIES - 1) * (double)a->atom_count / (a->q[k] * apart));
	}
	double largest = largest_error(b, a->intensity_per_atom);
	print_message("five copies far apart: %.1e\n", largest);
	assert_true(largest > 0.0 && largest < 1e-4);
	sonde_debye_result_free(&a);
	sonde_debye_result_free(&b);
	sonde_atoms_free(&one);
	sonde_atoms_free(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_guiniers_law_gives_the_radius_of_gyration),
	    cmocka_unit_test(test_sphere_has_its_form_factor),
	    cmocka_unit_test(test_structure_factor_tends_to_one),
	    cmocka_unit_test(test_motions_change_nothing),
	    cmocka_unit_test(test_order_of_atoms_changes_nothing),
	    cmocka_unit_test(test_distant_copies_add_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
