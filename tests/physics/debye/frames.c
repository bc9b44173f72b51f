/* Frames of trajectories of many atoms, on devices where the next one is prepared while the present one is summed, and the
 * memory of one frame is used for the next. */
#include "physics/physics.h"

#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define UNIT SONDE_DEBYE_FACTORS_UNIT
#define FRAMES 4
#define ATOMS 21000
#define EDGE 60.0
#define FILE_NAME "frames_test.xyz"

static double coordinate(int frame, int atom, int axis)
{
	const uint64_t number = 3 * (uint64_t)atom + (uint64_t)axis;

	return EDGE * uniform_number(1, number) + 0.3 * normal_number(2 + (uint64_t)frame, number);
}

static void write_trajectory(void)
{
	FILE *file = fopen(FILE_NAME, "w");

	assert_non_null(file);
	for (int f = 0; f < FRAMES; ++f) {
		fprintf(file, "%d\nLattice=\"%g 0 0 0 %g 0 0 0 %g\" Properties=species:S:1:pos:R:3\n", ATOMS, EDGE,
			EDGE, EDGE);
		for (int i = 0; i < ATOMS; ++i)
			fprintf(file, "%s %.17g %.17g %.17g\n", i % 3 == 0 ? "O" : "H", coordinate(f, i, 0),
				coordinate(f, i, 1), coordinate(f, i, 2));
	}
	assert_int_equal(fclose(file), 0);
}

static sonde_atoms *make_frame(int frame)
{
	const double lattice[9] = {EDGE, 0.0, 0.0, 0.0, EDGE, 0.0, 0.0, 0.0, EDGE};
	const int sides[3] = {1, 1, 1};
	sonde_atoms *atoms = empty_sample();

	for (int i = 0; i < ATOMS; ++i)
		add_atom(atoms, i % 3 == 0 ? "O" : "H", coordinate(frame, i, 0), coordinate(frame, i, 1),
			 coordinate(frame, i, 2));
	assert_int_equal(sonde_atoms_set_cell(atoms, lattice, sides), SONDE_OK);
	return atoms;
}

static sonde_debye_options frame_options(void)
{
	sonde_debye_options options = options_of(HISTOGRAM, UNIT, 0.5, 15.0, 40);

	options.boundary = SONDE_DEBYE_BOUNDARY_PERIODIC;
	options.cutoff = 5.0;
	options.bin_width = 0.004;
	options.r = (sonde_grid){0.5, 5.0, 10};
	return options;
}

static sonde_debye_result *run_trajectory(const char *device, sonde_debye_options options)
{
	sonde_context *context = make_context(2);
	sonde_debye_result *result;

	strcpy(options.frames, "all");
	assert_int_equal(sonde_context_set_device(context, device), SONDE_OK);
	if (sonde_debye_run_samples(context, FILE_NAME, &options, &result) != SONDE_OK)
		fail_msg("%s: %s", device, sonde_status_message());
	sonde_context_free(&context);
	return result;
}

/* Added one by one, each prepared when it is added. */
static sonde_debye_result *add_frames(const sonde_debye_options *options)
{
	sonde_context *context = make_context(2);
	struct sonde_debye_mean *mean;
	sonde_debye_result *result;

	assert_int_equal(sonde_debye_mean_begin(context, options, SONDE_DEBYE_FRAMES, 0, &mean), SONDE_OK);
	for (int f = 0; f < FRAMES; ++f) {
		sonde_atoms *frame = make_frame(f);
		if (sonde_debye_mean_add(mean, frame, 1.0) != SONDE_OK)
			fail_msg("%s", sonde_status_message());
		sonde_atoms_free(&frame);
	}
	assert_int_equal(sonde_debye_mean_finish(mean, &result), SONDE_OK);
	sonde_debye_mean_free(&mean);
	sonde_context_free(&context);
	return result;
}

static void test_frames_prepared_in_advance_have_the_same_bits(void **state)
{
	static const char *const devices[] = {"cpu", "emulated"};
	const sonde_debye_options options = frame_options();
	(void)state;

	write_trajectory();
	sonde_debye_result *expected = add_frames(&options);
	for (size_t d = 0; d < sizeof devices / sizeof *devices; ++d) {
		sonde_debye_result *result = run_trajectory(devices[d], options);
		assert_int_equal(result->sample_count, FRAMES);
		assert_true(same_bits(expected, result));
		assert_memory_equal(expected->standard_error, result->standard_error,
				    (size_t)result->q_count * sizeof(double));
		sonde_debye_result_free(&result);
	}
	sonde_debye_result_free(&expected);
	assert_int_equal(remove(FILE_NAME), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_frames_prepared_in_advance_have_the_same_bits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
