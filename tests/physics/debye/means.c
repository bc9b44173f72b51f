/* Means over frames and mixtures: compared with samples computed one by one and added here, and with closed forms. */
#include "physics/physics.h"

#include <unistd.h>

#include "debye/means/mean_checkpoint.h"
#include "run/checkpoint.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define AUTO SONDE_DEBYE_FACTORS_AUTO
#define UNIT SONDE_DEBYE_FACTORS_UNIT
#define FRAMES 7
#define POINTS 60
#define SIGMA 0.1

static void assert_refused(sonde_status status, const char *words)
{
	assert_int_equal(status, SONDE_INVALID);
	if (strstr(sonde_status_message(), words) == NULL)
		fail_msg("'%s' lacks '%s'", sonde_status_message(), words);
}

static sonde_atoms *make_frame(const sonde_atoms *crystal, int frame)
{
	return displace(crystal, SIGMA, 100 + (uint64_t)frame);
}

/* Each value of a curve within 1e-13 of the scale of the curve. */
static void assert_curve(const double *curve, const double *expected, int64_t count, const char *what)
{
	double scale = 0.0;

	for (int64_t k = 0; k < count; ++k)
		scale = fmax(scale, fabs(expected[k]));
	for (int64_t k = 0; k < count; ++k)
		assert_within(curve[k], expected[k], 1e-13 * scale, what);
}

/* Means and standard errors of `values` means of consecutive frames, from rows of single frames. */
static void expect_curve(sonde_debye_result *const *frames, const double *(*curve)(const sonde_debye_result *),
			 int64_t count, int values, const double *mean, const double *error, const char *what)
{
	double *expected_mean = calloc((size_t)count, sizeof(double)),
	       *expected_error = calloc((size_t)count, sizeof(double));

	for (int64_t k = 0; k < count; ++k) {
		double block[FRAMES] = {0.0}, center = 0.0, squares = 0.0;
		for (int f = 0; f < FRAMES; ++f)
			expected_mean[k] += curve(frames[f])[k] / FRAMES;
		for (int v = 0; v < values; ++v) {
			const int first = v * FRAMES / values, end = (v + 1) * FRAMES / values;
			for (int f = first; f < end; ++f)
				block[v] += curve(frames[f])[k] / (end - first);
			center += block[v] / values;
		}
		for (int v = 0; v < values; ++v)
			squares += (block[v] - center) * (block[v] - center);
		expected_error[k] = sqrt(squares / (values * (values - 1.0)));
	}
	assert_curve(mean, expected_mean, count, what);
	for (int64_t k = 0; k < count; ++k)
		assert_within(error[k], expected_error[k], 1e-9 * fabs(expected_error[k]) + 1e-13 * fabs(mean[k]),
			      what);
	free(expected_mean);
	free(expected_error);
}

#define CURVE(name)                                                       \
	static const double *get_##name(const sonde_debye_result *result) \
	{                                                                 \
		return result->name;                                      \
	}
CURVE(intensity_per_atom)
CURVE(structure_factor)
CURVE(reduced_structure_factor)
CURVE(pair_distribution)
CURVE(partial_intensity)
CURVE(partial_structure_factor)
CURVE(error_estimate)
CURVE(radial_distribution)
CURVE(running_coordination)
CURVE(partial_radial_distribution)
CURVE(partial_running_coordination)

/* R(r), n(r), and those of pairs of species, with their standard errors */
static void check_distances(sonde_debye_result *const *frames, int values, const sonde_debye_result *result)
{
	const int64_t r = result->r_count, pairs = result->pair_count * r;

	expect_curve(frames, get_radial_distribution, r, values, result->radial_distribution,
		     result->radial_distribution_standard_error, "R");
	expect_curve(frames, get_running_coordination, r, values, result->running_coordination,
		     result->running_coordination_standard_error, "n");
	expect_curve(frames, get_partial_radial_distribution, pairs, values, result->partial_radial_distribution,
		     result->partial_radial_distribution_standard_error, "R_ab");
	expect_curve(frames, get_partial_running_coordination, pairs, values, result->partial_running_coordination,
		     result->partial_running_coordination_standard_error, "n_ab");
}

/* A file of the result has the same standard errors of distances. */
static void check_read_back(sonde_context *context, const sonde_debye_result *result)
{
	const size_t r = (size_t)result->r_count * sizeof(double), pairs = (size_t)result->pair_count * r;
	sonde_debye_result *again;
	char path[64];

	snprintf(path, sizeof path, "means-%d.h5", (int)getpid());
	assert_int_equal(sonde_debye_result_write(result, path, 1), SONDE_OK);
	assert_int_equal(sonde_debye_result_read(context, path, &again), SONDE_OK);
	assert_memory_equal(again->radial_distribution_standard_error, result->radial_distribution_standard_error, r);
	assert_memory_equal(again->running_coordination_standard_error, result->running_coordination_standard_error,
			    r);
	assert_memory_equal(again->partial_radial_distribution_standard_error,
			    result->partial_radial_distribution_standard_error, pairs);
	assert_memory_equal(again->partial_running_coordination_standard_error,
			    result->partial_running_coordination_standard_error, pairs);
	sonde_debye_result_free(&again);
	unlink(path);
}

static void check_frames(const sonde_debye_options *options, int values)
{
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Na,Cl", 5.64, 8.0);
	sonde_context *context = make_context(2);
	struct sonde_debye_mean *mean = begin_mean(context, options, SONDE_DEBYE_FRAMES, FRAMES);
	sonde_debye_options single = *options;
	sonde_debye_result *frames[FRAMES];

	single.error_blocks = 0;
	for (int f = 0; f < FRAMES; ++f) {
		sonde_atoms *frame = make_frame(crystal, f);
		add_to_mean(mean, frame, 1.0);
		frames[f] = run(frame, &single);
		sonde_atoms_free(&frame);
	}
	assert_refused(sonde_debye_mean_add(mean, crystal, 1.0), "has all of its 7 samples");
	sonde_debye_result *result = finish_mean(&mean);
	const int64_t q = result->q_count, r = result->r_count, pairs = result->pair_count * q;
	assert_int_equal(result->sample_count, FRAMES);
	assert_int_equal(result->error_values, values);
	assert_null(result->sample_weights);
	assert_int_equal(result->atom_count, sonde_atoms_count(crystal));
	expect_curve(frames, get_intensity_per_atom, q, values, result->intensity_per_atom, result->standard_error,
		     "I/N");
	expect_curve(frames, get_structure_factor, q, values, result->structure_factor,
		     result->structure_factor_standard_error, "S");
	expect_curve(frames, get_reduced_structure_factor, q, values, result->reduced_structure_factor,
		     result->reduced_structure_factor_standard_error, "F");
	expect_curve(frames, get_pair_distribution, r, values, result->pair_distribution,
		     result->pair_distribution_standard_error, "G");
	expect_curve(frames, get_partial_intensity, pairs, values, result->partial_intensity,
		     result->partial_intensity_standard_error, "I_ab");
	expect_curve(frames, get_partial_structure_factor, pairs, values, result->partial_structure_factor,
		     result->partial_structure_factor_standard_error, "S_ab");
	/* the frames 0, 1, and 4 are checked, and the largest error holds for all: not smaller than that of any of them, and
	 * of the same size as the mean of all estimates */
	assert_int_equal(result->checked_points, 3 * frames[0]->checked_points);
	double largest = 0.0, all = 0.0;
	for (int f = 0; f < FRAMES; ++f) {
		all += frames[f]->largest_error / FRAMES;
		if (f == 0 || f == 1 || f == 4)
			largest = fmax(largest, frames[f]->largest_error);
	}
	assert_true(result->largest_error >= 0.9 * largest);
	assert_true(result->largest_error > 0.5 * all && result->largest_error < 3.0 * all);
	for (int64_t k = 0; k < q; ++k) {
		double estimate = 0.0;
		for (int f = 0; f < FRAMES; ++f)
			estimate += get_error_estimate(frames[f])[k] / FRAMES;
		assert_true(result->error_estimate[k] > 0.5 * estimate && result->error_estimate[k] < 3.0 * estimate);
		assert_true(result->error_bound[k] >= result->error_estimate[k]);
	}
	if (options->counts) {
		double mean_pairs = 0.0, sum = 0.0;
		check_distances(frames, values, result);
		check_read_back(context, result);
		for (int64_t b = 0; b < result->pair_count * result->counted_bins; ++b)
			sum += result->counted_pairs[b];
		for (int p = 0; p < result->pair_count; ++p)
			mean_pairs += (double)result->pair_pairs[p];
		assert_within(sum, mean_pairs, 1e-9 * sum, "pairs");
	}
	for (int f = 0; f < FRAMES; ++f)
		sonde_debye_result_free(&frames[f]);
	sonde_debye_result_free(&result);
	sonde_context_free(&context);
	sonde_atoms_free(&crystal);
}

static void test_frames_have_the_mean_and_the_standard_error(void **state)
{
	sonde_debye_options options = options_of(EXACT, AUTO, 0.3, 12.0, POINTS);
	(void)state;

	check_frames(&options, FRAMES);
	options.error_blocks = 3; /* of 2, 2, and 3 frames */
	check_frames(&options, 3);
	options = options_of(HISTOGRAM, AUTO, 0.3, 12.0, POINTS);
	options.counts = 1;
	options.r = (sonde_grid){1.0, 15.0, 29};
	check_frames(&options, FRAMES);
	options.error_blocks = 3;
	check_frames(&options, 3);
}

/* Independent frames: about 68 % of the points are within one standard error of the long mean. */
static void test_standard_errors_are_those_of_the_mean(void **state)
{
	enum { SHORT = 12, LONG = 300 };
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.0782, 5.0);
	sonde_debye_options options = options_of(EXACT, UNIT, 3.0, 20.0, 40);
	sonde_context *context = make_context(2);
	struct sonde_debye_mean *few = begin_mean(context, &options, SONDE_DEBYE_FRAMES, 0),
				*many = begin_mean(context, &options, SONDE_DEBYE_FRAMES, 0);
	int within = 0, within_three = 0;
	double ratio = 0.0;
	(void)state;

	for (int f = 0; f < LONG; ++f) {
		sonde_atoms *frame = make_frame(crystal, 1000 + f);
		add_to_mean(many, frame, 1.0);
		if (f < SHORT)
			add_to_mean(few, frame, 1.0);
		sonde_atoms_free(&frame);
	}
	sonde_debye_result *mean = finish_mean(&few), *truth = finish_mean(&many);
	for (int k = 0; k < 40; ++k) {
		const double difference = fabs(mean->intensity_per_atom[k] - truth->intensity_per_atom[k]);
		within += difference < mean->standard_error[k];
		within_three += difference < 3.5 * mean->standard_error[k];
		ratio += truth->standard_error[k] / mean->standard_error[k] / 40.0;
	}
	/* by the square root of the number of frames; those of 12 frames scatter by 20 %, and
	 * neighboring points alike */
	assert_within(ratio, sqrt(SHORT / (double)LONG), 0.06, "ratio of the standard errors");
	print_message("%d of 40 within one standard error, %d within 3.5\n", within, within_three);
	assert_true(within >= 18 && within <= 36 && within_three >= 39);
	sonde_debye_result_free(&mean);
	sonde_debye_result_free(&truth);
	sonde_context_free(&context);
	sonde_atoms_free(&crystal);
}

/* Particles of other species and compositions: I and numbers of atoms add up, and everything else follows. */
static void test_a_mixture_is_the_sum_of_its_components(void **state)
{
	enum { COMPONENTS = 3 };
	const double weights[COMPONENTS] = {0.5, 2.0, 1.5};
	sonde_atoms *atoms[COMPONENTS] = {build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614, 6.0),
					  build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.0782, 5.0),
					  build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614, 9.0)};
	sonde_debye_options options = options_of(EXACT, AUTO, 0.2, 14.0, POINTS);
	sonde_context *context = make_context(2);
	struct sonde_debye_mean *mean = begin_mean(context, &options, SONDE_DEBYE_MIXTURE, 0);
	sonde_debye_result *single[COMPONENTS];
	double n = 0.0;
	(void)state;

	for (int c = 0; c < COMPONENTS; ++c) {
		add_to_mean(mean, atoms[c], weights[c]);
		single[c] = run(atoms[c], &options);
		n += weights[c] / 4.0 * (double)sonde_atoms_count(atoms[c]);
	}
	sonde_debye_result *result = finish_mean(&mean);
	assert_int_equal(result->sample_count, COMPONENTS);
	assert_int_equal(result->error_values, 0);
	assert_null(result->standard_error);
	assert_within(result->sample_weights[1], 0.5, 1e-15, "weight");
	assert_within(result->atoms_present, n, 1e-12 * n, "N");
	assert_int_equal(result->species_count, 3);
	assert_string_equal(result->species_label[0], "Au");
	for (int k = 0; k < POINTS; ++k) {
		double intensity = 0.0, squares = 0.0, amplitude = 0.0, partials = 0.0, co_o = 0.0;
		for (int c = 0; c < COMPONENTS; ++c) {
			const double w = weights[c] / 4.0, atoms_of = single[c]->atoms_present;
			intensity += w * single[c]->intensity[k];
			squares += w * atoms_of * single[c]->mean_square_amplitude[k];
			amplitude +=
			    w * atoms_of * sqrt(single[c]->square_mean_amplitude[k]); /* real and positive here */
			if (c != 1) /* the sum over pairs Co-O, from S_ab of one component */
				co_o += w * (single[c]->partial_structure_factor[1 * POINTS + k] - 1.0) *
					single[c]->species_present[0] * single[c]->species_present[1] / atoms_of;
		}
		const double scale = squares / n + intensity / n, square_mean = amplitude * amplitude / (n * n);
		assert_within(result->intensity[k], intensity, 1e-13 * intensity, "I");
		assert_within(result->intensity_per_atom[k], intensity / n, 1e-13 * scale, "I/N");
		assert_within(result->mean_square_amplitude[k], squares / n, 1e-13 * scale, "<f^2>");
		assert_within(result->square_mean_amplitude[k], square_mean, 1e-13 * scale, "<f>^2");
		assert_within(result->structure_factor[k], 1.0 + (intensity / n - squares / n) / square_mean,
			      1e-12 * scale / square_mean, "S");
		assert_within(result->reduced_structure_factor[k], result->q[k] * (result->structure_factor[k] - 1.0),
			      1e-12 * scale / square_mean, "F");
		for (int p = 0; p < result->pair_count; ++p)
			partials += result->partial_intensity[p * POINTS + k];
		assert_within(partials, intensity / n, 1e-12 * scale, "sum of I_ab");
		/* pairs: AuAu AuCo AuO CoCo CoO OO; Au and Co are never in one particle */
		assert_within(result->partial_structure_factor[1 * POINTS + k], 1.0, 0.0, "S of Au-Co");
		assert_within(result->partial_structure_factor[4 * POINTS + k],
			      1.0 + n * co_o / (result->species_present[1] * result->species_present[2]), 1e-11,
			      "S of Co-O");
	}
	for (int c = 0; c < COMPONENTS; ++c) {
		sonde_debye_result_free(&single[c]);
		sonde_atoms_free(&atoms[c]);
	}
	sonde_debye_result_free(&result);
	sonde_context_free(&context);
}

/* Balls with log-normal radii: R_g^2 = 3/5 <R^8>/<R^6>, and <R^n> = R0^n exp(n^2 s^2/2) (A. Guinier and G. Fournet, Small-angle
 * Scattering of X-rays, 1955). Atoms on a surface make each ball rough, which 11 sizes average: 0.5 %. */
static void test_guinier_radius_of_a_size_distribution(void **state)
{
	const double median = 12.0, width = 0.15,
		     expected = sqrt(0.6 * exp((64.0 - 36.0) * width * width / 2.0)) * median;
	sonde_build_options build, of_size;
	sonde_debye_options options = options_of(HISTOGRAM, UNIT, 0.002, 0.012, 6);
	sonde_context *context = make_context(2);
	struct sonde_debye_mean *mean = begin_mean(context, &options, SONDE_DEBYE_MIXTURE, 0);
	double weight, size, sum = 0.0;
	int64_t sizes;
	(void)state;

	sonde_build_options_init(&build);
	build.cell = SONDE_BUILD_CELL_FCC;
	strcpy(build.species, "Au");
	build.a = 2.2;
	build.sphere = median;
	strcpy(build.size_distribution, "lognormal:0.15:11");
	assert_int_equal(sonde_build_sizes(&build, &sizes), SONDE_OK);
	assert_int_equal(sizes, 11);
	for (int64_t k = 0; k < sizes - 1; ++k) { /* the largest has 4e-4 of the weight w R^6 */
		assert_int_equal(sonde_build_size(&build, k, &of_size, &weight, &size), SONDE_OK);
		sonde_atoms *atoms = build_sample(&of_size);
		add_to_mean(mean, atoms, weight);
		sum += weight;
		sonde_atoms_free(&atoms);
	}
	sonde_debye_result *result = finish_mean(&mean);
	/* ln I = ln I(0) - q^2 R_g^2/3 + q^4 ...: from the first two points */
	const double *q = result->q, *intensity = result->intensity,
		     squared = 3.0 * log(intensity[0] / intensity[2]) / (q[2] * q[2] - q[0] * q[0]);
	print_message("R_g = %.4f, %.4f expected; weights %.7f\n", sqrt(squared), expected, sum);
	assert_within(sqrt(squared), expected, 0.005 * expected, "R_g");
	assert_true(expected > 1.15 * sqrt(0.6) * median); /* far from that of the median ball */
	sonde_debye_result_free(&result);
	sonde_context_free(&context);
}

/* A mean that is saved after `saved` samples, restored, and completed, has the bits of one that is not. */
static void check_checkpoint(int kind, int method, int saved)
{
	enum { SAMPLES = 4 };
	sonde_atoms *oxide = build_sphere(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614, 6.0),
		    *gold = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.0782, 7.0), *atoms[SAMPLES];
	sonde_debye_options options = options_of(method, AUTO, 0.2, 14.0, POINTS);
	sonde_context *context = make_context(2);
	const char *path = "means_test";
	struct text job = {0};

	options.counts = method == HISTOGRAM;
	options.r = (sonde_grid){1.0, 12.0, 23};
	options.error_blocks = kind == SONDE_DEBYE_FRAMES ? 2 : 0;
	checkpoint_append_version(&job);
	for (int k = 0; k < SAMPLES; ++k)
		atoms[k] = make_frame(kind == SONDE_DEBYE_MIXTURE && k == 1 ? gold : oxide, k);
	struct sonde_debye_mean *whole = begin_mean(context, &options, kind, SAMPLES),
				*first = begin_mean(context, &options, kind, SAMPLES),
				*second = begin_mean(context, &options, kind, SAMPLES);
	for (int k = 0; k < SAMPLES; ++k) {
		const double weight = kind == SONDE_DEBYE_MIXTURE ? 1.0 + k : 1.0;
		add_to_mean(whole, atoms[k], weight);
		if (k < saved)
			add_to_mean(first, atoms[k], weight);
	}
	assert_int_equal(mean_checkpoint_save(path, first, &job), SONDE_OK);
	assert_true(mean_is_checkpoint("means_test.checkpoint"));
	add_to_mean(second, atoms[0], 1.0);
	if (mean_checkpoint_restore(path, second, &job) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	for (int k = saved; k < SAMPLES; ++k)
		add_to_mean(second, atoms[k], kind == SONDE_DEBYE_MIXTURE ? 1.0 + k : 1.0);
	sonde_debye_result *expected = finish_mean(&whole), *result = finish_mean(&second);
	assert_true(same_bits(expected, result));
	assert_int_equal(expected->species_count, result->species_count);
	assert_int_equal(expected->counted_bins, result->counted_bins);
	if (options.counts)
		assert_memory_equal(expected->counted_pairs, result->counted_pairs,
				    (size_t)(result->pair_count * result->counted_bins) * sizeof(double));
	if (kind == SONDE_DEBYE_FRAMES)
		assert_memory_equal(expected->standard_error, result->standard_error, POINTS * sizeof(double));
	else
		assert_memory_equal(expected->sample_weights, result->sample_weights, SAMPLES * sizeof(double));
	/* of another job */
	text_append(&job, "another line\n");
	struct sonde_debye_mean *other = begin_mean(context, &options, kind, SAMPLES);
	add_to_mean(other, atoms[0], 1.0);
	assert_refused(mean_checkpoint_restore(path, other, &job), "another job");
	sonde_debye_mean_free(&other);
	assert_int_equal(remove("means_test.checkpoint"), 0);
	sonde_debye_result_free(&expected);
	sonde_debye_result_free(&result);
	sonde_debye_mean_free(&first);
	for (int k = 0; k < SAMPLES; ++k)
		sonde_atoms_free(&atoms[k]);
	sonde_atoms_free(&oxide);
	sonde_atoms_free(&gold);
	sonde_context_free(&context);
	text_free(&job);
}

static void test_checkpoints_restore_all_bits(void **state)
{
	(void)state;
	check_checkpoint(SONDE_DEBYE_FRAMES, EXACT, 1);
	check_checkpoint(SONDE_DEBYE_FRAMES, HISTOGRAM, 3);
	check_checkpoint(SONDE_DEBYE_MIXTURE, EXACT, 3);
	check_checkpoint(SONDE_DEBYE_MIXTURE, HISTOGRAM, 2);
}

static void test_wrong_means_are_refused(void **state)
{
	sonde_atoms *gold = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.0782, 5.0),
		    *larger = build_sphere(SONDE_BUILD_CELL_FCC, "Au", 4.0782, 6.0);
	sonde_debye_options options = options_of(EXACT, UNIT, 1.0, 5.0, 5);
	sonde_context *context = make_context(1);
	struct sonde_debye_mean *mean = begin_mean(context, &options, SONDE_DEBYE_FRAMES, 0);
	sonde_debye_result *result;
	(void)state;

	assert_refused(sonde_debye_mean_finish(mean, &result), "at least one sample");
	assert_refused(sonde_debye_mean_add(mean, gold, 2.0), "is not 1");
	add_to_mean(mean, gold, 1.0);
	assert_refused(sonde_debye_mean_add(mean, larger, 1.0), "other atoms than the first");
	sonde_debye_mean_free(&mean);
	mean = begin_mean(context, &options, SONDE_DEBYE_MIXTURE, 0);
	assert_refused(sonde_debye_mean_add(mean, gold, 0.0), "not a number above 0");
	assert_refused(sonde_debye_mean_add(mean, gold, NAN), "not a number above 0");
	sonde_debye_mean_free(&mean);
	options.error_blocks = 4;
	assert_refused(sonde_debye_mean_begin(context, &options, SONDE_DEBYE_MIXTURE, 5, &mean),
		       "no standard errors");
	assert_refused(sonde_debye_mean_begin(context, &options, SONDE_DEBYE_FRAMES, 3, &mean), "too many");
	assert_null(mean);
	options.error_blocks = 1;
	assert_refused(sonde_debye_mean_begin(context, &options, SONDE_DEBYE_FRAMES, 3, &mean), "at least 2 blocks");
	assert_refused(sonde_debye_run(context, gold, &options, &result), "is for means over many samples");
	sonde_debye_mean_free(NULL);
	sonde_context_free(&context);
	sonde_atoms_free(&gold);
	sonde_atoms_free(&larger);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_frames_have_the_mean_and_the_standard_error),
	    cmocka_unit_test(test_standard_errors_are_those_of_the_mean),
	    cmocka_unit_test(test_a_mixture_is_the_sum_of_its_components),
	    cmocka_unit_test(test_guinier_radius_of_a_size_distribution),
	    cmocka_unit_test(test_checkpoints_restore_all_bits),
	    cmocka_unit_test(test_wrong_means_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
