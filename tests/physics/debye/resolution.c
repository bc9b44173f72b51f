/* The resolution of an instrument: convolutions compared with sums over much finer points, whose profile is written
 * independently. */
#include "physics/physics.h"

#include <unistd.h>

#define WAVELENGTH 1.54059
#define SECOND 1.54439
#define RATIO 0.5
#define FINE 40001

static double gaussian(double d, double fwhm)
{
	const double sigma = fwhm / (2.0 * sqrt(2.0 * log(2.0)));

	return exp(-d * d / (2.0 * sigma * sigma)) / (sigma * sqrt(2.0 * PI));
}

static double lorentzian(double d, double fwhm)
{
	return 0.5 * fwhm / PI / (d * d + 0.25 * fwhm * fwhm);
}

static sonde_atoms *make_sample(void)
{
	sonde_atoms *atoms = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.26, 6.5);
	return atoms;
}

/* Along q, from q = 0, where points of negative q are those of |q|. */
static void test_gaussian_along_q(void **state)
{
	sonde_atoms *atoms = make_sample();
	sonde_debye_options options = options_of(SONDE_DEBYE_METHOD_AUTO, SONDE_DEBYE_FACTORS_AUTO, 0.0, 9.0, 61);
	(void)state;

	options.r = (sonde_grid){1.0, 10.0, 5};
	sonde_debye_result *plain = run(atoms, &options);
	sonde_debye_options finer = options;
	finer.q = (sonde_grid){0.0, 10.0, FINE};
	sonde_debye_result *fine = run(atoms, &finer);
	for (int wide = 0; wide < 2; ++wide) {
		const double fwhm = wide ? 0.3 : 0.004;
		snprintf(options.resolution, sizeof options.resolution, "gaussian:%g", fwhm);
		sonde_debye_result *result = run(atoms, &options);
		assert_int_equal(result->q_count, 61);
		for (int64_t k = 0; k < result->q_count; ++k) {
			double sum = 0.0, area = 0.0;
			for (int64_t j = -(FINE - 1); j < FINE; ++j) {
				const double d = result->q[k] - (j < 0 ? -fine->q[-j] : fine->q[j]);
				if (fabs(d) > 4.0 * fwhm)
					continue;
				sum += gaussian(d, fwhm) * fine->intensity[j < 0 ? -j : j];
				area += gaussian(d, fwhm);
			}
			assert_close(result->intensity_resolved[k], sum / area, 2e-6, "I_resolved");
			/* other curves are as without a resolution */
			assert_close(result->intensity[k], plain->intensity[k], 1e-12, "I");
			for (int p = 0; p < 3; ++p)
				assert_within(result->partial_structure_factor[p * 61 + k],
					      plain->partial_structure_factor[p * 61 + k], 1e-11, "S_ab");
		}
		for (int64_t k = 0; k < result->r_count; ++k)
			assert_within(result->pair_distribution[k], plain->pair_distribution[k], 1e-10, "G");
		assert_true(result->largest_error < 1e-9);
		sonde_debye_result_free(&result);
	}
	sonde_debye_result_free(&plain);
	sonde_debye_result_free(&fine);
	sonde_atoms_free(&atoms);
}

#define STEP 0.0125 /* degrees */

/* Thompson, Cox & Hastings (1987), with the widths of the line at its own angle. */
static double pseudo_voigt(double x, double line)
{
	const double t = tan(0.5 * line * PI / 180.0), g = sqrt(0.06 * t * t - 0.02 * t + 0.03),
		     l = 0.08 * t + 0.05 / cos(0.5 * line * PI / 180.0),
		     h = pow(pow(g, 5) + 2.69269 * pow(g, 4) * l + 2.42843 * pow(g, 3) * pow(l, 2) +
				 4.47163 * pow(g, 2) * pow(l, 3) + 0.07842 * g * pow(l, 4) + pow(l, 5),
			     0.2),
		     eta = 1.36603 * (l / h) - 0.47719 * pow(l / h, 2) + 0.11116 * pow(l / h, 3);

	/* the end of the profile within a step */
	const double inside = fmax(0.0, fmin(1.0, (20.0 * h - fabs(x - line)) / STEP + 0.5));
	return inside * (eta * lorentzian(x - line, h) + (1.0 - eta) * gaussian(x - line, h));
}

/* Two lines of the source, the factor of polarization, and widths that depend on the angle. */
static void test_pseudo_voigt_along_angles(void **state)
{
	static const double wavelengths[] = {WAVELENGTH, SECOND},
			    parts[] = {1.0 / (1.0 + RATIO), RATIO / (1.0 + RATIO)};
	sonde_atoms *atoms = make_sample();
	sonde_debye_options options;
	sonde_debye_result *fine[2];
	(void)state;

	sonde_debye_options_init(&options);
	options.r = (sonde_grid){1.0, 1.0, 1};
	strcpy(options.polarization, "unpolarized");
	for (int l = 0; l < 2; ++l) {
		options.method = SONDE_DEBYE_METHOD_HISTOGRAM;
		options.two_theta = (sonde_grid){8.0, 145.0, (int64_t)(137.0 / STEP) + 1};
		options.wavelength = wavelengths[l];
		fine[l] = run(atoms, &options);
	}
	options.wavelength = WAVELENGTH;
	options.two_theta = (sonde_grid){30.0, 110.0, 33};
	strcpy(options.resolution, "tch:0.06:-0.02:0.03:0.08:0.05");
	snprintf(options.doublet, sizeof options.doublet, "%g:%g", SECOND, RATIO);
	sonde_debye_result *result = run(atoms, &options);
	for (int64_t k = 0; k < result->q_count; ++k) {
		double sum = 0.0, area = 0.0;
		for (int l = 0; l < 2; ++l)
			for (int64_t j = 0; j < fine[l]->q_count; ++j) {
				const double weight =
				    parts[l] * pseudo_voigt(result->two_theta[k], fine[l]->two_theta[j]);
				sum += weight * fine[l]->intensity_corrected[j];
				area += weight;
			}
		assert_close(result->intensity_resolved[k], sum / area, 2e-5, "I_resolved");
		assert_true(fabs(result->intensity_resolved[k] / result->intensity_corrected[k] - 1.0) > 1e-4 ||
			    k > 0);
	}
	sonde_debye_result_free(&result);
	for (int l = 0; l < 2; ++l)
		sonde_debye_result_free(&fine[l]);
	sonde_atoms_free(&atoms);
}

/* Also where the convolution ends, at the limit of the table and at large angles. */
static void test_constants_stay(void **state)
{
	sonde_atoms *atoms = empty_sample();
	sonde_debye_options options = options_of(SONDE_DEBYE_METHOD_AUTO, SONDE_DEBYE_FACTORS_UNIT, 0.0, 8.14, 91);
	(void)state;

	add_atom(atoms, "Au", 0, 0, 0);
	options.wavelength = WAVELENGTH;
	for (int kind = 0; kind < 3; ++kind) {
		static const char *const kinds[] = {"gaussian:0.5", "gaussian:2deg", "caglioti:0.2:0:0.5"};
		strcpy(options.resolution, kinds[kind]);
		sonde_debye_result *result = run(atoms, &options);
		for (int64_t k = 0; k < result->q_count; ++k)
			assert_close(result->intensity_resolved[k], 1.0, 1e-14, "I_resolved");
		sonde_debye_result_free(&result);
	}
	sonde_atoms_free(&atoms);
}

static void test_files_have_the_curve(void **state)
{
	sonde_atoms *atoms = make_sample();
	sonde_debye_options options = options_of(SONDE_DEBYE_METHOD_AUTO, SONDE_DEBYE_FACTORS_AUTO, 1.0, 9.0, 30);
	char path[64];
	(void)state;

	strcpy(options.resolution, "gaussian:0.2");
	sonde_debye_result *one = run(atoms, &options), *threads = run_on(3, atoms, &options), *again;
	snprintf(path, sizeof path, "resolution-%d.h5", (int)getpid());
	assert_int_equal(sonde_debye_result_write(one, path, 1), SONDE_OK);
	assert_int_equal(sonde_debye_result_read(NULL, path, &again), SONDE_OK);
	unlink(path);
	assert_int_equal(again->q_count, 30);
	assert_true(same_bits(one, again) && same_bits(one, threads));
	assert_true(one->options->q.first == 1.0 && one->options->q.last == 9.0 && one->options->q.points == 30);
	/* options of a file describe a run */
	options = *again->options;
	sonde_debye_result *repeated = run(atoms, &options);
	sonde_debye_result *others[] = {threads, again, repeated};
	for (int k = 0; k < 3; ++k) {
		assert_memory_equal(one->intensity_resolved, others[k]->intensity_resolved, 30 * sizeof(double));
		sonde_debye_result_free(&others[k]);
	}
	sonde_debye_result_free(&one);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_gaussian_along_q),
	    cmocka_unit_test(test_pseudo_voigt_along_angles),
	    cmocka_unit_test(test_constants_stay),
	    cmocka_unit_test(test_files_have_the_curve),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
