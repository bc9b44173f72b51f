/* Isotopes by the option `labels`, compared with samples that have them, and with the mean over all configurations. */
#include "physics/physics.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define REFERENCE SONDE_DEBYE_METHOD_REFERENCE
#define POINTS 40
#define HYDROGENS 5
#define ATOMS (HYDROGENS + 3)

static const double places[ATOMS][3] = {{0.96, 0, 0},     {-0.24, 0.93, 0.1}, {3.96, 0.1, 0.3}, {2.76, 0.93, -0.2},
					{1.4, 2.9, -1.7}, {0, 0, 0},          {3, 0, 0.2},      {1.1, 2.2, -1}};
static const double fractions[3] = {0.55, 0.25, 0.2}; /* of D, T, H: 3^5 configurations */
static const char *const isotopes[3] = {"D", "T", "H"};

/* Heavy water, or any other by the isotope of each hydrogen; in a cell. */
static sonde_atoms *water(const char *const hydrogens[HYDROGENS])
{
	static const double edges[9] = {6, 0, 0, 0.5, 6.5, 0, -0.3, 0.4, 7};
	sonde_atoms *atoms = empty_sample();

	for (int i = 0; i < ATOMS; ++i)
		add_atom(atoms, i < HYDROGENS ? hydrogens[i] : "O", places[i][0], places[i][1], places[i][2]);
	set_periodic_cell(atoms, edges);
	return atoms;
}

static sonde_atoms *uniform_water(const char *hydrogen)
{
	const char *hydrogens[HYDROGENS];

	for (int i = 0; i < HYDROGENS; ++i)
		hydrogens[i] = hydrogen;
	return water(hydrogens);
}

static sonde_debye_options neutrons(int method, int boundary, const char *labels)
{
	sonde_debye_options options = options_of(method, SONDE_DEBYE_FACTORS_AUTO, 0.0, 12.0, POINTS);

	options.radiation = SONDE_DEBYE_RADIATION_NEUTRON;
	options.boundary = boundary;
	options.cutoff = boundary == SONDE_DEBYE_BOUNDARY_PERIODIC ? 14.0 : 0.0;
	if (boundary == SONDE_DEBYE_BOUNDARY_PERIODIC)
		options.damping = SONDE_DEBYE_DAMPING_NONE;
	snprintf(options.displacement, sizeof options.displacement, "0.01");
	snprintf(options.labels, sizeof options.labels, "%s", labels);
	return options;
}

static void test_labels_are_those_of_the_sample_that_has_them(void **state)
{
	sonde_atoms *light = uniform_water("H"), *heavy = uniform_water("D");
	(void)state;

	for (int boundary = SONDE_DEBYE_BOUNDARY_OPEN; boundary <= SONDE_DEBYE_BOUNDARY_PERIODIC; ++boundary) {
		const sonde_debye_options changed = neutrons(HISTOGRAM, boundary, "H=D,O=O"),
					  plain = neutrons(HISTOGRAM, boundary, "");
		sonde_debye_result *relabeled = run(light, &changed), *truth = run(heavy, &plain);
		assert_true(same_bits(relabeled, truth));
		assert_int_equal(relabeled->species_count, 2);
		assert_string_equal(relabeled->species_label[0], "D");
		sonde_debye_result_free(&relabeled);
		sonde_debye_result_free(&truth);
	}
	sonde_atoms_free(&light);
	sonde_atoms_free(&heavy);
}

/* I of all 3^5 configurations, each with its probability. Of a periodic sample, in which the images of an atom are
 * other isotopes, the mean over configurations of one cell is not that of the crystal. */
static void mean_over_configurations(double mean[POINTS])
{
	sonde_debye_options options = neutrons(REFERENCE, SONDE_DEBYE_BOUNDARY_OPEN, "");

	memset(mean, 0, POINTS * sizeof *mean);
	for (int configuration = 0; configuration < 243; ++configuration) {
		const char *hydrogens[HYDROGENS];
		double probability = 1.0;
		for (int i = 0, rest = configuration; i < HYDROGENS; ++i, rest /= 3) {
			hydrogens[i] = isotopes[rest % 3];
			probability *= fractions[rest % 3];
		}
		sonde_atoms *atoms = water(hydrogens);
		sonde_debye_result *result = run(atoms, &options);
		for (int k = 0; k < POINTS; ++k)
			mean[k] += probability * result->intensity[k] / ATOMS;
		sonde_debye_result_free(&result);
		sonde_atoms_free(&atoms);
	}
}

static void test_mixtures_are_means_over_configurations(void **state)
{
	static const int methods[] = {EXACT, HISTOGRAM, REFERENCE};
	sonde_atoms *light = uniform_water("H");
	double mean[POINTS];
	(void)state;

	mean_over_configurations(mean);
	for (int m = 0; m < 3; ++m) {
		const sonde_debye_options options =
		    neutrons(methods[m], SONDE_DEBYE_BOUNDARY_OPEN, "H=0.55*D+0.25*T+0.2*H");
		sonde_debye_result *result = run(light, &options);
		check_intensity("mixed isotopes", result, mean, m == 1 ? 1e-7 : 1e-12, 1e-5);
		assert_close(result->atoms_present, ATOMS, 1e-14, "atoms");
		assert_int_equal(result->species_count, 4);
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&light);
}

/* Mean amplitudes, and the variance of each hydrogen: also of images in other cells, which are independent. */
static void test_mixtures_of_periodic_samples(void **state)
{
	sonde_atoms *light = uniform_water("H");
	sonde_debye_result *results[3];
	double amplitude = 0.0, square = 0.0;
	(void)state;

	for (int k = 0; k < 3; ++k) {
		char labels[32];
		snprintf(labels, sizeof labels, "H=%s", isotopes[k]);
		const sonde_debye_options options = neutrons(EXACT, SONDE_DEBYE_BOUNDARY_PERIODIC, labels);
		results[k] = run(light, &options);
	}
	const sonde_debye_options options =
	    neutrons(HISTOGRAM, SONDE_DEBYE_BOUNDARY_PERIODIC, "H=0.55*D+0.25*T+0.2*H");
	sonde_debye_result *mixed = run(light, &options);
	/* b_D = 6.671, b_T = 4.792, b_H = -3.739 fm (Sears 1992) */
	static const double b[3] = {6.671, 4.792, -3.7390};
	for (int k = 0; k < 3; ++k) {
		amplitude += fractions[k] * b[k];
		square += fractions[k] * b[k] * b[k];
	}
	/* I/N = A + B b + C b^2 of a uniform sample; three of them give that of the mean amplitude */
	for (int k = 0; k < POINTS; ++k) {
		double truth = HYDROGENS * (square - amplitude * amplitude) / ATOMS;
		for (int i = 0; i < 3; ++i) {
			double weight = 1.0;
			for (int j = 0; j < 3; ++j)
				weight *= j != i ? (amplitude - b[j]) / (b[i] - b[j]) : 1.0;
			truth += weight * results[i]->intensity_per_atom[k];
		}
		assert_within(mixed->intensity_per_atom[k], truth, 1e-5 * mixed->mean_square_amplitude[k], "I/N");
	}
	for (int k = 0; k < 3; ++k)
		sonde_debye_result_free(&results[k]);
	sonde_debye_result_free(&mixed);
	sonde_atoms_free(&light);
}

/* The 3^5 patterns as well. */
static void test_patterns_of_mixtures(void **state)
{
	sonde_context *context = make_context(1);
	sonde_pattern_options options;
	sonde_pattern_result *mixed, *one;
	double mean[12] = {0.0};
	(void)state;

	sonde_pattern_options_init(&options);
	options.q = (sonde_grid){0.5, 6.0, 3};
	options.phi = 4;
	options.wavelength = 0.8;
	options.radiation = SONDE_PATTERN_RADIATION_NEUTRON;
	for (int configuration = 0; configuration < 243; ++configuration) {
		const char *hydrogens[HYDROGENS];
		double probability = 1.0;
		for (int i = 0, rest = configuration; i < HYDROGENS; ++i, rest /= 3) {
			hydrogens[i] = isotopes[rest % 3];
			probability *= fractions[rest % 3];
		}
		sonde_atoms *atoms = water(hydrogens);
		assert_int_equal(sonde_pattern_run(context, atoms, &options, &one), SONDE_OK);
		for (int n = 0; n < 12; ++n)
			mean[n] += probability * one->intensity[n];
		sonde_pattern_result_free(&one);
		sonde_atoms_free(&atoms);
	}
	sonde_atoms *light = uniform_water("H");
	snprintf(options.labels, sizeof options.labels, "H=0.55*D+0.25*T+0.2*H");
	assert_int_equal(sonde_pattern_run(context, light, &options, &mixed), SONDE_OK);
	for (int n = 0; n < 12; ++n)
		assert_within(mixed->intensity[n], mean[n], 1e-9, "I");
	sonde_pattern_result_free(&mixed);
	sonde_atoms_free(&light);
	sonde_context_free(&context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_labels_are_those_of_the_sample_that_has_them),
	    cmocka_unit_test(test_mixtures_are_means_over_configurations),
	    cmocka_unit_test(test_mixtures_of_periodic_samples),
	    cmocka_unit_test(test_patterns_of_mixtures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
