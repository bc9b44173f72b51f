/* Thermal motion in periodic samples: sums over images by hand, cells of the same crystal, and the agreement of methods
 * and devices. */
#include "physics/correlated_motion.h"

#include <stdbool.h>

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define REFERENCE SONDE_DEBYE_METHOD_REFERENCE
#define UNIT SONDE_DEBYE_FACTORS_UNIT
#define AUTO SONDE_DEBYE_FACTORS_AUTO

static const struct law strong = {0.2, 1.3, 0.03};

static void set_tensors(sonde_atoms *atoms, const double *u)
{
	if (sonde_atoms_set_displacements(atoms, u, 6) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
}

/* Sums by hand ------------------------------------------------------------------------------------------------- */

static double sinc(double x)
{
	return x == 0.0 ? 1.0 : sin(x) / x;
}

static double ball(double r, double cutoff)
{
	const double x = r / cutoff;

	return x < 1.0 ? 1.0 - 1.5 * x + 0.5 * x * x * x : 0.0;
}

/* 4 pi int_0^cutoff r^2 w(r) sin(qr)/(qr) exp(-q^2 u (1 + (qbroad r)^2)/2) dr by Simpson's rule. */
static double mean_density(const struct law *law, double u, double q, double cutoff)
{
	const int steps = 20000;
	const double step = cutoff / steps, broad = law->qbroad * law->qbroad;
	long double sum = 0.0;

	for (int k = 1; k <= steps; ++k) {
		const double r = k * step, factor = k == steps ? 1.0 : k % 2 == 1 ? 4.0 : 2.0;
		sum += factor * r * r * ball(r, cutoff) * sinc(q * r) * exp(-0.5 * q * q * u * (1.0 + broad * r * r));
	}
	return (double)(4.0 * PI * sum * step / 3.0);
}

#define MOST 8 /* atoms of a cell */

/* A crystal with unit amplitudes; tensors, or numbers times 1. */
struct crystal {
	double edges[9], r[MOST][3], u[MOST][6];
	int count;
};

static double volume_of(const double e[9])
{
	return fabs(e[0] * (e[4] * e[8] - e[5] * e[7]) - e[1] * (e[3] * e[8] - e[5] * e[6]) +
		    e[2] * (e[3] * e[7] - e[4] * e[6]));
}

/* The pairs of an atom with all images of another one: sin(q r')/(q r') exp(-q^2 s/2). */
static double sum_of_images(const struct crystal *crystal, const struct law *law, int i, int j, double q,
			    double cutoff)
{
	const int most = 12;
	double sum = 0.0, u[6];

	for (int k = 0; k < 6; ++k)
		u[k] = crystal->u[i][k] + crystal->u[j][k];
	for (int n = 0; n < (2 * most + 1) * (2 * most + 1) * (2 * most + 1); ++n) {
		const int cell[3] = {n / ((2 * most + 1) * (2 * most + 1)) - most,
				     n / (2 * most + 1) % (2 * most + 1) - most, n % (2 * most + 1) - most};
		double d[3];
		for (int m = 0; m < 3; ++m)
			d[m] = crystal->r[j][m] - crystal->r[i][m] + cell[0] * crystal->edges[m] +
			       cell[1] * crystal->edges[3 + m] + cell[2] * crystal->edges[6 + m];
		const double r = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
		if (r == 0.0 || r >= cutoff)
			continue;
		const double along = (u[0] * d[0] * d[0] + u[1] * d[1] * d[1] + u[2] * d[2] * d[2] +
				      2.0 * (u[3] * d[1] * d[2] + u[4] * d[0] * d[2] + u[5] * d[0] * d[1])) /
				     (r * r);
		const double in_sine = sqrt(r * r + u[0] + u[1] + u[2] - 3.0 * along);
		sum += ball(r, cutoff) * sinc(q * in_sine) * exp(-0.5 * q * q * width(law, along, r));
	}
	return sum;
}

/* The mean of U_iso over the atoms of the species of atom i: every second one. */
static double mean_displacement(const struct crystal *crystal, int i)
{
	double sum = 0.0;
	int count = 0;

	for (int j = i % 2; j < crystal->count; j += 2, ++count)
		sum += (crystal->u[j][0] + crystal->u[j][1] + crystal->u[j][2]) / 3.0;
	return sum / count;
}

/* I/N. The mean density has the mean displacements of each species. */
static double by_hand(const struct crystal *crystal, const struct law *law, double q, double cutoff)
{
	const double each = 1.0 / (crystal->count * volume_of(crystal->edges));
	double sum = 1.0, last = -1.0, mean = 0.0;

	for (int i = 0; i < crystal->count; ++i)
		for (int j = 0; j < crystal->count; ++j) {
			const double u = mean_displacement(crystal, i) + mean_displacement(crystal, j);
			if (fabs(u - last) > 1e-15)
				mean = mean_density(law, u, q, cutoff);
			last = u;
			sum += sum_of_images(crystal, law, i, j, q, cutoff) / crystal->count - each * mean;
		}
	return sum;
}

static sonde_atoms *atoms_of(const struct crystal *crystal, const int repeat[3])
{
	sonde_atoms *atoms = empty_sample();
	double edges[9];

	for (int n = 0; n < repeat[0] * repeat[1] * repeat[2]; ++n) {
		const int cell[3] = {n / (repeat[1] * repeat[2]), n / repeat[2] % repeat[1], n % repeat[2]};
		for (int i = 0; i < crystal->count; ++i) {
			double r[3];
			for (int m = 0; m < 3; ++m)
				r[m] = crystal->r[i][m] + cell[0] * crystal->edges[m] +
				       cell[1] * crystal->edges[3 + m] + cell[2] * crystal->edges[6 + m];
			add_atom(atoms, i % 2 == 0 ? "Na" : "Cl", r[0], r[1], r[2]);
		}
	}
	for (int k = 0; k < 9; ++k)
		edges[k] = repeat[k / 3] * crystal->edges[k];
	set_periodic_cell(atoms, edges);
	return atoms;
}

static void give_tensors(const struct crystal *crystal, sonde_atoms *atoms)
{
	const int64_t count = sonde_atoms_count(atoms);
	double *u = calloc(6 * (size_t)count, sizeof *u);

	for (int64_t i = 0; i < count; ++i)
		memcpy(u + 6 * i, crystal->u[i % crystal->count], sizeof crystal->u[0]);
	set_tensors(atoms, u);
	free(u);
}

#define EDGE 5.6402
static const struct crystal salt = {.edges = {0, EDGE / 2, EDGE / 2, EDGE / 2, 0, EDGE / 2, EDGE / 2, EDGE / 2, 0},
				    .r = {{0, 0, 0}, {EDGE / 2, 0, 0}},
				    .u = {{0.012, 0.012, 0.012, 0, 0, 0}, {0.02, 0.02, 0.02, 0, 0, 0}},
				    .count = 2};

/* A triclinic cell with flat and long tensors; the second atom is far from its image in the cell of the first. */
static const struct crystal skew = {.edges = {4.0, 0.0, 0.0, 0.7, 4.2, 0.0, -0.5, 0.9, 3.8},
				    .r = {{0.1, 0.2, 0.3}, {1.9, 2.3, 0.4}, {2.2, 0.6, 2.9}},
				    .u = {{0.003, 0.040, 0.030, 0.004, 0.001, 0.002},
					  {0.035, 0.004, 0.005, 0.001, -0.003, 0.002},
					  {0.012, 0.007, 0.020, 0.003, -0.002, 0.001}},
				    .count = 3};
static const int once[3] = {1, 1, 1};

static void test_salt_is_the_sum_by_hand(void **state)
{
	static const double tolerance[] = {1e-11, 1e-8, 1e-11};
	const sonde_grid q = {0.0, 16.0, 9};
	sonde_atoms *atoms = atoms_of(&salt, once);
	double truth[9];
	(void)state;

	for (int k = 0; k < 9; ++k)
		truth[k] = by_hand(&salt, &strong, 2.0 * k, 13.0);
	for (int method = EXACT; method <= REFERENCE; ++method) {
		sonde_debye_options options = moving(method, UNIT, q, 13.0, "Na=0.012,Cl=0.02", &strong);
		sonde_debye_result *result = run(atoms, &options);
		check_intensity("NaCl, periodic, correlated motion", result, truth, tolerance[method - EXACT], 1e-4);
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

static void test_tensors_are_the_sum_by_hand(void **state)
{
	static const int methods[] = {SONDE_DEBYE_METHOD_AUTO, EXACT, REFERENCE};
	static const struct law laws[] = {{0, 0, 0}, {0.0, 0.9, 0.02}};
	const sonde_grid q = {0.0, 16.0, 9};
	sonde_atoms *atoms = atoms_of(&skew, once);
	(void)state;

	give_tensors(&skew, atoms);
	for (int l = 0; l < 2; ++l)
		for (int m = 0; m < 3; ++m) {
			sonde_debye_options options = moving(methods[m], UNIT, q, 11.0, "sample", &laws[l]);
			sonde_debye_result *result = run(atoms, &options);
			assert_int_equal(result->options->method, m == 2 ? REFERENCE : EXACT);
			for (int k = 0; k < 9; ++k) {
				const double truth = by_hand(&skew, &laws[l], result->q[k], 11.0);
				assert_within(result->intensity_per_atom[k], truth, 1e-12, "I/N");
			}
			sonde_debye_result_free(&result);
		}
	sonde_atoms_free(&atoms);
}

/* Cells of the same crystal ------------------------------------------------------------------------------------- */

static void test_supercells_scatter_as_the_cell(void **state)
{
	static const int repeats[3][3] = {{1, 1, 1}, {2, 1, 3}, {2, 2, 2}};
	const sonde_grid q = {0.0, 20.0, 41};
	(void)state;

	for (int tensors = 0; tensors < 2; ++tensors)
		for (int method = EXACT; method <= REFERENCE; ++method) {
			sonde_debye_result *first = NULL;
			for (int cell = 0; cell < 3 && !(tensors && method == HISTOGRAM); ++cell) {
				const struct crystal *crystal = tensors ? &skew : &salt;
				sonde_atoms *atoms = atoms_of(crystal, repeats[cell]);
				if (tensors)
					give_tensors(crystal, atoms);
				sonde_debye_options options =
				    moving(method, tensors ? UNIT : AUTO, q, 12.0,
					   tensors ? "sample" : "Na=0.012,Cl=0.02", &(struct law){0.0, 1.0, 0.03});
				sonde_debye_result *result = run(atoms, &options);
				for (int64_t k = 0; k < q.points && cell > 0; ++k)
					assert_within(result->structure_factor[k], first->structure_factor[k],
						      method == HISTOGRAM ? 1e-9 : 1e-11, "S");
				if (cell == 0)
					first = result;
				else
					sonde_debye_result_free(&result);
				sonde_atoms_free(&atoms);
			}
			sonde_debye_result_free(&first);
		}
}

/* Methods ----------------------------------------------------------------------------------------------------------- */

static sonde_atoms *make_gas(int count, double scale)
{
	sonde_atoms *atoms = empty_sample();
	double edges[9];

	for (int k = 0; k < 9; ++k)
		edges[k] = scale * skew.edges[k];
	for (int i = 0; i < count; ++i) {
		double r[3] = {0};
		for (int k = 0; k < 9; ++k)
			r[k % 3] += edges[k] * (3.0 * uniform_number(7, (uint64_t)(3 * i + k / 3)) - 1.0);
		add_atom(atoms, i % 3 == 0 ? "O" : "H", r[0], r[1], r[2]);
	}
	set_periodic_cell(atoms, edges);
	return atoms;
}

/* The motion of each pair as such gives what the factors of two species give, where they are the same. */
static void test_a_vanishing_correlation_is_none(void **state)
{
	static const struct law none = {0, 0, 0}, vanishing = {0, 0, 1e-12};
	sonde_atoms *atoms = make_gas(40, 2.3);
	(void)state;

	for (int method = EXACT; method <= REFERENCE; ++method)
		for (int damping = 0; damping < 3; ++damping) {
			sonde_debye_options options =
			    moving(method, AUTO, (sonde_grid){0.0, 20.0, 41}, 11.0, "O=0.01,H=0.02", &none);
			options.damping = damping;
			options.r = (sonde_grid){0.0, 10.0, 101};
			sonde_debye_result *expected = run(atoms, &options);
			options.qbroad = vanishing.qbroad;
			sonde_debye_result *result = run(atoms, &options);
			for (int64_t k = 0; k < 41; ++k)
				assert_within(result->structure_factor[k], expected->structure_factor[k], 1e-10, "S");
			for (int64_t k = 0; k < 101; ++k)
				assert_within(result->pair_distribution[k], expected->pair_distribution[k], 1e-9,
					      "G");
			sonde_debye_result_free(&expected);
			sonde_debye_result_free(&result);
		}
	sonde_atoms_free(&atoms);
}

/* Methods agree within their estimates, uniform in q and in the angle, at all dampings; the exact one without a motion too. */
static void test_methods_agree(void **state)
{
	static const struct law laws[] = {{0, 0, 0}, {0, 0, 0.05}};
	sonde_atoms *atoms = make_gas(40, 2.3);
	(void)state;

	for (int l = 0; l < 2; ++l)
		for (int damping = 0; damping < 3; ++damping) {
			sonde_debye_result *results[3];
			for (int method = EXACT; method <= REFERENCE; ++method) {
				sonde_debye_options options = moving(method, AUTO, (sonde_grid){0.0, 20.0, 41},
								     11.0007, "O=0.01,H=0.02", &laws[l]);
				options.damping = damping;
				options.wavelength = 0.6;
				if (damping == 1) {
					options.q = (sonde_grid){0.1, 20.0, 996};
					options.two_theta = (sonde_grid){5.0, 140.0, 30};
				}
				results[method - EXACT] = run(atoms, &options);
			}
			check_against("gas, exact", results[0], results[2], 1e-12, 1e-4);
			check_against("gas, histogram", results[1], results[2], 1e-7, 1e-4);
			for (int m = 0; m < 3; ++m)
				sonde_debye_result_free(&results[m]);
		}
	sonde_atoms_free(&atoms);
}

/* More than 10^6 pairs, in several lists. */
static void test_many_pairs_are_summed_part_by_part(void **state)
{
	sonde_atoms *atoms = make_gas(260, 4.0);
	sonde_debye_options options =
	    moving(EXACT, UNIT, (sonde_grid){0.0, 20.0, 9}, 36.0, "O=0.01,H=0.02", &(struct law){0, 0, 0.02});
	(void)state;

	options.r = (sonde_grid){1.0, 1.0, 1}; /* without G(r) */
	sonde_debye_result *exact = run(atoms, &options);
	options.method = HISTOGRAM;
	sonde_debye_result *histogram = run(atoms, &options);
	check_against("gas, 10^6 pairs", histogram, exact, 1e-7, 1e-4);
	sonde_debye_result_free(&exact);
	sonde_debye_result_free(&histogram);
	sonde_atoms_free(&atoms);
}

/* Any number of threads, and the kernels for GPUs as plain C, by OpenCL, and by CUDA where they are. */
static void test_bits_do_not_depend_on_the_device(void **state)
{
	static const char *const devices[] = {"emulated", "opencl:0", "cuda:0"};
	sonde_atoms *atoms = make_gas(260, 4.0);
	(void)state;

	for (int method = EXACT; method <= HISTOGRAM; ++method) {
		sonde_debye_options options = moving(method, UNIT, (sonde_grid){0.0, 20.0, 50}, 10.7, "O=0.01,H=0.02",
						     &(struct law){0, 0, 0.04});
		sonde_debye_result *one = run_on(1, atoms, &options), *three = run_on(3, atoms, &options);
		assert_true(same_bits(one, three));
		for (int d = 0; d < 3; ++d) {
			sonde_debye_result *result = run_on_device(devices[d], atoms, &options);
			if (result != NULL)
				assert_true(same_bits(one, result));
			sonde_debye_result_free(&result);
		}
		sonde_debye_result_free(&one);
		sonde_debye_result_free(&three);
	}
	sonde_atoms_free(&atoms);
}

/* Limits ------------------------------------------------------------------------------------------------------------- */

/* Two halves of an atom on both sides of a face exclude each other, and their distance does not limit delta2. */
static void test_sites_exclude_each_other_across_faces(void **state)
{
	static const double edges[9] = {4, 0, 0, 0, 5, 0, 1, 0, 6}, occupancies[3] = {0.5, 0.5, 0.25};
	static const double u[18] = {0.01,  0.02,  0.03, 0.001, 0.002, 0.003, 0.02,  0.01, 0.01,
				     0.001, 0.000, 0.0,  0.01,  0.01,  0.02,  0.002, 0.0,  0.001};
	(void)state;

	for (int method = EXACT; method <= REFERENCE; ++method)
		for (int tensors = 0; tensors < 2; ++tensors) {
			sonde_debye_result *results[2] = {NULL, NULL};
			for (int inside = 0; inside < 2 && !(tensors && method == HISTOGRAM); ++inside) {
				const double x = inside ? 2.0 : 0.0;
				sonde_debye_options options =
				    moving(method, AUTO, (sonde_grid){0.0, 20.0, 50}, 15.0,
					   tensors ? "sample" : "0.012", &(struct law){0.0, 1.4, 0.02});
				sonde_atoms *atoms = empty_sample();
				add_atom(atoms, "Ag", x + 0.1, 1.0, 1.0);
				add_atom(atoms, "Au", x + (inside ? -0.2 : 3.8), 1.0, 1.0);
				add_atom(atoms, "Cu", x + 2.0, 3.0, 2.0);
				set_periodic_cell(atoms, edges);
				set_tensors(atoms, u);
				assert_int_equal(sonde_atoms_set_occupancies(atoms, occupancies), SONDE_OK);
				results[inside] = run(atoms, &options);
				sonde_atoms_free(&atoms);
			}
			for (int64_t k = 0; results[0] != NULL && k < 50; ++k)
				assert_close(results[0]->intensity[k], results[1]->intensity[k], 1e-9, "I");
			sonde_debye_result_free(&results[0]);
			sonde_debye_result_free(&results[1]);
		}
}

static void check_refusal(const sonde_atoms *atoms, const sonde_debye_options *options, const char *words)
{
	sonde_context *context = make_context(1);
	sonde_debye_result *result;

	assert_int_equal(sonde_debye_run(context, atoms, options, &result), SONDE_INVALID);
	if (strstr(sonde_status_message(), words) == NULL)
		fail_msg("'%s' is not in: %s", words, sonde_status_message());
	assert_null(result);
	sonde_context_free(&context);
}

/* An atom is 0.6 Angstrom from the image of another one, and 3.4 from the atom itself; and an atom in a cell of 2 Angstrom
 * from its own image. */
static void test_images_limit_the_correlation(void **state)
{
	static const double edges[9] = {4, 0, 0, 0, 5, 0, 0, 0, 6}, small[9] = {2, 0, 0, 0, 5, 0, 0, 0, 6};
	const sonde_grid q = {0.0, 10.0, 20};
	sonde_atoms *atoms = empty_sample(), *lone = empty_sample();
	(void)state;

	add_atom(atoms, "O", 0.2, 1.0, 1.0);
	add_atom(atoms, "H", 3.6, 1.0, 1.0);
	set_periodic_cell(atoms, edges);
	add_atom(lone, "O", 0.2, 1.0, 1.0);
	set_periodic_cell(lone, small);
	sonde_debye_options options = moving(HISTOGRAM, UNIT, q, 9.0, "0.01", &(struct law){0.0, 0.49, 0.0});
	check_refusal(atoms, &options, "the pair O-H at 0.6 Angstrom (atoms 1 and 2)");
	options.delta2 = 0.3;
	sonde_debye_result *result = run(atoms, &options);
	sonde_debye_result_free(&result);
	options.delta2 = 4.41;
	check_refusal(lone, &options, "the pair O-O at 2 Angstrom (atoms 1 and 1)");
	options.delta2 = 3.9;
	result = run(lone, &options);
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&lone);
}

static void test_what_is_impossible_is_refused(void **state)
{
	static const struct law none = {0, 0, 0};
	const sonde_grid q = {0.0, 10.0, 20};
	sonde_atoms *atoms = atoms_of(&skew, once);
	(void)state;

	give_tensors(&skew, atoms);
	sonde_debye_options options = moving(HISTOGRAM, UNIT, q, 9.0, "sample", &none);
	check_refusal(atoms, &options, "tensors; choose method = exact");
	options.method = SONDE_DEBYE_METHOD_LATTICE;
	check_refusal(atoms, &options, "a periodic sample takes method = histogram or method = exact");
	options.method = SONDE_DEBYE_METHOD_AUTO;
	options.counts = 1;
	check_refusal(atoms, &options, "choose method = exact and no counts");
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_salt_is_the_sum_by_hand),
	    cmocka_unit_test(test_tensors_are_the_sum_by_hand),
	    cmocka_unit_test(test_supercells_scatter_as_the_cell),
	    cmocka_unit_test(test_a_vanishing_correlation_is_none),
	    cmocka_unit_test(test_methods_agree),
	    cmocka_unit_test(test_many_pairs_are_summed_part_by_part),
	    cmocka_unit_test(test_bits_do_not_depend_on_the_device),
	    cmocka_unit_test(test_sites_exclude_each_other_across_faces),
	    cmocka_unit_test(test_images_limit_the_correlation),
	    cmocka_unit_test(test_what_is_impossible_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
