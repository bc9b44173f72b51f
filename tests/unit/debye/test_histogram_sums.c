/* Sums of counted pairs that a thread makes while a GPU counts the next ones: the same bits as by the processor, whatever the lengths of the
 * lists, and an orderly end after a stop. */
#include "unit/support.h"

#include <stdlib.h>

#include "sonde/sonde.h"

#define ATOMS 4500 /* enough for an order by the GPU */
#define WIDE 260.0 /* Angstrom; with two threads, lists of bins of 2^-11 Angstrom across it are summed by the GPU, */
#define NARROW 9.0 /* and those of the other two species by the host, the first of them while the GPU counts */

static sonde_atoms *make_sample(void)
{
	static const char *const labels[] = {"Au", "Cu", "Zn"};
	uint64_t state = 5;
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int i = 0; i < ATOMS; ++i) {
		const int kind = i % 4 < 2 ? 0 : i % 4 - 1;
		const double edge = kind == 0 ? WIDE : NARROW;
		double r[3];
		for (int k = 0; k < 3; ++k)
			r[k] = edge * test_random_real(&state);
		assert_status(SONDE_OK, sonde_atoms_add(atoms, labels[kind], r));
	}
	return atoms;
}

static sonde_context *make_context(const char *device)
{
	sonde_context *context;

	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_threads(context, 2));
	assert_status(SONDE_OK, sonde_context_set_device(context, device));
	return context;
}

static sonde_debye_options make_options(void)
{
	sonde_debye_options options;

	sonde_debye_options_init(&options);
	options.method = SONDE_DEBYE_METHOD_HISTOGRAM;
	options.q = (sonde_grid){0.5, 8.0, 12};
	options.bin_width = 0x1p-11;
	return options;
}

static void test_long_and_short_lists(void **state)
{
	const sonde_debye_options options = make_options();
	sonde_context *gpu = make_context("emulated"), *cpu = make_context("cpu");
	sonde_atoms *atoms = make_sample();
	sonde_debye_result *one, *two;
	(void)state;

	assert_status(SONDE_OK, sonde_debye_run(gpu, atoms, &options, &one));
	assert_status(SONDE_OK, sonde_debye_run(cpu, atoms, &options, &two));
	assert_true(one->bin_count > 2 * (1 << 18));
	assert_memory_equal(one->partial_intensity, two->partial_intensity,
			    (size_t)(one->pair_count * one->q_count) * sizeof(double));
	assert_memory_equal(one->error_estimate, two->error_estimate, (size_t)one->q_count * sizeof(double));
	sonde_debye_result_free(&one);
	sonde_debye_result_free(&two);
	sonde_atoms_free(&atoms);
	sonde_context_free(&gpu);
	sonde_context_free(&cpu);
}

static void stop_late(const sonde_progress *progress, void *user)
{
	sonde_context *context = user;

	if (strncmp(progress->stage, "pairs", 5) == 0 && progress->done > 0.6 * progress->total)
		sonde_context_cancel(context);
}

static void test_a_stop_ends_the_thread(void **state)
{
	const sonde_debye_options options = make_options();
	sonde_context *context = make_context("emulated");
	sonde_atoms *atoms = make_sample();
	sonde_debye_result *result;
	(void)state;

	sonde_context_set_progress(context, stop_late, context);
	const sonde_status status = sonde_debye_run(context, atoms, &options, &result);
	/* unless it was over before its first report */
	if (status == SONDE_OK)
		sonde_debye_result_free(&result);
	else
		assert_int_equal(status, SONDE_CANCELLED);
	if (status != SONDE_OK)
		assert_message("stopped on request");
	assert_null(result);
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_long_and_short_lists),
					   cmocka_unit_test(test_a_stop_ends_the_thread)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
