/* Charges periodic in three directions or two, by Ewald's sum: closed forms, another sum, and other cells of the same
 * charges. */
#include "physics/charges.h"

#include "matter/atoms/atoms.h"

/* Madelung's constants of three structures, in units of the nearest distance, on every device; no part of them may
 * depend on how the sum is split, which the error estimate compares. */
static void test_madelungs_constants_come_out(void **state)
{
	static const struct {
		int cell;
		const char *species;
		double nearest, constant; /* of a = 1 */
	} crystals[] = {{SONDE_BUILD_CELL_ROCKSALT, "Na,Cl", 0.5, 1.747564594633182},
			{SONDE_BUILD_CELL_BCC, "Cs", 0.8660254037844386, 1.762674773070988},
			{SONDE_BUILD_CELL_ZINCBLENDE, "Zn,S", 0.4330127018922193, 1.638055053388789}};
	static const char *const devices[] = {"cpu", "emulated", "opencl:0", "cuda:0"};
	(void)state;

	for (size_t c = 0; c < sizeof crystals / sizeof *crystals; ++c) {
		sonde_atoms *atoms = build_cells(crystals[c].cell, crystals[c].species, 4.0, 1);
		for (size_t d = 0; d < sizeof devices / sizeof *devices; ++d) {
			sonde_coulomb_options options =
			    grid_options(0, 0, 0, 1, 1, 1, 1, SONDE_COULOMB_PRECISION_AUTO);
			sonde_context *context = make_context(2);
			sonde_coulomb_result *result = NULL;
			bool caesium = strcmp(crystals[c].species, "Cs") == 0;
			options.boundary = SONDE_COULOMB_BOUNDARY_PERIODIC;
			options.cell = (sonde_vector){4, 4, 4};
			options.tolerance = 1e-13;
			strcpy(options.charges, caesium ? "Cs=1" : c == 0 ? "Na=1,Cl=-1" : "Zn=1,S=-1");
			if (caesium && d == 0) {
				double charges[2] = {1.0, -1.0};
				assert_int_equal(sonde_atoms_count(atoms), 2);
				assert_int_equal(sonde_atoms_set_charges(atoms, charges), SONDE_OK);
			}
			if (caesium)
				options.charges[0] = '\0';
			assert_int_equal(sonde_context_set_device(context, devices[d]), SONDE_OK);
			if (sonde_coulomb_run(context, atoms, &options, &result) != SONDE_OK) {
				if (!is_absent())
					fail_msg("%s: %s", devices[d], sonde_status_message());
				sonde_context_free(&context);
				continue;
			}
			double found = -result->potential[0] * crystals[c].nearest * 4.0;
			print_message("%s, %s: %.15f, error %.1e, other split %.1e\n", crystals[c].species,
				      devices[d], found, found - crystals[c].constant, result->relative_error);
			assert_within(found, crystals[c].constant, 1e-12, "found");
			assert_true(result->relative_error < 1e-12);
			sonde_coulomb_result_free(&result);
			sonde_context_free(&context);
		}
		sonde_atoms_free(&atoms);
	}
}

/* Charges at random in a cell, not neutral: potential and field repeat with the cell, the field is the slope of
 * the potential, no split matters, energy and forces belong together. */
static void test_potential_and_field_repeat_with_the_cell(void **state)
{
	sonde_atoms *atoms = random_charges(40, 6.0, 1.0, 0.0, false);
	double h = 1e-3;
	(void)state;

	for (int cell = 0; cell < 2; ++cell) {
		sonde_coulomb_options options = grid_options(1.3, 2.1, 0.7, h, 3, 3, 3, SONDE_COULOMB_PRECISION_AUTO),
				      far;
		options.boundary = SONDE_COULOMB_BOUNDARY_PERIODIC;
		options.cell = cell == 0 ? (sonde_vector){7, 8, 9} : (sonde_vector){6.5, 30, 6.5};
		options.tolerance = 1e-12;
		options.forces = 1;
		far = options;
		far.origin = (sonde_vector){1.3 - 3 * options.cell.x, 2.1 + 5 * options.cell.y, 0.7 + options.cell.z};
		sonde_coulomb_result *result = solve(atoms, &options), *there = solve(atoms, &far);
		assert_true(result->relative_error < 1e-11 && result->field_error < 1e-11);
		assert_true(largest_difference(result, there, 1.0) < 1e-12);
		double slope = (result->potential[12] - result->potential[14]) / (2 * h);
		print_message("field %.9f, slope %.9f, split %.1e %.1e\n", result->field[39], slope,
			      result->relative_error, result->field_error);
		assert_within(slope, result->field[39], 1e-5, "slope");
		double sum[3] = {0.0};
		for (int64_t i = 0; i < 3 * result->charge_count; ++i)
			sum[i % 3] += result->forces[i];
		assert_true(fabs(sum[0]) + fabs(sum[1]) + fabs(sum[2]) < 1e-10);
		sonde_coulomb_result_free(&result);
		sonde_coulomb_result_free(&there);
	}
	sonde_atoms_free(&atoms);
}

/* A slab's potential by its own sum in two dimensions (Parry, Surf. Sci. 49 (1975) 433; Heyes, Barber and Clarke, J. Chem.
 * Soc. Faraday II 73 (1977) 1485), slow and obvious. */
static double slab_potential(const double *numbers, int count, double a, double b, const double p[3])
{
	const double alpha = 0.9;
	double sum = 0.0;

	for (int j = 0; j < count; ++j) {
		const double *r = numbers + 4 * j;
		double x = p[0] - r[0], y = p[1] - r[1], z = p[2] - r[2], q = r[3];
		for (int n = -6; n <= 6; ++n) {
			for (int m = -6; m <= 6; ++m) {
				double d = sqrt((x + n * a) * (x + n * a) + (y + m * b) * (y + m * b) + z * z);
				sum += q * erfc(alpha * d) / d;
			}
		}
		for (int n = -15; n <= 15; ++n) {
			for (int m = -15; m <= 15; ++m) {
				double kx = 2.0 * PI * n / a, ky = 2.0 * PI * m / b, k = sqrt(kx * kx + ky * ky);
				if (k == 0.0 || k > 15.0)
					continue;
				sum += q * PI / (a * b) * cos(kx * x + ky * y) / k *
				       (exp(k * z) * erfc(k / (2.0 * alpha) + alpha * z) +
					exp(-k * z) * erfc(k / (2.0 * alpha) - alpha * z));
			}
		}
		sum -= q * 2.0 * sqrt(PI) / (a * b) *
		       (exp(-alpha * alpha * z * z) / alpha + sqrt(PI) * z * erf(alpha * z));
	}
	return sum;
}

static void test_slabs_agree_with_another_sum(void **state)
{
	(void)state;

	for (int charged = 0; charged < 2; ++charged) {
		double numbers[4 * 12], total = 0.0;
		for (int i = 0; i < 48; ++i)
			numbers[i] = 5.0 * uniform_number(11, (uint64_t)i) - (i % 4 == 3 ? 2.5 : 0.0);
		for (int j = 0; j < 12; ++j)
			total += numbers[4 * j + 3];
		for (int j = 0; j < 12 && !charged; ++j)
			numbers[4 * j + 3] -= total / 12.0;
		sonde_atoms *atoms = make_charges(numbers, 12);
		sonde_coulomb_options options =
		    grid_options(-1.3, 0.4, -6.1, 1.7, 3, 3, 10, SONDE_COULOMB_PRECISION_AUTO);
		options.boundary = SONDE_COULOMB_BOUNDARY_SLAB;
		options.cell = (sonde_vector){5, 6, 99};
		options.tolerance = 1e-12;
		sonde_coulomb_result *result = solve(atoms, &options);
		double worst = 0.0, largest = 0.0, slope = 0.0;
		for (int64_t n = 0; n < result->point_count; ++n) {
			double p[3] = {-1.3 + 1.7 * (double)(n % 3), 0.4 + 1.7 * (double)(n / 3 % 3),
				       -6.1 + 1.7 * (double)(n / 9)};
			double exact = slab_potential(numbers, 12, 5.0, 6.0, p), h = 1e-4;
			worst = fmax(worst, fabs(result->potential[n] - exact));
			largest = fmax(largest, fabs(exact));
			p[2] += h;
			double above = slab_potential(numbers, 12, 5.0, 6.0, p);
			p[2] -= 2.0 * h;
			double field = (slab_potential(numbers, 12, 5.0, 6.0, p) - above) / (2.0 * h);
			slope = fmax(slope, fabs(field - result->field[3 * n + 2]));
		}
		print_message("slab%s: potential off by %.1e of %.1e, field by %.1e, estimate %.1e\n",
			      charged ? ", charged" : "", worst, largest, slope, result->relative_error);
		assert_true(worst < 1e-10 * largest);
		assert_true(slope < 1e-5 * largest);
		assert_true(result->relative_error < 1e-11);
		sonde_coulomb_result_free(&result);
		sonde_atoms_free(&atoms);
	}
}

/* The same charges by another cell: edges that are sums of the first one's, and any lattice vector added to a charge. */
static void test_other_cells_of_the_same_charges_give_the_same(void **state)
{
	static const double edges[2][9] = {{5.0, 0.0, 0.0, 1.0, 6.0, 0.0, 0.5, -1.0, 7.0},
					   /* a, b + 2 a, c - b + a; a slab has no use for the last one */
					   {5.0, 0.0, 0.0, 11.0, 6.0, 0.0, 4.5, -7.0, 7.0}};
	(void)state;

	for (int slab = 0; slab < 2; ++slab) {
		sonde_coulomb_options options = grid_options(-3.1, 0.4, -6.1, 1.3, 5, 4, 7, FLOAT64);
		sonde_coulomb_result *results[2];
		options.boundary = slab ? SONDE_COULOMB_BOUNDARY_SLAB : SONDE_COULOMB_BOUNDARY_PERIODIC;
		options.tolerance = 1e-12;
		for (int other = 0; other < 2; ++other) {
			double numbers[4 * 10];
			for (int j = 0; j < 10; ++j) {
				for (int c = 0; c < 3; ++c)
					numbers[4 * j + c] =
					    5.0 * uniform_number(12, (uint64_t)(3 * j + c)) +
					    (other ? (j % 3 - 1) * edges[0][c] - (j % 2) * edges[0][3 + c] : 0.0);
				numbers[4 * j + 3] = j % 2 == 0 ? 1.0 : -1.0;
			}
			sonde_atoms *atoms = make_charges(numbers, 10);
			atoms->has_lattice = true;
			memcpy(atoms->lattice, edges[other], sizeof atoms->lattice);
			results[other] = solve(atoms, &options);
			sonde_atoms_free(&atoms);
		}
		double worst = 0.0, largest = 0.0;
		for (int64_t n = 0; n < 3 * results[0]->point_count; ++n) {
			worst = fmax(worst, fabs(results[0]->field[n] - results[1]->field[n]));
			largest = fmax(largest, fabs(results[0]->field[n]));
		}
		print_message("%s, two cells: potential off by %.1e, field by %.1e\n", slab ? "slab" : "periodic",
			      largest_difference(results[1], results[0], 1.0), worst / largest);
		assert_true(largest_difference(results[1], results[0], 1.0) < 1e-11);
		assert_true(worst < 1e-11 * largest);
		for (int other = 0; other < 2; ++other)
			sonde_coulomb_result_free(&results[other]);
	}
}

/* The distance of a point from the nearest atom, by going through many images. */
static double nearest_image(const sonde_atoms *atoms, double edges[3][3], int along_c, const double point[3])
{
	double least = INFINITY;

	for (int64_t i = 0; i < atoms->count; ++i)
		for (int n = -6; n <= 6; ++n)
			for (int m = -6; m <= 6; ++m)
				for (int l = -6 * along_c; l <= 6 * along_c; ++l) {
					double square = 0.0;
					for (int c = 0; c < 3; ++c)
						square += pow(atoms->positions[3 * i + c] + n * edges[0][c] +
								  m * edges[1][c] + l * edges[2][c] - point[c],
							      2.0);
					least = fmin(least, sqrt(square));
				}
	return least;
}

/* Atoms of which some are not in the cell, a sheared one, and points beyond it. */
static void test_masks_know_the_images_of_atoms(void **state)
{
	static const double charges[] = {0.2, 0.3, 0.1,  1.0,  8.9, 7.8, 0.4, -1.0,
					 3.0, 9.5, -2.0, -0.5, 5.0, 4.0, 5.0, 0.5};
	static const double limits[][2] = {{1.5, 0.0}, {0.0, 2.5}, {1.0, 30.0}, {0.7, 3.1}};
	sonde_atoms *atoms = make_charges(charges, 4);
	double edges[3][3] = {{9.0, 0.0, 0.0}, {2.5, 8.0, 0.0}, {0.0, 0.0, 7.0}};
	(void)state;

	memcpy(atoms->lattice, edges, sizeof edges);
	atoms->has_lattice = true;
	for (size_t n = 0; n < 2 * sizeof limits / sizeof *limits; ++n) {
		sonde_coulomb_options options = grid_options(-4.0, 1.0, -3.0, 1.9, 9, 7, 8, FLOAT64);
		options.boundary = n % 2 == 0 ? SONDE_COULOMB_BOUNDARY_PERIODIC : SONDE_COULOMB_BOUNDARY_SLAB;
		options.exclude_within = limits[n / 2][0];
		options.exclude_beyond = limits[n / 2][1];
		options.quantity = SONDE_COULOMB_QUANTITY_POTENTIAL;
		sonde_coulomb_result *result = solve(atoms, &options);
		int64_t masked = 0;
		for (int64_t p = 0; p < 9 * 7 * 8; ++p) {
			const double point[3] = {-4.0 + 1.9 * (double)(p % 9), 1.0 + 1.9 * (double)(p / 9 % 7),
						 -3.0 + 1.9 * (double)(p / 63)},
				     distance = nearest_image(atoms, edges, n % 2 == 0, point);
			const bool excluded =
			    distance < limits[n / 2][0] || (limits[n / 2][1] > 0.0 && distance >= limits[n / 2][1]);
			assert_int_equal(isnan(result->potential[p]), excluded);
			masked += excluded;
		}
		assert_int_equal(result->masked, masked);
		assert_true(masked > 0 && masked < 9 * 7 * 8);
		sonde_coulomb_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

/* The error of the potential, root mean square relative to that of `exact`. */
static double true_error(const sonde_coulomb_result *result, const sonde_coulomb_result *exact)
{
	double error = 0.0, own = 0.0;

	for (int64_t n = 0; n < result->point_count; ++n) {
		const double difference = result->potential[n] - exact->potential[n];
		error += difference * difference;
		own += exact->potential[n] * exact->potential[n];
	}
	return sqrt(error / own);
}

/* The error that is stated if all points are checked is the true one: also that part of a slab's which comes from its
 * images. */
static void test_errors_of_all_points_are_true(void **state)
{
	static const double tolerances[] = {1e-3, 1e-6, 1e-9};
	sonde_atoms *atoms = random_charges(40, 6.0, 1.0, 0.0, false);
	(void)state;

	for (int slab = 0; slab < 2; ++slab) {
		sonde_coulomb_options options =
		    grid_options(0.1, 0.2, 0.3, 0.8, 7, 8, 9, SONDE_COULOMB_PRECISION_AUTO);
		options.boundary = slab ? SONDE_COULOMB_BOUNDARY_SLAB : SONDE_COULOMB_BOUNDARY_PERIODIC;
		options.cell = (sonde_vector){7, 8, 9};
		options.tolerance = 1e-13;
		sonde_coulomb_result *exact = solve(atoms, &options);
		for (size_t t = 0; t < sizeof tolerances / sizeof *tolerances; ++t) {
			options.tolerance = tolerances[t];
			sonde_coulomb_result *result = solve(atoms, &options);
			const double error = true_error(result, exact);
			print_message("%s, tolerance %.0e: error %.3e, stated %.3e\n", slab ? "slab" : "periodic",
				      tolerances[t], error, result->relative_error);
			assert_int_equal(result->checked_points, result->point_count);
			assert_close(result->relative_error, error, 0.1, "the stated error");
			sonde_coulomb_result_free(&result);
		}
		sonde_coulomb_result_free(&exact);
	}
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_madelungs_constants_come_out),
	    cmocka_unit_test(test_potential_and_field_repeat_with_the_cell),
	    cmocka_unit_test(test_slabs_agree_with_another_sum),
	    cmocka_unit_test(test_other_cells_of_the_same_charges_give_the_same),
	    cmocka_unit_test(test_errors_of_all_points_are_true),
	    cmocka_unit_test(test_masks_know_the_images_of_atoms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
