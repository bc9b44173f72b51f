/* Many samples: ranges of frames, lists, trajectories that are read ahead, and sizes. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "matter/build/size_distribution.h"
#include "matter/files/frame_range.h"
#include "matter/samples/sample_list.h"
#include "matter/samples/samples.h"
#include "unit/read_atoms.h"

static void assert_range(const char *text, int64_t count, int64_t first, int64_t step, int64_t frames)
{
	struct frame_range range;
	int64_t found, number;

	assert_status(SONDE_OK, frame_range_parse(text, &range));
	assert_status(SONDE_OK, frame_range_resolve(&range, count, &found, &number));
	assert_int_equal(found, first);
	assert_int_equal(number, frames);
	assert_true(range.one || range.step == step);
}

static void test_ranges_are_those_of_python(void **unused)
{
	(void)unused;
	assert_range("", 7, 0, 1, 7);
	assert_range("all", 7, 0, 1, 7);
	assert_range(":", 7, 0, 1, 7);
	assert_range("0:1000:10", 1000, 0, 10, 100);
	assert_range("0:1000:10", 1001, 0, 10, 100);
	assert_range("0:1001:10", 1001, 0, 10, 101);
	assert_range("3:", 7, 3, 1, 4);
	assert_range(":3", 7, 0, 1, 3);
	assert_range("-3:", 7, 4, 1, 3);
	assert_range(":-2", 7, 0, 1, 5);
	assert_range("-100:", 7, 0, 1, 7);
	assert_range("1:6:2", 7, 1, 2, 3);
	assert_range("1:7:2", 7, 1, 2, 3);
	assert_range("2:last", 7, 2, 1, 5);
	assert_range("last", 7, 6, 1, 1);
	assert_range("-1", 7, 6, 1, 1);
	assert_range("last:", 7, 6, 1, 1);
	assert_range("0", 7, 0, 1, 1);
	assert_range("5:100", 7, 5, 1, 2);
	assert_range("::3", 7, 0, 3, 3);
}

static void refuse_range(const char *text, int64_t count, const char *words)
{
	struct frame_range range;
	int64_t first, frames;
	sonde_status status = frame_range_parse(text, &range);

	if (status == SONDE_OK)
		status = frame_range_resolve(&range, count, &first, &frames);
	assert_invalid(words, status);
}

static void test_wrong_ranges_are_refused(void **unused)
{
	(void)unused;
	refuse_range("x", 7, "'x' is not a whole number");
	refuse_range("1.5:", 7, "'1.5' is not a whole number");
	refuse_range("0:5:0", 7, "at least 1");
	refuse_range("0:5:-1", 7, "at least 1");
	refuse_range("0:5:last", 7, "at least 1");
	refuse_range("0:5:1:1", 7, "more than three parts");
	refuse_range("7", 7, "frame 7 does not exist: there are 7, counted from 0");
	refuse_range("-8", 7, "does not exist");
	refuse_range("7:", 7, "begins at frame 7, after the last of the 7 frames");
	refuse_range("5:5", 7, "'5:5' contains no frame: it begins at frame 5 and ends before frame 5");
	refuse_range("5:2", 7, "'5:2' contains no frame: it begins at frame 5 and ends before frame 2");
	refuse_range("-2:-5", 7, "begins at frame -2 and ends before frame -5");
	refuse_range("4:-4", 7, "of 7 frames, counted from 0, the range begins at frame 4 and ends before frame 3");
	refuse_range("0:99999999999999999999", 7, "not a whole number");
}

/* Means of powers of the factors, by number. */
static double moment(const double *factors, const double *weights, int points, double power)
{
	double sum = 0.0;

	for (int k = 0; k < points; ++k)
		sum += weights[k] * pow(factors[k], power);
	return sum;
}

static int find_points(const char *text, double *factors, double *weights)
{
	struct size_distribution distribution;
	double sum = 0.0;

	assert_status(SONDE_OK, size_distribution_parse(text, &distribution));
	assert_status(SONDE_OK, size_distribution_points(&distribution, factors, weights));
	for (int k = 0; k < distribution.points; ++k) {
		assert_true(weights[k] > 0.0 && (k == 0 || factors[k] > factors[k - 1]));
		sum += weights[k];
	}
	assert_within(sum, 1.0, 1e-14, "weights");
	return distribution.points;
}

static void test_moments_of_distributions(void **unused)
{
	double factors[SIZE_DISTRIBUTION_MOST_POINTS], weights[SIZE_DISTRIBUTION_MOST_POINTS];
	int points = find_points("normal:0.1:9", factors, weights);
	const double s = 0.1 * 0.1;

	(void)unused;
	assert_within(moment(factors, weights, points, 2), 1 + s, 1e-13, "normal, 2");
	assert_within(moment(factors, weights, points, 6), 1 + 15 * s + 45 * s * s + 15 * s * s * s, 1e-13,
		      "normal, 6");
	points = find_points("lognormal:0.15:11", factors, weights);
	assert_within(factors[5], 1.0, 1e-13, "the median");
	assert_close(moment(factors, weights, points, 6), exp(36 * 0.15 * 0.15 / 2), 1e-9, "lognormal, 6");
	assert_close(moment(factors, weights, points, 8), exp(64 * 0.15 * 0.15 / 2), 1e-7, "lognormal, 8");
	/* Schulz: <x^n> = (k + 1) ... (k + n - 1)/k^(n - 1) with k = 1/width^2 */
	points = find_points("schulz:0.25:7", factors, weights);
	assert_within(moment(factors, weights, points, 1), 1.0, 1e-13, "schulz, 1");
	assert_within(moment(factors, weights, points, 2), 17.0 / 16, 1e-13, "schulz, 2");
	assert_close(moment(factors, weights, points, 5), 17.0 * 18 * 19 * 20 / pow(16, 4), 1e-13, "schulz, 5");
	points = find_points("uniform:0.3:4", factors, weights);
	assert_within(moment(factors, weights, points, 2), 1 + 0.09 / 3, 1e-14, "uniform, 2");
	assert_within(moment(factors, weights, points, 6), (pow(1.3, 7) - pow(0.7, 7)) / (7 * 0.6), 1e-13,
		      "uniform, 6");
	/* by volume: numbers are divided by the volume */
	points = find_points("uniform:0.3:6:volume", factors, weights);
	assert_close(moment(factors, weights, points, 3) / moment(factors, weights, points, 4), 1.0, 1e-13,
		     "by volume");
	points = find_points("lognormal:0.2:1", factors, weights);
	assert_int_equal(points, 1);
	assert_within(factors[0], 1.0, 1e-13, "one size");
	(void)find_points("lognormal:0.3:100", factors, weights);
}

static void refuse_distribution(const char *text, const char *words)
{
	double factors[SIZE_DISTRIBUTION_MOST_POINTS], weights[SIZE_DISTRIBUTION_MOST_POINTS];
	struct size_distribution distribution;
	sonde_status status = size_distribution_parse(text, &distribution);

	if (status == SONDE_OK)
		status = size_distribution_points(&distribution, factors, weights);
	assert_invalid(words, status);
}

static void test_wrong_distributions_are_refused(void **unused)
{
	(void)unused;
	refuse_distribution("lognormal", "is not KIND:WIDTH:POINTS");
	refuse_distribution("lognormal:0.1", "is not KIND:WIDTH:POINTS");
	refuse_distribution("lognorml:0.1:5", "did you mean 'lognormal'");
	refuse_distribution("normal:0:5", "the width '0' is not a number above 0");
	refuse_distribution("normal:nan:5", "the width 'nan'");
	refuse_distribution("normal:0.1:0", "'0' is not a number of sizes from 1 to 100");
	refuse_distribution("normal:0.1:101", "from 1 to 100");
	refuse_distribution("normal:0.1:5:mass", "'mass' is neither number nor volume");
	refuse_distribution("normal:0.3:11", "reach sizes below 0");
}

static void describe(sonde_build_options *options, const char *distribution)
{
	sonde_build_options_init(options);
	options->cell = SONDE_BUILD_CELL_FCC;
	snprintf(options->species, sizeof options->species, "Au");
	options->a = 4;
	snprintf(options->size_distribution, sizeof options->size_distribution, "%s", distribution);
}

static void test_all_lengths_of_a_shape_are_scaled(void **unused)
{
	sonde_build_options options, of_size;
	double weight, size;
	int64_t count;

	(void)unused;
	describe(&options, "uniform:0.5:1");
	options.cylinder = (sonde_vector){10, 30, 2};
	snprintf(options.size_distribution, sizeof options.size_distribution, "uniform:0.5:2");
	assert_status(SONDE_OK, sonde_build_sizes(&options, &count));
	assert_int_equal(count, 2);
	assert_status(SONDE_OK, sonde_build_size(&options, 1, &of_size, &weight, &size));
	const double factor = 1 + 0.5 / sqrt(3);
	assert_within(weight, 0.5, 1e-15, "weight");
	assert_within(size, 10 * factor, 1e-12, "radius");
	assert_within(of_size.cylinder.y, 30 * factor, 1e-12, "length");
	assert_within(of_size.cylinder.z, 2 * factor, 1e-12, "inner radius");
	assert_string_equal(of_size.size_distribution, "");
	assert_invalid("size 2 does not exist", sonde_build_size(&options, 2, &of_size, &weight, &size));
	sonde_atoms *atoms;
	sonde_context *context;
	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_invalid("describes several samples", sonde_build_run(context, &options, &atoms));
	sonde_context_free(&context);
	describe(&options, "uniform:0.5:2");
	options.supercell = (sonde_vector){3, 3, 3};
	assert_invalid("needs a shape whose size is a length",
		       sonde_build_size(&options, 0, &of_size, &weight, &size));
	describe(&options, "uniform:0.5:x");
	assert_invalid("size_distribution: 'x' is not a number of sizes", sonde_build_sizes(&options, &count));
	describe(&options, "");
	assert_status(SONDE_OK, sonde_build_sizes(&options, &count));
	assert_int_equal(count, 0);
}

static void refuse_list(const char *text, const char *words)
{
	struct sample_list list = {0};

	assert_invalid(words, sample_list_read(test_write_text("list.csv", text), &list));
	sample_list_free(&list);
}

static void test_lists_of_samples(void **unused)
{
	struct sample_list list = {0};

	(void)unused;
	assert_status(SONDE_OK,
		      sample_list_read(test_write_text("list.csv",
						       "# made by hand\nsize,weight,file\n1,0.5,a.xyz\n\n2,0,b.xyz\n"
						       "3,1e-3,\"c d.xyz\"\n4,2,/e.xyz\n"),
				       &list));
	assert_int_equal(list.count, 3);
	assert_true(strstr(list.samples[0].path, "/a.xyz") != NULL);
	assert_true(list.samples[0].weight == 0.5 && list.samples[1].weight == 1e-3);
	assert_true(strstr(list.samples[1].path, "/c d.xyz") != NULL);
	assert_string_equal(list.samples[2].path, "/e.xyz");
	assert_int_equal(list.samples[2].line, 7);
	sample_list_free(&list);
	refuse_list("", "has no sample with a weight above 0");
	refuse_list("file,weight\na.xyz,0\n", "has no sample with a weight above 0");
	refuse_list("a.xyz,1\n", "list.csv:1: a list of samples begins with the names of its columns");
	refuse_list("file,weight\na.xyz,-1\n", "list.csv:2: weight = -1 is not a number of at least 0");
	refuse_list("file,weight\na.xyz,nan\n", "list.csv:2: weight = 'nan' is not a finite number");
	refuse_list("file,weight\na.xyz\n", "list.csv:2: file or weight is missing");
	refuse_list("file,weight\n,1\n", "list.csv:2: the name of the file is empty");
}

#define FRAME(x) "2\n\nSi " x " 0 0\nO " x " 1 1\n"

static sonde_context *make_context(void)
{
	sonde_context *context;

	assert_status(SONDE_OK, sonde_context_create(&context));
	return context;
}

static void assert_frames(sonde_context *context, const char *path, const char *frames, int count, const int *numbers)
{
	struct samples *samples;
	const struct sample *sample;

	assert_status(SONDE_OK, samples_open_trajectory(context, path, frames, "", false, &samples));
	assert_true(samples_are_frames(samples));
	for (int k = 0; k < count; ++k) {
		assert_status(SONDE_OK, samples_next(samples, &sample));
		assert_non_null(sample);
		assert_int_equal(samples_frame(samples), numbers[k]);
		assert_atom(sample->atoms, 0, "Si", numbers[k] + 1, 0, 0);
		assert_atom(sample->atoms, 1, "O", numbers[k] + 1, 1, 1);
	}
	for (int again = 0; again < 2; ++again) {
		assert_status(SONDE_OK, samples_next(samples, &sample));
		assert_null(sample);
	}
	samples_close(&samples);
	assert_null(samples);
}

static void test_frames_are_read_ahead_in_order(void **unused)
{
	sonde_context *context = make_context();
	const char *path = test_write_text("a.xyz", FRAME("1") FRAME("2") FRAME("3") FRAME("4") FRAME("5"));
	struct samples *samples;
	const struct sample *sample;
	char sha256[65];

	(void)unused;
	assert_frames(context, path, "", 5, (const int[]){0, 1, 2, 3, 4});
	assert_frames(context, path, "1::2", 2, (const int[]){1, 3});
	assert_frames(context, path, "-2:", 2, (const int[]){3, 4});
	assert_frames(context, path, "last", 1, (const int[]){4});
	assert_frames(context, path, "3:9", 2, (const int[]){3, 4});
	assert_status(SONDE_OK, samples_open_trajectory(context, path, "", "", true, &samples));
	assert_int_equal(samples_count(samples), 5);
	assert_status(SONDE_OK, samples_sha256(samples, sha256));
	assert_int_equal(strlen(sha256), 64);
	/* closed in the middle */
	assert_status(SONDE_OK, samples_next(samples, &sample));
	samples_close(&samples);
	assert_invalid("frames: frame 9 does not exist",
		       samples_open_trajectory(context, path, "9", "", true, &samples));
	assert_null(samples);
	assert_invalid("topology: ", samples_open_trajectory(context, path, "", "/nothing.xyz", true, &samples));
	/* the failure of the third frame comes after the second */
	path = test_write_text("b.xyz", FRAME("1") FRAME("2") "2\n\nSi 3 0 0\nC 3 1 1\n");
	assert_status(SONDE_OK, samples_open_trajectory(context, path, "", "", false, &samples));
	for (int k = 0; k < 2; ++k)
		assert_status(SONDE_OK, samples_next(samples, &sample));
	assert_invalid("b.xyz:12: atom 2 of frame 2 is C, but O in the first frame", samples_next(samples, &sample));
	assert_null(sample);
	samples_close(&samples);
	sonde_context_free(&context);
}

static void test_components_of_a_list(void **unused)
{
	sonde_context *context = make_context();
	struct samples *samples;
	const struct sample *sample;

	(void)unused;
	(void)test_write_text("one.xyz", "1\n\nSi 0 0 0\n");
	(void)test_write_text("two.xyz", FRAME("2"));
	assert_status(SONDE_OK,
		      samples_open_list(context,
					test_write_text("l.csv", "file,weight\none.xyz,3\ntwo.xyz,1\nno.xyz,1\n"),
					&samples));
	assert_int_equal(samples_count(samples), 3);
	assert_false(samples_are_frames(samples));
	assert_status(SONDE_OK, samples_next(samples, &sample));
	assert_true(sample->weight == 3.0 && sonde_atoms_count(sample->atoms) == 1);
	assert_string_equal(sample->name, "one.xyz");
	assert_status(SONDE_OK, samples_next(samples, &sample));
	assert_int_equal(sonde_atoms_count(sample->atoms), 2);
	assert_invalid("l.csv:4: ", samples_next(samples, &sample));
	assert_message("no.xyz: cannot be read");
	samples_close(&samples);
	sonde_context_free(&context);
}

static void test_sizes_are_built(void **unused)
{
	sonde_context *context = make_context();
	sonde_build_options options;
	struct samples *samples;
	const struct sample *sample;
	int64_t before = 0;
	double sum = 0.0;

	(void)unused;
	describe(&options, "schulz:0.2:4");
	options.sphere = 8;
	assert_status(SONDE_OK, samples_open_sizes(context, &options, &samples));
	assert_int_equal(samples_count(samples), 4);
	for (;;) {
		assert_status(SONDE_OK, samples_next(samples, &sample));
		if (sample == NULL)
			break;
		assert_true(sonde_atoms_count(sample->atoms) > before);
		before = sonde_atoms_count(sample->atoms);
		sum += sample->weight;
		assert_true(strstr(sample->name, "--sphere") != NULL);
	}
	assert_within(sum, 1.0, 1e-14, "weights");
	samples_close(&samples);
	sonde_context_free(&context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_ranges_are_those_of_python),
	    cmocka_unit_test(test_wrong_ranges_are_refused),
	    cmocka_unit_test(test_moments_of_distributions),
	    cmocka_unit_test(test_wrong_distributions_are_refused),
	    cmocka_unit_test(test_all_lengths_of_a_shape_are_scaled),
	    cmocka_unit_test(test_lists_of_samples),
	    cmocka_unit_test(test_frames_are_read_ahead_in_order),
	    cmocka_unit_test(test_components_of_a_list),
	    cmocka_unit_test(test_sizes_are_built),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
