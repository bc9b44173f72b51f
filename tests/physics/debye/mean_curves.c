/* Means of the curves of an experiment and of parts by blocks: compared with samples computed one by one and added here. */
#include "physics/physics.h"

#include "debye/means/mean_checkpoint.h"
#include "run/checkpoint.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define AUTO SONDE_DEBYE_FACTORS_AUTO
#define POINTS 30
#define FRAMES 4
#define COMPONENTS 2
#define AVOGADRO 6.02214076e23
#define RADIUS_OF_ELECTRON 2.8179403262e-13 /* cm */

static sonde_debye_options experiment(void)
{
	sonde_debye_options options = options_of(EXACT, AUTO, 1.0, 7.0, POINTS);

	options.wavelength = 1.54059;
	strcpy(options.resolution, "gaussian:0.8deg");
	strcpy(options.doublet, "1.54439:0.5");
	strcpy(options.polarization, "unpolarized");
	options.compton = SONDE_DEBYE_COMPTON_COUNTS;
	options.laue = 1;
	strcpy(options.concentration, "mg/ml:5");
	options.partials = SONDE_DEBYE_PARTIALS_BLOCK;
	options.r = (sonde_grid){1.0, 10.0, 10};
	return options;
}

/* Atoms in blocks by their number. */
static void set_blocks(sonde_atoms *atoms, int64_t first, int64_t blocks)
{
	const int64_t count = sonde_atoms_count(atoms);
	int64_t *block = calloc((size_t)count, sizeof *block);

	for (int64_t i = 0; i < count; ++i)
		block[i] = first + i * blocks / count;
	assert_int_equal(sonde_atoms_set_blocks(atoms, block), SONDE_OK);
	free(block);
}

/* sum of w_c N_c^power curve_c */
static double weighted(sonde_debye_result *const *samples, const double *weights, int count, int power,
		       const double *(*curve)(const sonde_debye_result *), int64_t k)
{
	double sum = 0.0;

	for (int c = 0; c < count; ++c)
		sum += weights[c] * (power > 0 ? samples[c]->atoms_present : 1.0) * curve(samples[c])[k];
	return sum;
}

#define CURVE(name)                                                       \
	static const double *get_##name(const sonde_debye_result *result) \
	{                                                                 \
		return result->name;                                      \
	}
CURVE(intensity_resolved)
CURVE(intensity_absolute)
CURVE(intensity_corrected)
CURVE(intensity_compton)
CURVE(intensity_total)
CURVE(intensity_without_laue)
CURVE(laue)
CURVE(block_intensity)

static void assert_near(double value, double expected, const char *what)
{
	assert_within(value, expected, 1e-12 * fabs(expected), what);
}

/* Curves that add up as I does. */
static void check_sums(const sonde_debye_result *mean, sonde_debye_result *const *samples, const double *weights,
		       int count)
{
	double n = 0.0;

	for (int c = 0; c < count; ++c)
		n += weights[c] * samples[c]->atoms_present;
	for (int64_t k = 0; k < POINTS; ++k) {
		assert_near(mean->intensity_resolved[k],
			    weighted(samples, weights, count, 0, get_intensity_resolved, k), "I_resolved");
		assert_near(mean->intensity_corrected[k],
			    weighted(samples, weights, count, 0, get_intensity_corrected, k), "I_corrected");
		assert_near(mean->intensity_compton[k],
			    weighted(samples, weights, count, 0, get_intensity_compton, k), "I_compton");
		assert_near(mean->intensity_total[k], weighted(samples, weights, count, 0, get_intensity_total, k),
			    "I_total");
		assert_near(mean->intensity_without_laue[k],
			    weighted(samples, weights, count, 0, get_intensity_without_laue, k), "I_minus_laue");
		assert_near(mean->laue[k], weighted(samples, weights, count, 1, get_laue, k) / n, "laue");
	}
}

/* Standard error of the mean of values of independent frames. */
static double error_of(sonde_debye_result *const *frames, const double *(*curve)(const sonde_debye_result *),
		       int64_t k)
{
	double center = 0.0, squares = 0.0;

	for (int f = 0; f < FRAMES; ++f)
		center += curve(frames[f])[k] / FRAMES;
	for (int f = 0; f < FRAMES; ++f)
		squares += (curve(frames[f])[k] - center) * (curve(frames[f])[k] - center);
	return sqrt(squares / (FRAMES * (FRAMES - 1.0)));
}

static void test_frames_have_the_mean_of_every_curve(void **state)
{
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614, 8.0);
	const sonde_debye_options options = experiment();
	sonde_context *context = make_context(2);
	struct sonde_debye_mean *sums = begin_mean(context, &options, SONDE_DEBYE_FRAMES, 0);
	sonde_debye_result *frames[FRAMES];
	double weights[FRAMES];
	(void)state;

	for (int f = 0; f < FRAMES; ++f) {
		sonde_atoms *frame = displace(crystal, 0.1, 7 + (uint64_t)f);
		set_blocks(frame, 1, 3);
		add_to_mean(sums, frame, 1.0);
		frames[f] = run(frame, &options);
		weights[f] = 1.0 / FRAMES;
		sonde_atoms_free(&frame);
	}
	sonde_debye_result *mean = finish_mean(&sums);
	check_sums(mean, frames, weights, FRAMES);
	assert_int_equal(mean->block_count, 3);
	for (int b = 0; b < 3; ++b) {
		assert_string_equal(mean->block_label[b], frames[0]->block_label[b]);
		assert_near(mean->block_atoms[b], frames[0]->block_atoms[b], "atoms of a block");
	}
	for (int64_t k = 0; k < 6 * POINTS; ++k) {
		assert_within(mean->block_intensity[k], weighted(frames, weights, FRAMES, 0, get_block_intensity, k),
			      1e-12 * mean->mean_square_amplitude[0], "I_AB");
		assert_within(mean->block_intensity_standard_error[k], error_of(frames, get_block_intensity, k),
			      1e-11 * mean->mean_square_amplitude[0], "its standard error");
	}
	for (int64_t k = 0; k < POINTS; ++k) {
		assert_near(mean->intensity_absolute[k],
			    weighted(frames, weights, FRAMES, 0, get_intensity_absolute, k), "I_absolute");
		assert_within(mean->intensity_resolved_standard_error[k], error_of(frames, get_intensity_resolved, k),
			      1e-12 * mean->intensity_resolved[k], "standard error of I_resolved");
		assert_within(mean->intensity_absolute_standard_error[k], error_of(frames, get_intensity_absolute, k),
			      1e-12 * mean->intensity_absolute[k], "standard error of I_absolute");
	}
	for (int f = 0; f < FRAMES; ++f)
		sonde_debye_result_free(&frames[f]);
	sonde_debye_result_free(&mean);
	sonde_context_free(&context);
	sonde_atoms_free(&crystal);
}

/* Components of different composition, size, and blocks. */
static void test_a_mixture_has_the_sums_of_every_curve(void **state)
{
	const double weights[COMPONENTS] = {0.75, 0.25}, mass_co = 58.933, mass_o = 15.999;
	sonde_atoms *atoms[COMPONENTS] = {build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614, 7.0),
					  build_sphere(SONDE_BUILD_CELL_FCC, "Co", 3.54, 6.0)};
	const sonde_debye_options options = experiment();
	sonde_context *context = make_context(2);
	struct sonde_debye_mean *sums = begin_mean(context, &options, SONDE_DEBYE_MIXTURE, 0);
	sonde_debye_result *samples[COMPONENTS];
	double n = 0.0;
	(void)state;

	for (int c = 0; c < COMPONENTS; ++c) {
		set_blocks(atoms[c], c == 0 ? 1 : 2, 2); /* the blocks 1, 2 and 2, 3 */
		add_to_mean(sums, atoms[c], weights[c]);
		samples[c] = run(atoms[c], &options);
		n += weights[c] * samples[c]->atoms_present;
	}
	sonde_debye_result *mean = finish_mean(&sums);
	check_sums(mean, samples, weights, COMPONENTS);
	assert_null(mean->intensity_resolved_standard_error);
	assert_null(mean->block_intensity_standard_error);
	/* 5 mg/ml of particles of the mean mass */
	const double mass = mean->species_present[0] * mass_co + mean->species_present[1] * mass_o,
		     number = 5e-3 * AVOGADRO / mass;
	for (int64_t k = 0; k < POINTS; ++k) {
		const double absolute =
		    number * RADIUS_OF_ELECTRON * RADIUS_OF_ELECTRON * mean->intensity_resolved[k];
		assert_within(mean->intensity_absolute[k], absolute, 1e-4 * absolute, "I_absolute");
	}
	/* pairs of blocks: 11 12 13 22 23 33; 1 and 3 are never in one particle */
	assert_int_equal(mean->block_count, 3);
	assert_string_equal(mean->block_label[2], "3");
	assert_near(mean->block_atoms[1],
		    weights[0] * samples[0]->block_atoms[1] + weights[1] * samples[1]->block_atoms[0],
		    "atoms of block 2");
	for (int64_t k = 0; k < POINTS; ++k) {
		const double *a = samples[0]->block_intensity + k, *b = samples[1]->block_intensity + k,
			     *of = mean->block_intensity + k;
		const double na = weights[0] * samples[0]->atoms_present / n,
			     nb = weights[1] * samples[1]->atoms_present / n, scale = mean->mean_square_amplitude[0];
		double all = 0.0;
		assert_within(of[0], na * a[0], 1e-12 * scale, "I_11");
		assert_within(of[1 * POINTS], na * a[1 * POINTS], 1e-12 * scale, "I_12");
		assert_within(of[2 * POINTS], 0.0, 0.0, "I_13");
		assert_within(of[3 * POINTS], na * a[2 * POINTS] + nb * b[0], 1e-12 * scale, "I_22");
		assert_within(of[4 * POINTS], nb * b[1 * POINTS], 1e-12 * scale, "I_23");
		assert_within(of[5 * POINTS], nb * b[2 * POINTS], 1e-12 * scale, "I_33");
		for (int p = 0; p < 6; ++p)
			all += of[p * POINTS];
		assert_within(all, mean->intensity_per_atom[k], 1e-12 * scale, "sum of I_AB");
	}
	for (int c = 0; c < COMPONENTS; ++c) {
		sonde_debye_result_free(&samples[c]);
		sonde_atoms_free(&atoms[c]);
	}
	sonde_debye_result_free(&mean);
	sonde_context_free(&context);
}

/* The convolution of the mean is the mean of the convolutions, which have points of their own for each extent. */
static void test_the_resolution_of_a_mean_is_that_of_each_sample(void **state)
{
	sonde_atoms *small = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.0782, 5.0),
		    *large = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.0782, 12.0);
	sonde_debye_options options = options_of(EXACT, AUTO, 0.0, 7.0, 2801);
	sonde_context *context = make_context(2);
	const double width = 0.05;
	(void)state;

	strcpy(options.resolution, "gaussian:0.05");
	struct sonde_debye_mean *sums = begin_mean(context, &options, SONDE_DEBYE_MIXTURE, 0);
	add_to_mean(sums, small, 2.0);
	add_to_mean(sums, large, 1.0);
	sonde_debye_result *mean = finish_mean(&sums);
	for (int64_t k = 400; k < 2400; k += 100) {
		double sum = 0.0, all = 0.0;
		for (int64_t j = 0; j < mean->q_count; ++j) {
			const double x = (mean->q[j] - mean->q[k]) / width, weight = exp(-4.0 * log(2.0) * x * x);
			sum += weight * mean->intensity[j];
			all += weight;
		}
		assert_within(mean->intensity_resolved[k], sum / all, 3e-6 * mean->intensity_resolved[k],
			      "I_resolved");
	}
	sonde_debye_result_free(&mean);
	sonde_context_free(&context);
	sonde_atoms_free(&small);
	sonde_atoms_free(&large);
}

static void test_checkpoints_have_the_blocks(void **state)
{
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614, 6.0);
	const sonde_debye_options options = experiment();
	sonde_context *context = make_context(2);
	struct sonde_debye_mean *whole = begin_mean(context, &options, SONDE_DEBYE_MIXTURE, 0),
				*first = begin_mean(context, &options, SONDE_DEBYE_MIXTURE, 0),
				*second = begin_mean(context, &options, SONDE_DEBYE_MIXTURE, 0);
	sonde_atoms *atoms[3];
	struct text job = {0};
	(void)state;

	checkpoint_append_version(&job);
	for (int k = 0; k < 3; ++k) {
		atoms[k] = displace(crystal, 0.1, 70 + (uint64_t)k);
		set_blocks(atoms[k], 1 + k, 2);
		add_to_mean(whole, atoms[k], 1.0 + k);
		if (k < 2)
			add_to_mean(first, atoms[k], 1.0 + k);
	}
	assert_int_equal(mean_checkpoint_save("mean_curves_test", first, &job), SONDE_OK);
	add_to_mean(second, atoms[0], 1.0);
	if (mean_checkpoint_restore("mean_curves_test", second, &job) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	add_to_mean(second, atoms[2], 3.0);
	sonde_debye_result *expected = finish_mean(&whole), *result = finish_mean(&second);
	assert_int_equal(result->block_count, 4);
	assert_memory_equal(expected->block_intensity, result->block_intensity, 10 * POINTS * sizeof(double));
	assert_memory_equal(expected->block_atoms, result->block_atoms, 4 * sizeof(double));
	assert_memory_equal(expected->intensity_resolved, result->intensity_resolved, POINTS * sizeof(double));
	assert_memory_equal(expected->intensity_absolute, result->intensity_absolute, POINTS * sizeof(double));
	assert_memory_equal(expected->laue, result->laue, POINTS * sizeof(double));
	assert_int_equal(remove("mean_curves_test.checkpoint"), 0);
	sonde_debye_mean_free(&first);
	sonde_debye_result_free(&expected);
	sonde_debye_result_free(&result);
	for (int k = 0; k < 3; ++k)
		sonde_atoms_free(&atoms[k]);
	sonde_atoms_free(&crystal);
	sonde_context_free(&context);
	text_free(&job);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_frames_have_the_mean_of_every_curve),
	    cmocka_unit_test(test_a_mixture_has_the_sums_of_every_curve),
	    cmocka_unit_test(test_the_resolution_of_a_mean_is_that_of_each_sample),
	    cmocka_unit_test(test_checkpoints_have_the_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
