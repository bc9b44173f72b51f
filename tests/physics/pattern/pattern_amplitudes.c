/* Amplitudes of patterns: averages over directions are the sums of debye, for all kinds of scatterers; parts of the sample. */
#include "physics/pattern/pictures.h"

/* Gauss-Legendre nodes and weights on [-1, 1], by Newton's method. */
static void legendre(int count, double *nodes, double *weights)
{
	for (int k = 0; k < count; ++k) {
		double x = cos(PI * (k + 0.75) / (count + 0.5)), slope = 1.0;
		for (int step = 0; step < 100; ++step) {
			double before = 1.0, p = x;
			for (int n = 2; n <= count; ++n) {
				const double next = ((2.0 * n - 1.0) * x * p - (n - 1.0) * before) / n;
				before = p;
				p = next;
			}
			slope = count * (x * p - before) / (x * x - 1.0);
			const double change = p / slope;
			x -= change;
			if (fabs(change) < 1e-16)
				break;
		}
		nodes[k] = x;
		weights[k] = 1.0 / ((1.0 - x * x) * slope * slope); /* half of the usual: their sum is 1 */
	}
}

#define POLAR 96
#define AROUND 192

/* Compares the mean of I over the directions of q with the Debye sum, for the same options. */
static void check_average(const char *what, const sonde_atoms *atoms, sonde_pattern_options *options,
			  const sonde_debye_options *powder, double tolerance)
{
	double nodes[POLAR], weights[POLAR], *vectors = calloc((size_t)3 * POLAR * AROUND, sizeof *vectors);
	sonde_debye_result *debye = run(atoms, powder);

	assert_non_null(vectors);
	legendre(POLAR, nodes, weights);
	for (int64_t k = 0; k < debye->q_count; ++k) {
		double mean = 0.0;
		for (int i = 0; i < POLAR; ++i)
			for (int m = 0; m < AROUND; ++m) {
				const double across = debye->q[k] * sqrt(1.0 - nodes[i] * nodes[i]),
					     angle = 2.0 * PI * m / AROUND;
				double *to = vectors + 3 * (i * AROUND + m);
				to[0] = across * cos(angle);
				to[1] = across * sin(angle);
				to[2] = debye->q[k] * nodes[i];
			}
		sonde_pattern_result *result = pattern_at(atoms, vectors, POLAR * AROUND, options);
		for (int i = 0; i < POLAR; ++i) {
			double around = 0.0;
			for (int m = 0; m < AROUND; ++m)
				around += result->intensity[i * AROUND + m];
			mean += weights[i] * around / AROUND;
		}
		sonde_pattern_result_free(&result);
		const double error = fabs(mean / debye->intensity[k] - 1.0);
		print_message("%s: mean over directions at q = %g: %.1e\n", what, debye->q[k], error);
		assert_true(error < tolerance);
	}
	sonde_debye_result_free(&debye);
	free(vectors);
}

static void test_the_mean_over_directions_is_debyes_sum(void **state)
{
	sonde_pattern_options options = pattern_options(0.1, 1.0, 2, 1, 0.0);
	sonde_debye_options powder = options_of(SONDE_DEBYE_METHOD_REFERENCE, SONDE_DEBYE_FACTORS_AUTO, 1.0, 7.0, 3);
	sonde_atoms *atoms = read_sample("C60.xyz");
	(void)state;

	check_average("C60", atoms, &options, &powder, 1e-12);
	options.radiation = SONDE_PATTERN_RADIATION_ELECTRON;
	powder.radiation = SONDE_DEBYE_RADIATION_ELECTRON;
	strcpy(options.displacement, "0.02");
	strcpy(powder.displacement, "0.02");
	check_average("C60, electrons, thermal motion", atoms, &options, &powder, 1e-12);
	sonde_atoms_free(&atoms);
}

/* Sites of half atoms, some of them two at one place or near each other, which exclude each other. */
static sonde_atoms *mixed_sites(void)
{
	sonde_atoms *atoms = empty_sample();
	double occupancies[45];
	int count = 0;

	for (int n = 0; n < 15; ++n) {
		const double x = 3.0 * (n % 3), y = 2.5 * (n / 3 % 3), z = 2.2 * (n / 9) + 0.1 * n;
		add_atom(atoms, "Co", x, y, z);
		occupancies[count++] = n % 2 == 0 ? 0.6 : 1.0;
		if (n % 2 == 0) {
			add_atom(atoms, "Ni", x, y, z);
			occupancies[count++] = 0.3;
		}
		add_atom(atoms, "O", x + 1.3, y, z + 0.4);
		occupancies[count++] = 0.5;
		if (n % 4 == 0) {
			add_atom(atoms, "O", x + 1.3, y + 0.3, z + 0.4);
			occupancies[count++] = 0.5;
		}
	}
	assert_int_equal(sonde_atoms_set_occupancies(atoms, occupancies), SONDE_OK);
	return atoms;
}

static void test_occupancies_and_anomalous_factors_are_those_of_debye(void **state)
{
	sonde_pattern_options options = pattern_options(0.1, 1.0, 2, 1, 0.0);
	sonde_debye_options powder = options_of(SONDE_DEBYE_METHOD_EXACT, SONDE_DEBYE_FACTORS_AUTO, 0.5, 8.0, 3);
	sonde_atoms *atoms = mixed_sites();
	(void)state;

	options.anomalous = SONDE_PATTERN_ANOMALOUS_HENKE;
	powder.anomalous = SONDE_DEBYE_ANOMALOUS_HENKE;
	strcpy(options.energy, "7.72keV");
	strcpy(powder.energy, "7.72keV");
	check_average("sites, f' and f''", atoms, &options, &powder, 1e-11);
	strcpy(options.displacement, "Co=0.01,Ni=0.02,O=0.03");
	strcpy(powder.displacement, "Co=0.01,Ni=0.02,O=0.03");
	check_average("sites, thermal motion", atoms, &options, &powder, 1e-11);
	sonde_atoms_free(&atoms);
}

/* A nucleus that absorbs, b = 6.5 - 13.82i fm (Gd, Sears 1992), at the origin, and one that does not, 2.49 fm (Co), at r:
 * of waves exp(i k.r - i w t), those by way of r have the phase (k - k').r = -q.r. */
static void test_absorbing_nuclei_have_the_sign_of_the_phase(void **state)
{
	static const double q[] = {0.7, -0.4, 1.1}, phase = 0.7 * 1.3 - 0.4 * 0.2 + 1.1 * 0.4;
	sonde_pattern_options options = pattern_options(0.1, 1.0, 2, 1, 0.0);
	sonde_atoms *atoms = empty_sample();
	(void)state;

	add_atom(atoms, "Gd", 0.0, 0.0, 0.0);
	add_atom(atoms, "Co", 1.3, 0.2, 0.4);
	options.radiation = SONDE_PATTERN_RADIATION_NEUTRON;
	sonde_pattern_result *result = pattern_at(atoms, q, 1, &options);
	const double want = pow(6.5 + 2.49 * cos(phase), 2.0) + pow(13.82 + 2.49 * sin(phase), 2.0);
	assert_close(result->intensity[0], want, 1e-11, "I");
	sonde_pattern_result_free(&result);
	sonde_atoms_free(&atoms);
}

/* In units of the reciprocal vectors of its cell, a crystal has its peaks at integers. */
/* F of unit amplitudes and displacements, and the diffuse part of I. */
static void check_tensors(const sonde_atoms *atoms, const double *displacements)
{
	sonde_pattern_options options = pattern_options(0.5, 9.0, 6, 7, 0.5);
	const double *r = sonde_atoms_positions(atoms);

	options.factors = SONDE_PATTERN_FACTORS_UNIT;
	options.amplitude = 1;
	strcpy(options.displacement, "sample");
	sonde_pattern_result *result = pattern(atoms, &options);
	for (int64_t n = 0; n < result->count; ++n) {
		double q[3], real = 0.0, imaginary = 0.0, diffuse = 0.0;
		sonde_pattern_vector(result, n, q);
		for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i) {
			const double *u = displacements + 6 * i,
				     phase = q[0] * r[3 * i] + q[1] * r[3 * i + 1] + q[2] * r[3 * i + 2];
			const double square = q[0] * q[0] * u[0] + q[1] * q[1] * u[1] + q[2] * q[2] * u[2] +
					      2.0 * (q[1] * q[2] * u[3] + q[0] * q[2] * u[4] + q[0] * q[1] * u[5]);
			real += exp(-0.5 * square) * cos(phase);
			imaginary += exp(-0.5 * square) * sin(phase);
			diffuse += 1.0 - exp(-square);
		}
		assert_within(result->real[n], real, 1e-12, "F");
		assert_within(result->imaginary[n], imaginary, 1e-12, "F");
		assert_within(result->intensity[n], real * real + imaginary * imaginary + diffuse, 1e-11, "I");
	}
	sonde_pattern_result_free(&result);
}

static void test_tensors_of_displacements_are_those_of_debye(void **state)
{
	static const double tensors[2][6] = {{0.01, 0.03, 0.02, 0.004, -0.005, 0.002},
					     {0.02, 0.02, 0.02, 0.0, 0.0, 0.0}};
	sonde_pattern_options options = pattern_options(0.1, 1.0, 2, 1, 0.0);
	sonde_debye_options powder = options_of(SONDE_DEBYE_METHOD_EXACT, SONDE_DEBYE_FACTORS_AUTO, 0.5, 8.0, 3);
	sonde_atoms *atoms = random_ball(24, 5.0, 2);
	double displacements[24 * 6];
	(void)state;

	for (int i = 0; i < 24; ++i)
		memcpy(displacements + 6 * i, tensors[i % 2], sizeof tensors[0]);
	assert_int_equal(sonde_atoms_set_displacements(atoms, displacements, 6), SONDE_OK);
	strcpy(options.displacement, "sample");
	strcpy(powder.displacement, "sample");
	check_tensors(atoms, displacements);
	/* debye expands the mean over directions */
	check_average("tensors", atoms, &options, &powder, 3e-3);
	for (int i = 0; i < 24; ++i)
		memcpy(displacements + 6 * i, tensors[1], sizeof tensors[1]);
	assert_int_equal(sonde_atoms_set_displacements(atoms, displacements, 6), SONDE_OK);
	check_average("tensors that are numbers", atoms, &options, &powder, 1e-11);
	sonde_atoms_free(&atoms);
}

/* Amplitudes of labels against patterns of samples that have no other atoms; their sum is F; files have them. */
static void check_partials(sonde_pattern_options *options, const sonde_atoms *all, sonde_atoms *const *parts,
			   double bound)
{
	const char *folder = getenv("TMPDIR");
	sonde_pattern_result *read, *result;
	char path[4096];

	options->amplitude = 1;
	options->partials = SONDE_PATTERN_PARTIALS_SPECIES;
	result = pattern(all, options);
	options->partials = SONDE_PATTERN_PARTIALS_NONE;
	assert_int_equal(result->partial_count, 2);
	for (int p = 0; p < 2; ++p) {
		sonde_pattern_result *alone = pattern(parts[p], options);
		assert_string_equal(result->partial_label[p], p == 0 ? "Co" : "O");
		assert_null(alone->partial_label);
		for (int64_t n = 0; n < result->count; ++n) {
			assert_within(result->partial_real[p * result->count + n], alone->real[n], bound,
				      "F of a label");
			assert_within(result->partial_imaginary[p * result->count + n], alone->imaginary[n], bound,
				      "F of a label");
		}
		sonde_pattern_result_free(&alone);
	}
	for (int64_t n = 0; n < result->count; ++n) {
		assert_within(result->partial_real[n] + result->partial_real[result->count + n], result->real[n],
			      bound, "sum of labels");
		assert_within(result->partial_imaginary[n] + result->partial_imaginary[result->count + n],
			      result->imaginary[n], bound, "sum of labels");
	}
	snprintf(path, sizeof path, "%s/sonde-partials-%ld.h5", folder != NULL ? folder : "/tmp", (long)getpid());
	assert_int_equal(sonde_pattern_result_write(result, path, 0), SONDE_OK);
	assert_int_equal(sonde_pattern_result_read(NULL, path, &read), SONDE_OK);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(read->partial_count, 2);
	assert_string_equal(read->partial_label[1], "O");
	assert_memory_equal(read->partial_real, result->partial_real, 2 * (size_t)result->count * sizeof(double));
	assert_memory_equal(read->partial_imaginary, result->partial_imaginary,
			    2 * (size_t)result->count * sizeof(double));
	sonde_pattern_result_free(&read);
	sonde_pattern_result_free(&result);
}

static void test_amplitudes_of_labels(void **state)
{
	sonde_pattern_options options = pattern_options(0.5, 7.0, 9, 11, 0.7);
	sonde_atoms *all = empty_sample(), *parts[2] = {empty_sample(), empty_sample()};
	(void)state;

	for (uint64_t k = 0; k < 600; ++k) {
		const double x = 30.0 * uniform_number(7, 3 * k), y = 20.0 * uniform_number(7, 3 * k + 1) + 5.0,
			     z = 10.0 * uniform_number(7, 3 * k + 2) - 40.0;
		const int part = k % 3 == 0 ? 0 : 1;
		add_atom(all, part == 0 ? "Co" : "O", x, y, z);
		add_atom(parts[part], part == 0 ? "Co" : "O", x, y, z);
	}
	options.anomalous = SONDE_PATTERN_ANOMALOUS_HENKE;
	strcpy(options.displacement, "0.01");
	check_partials(&options, all, parts, 1e-9);
	options.method = SONDE_PATTERN_METHOD_FAST;
	options.tolerance = 1e-9;
	check_partials(&options, all, parts, 1e-9 * 600.0);
	for (int p = 0; p < 2; ++p)
		sonde_atoms_free(&parts[p]);
	sonde_atoms_free(&all);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_the_mean_over_directions_is_debyes_sum),
	    cmocka_unit_test(test_occupancies_and_anomalous_factors_are_those_of_debye),
	    cmocka_unit_test(test_absorbing_nuclei_have_the_sign_of_the_phase),
	    cmocka_unit_test(test_tensors_of_displacements_are_those_of_debye),
	    cmocka_unit_test(test_amplitudes_of_labels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
