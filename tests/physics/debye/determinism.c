/* Results are bit-identical for any number of threads, and by histogram for any instruction set. */
#include "physics/physics.h"

#define EXACT SONDE_DEBYE_METHOD_EXACT
#define HISTOGRAM SONDE_DEBYE_METHOD_HISTOGRAM
#define AUTO SONDE_DEBYE_FACTORS_AUTO

/* A perovskite of which some atoms are displaced: bins with one distance and bins with many. */
static sonde_atoms *make_sample(void)
{
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_PEROVSKITE, "Sr,Ti,O", 3.905, 22.0);
	sonde_atoms *atoms = displace(crystal, 0.05, 41);

	append(atoms, crystal, 60.0, 0.0, 0.0);
	sonde_atoms_free(&crystal);
	return atoms;
}

static void test_threads_change_no_bit(void **state)
{
	static const int64_t numbers[] = {2, 3, 8};
	sonde_atoms *atoms = make_sample();
	(void)state;

	for (int method = EXACT; method <= HISTOGRAM; ++method) {
		/* more q than one pass of the kernels takes */
		sonde_debye_options options = options_of(method, AUTO, 0.0, 20.0, method == EXACT ? 100 : 1500);
		options.r = (sonde_grid){0.0, 20.0, 500};
		sonde_debye_result *one = run_on(1, atoms, &options);
		for (int k = 0; k < 3; ++k) {
			sonde_debye_result *many = run_on(numbers[k], atoms, &options);
			assert_true(same_bits(one, many));
			sonde_debye_result_free(&many);
		}
		sonde_debye_result *again = run_on(1, atoms, &options);
		assert_true(same_bits(one, again));
		sonde_debye_result_free(&again);
		/* and the comparison does see a difference */
		options.q.last += 1e-9;
		again = run_on(1, atoms, &options);
		assert_false(same_bits(one, again));
		sonde_debye_result_free(&again);
		sonde_debye_result_free(&one);
	}
	sonde_atoms_free(&atoms);
}

/* Threads share the points of q of the reference: more of them than threads, and fewer. */
static void test_threads_change_no_bit_of_the_reference(void **state)
{
	static const int64_t numbers[] = {2, 3, 8}, points[] = {2, 11};
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_PEROVSKITE, "Sr,Ti,O", 3.905, 9.0);
	sonde_atoms *atoms = displace(crystal, 0.05, 41);
	(void)state;

	for (int k = 0; k < 2; ++k) {
		sonde_debye_options options = options_of(SONDE_DEBYE_METHOD_REFERENCE, AUTO, 0.5, 20.0, points[k]);
		sonde_debye_result *one = run_on(1, atoms, &options);
		for (int n = 0; n < 3; ++n) {
			sonde_debye_result *many = run_on(numbers[n], atoms, &options);
			assert_true(same_bits(one, many));
			sonde_debye_result_free(&many);
		}
		sonde_debye_result_free(&one);
	}
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&crystal);
}

/* A run with an instruction set; null where the processor lacks it. */
static sonde_debye_result *run_with(const char *isa, const sonde_atoms *atoms, const sonde_debye_options *options)
{
	sonde_context *context;
	sonde_debye_result *result;
	sonde_device_description device;
	int found;

	setenv("SONDE_ISA", isa, 1);
	context = make_context(2);
	assert_int_equal(sonde_context_set_device(context, "cpu"), SONDE_OK);
	sonde_status status;
	int index = 0;
	do
		status = sonde_context_describe_device(context, index++, &device, &found);
	while (status == SONDE_OK && found && strcmp(device.name, "cpu") != 0);
	if (status == SONDE_OK) {
		assert_string_equal(device.instructions, isa);
		assert_int_equal(sonde_debye_run(context, atoms, options, &result), SONDE_OK);
	} else {
		assert_non_null(strstr(sonde_status_message(), isa));
		print_message("no %s here: %s\n", isa, sonde_status_message());
		result = NULL;
	}
	sonde_context_free(&context);
	unsetenv("SONDE_ISA");
	return result;
}

static void test_instruction_sets_change_no_bit_of_histograms(void **state)
{
	static const char *const names[] = {"sse2", "avx2", "avx512"};
	sonde_atoms *atoms = make_sample();
	(void)state;

	for (int method = EXACT; method <= HISTOGRAM; ++method) {
		sonde_debye_options options = options_of(method, AUTO, 0.0, 20.0, method == EXACT ? 64 : 996);
		sonde_debye_result *first = run_with(names[0], atoms, &options);
		if (first == NULL)
			skip(); /* not x86-64 */
		for (int k = 1; k < 3; ++k) {
			sonde_debye_result *other = run_with(names[k], atoms, &options);
			if (other == NULL)
				continue;
			double error = largest_error(other, first->intensity_per_atom);
			print_message("method %d, %s against %s: %.1e\n", method, names[k], names[0], error);
			assert_true(error <= 1e-12);
			if (method == HISTOGRAM)
				assert_memory_equal(first->intensity, other->intensity, 996 * sizeof(double));
			sonde_debye_result_free(&other);
		}
		sonde_debye_result_free(&first);
	}
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_threads_change_no_bit),
	    cmocka_unit_test(test_threads_change_no_bit_of_the_reference),
	    cmocka_unit_test(test_instruction_sets_change_no_bit_of_histograms),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
