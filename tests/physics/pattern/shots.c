/* Shots: their stack, its parts, and runs that are stopped and resumed. */
#include "io/containers/hdf5.h"
#include "pattern/run.h"
#include "physics/pattern/means.h"

/* Cancels the run in `user` as soon as a part of its orientations, or frames, is complete. */
static void stop_early(const sonde_progress *progress, void *user)
{
	if ((strcmp(progress->stage, "patterns") == 0 || strcmp(progress->stage, "frames") == 0) &&
	    progress->done > 0.0)
		sonde_context_cancel(user);
}

static void check_stack(const char *path, const sonde_atoms *atoms, const sonde_pattern_options *options,
			const sonde_pattern_result *mean)
{
	const int64_t sizes[3] = {options->shots, mean->sizes[0], mean->sizes[1]}, square[3] = {options->shots, 3, 3},
		      count = mean->count;
	double *stack = calloc((size_t)(options->shots * count), sizeof *stack),
	       *rotations = calloc((size_t)options->shots * 9, sizeof *rotations), worst = 0.0, top = 0.0;
	struct hdf5_reader *reader;
	sonde_pattern_options one = *options;
	int64_t left_out;

	assert_non_null(stack);
	assert_non_null(rotations);
	assert_int_equal(hdf5_reader_open(&reader, path), SONDE_OK);
	assert_int_equal(hdf5_reader_check(reader, UINT64_MAX, &left_out), SONDE_OK);
	assert_int_equal(hdf5_reader_exact_reals(reader, "/entry_1/data_1/data", sizes, 3, stack), SONDE_OK);
	assert_int_equal(hdf5_reader_exact_reals(reader, "/entry_1/data_1/rotation", square, 3, rotations), SONDE_OK);
	hdf5_reader_close(&reader);
	for (int64_t n = 0; n < count; ++n) {
		double sum = 0.0;
		for (int64_t k = 0; k < options->shots; ++k)
			sum += stack[k * count + n] / (double)options->shots;
		top = fmax(top, sum);
		worst = fmax(worst, fabs(sum - mean->intensity[n]));
	}
	assert_true(worst < 1e-13 * top);
	/* the last one is that of atoms that are turned by its rotation */
	one.shots = one.resume = 0;
	const double(*last)[3] = (const double(*)[3])(rotations + 9 * (options->shots - 1)), shift[3] = {0.0};
	sonde_atoms *turned = move(atoms, last, shift);
	sonde_pattern_result *single = pattern(turned, &one);
	for (int64_t n = 0; n < count; ++n)
		assert_within(stack[(options->shots - 1) * count + n], single->intensity[n], 1e-10, "I");
	sonde_pattern_result_free(&single);
	sonde_atoms_free(&turned);
	free(stack);
	free(rotations);
}

/* A run that is stopped and resumed, with more shots than at first, has the bits of one that is not. */
static void test_shots_are_kept(void **state)
{
	sonde_pattern_options options = pattern_options(0.5, 5.0, 1000, 1400);
	sonde_atoms *atoms = small_sample();
	sonde_context *context = make_context(2);
	sonde_pattern_result *whole, *resumed = NULL;
	char path[4096], other[4096];
	(void)state;

	write_file(".cxi", "", path);
	write_file(".h5", "", other);
	options.shots = 5;
	assert_int_equal(sonde_pattern_run_shots(context, atoms, &options, path, 0, &whole), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "exists already"));
	if (sonde_pattern_run_shots(context, atoms, &options, path, 1, &whole) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	assert_int_equal(whole->orientation_count, 5);
	assert_int_equal(whole->error_values, 5);
	check_stack(path, atoms, &options, whole);

	options.shots = 4;
	sonde_context_set_progress(context, stop_early, context);
	assert_int_equal(sonde_pattern_run_shots(context, atoms, &options, other, 1, &resumed), SONDE_SUSPENDED);
	assert_null(resumed);
	assert_non_null(strstr(sonde_status_message(), "2 of 4 shots are kept in "));
	sonde_context_set_progress(context, NULL, NULL);
	sonde_context_reset(context);
	options.resume = 1;
	options.shots = 1;
	assert_int_equal(sonde_pattern_run_shots(context, atoms, &options, other, 1, &resumed), SONDE_INVALID);
	options.shots = 5;
	options.phi = 700;
	assert_int_equal(sonde_pattern_run_shots(context, atoms, &options, other, 1, &resumed), SONDE_INVALID);
	assert_non_null(strstr(sonde_status_message(), "phi = 1400"));
	options.phi = 1400;
	if (sonde_pattern_run_shots(context, atoms, &options, other, 1, &resumed) != SONDE_OK)
		fail_msg("%s", sonde_status_message());
	assert_memory_equal(resumed->intensity, whole->intensity, (size_t)whole->count * sizeof(double));
	assert_memory_equal(resumed->standard_error, whole->standard_error, (size_t)whole->count * sizeof(double));
	check_stack(other, atoms, &options, resumed);
	strcat(other, ".checkpoint");
	assert_int_not_equal(access(other, F_OK), 0);
	other[strlen(other) - strlen(".checkpoint")] = '\0';
	assert_int_equal(unlink(path), 0);
	assert_int_equal(unlink(other), 0);
	sonde_pattern_result_free(&whole);
	sonde_pattern_result_free(&resumed);
	sonde_context_free(&context);
	sonde_atoms_free(&atoms);
}

/* Runs frames of a file, which stop after the first one if `stop`. */
static sonde_status run_shots_of_frames(const char *trajectory, const sonde_pattern_options *options,
					const char *path, bool stop, sonde_pattern_result **result)
{
	const struct samples_choice choice = pattern_samples_choice(options, trajectory, NULL);
	sonde_context *context = make_context(2);
	struct samples *samples;

	assert_int_equal(samples_open(context, &choice, true, &samples), SONDE_OK);
	if (stop)
		sonde_context_set_progress(context, stop_early, context);
	const sonde_status status = pattern_run_samples(context, options, samples, path, true, result);
	samples_close(&samples);
	sonde_context_free(&context);
	return status;
}

static void test_shots_of_frames_are_kept(void **state)
{
	sonde_pattern_options options = pattern_options(0.5, 5.0, 300, 200), one = options;
	const int64_t sizes[3] = {6, 300, 200}, count = 60000;
	double *stacks[2], sum = 0.0, rotations[54];
	char trajectory[4096], paths[2][4096], text[400] = "";
	sonde_pattern_result *results[2];
	(void)state;

	for (int k = 0; k < 3; ++k)
		sprintf(text + strlen(text), "2\n\nC 0 0 0\nO 0 %d.3 1\n", 1 + k);
	write_file(".xyz", text, trajectory);
	strcpy(options.frames, "all");
	options.shots = 2;
	for (int k = 0; k < 2; ++k) {
		struct hdf5_reader *reader;
		write_file(".h5", "", paths[k]);
		options.resume = 0;
		if (k == 1) {
			assert_int_equal(run_shots_of_frames(trajectory, &options, paths[k], true, &results[k]),
					 SONDE_SUSPENDED);
			assert_non_null(strstr(sonde_status_message(), "1 of 3 frames are kept in "));
			options.resume = 1;
		}
		if (run_shots_of_frames(trajectory, &options, paths[k], false, &results[k]) != SONDE_OK)
			fail_msg("%s", sonde_status_message());
		stacks[k] = calloc((size_t)(6 * count), sizeof(double));
		assert_non_null(stacks[k]);
		assert_int_equal(hdf5_reader_open(&reader, paths[k]), SONDE_OK);
		assert_int_equal(hdf5_reader_exact_reals(reader, "/entry_1/data_1/data", sizes, 3, stacks[k]),
				 SONDE_OK);
		assert_int_equal(
		    hdf5_reader_exact_reals(reader, "/entry_1/data_1/rotation", (int64_t[]){6, 3, 3}, 3, rotations),
		    SONDE_OK);
		hdf5_reader_close(&reader);
		strcat(paths[k], ".checkpoint");
		assert_true(k == 0 || unlink(paths[k]) == 0);
		paths[k][strlen(paths[k]) - strlen(".checkpoint")] = '\0';
		assert_int_equal(unlink(paths[k]), 0);
	}
	assert_memory_equal(stacks[0], stacks[1], (size_t)(6 * count) * sizeof(double));
	assert_memory_equal(results[0]->intensity, results[1]->intensity, (size_t)count * sizeof(double));
	for (int k = 0; k < 6; ++k)
		sum += stacks[0][k * count + 777] / 6.0;
	assert_close(results[0]->intensity[777], sum, 1e-13, "the mean");
	/* shot 1 of frame 2 */
	sonde_atoms *atoms = empty_sample();
	const double shift[3] = {0.0};
	add_atom(atoms, "C", 0.0, 0.0, 0.0);
	add_atom(atoms, "O", 0.0, 3.3, 1.0);
	sonde_atoms *turned = move(atoms, (const double(*)[3])(rotations + 45), shift);
	sonde_pattern_result *single = pattern(turned, &one);
	for (int64_t n = 0; n < count; ++n)
		assert_within(stacks[0][5 * count + n], single->intensity[n], 1e-11, "I");
	sonde_pattern_result_free(&single);
	for (int k = 0; k < 2; ++k) {
		sonde_pattern_result_free(&results[k]);
		free(stacks[k]);
	}
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&turned);
	assert_int_equal(unlink(trajectory), 0);
}

/* Shots of a detector: without counts, I with the factor of polarization, and no number where pixels are masked; with counts, whole numbers
 * whose deviations from it have the variance of Poisson's distribution, and do not repeat from shot to shot. */
static void test_shots_are_seen_by_the_detector(void **state)
{
	enum { SHOTS = 12, COLUMNS = 20, ROWS = 16, PIXELS = COLUMNS * ROWS };
	static double expected[SHOTS * PIXELS], counts[SHOTS * PIXELS];
	const int64_t sizes[3] = {SHOTS, ROWS, COLUMNS};
	const double barn = 2.8179403262e-9 * 2.8179403262e-9; /* um^2 of one electron */
	sonde_pattern_options options = pattern_options(0.0, 1.0, 2, 1);
	sonde_atoms *atoms = read_sample("C60.xyz");
	sonde_context *context = make_context(2);
	double squares = 0.0, product = 0.0;
	int64_t number = 0, masked = 0;
	char path[4096];
	(void)state;

	strcpy(options.detector, "20,16");
	strcpy(options.polarization, "0.9");
	options.pixel_size = 4.0;
	options.distance = 100.0;
	options.wavelength = 1.0;
	options.beam_stop = 7.0;
	options.shots = SHOTS;
	options.solid_angle = SONDE_PATTERN_SOLID_ANGLE_ABSOLUTE;
	write_file(".h5", "", path);
	for (int kind = 0; kind < 2; ++kind) {
		sonde_pattern_result *mean;
		struct hdf5_reader *reader;
		options.fluence = kind == 0 ? 0.0 : 3e18;
		if (sonde_pattern_run_shots(context, atoms, &options, path, 1, &mean) != SONDE_OK)
			fail_msg("%s", sonde_status_message());
		sonde_pattern_result_free(&mean);
		assert_int_equal(hdf5_reader_open(&reader, path), SONDE_OK);
		assert_int_equal(
		    hdf5_reader_exact_reals(reader, "/entry_1/data_1/data", sizes, 3, kind == 0 ? expected : counts),
		    SONDE_OK);
		hdf5_reader_close(&reader);
	}
	for (int n = 0; n < SHOTS * PIXELS; ++n) {
		if (isnan(expected[n])) {
			assert_true(isnan(counts[n]));
			++masked;
			continue;
		}
		const double before = n >= PIXELS ? expected[n - PIXELS] * barn * options.fluence : 0.0,
			     most = expected[n] * barn * options.fluence;
		assert_true(counts[n] >= 0.0 && counts[n] == floor(counts[n]));
		if (most < 5.0)
			continue;
		squares += (counts[n] - most) * (counts[n] - most) / most;
		if (before >= 5.0)
			product += (counts[n] - most) * (counts[n - PIXELS] - before) / sqrt(most * before);
		++number;
	}
	assert_int_equal(masked, SHOTS * 12); /* pixels of 4 mm whose middles are less than 7 mm from the beam */
	assert_true(number > 2000);
	assert_within(squares / (double)number, 1.0, 6.0 * sqrt(2.0 / (double)number), "variance of counts");
	assert_within(product / (double)number, 0.0, 6.0 / sqrt((double)number), "correlation of shots");
	unlink(path);
	sonde_context_free(&context);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_shots_are_seen_by_the_detector),
	    cmocka_unit_test(test_shots_are_kept),
	    cmocka_unit_test(test_shots_of_frames_are_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
