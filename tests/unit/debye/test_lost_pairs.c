/* Pairs that a device loses: they are counted again without the kernel that may lose them, and never missing in a result.
 * histogram.c is compiled here with a device that loses pairs; the linker prefers it to that of the library. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "debye/sums/histogram_device.h"

#define MATRIX_BINS 1024 /* of the kernel that loses pairs */

static struct {
	int collections;  /* of pieces by the device */
	int losing;       /* the first so many of them lose a pair of every bin */
	int prepared;     /* times */
	uint32_t bins[8]; /* of the kernel that may lose pairs, each time */
} loss;

static struct debye_shape shape_that_loses(const struct device *of)
{
	struct debye_shape shape = debye_shape_of(of);

	shape.matrix_bins = MATRIX_BINS;
	return shape;
}

/* The CPU has no such kernel: that of its own, in its place, with the loss. */
static sonde_status prepare_and_note(const sonde_context *context, struct device *of, const struct debye_shape *shape,
				     enum tiling tiling, const struct arranged_atoms *atoms,
				     const struct histogram_bins *bins, struct histogram_device *run)
{
	struct debye_shape own = *shape;

	assert_true(loss.prepared < 8);
	loss.bins[loss.prepared++] = shape->matrix_bins;
	own.matrix_bins = 0;
	return histogram_device_prepare(context, of, &own, tiling, atoms, bins, run);
}

static sonde_status collect_and_lose(struct histogram_device *run, uint64_t *totals)
{
	const sonde_status status = histogram_device_collect(run, totals);

	for (uint64_t b = 0; b <= run->last_bin - run->first_bin && loss.collections < loss.losing; ++b)
		totals[TOTAL_WORDS * b] -= totals[TOTAL_WORDS * b] > 0;
	++loss.collections;
	return status;
}

#define debye_shape_of shape_that_loses
#define histogram_device_prepare prepare_and_note
#define histogram_device_collect collect_and_lose
#include "debye/sums/histogram.c"

/* Two species, so that there are three collections. */
static sonde_atoms *make_sample(void)
{
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int i = 0; i < 300; ++i)
		assert_status(SONDE_OK,
			      sonde_atoms_add(atoms, i % 3 == 0 ? "Na" : "Cl",
					      (double[3]){2.8 * (i % 7), 2.8 * (i / 7 % 7), 2.8 * (i / 49)}));
	return atoms;
}

static sonde_status run(int losing, sonde_debye_result **result)
{
	sonde_debye_options options;
	sonde_atoms *atoms = make_sample();
	sonde_context *context;

	memset(&loss, 0, sizeof loss);
	loss.losing = losing;
	sonde_debye_options_init(&options);
	options.method = SONDE_DEBYE_METHOD_HISTOGRAM;
	options.q = (sonde_grid){0.1, 10.0, 40};
	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_device(context, "cpu"));
	assert_status(SONDE_OK, sonde_context_set_threads(context, 1));
	const sonde_status status = sonde_debye_run(context, atoms, &options, result);
	sonde_context_free(&context);
	sonde_atoms_free(&atoms);
	return status;
}

static void test_without_losses_all_is_counted_once(void **state)
{
	sonde_debye_result *result;
	(void)state;

	assert_status(SONDE_OK, run(0, &result));
	assert_int_equal(loss.collections, 3);
	assert_int_equal(loss.prepared, 1);
	assert_int_equal(loss.bins[0], MATRIX_BINS);
	sonde_debye_result_free(&result);
}

static void test_lost_pairs_are_counted_again_by_another_kernel(void **state)
{
	sonde_debye_result *truth, *result;
	(void)state;

	assert_status(SONDE_OK, run(0, &truth));
	assert_status(SONDE_OK, run(1, &result));
	/* the first pairs twice, and the others without that kernel from the beginning */
	assert_int_equal(loss.collections, 4);
	assert_int_equal(loss.prepared, 2);
	assert_int_equal(loss.bins[0], MATRIX_BINS);
	assert_int_equal(loss.bins[1], 0);
	assert_memory_equal(result->intensity, truth->intensity, (size_t)truth->q_count * sizeof(double));
	assert_memory_equal(result->error_bound, truth->error_bound, (size_t)truth->q_count * sizeof(double));
	sonde_debye_result_free(&result);
	sonde_debye_result_free(&truth);
}

static void test_pairs_lost_by_every_kernel_are_an_error(void **state)
{
	sonde_debye_result *result;
	(void)state;

	assert_int_not_equal(run(2, &result), SONDE_OK);
	assert_null(result);
	assert_int_equal(loss.collections, 2);
	assert_non_null(strstr(sonde_status_message(), "pairs"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_without_losses_all_is_counted_once),
	    cmocka_unit_test(test_lost_pairs_are_counted_again_by_another_kernel),
	    cmocka_unit_test(test_pairs_lost_by_every_kernel_are_an_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
