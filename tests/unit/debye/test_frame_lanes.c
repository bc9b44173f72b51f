/* Frames computed several at a time: when lanes are chosen; their results, in the order of the frames, are those of one frame after the
 * other to the bit; a frame that fails has its message; a stop ends them. */
#include "unit/support.h"

#include <stdlib.h>

#include "debye/means/frame_lanes.h"
#include "run/context.h"
#include "run/share_record.h"

#define ATOMS 1100
#define FRAMES 12
#define POINTS 20

static sonde_debye_options options;
static sonde_atoms *frames[FRAMES];

static sonde_context *make_context(const char *device, int threads)
{
	sonde_context *context;

	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_threads(context, threads));
	assert_status(SONDE_OK, sonde_context_set_device(context, device));
	return context;
}

static int make_frames(void **state)
{
	uint64_t random = 3;
	(void)state;

	sonde_debye_options_init(&options);
	options.q = (sonde_grid){0.5, 12.0, POINTS};
	options.method = SONDE_DEBYE_METHOD_HISTOGRAM;
	for (int f = 0; f < FRAMES; ++f) {
		assert_status(SONDE_OK, sonde_atoms_create(&frames[f]));
		for (int i = 0; i < ATOMS; ++i) {
			const double r[3] = {25.0 * test_random_real(&random), 25.0 * test_random_real(&random),
					     25.0 * test_random_real(&random)};
			assert_status(SONDE_OK, sonde_atoms_add(frames[f], i % 3 == 0 ? "O" : "H", r));
		}
	}
	return 0;
}

static int free_frames(void **state)
{
	(void)state;
	for (int f = 0; f < FRAMES; ++f)
		sonde_atoms_free(&frames[f]);
	return 0;
}

static int chosen(const char *name, int threads, const sonde_debye_options *settled, int64_t count)
{
	sonde_context *context = make_context(name, threads);
	const char *device;
	int lanes;

	assert_status(SONDE_OK, frame_lanes_choose(context, settled, frames[0], count, &lanes, &device));
	assert_true((lanes > 0) == (device != NULL && strcmp(device, name) == 0));
	sonde_context_free(&context);
	return lanes;
}

static void lanes_are_for_one_gpu(void **state)
{
	sonde_debye_options settled = options;
	(void)state;

	settled.precision = SONDE_DEBYE_PRECISION_FLOAT64;
	assert_int_equal(chosen("emulated", 5, &settled, FRAMES), 2);
	assert_int_equal(chosen("emulated", 40, &settled, 1000), 6);
	assert_int_equal(chosen("emulated", 3, &settled, 1000), 0);
	assert_int_equal(chosen("emulated", 5, &settled, 7), 0);
	assert_int_equal(chosen("cpu", 5, &settled, FRAMES), 0);
	assert_int_equal(chosen("emulated,cpu", 5, &settled, FRAMES), 0);
	settled.precision = SONDE_DEBYE_PRECISION_FLOAT32;
	assert_int_equal(chosen("emulated", 5, &settled, FRAMES), 0);
}

static void same_bits(const sonde_debye_result *a, const sonde_debye_result *b)
{
	assert_memory_equal(a->intensity, b->intensity, POINTS * sizeof *a->intensity);
	assert_memory_equal(a->error_estimate, b->error_estimate, POINTS * sizeof *a->error_estimate);
	assert_memory_equal(a->pair_distribution, b->pair_distribution,
			    (size_t)a->r_count * sizeof *a->pair_distribution);
}

static void results_have_the_bits_of_one_after_the_other(void **state)
{
	sonde_context *context = make_context("emulated", 5);
	struct sonde_debye_plan *plan;
	struct frame_lanes *lanes;
	struct given_frame frame;
	int taken = 0;
	(void)state;

	assert_status(SONDE_OK, sonde_debye_plan(context, frames[0], &options, &plan));
	assert_status(SONDE_OK, frame_lanes_begin(context, plan, frames[0], FRAMES, &lanes));
	assert_non_null(lanes);
	assert_int_equal(frame_lanes_most(lanes), 2 + FRAMES_WAITING);
	for (int given = 0; taken < FRAMES;) {
		sonde_debye_result *result, *expected;
		struct debye_check check = {.wanted = false};
		const struct debye_execution alone = {.check = &check};
		while (given < FRAMES && frame_lanes_pending(lanes) < frame_lanes_most(lanes)) {
			frame_lanes_give(lanes, frames[given], 100 + given, false);
			++given;
		}
		assert_status(SONDE_OK, frame_lanes_take(lanes, &frame, &result));
		assert_true(frame.atoms == frames[taken] && frame.number == 100 + taken);
		assert_status(SONDE_OK, debye_execute(plan, frames[taken], &alone, &expected));
		same_bits(result, expected);
		sonde_debye_result_free(&result);
		sonde_debye_result_free(&expected);
		++taken;
	}
	const double before = context_share_record(context)->devices[0].work;
	frame_lanes_end(&lanes);
	assert_null(lanes);
	/* the pairs of both ways */
	assert_true(context_share_record(context)->devices[0].work == 2.0 * before && before > 0.0);
	sonde_debye_plan_free(&plan);
	sonde_context_free(&context);
}

/* With an atom too far away for the phases. */
static void a_failure_has_its_message(void **state)
{
	sonde_context *context = make_context("emulated", 5);
	struct sonde_debye_plan *plan;
	struct frame_lanes *lanes;
	struct given_frame frame;
	sonde_debye_result *result;
	sonde_atoms *wide;
	(void)state;

	assert_status(SONDE_OK, sonde_atoms_create(&wide));
	for (int i = 0; i < ATOMS; ++i) {
		const double r[3] = {i == 7 ? 9e6 : 0.01 * i, 0.0, 0.0};
		assert_status(SONDE_OK, sonde_atoms_add(wide, i % 3 == 0 ? "O" : "H", r));
	}
	assert_status(SONDE_OK, sonde_debye_plan(context, frames[0], &options, &plan));
	assert_status(SONDE_OK, frame_lanes_begin(context, plan, frames[0], FRAMES, &lanes));
	frame_lanes_give(lanes, frames[1], 1, false);
	frame_lanes_give(lanes, wide, 2, false);
	frame_lanes_give(lanes, frames[3], 3, false);
	assert_status(SONDE_OK, frame_lanes_take(lanes, &frame, &result));
	sonde_debye_result_free(&result);
	assert_true(frame_lanes_take(lanes, &frame, &result) != SONDE_OK && result == NULL);
	assert_true(frame.number == 2 && frame.atoms == wide);
	assert_message("across a sample of");
	frame = frame_lanes_give_up(lanes);
	assert_true(frame.number == 3 && frame.atoms == frames[3] && frame_lanes_pending(lanes) == 0);
	frame_lanes_end(&lanes);
	sonde_debye_plan_free(&plan);
	sonde_context_free(&context);
	sonde_atoms_free(&wide);
}

static void a_stop_ends_them(void **state)
{
	sonde_context *context = make_context("emulated", 5);
	struct sonde_debye_plan *plan;
	struct frame_lanes *lanes;
	struct given_frame frame;
	sonde_debye_result *result;
	(void)state;

	assert_status(SONDE_OK, sonde_debye_plan(context, frames[0], &options, &plan));
	assert_status(SONDE_OK, frame_lanes_begin(context, plan, frames[0], FRAMES, &lanes));
	sonde_context_cancel(context);
	/* frames that are complete already are still given back */
	sonde_status status = SONDE_OK;
	for (int f = 0; f < 100 && status == SONDE_OK; ++f) {
		frame_lanes_give(lanes, frames[f % FRAMES], f, false);
		status = frame_lanes_take(lanes, &frame, &result);
		sonde_debye_result_free(&result);
	}
	assert_int_equal(status, SONDE_CANCELLED);
	frame_lanes_end(&lanes);
	sonde_debye_plan_free(&plan);
	sonde_context_free(&context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lanes_are_for_one_gpu), cmocka_unit_test(results_have_the_bits_of_one_after_the_other),
	    cmocka_unit_test(a_failure_has_its_message), cmocka_unit_test(a_stop_ends_them)};

	return cmocka_run_group_tests(tests, make_frames, free_frames);
}
