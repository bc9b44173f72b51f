/* Pairs of atoms with complex amplitudes, for electrons, and with amplitudes from files: closed forms. */
#include <math.h>
#include <stdio.h>

#include "physics/physics.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define REFERENCE SONDE_DEBYE_METHOD_REFERENCE
#define POINTS 200
#define PI 3.14159265358979323846

static const int methods[] = {EXACT, HISTOGRAM, REFERENCE};

struct complex_number {
	double real, imaginary;
};

static double tolerance_of(int method)
{
	return method == HISTOGRAM ? 2e-9 : 1e-13;
}

static double sinc(double x)
{
	return x == 0.0 ? 1.0 : sin(x) / x;
}

static sonde_atoms *pair_of(const char *a, const char *b, double r)
{
	sonde_atoms *atoms = empty_sample();

	add_atom(atoms, a, 0.0, 0.0, 0.0);
	add_atom(atoms, b, 0.0, r, 0.0);
	return atoms;
}

/* f_0 of Waasmaier and Kirfel, from coefficients typed in: a, b, and c. */
static const double chlorine[] = {1.446071, 6.870609,  6.151801,  1.750347, 0.634168, 0.052357,
				  1.193165, 18.343416, 46.398396, 0.401005, 0.146773};
static const double sodium[] = {4.910127, 3.081783, 1.262067,   1.098938, 0.560991, 3.281434,
				9.119178, 0.102763, 132.013947, 0.405878, 0.079712};
static const double gold[] = {16.777390, 19.317156, 32.979683, 5.595453, 10.576854, 0.122737,
			      8.621570,  1.256902,  38.008820, 0.000601, -6.279078};

static double form_factor(const double *coefficients, double q)
{
	double s = q / (4.0 * PI), f = coefficients[10];

	for (int i = 0; i < 5; ++i)
		f += coefficients[i] * exp(-coefficients[5 + i] * s * s);
	return f;
}

/* I/N = (|f_a|^2 + |f_b|^2)/2 + Re(f_a f_b*) sin(q r)/(q r) */
static double pair_intensity(struct complex_number a, struct complex_number b, double x)
{
	return 0.5 * (a.real * a.real + a.imaginary * a.imaginary + b.real * b.real + b.imaginary * b.imaginary) +
	       (a.real * b.real + a.imaginary * b.imaginary) * sinc(x);
}

static void check_pair(sonde_debye_options *options, const char *label_a, const double *a,
		       struct complex_number add_a, const char *label_b, const double *b, struct complex_number add_b,
		       double r)
{
	sonde_atoms *atoms = pair_of(label_a, label_b, r);
	double truth[POINTS];

	for (int m = 0; m < 3; ++m) {
		options->method = methods[m];
		sonde_debye_result *result = run(atoms, options);
		for (int k = 0; k < POINTS; ++k) {
			double q = result->q[k];
			struct complex_number fa = {form_factor(a, q) + add_a.real, add_a.imaginary};
			struct complex_number fb = {form_factor(b, q) + add_b.real, add_b.imaginary};
			truth[k] = pair_intensity(fa, fb, q * r);
			assert_true(result->intensity[k] >= 0.0);
		}
		check_intensity(label_a, result, truth, tolerance_of(methods[m]), 1e-8);
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

/* f' and f'' typed in from the tables: Cromer and Liberman at the K alpha line of copper, Henke et al. above the L3 edge of gold. */
static void test_pairs_with_anomalous_scattering(void **state)
{
	sonde_debye_options options = options_of(EXACT, SONDE_DEBYE_FACTORS_AUTO, 0.0, 20.0, POINTS);
	(void)state;

	options.anomalous = SONDE_DEBYE_ANOMALOUS_CROMER_LIBERMAN;
	options.wavelength = 1.5406;
	const struct complex_number au = {-4.3078, 7.2934}, na = {0.1357, 0.1239}, cl = {0.3645, 0.7018};
	check_pair(&options, "Au", gold, au, "Au", gold, au, 2.88);
	check_pair(&options, "Na", sodium, na, "Cl", chlorine, cl, 2.82);
	check_pair(&options, "Au", gold, au, "Cl", chlorine, cl, 2.3);
	/* a row of Henke et al. for Au: f1 = 54.2736, f'' = 10.2075 */
	options.wavelength = 0.0;
	options.anomalous = SONDE_DEBYE_ANOMALOUS_HENKE;
	strcpy(options.energy, "11918.8eV");
	check_pair(&options, "Au", gold, (struct complex_number){54.2736 - 79.0, 10.2075}, "Au", gold,
		   (struct complex_number){54.2736 - 79.0, 10.2075}, 2.88);
}

/* The same energy in three ways. */
static void test_energy_and_wavelength_are_equivalent(void **state)
{
	static const char *const energies[] = {"8.0478 keV", "8047.8eV", "8.0478"};
	sonde_debye_options options = options_of(EXACT, SONDE_DEBYE_FACTORS_AUTO, 0.0, 20.0, POINTS);
	sonde_atoms *atoms = pair_of("Fe", "O", 2.1);
	(void)state;

	options.anomalous = SONDE_DEBYE_ANOMALOUS_CHANTLER;
	options.wavelength = 12398.419843320026 / 8047.8;
	sonde_debye_result *by_wavelength = run(atoms, &options);
	options.wavelength = 0.0;
	for (int k = 0; k < 3; ++k) {
		strcpy(options.energy, energies[k]);
		sonde_debye_result *result = run(atoms, &options);
		check_against(energies[k], result, by_wavelength, 1e-13, 1e-9);
		sonde_debye_result_free(&result);
	}
	sonde_debye_result_free(&by_wavelength);
	sonde_atoms_free(&atoms);
}

/* Two ions for electrons: Peng's Gaussians and the Coulomb term, typed in. */
static void test_ions_scatter_electrons_by_their_charge(void **state)
{
	static const double na[] = {0.0256, 0.0919, 0.297, 0.514, 0.199, 0.0397, 0.287, 1.18, 3.75, 10.8, 0.0},
			    cl[] = {0.265, 0.596, 1.6, 2.69, 1.23, 0.252, 1.56, 6.21, 17.8, 47.8, 0.0};
	const double mott_bethe = 1.0 / (8.0 * PI * PI * 0.529177210903), r = 2.82;
	sonde_debye_options options = options_of(EXACT, SONDE_DEBYE_FACTORS_PENG, 0.5, 20.0, POINTS);
	sonde_atoms *atoms = pair_of("Na+", "Cl-", r);
	double truth[POINTS];
	(void)state;

	options.radiation = SONDE_DEBYE_RADIATION_ELECTRON;
	for (int m = 0; m < 3; ++m) {
		options.method = methods[m];
		sonde_debye_result *result = run(atoms, &options);
		for (int k = 0; k < POINTS; ++k) {
			double q = result->q[k], s = q / (4.0 * PI), charge = mott_bethe / (s * s);
			truth[k] = pair_intensity((struct complex_number){form_factor(na, q) + charge, 0.0},
						  (struct complex_number){form_factor(cl, q) - charge, 0.0}, q * r);
		}
		check_intensity("Na+ and Cl-, electrons", result, truth, tolerance_of(methods[m]), 1e-6);
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

/* A constant amplitude from a file is that of `unit`, times its square. */
static void test_amplitudes_from_a_file(void **state)
{
	static const char name[] = "form_factors_of_a_test.txt";
	sonde_debye_options options = options_of(EXACT, SONDE_DEBYE_FACTORS_AUTO, 0.5, 20.0, POINTS);
	sonde_atoms *atoms = pair_of("Na", "Cl", 2.82);
	double truth[POINTS];
	FILE *file = fopen(name, "w");
	(void)state;

	assert_non_null(file);
	fprintf(file, "label c\nNa 3\n");
	fclose(file);
	strcpy(options.form_factors, name);
	sonde_debye_result *result = run(atoms, &options);
	for (int k = 0; k < POINTS; ++k)
		truth[k] = pair_intensity((struct complex_number){3.0, 0.0},
					  (struct complex_number){form_factor(chlorine, result->q[k]), 0.0},
					  result->q[k] * 2.82);
	check_intensity("a file", result, truth, 1e-13, 1e-8);
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
	remove(name);
}

/* A file says which amplitudes it has. */
static void test_files_keep_the_amplitudes(void **state)
{
	static const char name[] = "amplitudes_of_a_test.h5";
	sonde_debye_options options = options_of(EXACT, SONDE_DEBYE_FACTORS_AUTO, 0.5, 8.0, POINTS);
	sonde_atoms *atoms = pair_of("Fe", "O", 2.1);
	(void)state;

	for (int electrons = 0; electrons < 2; ++electrons) {
		options.anomalous = electrons ? SONDE_DEBYE_ANOMALOUS_NONE : SONDE_DEBYE_ANOMALOUS_EPDL97;
		strcpy(options.energy, electrons ? "" : "8.048keV");
		options.radiation = electrons ? SONDE_DEBYE_RADIATION_ELECTRON : SONDE_DEBYE_RADIATION_XRAY;
		sonde_debye_result *result = run(atoms, &options), *read;
		assert_int_equal(sonde_debye_result_write(result, name, 1), SONDE_OK);
		assert_int_equal(sonde_debye_result_read(NULL, name, &read), SONDE_OK);
		assert_int_equal(read->options->anomalous, options.anomalous);
		assert_int_equal(read->options->radiation, options.radiation);
		assert_string_equal(read->options->energy, options.energy);
		assert_memory_equal(read->intensity, result->intensity, POINTS * sizeof(double));
		assert_int_equal(sonde_debye_result_write(read, name, 1), SONDE_OK);
		sonde_debye_result_free(&read);
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
	remove(name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_pairs_with_anomalous_scattering),
	    cmocka_unit_test(test_energy_and_wavelength_are_equivalent),
	    cmocka_unit_test(test_ions_scatter_electrons_by_their_charge),
	    cmocka_unit_test(test_amplitudes_from_a_file),
	    cmocka_unit_test(test_files_keep_the_amplitudes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
