/* Particles in a solvent: amplitudes in excess of the solvent, and absolute units. */
#include "physics/physics.h"

#include <unistd.h>

#define EDGE 4.08
#define VOLUME (EDGE * EDGE * EDGE / 4.0) /* of an atom of fcc */
#define SOLVENT 0.334                     /* electrons/Angstrom^3 */
#define RADIUS 2.8179403262e-13           /* of the electron, cm */
#define AVOGADRO 6.02214076e23

static sonde_debye_options options_with(double density, double last, int64_t points)
{
	sonde_debye_options options =
	    options_of(SONDE_DEBYE_METHOD_AUTO, SONDE_DEBYE_FACTORS_AUTO, 0.0, last, points);

	options.solvent_density = density;
	options.r = (sonde_grid){1.0, 1.0, 1};
	snprintf(options.excluded_volume, sizeof options.excluded_volume, "%.17g", VOLUME);
	return options;
}

/* The amplitude of a ball of radius R, (delta rho V) 3 (sin x - x cos x)/x^3. */
static double ball(double x)
{
	return x == 0.0 ? 1.0 : 3.0 * (sin(x) - x * cos(x)) / (x * x * x);
}

/* A ball of many atoms is a uniform ball at small angles, whatever the solvent; in one of its own density it vanishes.
 * The grid begins at q = 0: I(0) = (delta rho V)^2 exactly. */
static void test_ball_in_a_solvent(void **state)
{
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_FCC, "Au", EDGE, 25.0);
	const double n = (double)sonde_atoms_count(atoms), radius = cbrt(0.75 / PI * n * VOLUME);
	(void)state;

	for (int matched = 0; matched < 2; ++matched) {
		sonde_debye_options options = options_with(0.0, 0.2, 21);
		options.excluded_volume[0] = '\0';
		sonde_debye_result *vacuum = run(atoms, &options);
		const double f = sqrt(vacuum->mean_square_amplitude[0]), density = matched ? f / VOLUME : SOLVENT,
			     excess = f / VOLUME - density;
		options = options_with(density, 0.2, 21);
		sonde_debye_result *result = run(atoms, &options);
		assert_close(vacuum->intensity[0], n * n * f * f, 1e-13, "I(0) in a vacuum");
		assert_within(result->intensity[0], pow(excess * n * VOLUME, 2), 1e-12 * vacuum->intensity[0],
			      "I(0)");
		for (int64_t k = 0; k < result->q_count; ++k) {
			const double q = result->q[k], whole = n * VOLUME * ball(q * radius);
			/* f depends on q, and so does the solvent's Gaussian */
			const double amplitude = sqrt(vacuum->mean_square_amplitude[k]) -
						 density * VOLUME * exp(-q * q * pow(VOLUME, 2.0 / 3.0) / (4.0 * PI));
			assert_close(result->mean_square_amplitude[k], amplitude * amplitude, matched ? 1e-6 : 1e-12,
				     "<f^2>");
			if (q * radius < 4.0)
				assert_within(result->intensity[k], pow(amplitude / VOLUME * whole, 2),
					      2e-3 * pow(amplitude * n, 2), "I");
		}
		sonde_debye_result_free(&vacuum);
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

/* dSigma/dOmega = n I: for a mass, n = c N_A/M; for a volume fraction phi of balls, phi (delta rho r_e)^2 V at q = 0. */
static void test_absolute_units(void **state)
{
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_FCC, "Au", EDGE, 12.0);
	const double n = (double)sonde_atoms_count(atoms), volume = n * VOLUME * 1e-24;
	sonde_debye_options options = options_with(SOLVENT, 0.5, 6);
	char path[64];
	(void)state;

	strcpy(options.concentration, "fraction:0.01");
	sonde_debye_result *fraction = run(atoms, &options), *again;
	const double excess = sqrt(fraction->mean_square_amplitude[0]) / VOLUME * 1e24;
	assert_close(fraction->intensity_absolute[0], 0.01 * pow(excess * RADIUS, 2) * volume, 1e-12, "fraction");
	strcpy(options.concentration, "mg/ml:5");
	sonde_debye_result *mass = run(atoms, &options);
	strcpy(options.concentration, "number:1e15");
	sonde_debye_result *number = run(atoms, &options);
	for (int64_t k = 0; k < mass->q_count; ++k) {
		assert_close(mass->intensity_absolute[k],
			     5e-3 * AVOGADRO / (n * 196.96655) * RADIUS * RADIUS * mass->intensity[k], 5e-5, "mass");
		assert_close(number->intensity_absolute[k], 1e15 * RADIUS * RADIUS * number->intensity[k], 1e-14,
			     "number");
	}
	snprintf(path, sizeof path, "contrast-%d.h5", (int)getpid());
	assert_int_equal(sonde_debye_result_write(number, path, 1), SONDE_OK);
	assert_int_equal(sonde_debye_result_read(NULL, path, &again), SONDE_OK);
	unlink(path);
	assert_memory_equal(number->intensity_absolute, again->intensity_absolute, 6 * sizeof(double));
	sonde_debye_result *results[] = {fraction, mass, number, again};
	for (int k = 0; k < 4; ++k)
		sonde_debye_result_free(&results[k]);
	sonde_atoms_free(&atoms);
}

/* Neutrons: lengths in fm, densities in 1e-6/Angstrom^2; D2O of 0.0333 molecules/Angstrom^3. */
static void test_neutrons_match_their_own_density(void **state)
{
	sonde_atoms *atoms = empty_sample();
	sonde_debye_options options = options_of(SONDE_DEBYE_METHOD_AUTO, SONDE_DEBYE_FACTORS_AUTO, 0.0, 2.0, 3);
	(void)state;

	options.radiation = SONDE_DEBYE_RADIATION_NEUTRON;
	add_atom(atoms, "D", 0, 0, 0);
	add_atom(atoms, "D", 0.95, 0, 0);
	add_atom(atoms, "O", 0.4, 0.6, 0);
	sonde_debye_result *vacuum = run(atoms, &options);
	const double length = sqrt(vacuum->intensity[0]); /* 2 b_D + b_O, fm */
	assert_close(length, 2.0 * 6.671 + 5.803, 1e-3, "b");
	options.solvent_density = length * 0.0333 * 10.0;
	assert_within(options.solvent_density, 6.37, 0.02, "scattering length density of D2O");
	strcpy(options.excluded_volume, "D=10,O=10.03003003");
	sonde_debye_result *result = run(atoms, &options);
	assert_true(result->intensity[0] < 1e-14 * vacuum->intensity[0]);
	assert_true(result->intensity[2] > 0.1);
	sonde_debye_result_free(&vacuum);
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_ball_in_a_solvent),
	    cmocka_unit_test(test_absolute_units),
	    cmocka_unit_test(test_neutrons_match_their_own_density),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
