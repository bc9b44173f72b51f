/* Errors of partial curves: against the reference, and their sum, which is the error of I/N. */
#include "physics/physics.h"

#define AUTO SONDE_DEBYE_FACTORS_AUTO

static sonde_atoms *make_sample(const char *species, double radius, double missing)
{
	sonde_atoms *crystal = build_sphere(SONDE_BUILD_CELL_PEROVSKITE, species, 3.905, radius),
		    *atoms = displace(crystal, 0.05, 77);
	const int64_t count = sonde_atoms_count(atoms);
	double *occupancies = malloc((size_t)count * sizeof *occupancies);

	assert_non_null(occupancies);
	for (int64_t i = 0; i < count; ++i)
		occupancies[i] = i % 3 == 0 ? 1.0 - missing : 1.0;
	assert_int_equal(sonde_atoms_set_occupancies(atoms, occupancies), SONDE_OK);
	free(occupancies);
	sonde_atoms_free(&crystal);
	return atoms;
}

/* The largest difference of two sets of rows, in units of the errors of the first. */
static double largest_part(const double *rows, const double *truth, const double *errors, int64_t count)
{
	double largest = 0.0;

	for (int64_t k = 0; k < count; ++k) {
		assert_true(isfinite(errors[k]) && errors[k] > 0.0);
		largest = fmax(largest, fabs(rows[k] - truth[k]) / errors[k]);
	}
	return largest;
}

static void check_sum_of_errors(const sonde_debye_result *result, const double *errors, int rows)
{
	for (int64_t k = 0; k < result->q_count; ++k) {
		double sum = 0.0;
		for (int p = 0; p < rows; ++p)
			sum += errors[p * result->q_count + k];
		assert_within(sum, result->error_estimate[k], 1e-12 * result->error_estimate[k], "sum of errors");
	}
}

static void check_errors(const char *what, const sonde_atoms *atoms, sonde_debye_options *options)
{
	static const int methods[] = {SONDE_DEBYE_METHOD_EXACT, SONDE_DEBYE_METHOD_HISTOGRAM,
				      SONDE_DEBYE_METHOD_HISTOGRAM};
	static const double tolerances[] = {1e-6, 1e-6, 1e-3};
	options->method = SONDE_DEBYE_METHOD_REFERENCE;
	sonde_debye_result *truth = run(atoms, options);
	const int64_t numbers = truth->pair_count * truth->q_count;

	for (size_t m = 0; m < sizeof methods / sizeof *methods; ++m) {
		options->method = methods[m];
		options->tolerance = tolerances[m];
		sonde_debye_result *result = run(atoms, options);
		const double of_i = largest_part(result->partial_intensity, truth->partial_intensity,
						 result->partial_intensity_error, numbers),
			     of_s = largest_part(result->partial_structure_factor, truth->partial_structure_factor,
						 result->partial_structure_factor_error, numbers);
		print_message("%-28s method %d, tolerance %.0e: I_ab %.3f, S_ab %.3f of their errors\n", what,
			      methods[m], tolerances[m], of_i, of_s);
		assert_true(of_i <= 1.0 && of_s <= 1.0);
		/* and they are not so large that they say nothing */
		assert_true(methods[m] == SONDE_DEBYE_METHOD_EXACT || (of_i > 1e-3 && of_s > 1e-3));
		check_sum_of_errors(result, result->partial_intensity_error, result->pair_count);
		sonde_debye_result_free(&result);
	}
	sonde_debye_result_free(&truth);
}

static void test_errors_hold_and_add_up(void **state)
{
	sonde_atoms *oxide = make_sample("Sr2+,Ti4+,O", 14.0, 0.0), *vacancies = make_sample("Gd,B,H", 14.0, 0.4);
	sonde_debye_options options = options_of(0, AUTO, 0.1, 20.0, 60);
	(void)state;

	check_errors("X-rays", oxide, &options);
	options.radiation = SONDE_DEBYE_RADIATION_NEUTRON;
	check_errors("neutrons", oxide, &options);
	check_errors("neutrons, vacancies", vacancies, &options);
	snprintf(options.displacement, sizeof options.displacement, "0.01");
	check_errors("neutrons, thermal motion", oxide, &options);
	sonde_atoms_free(&oxide);
	sonde_atoms_free(&vacancies);
}

/* Of components whose species differ, and of the same after writing and reading. */
static void test_errors_of_a_mixture_and_of_a_file(void **state)
{
	static const char *const species[] = {"Sr2+,Ti4+,O", "Ba2+,Zr4+,O"};
	sonde_context *context = make_context(2);
	sonde_debye_options options = options_of(SONDE_DEBYE_METHOD_HISTOGRAM, AUTO, 0.1, 20.0, 60);
	struct sonde_debye_mean *mean = begin_mean(context, &options, SONDE_DEBYE_MIXTURE, 0);
	sonde_debye_result *read;
	(void)state;

	for (int k = 0; k < 2; ++k) {
		sonde_atoms *atoms = make_sample(species[k], 9.0 + 2.0 * k, 0.0);
		add_to_mean(mean, atoms, 1.0 + k);
		sonde_atoms_free(&atoms);
	}
	sonde_debye_result *result = finish_mean(&mean);
	check_sum_of_errors(result, result->partial_intensity_error, result->pair_count);
	assert_int_equal(sonde_debye_result_write(result, "partial_errors.h5", 1), SONDE_OK);
	assert_int_equal(sonde_debye_result_read(context, "partial_errors.h5", &read), SONDE_OK);
	const size_t bytes = (size_t)(result->pair_count * result->q_count) * sizeof(double);
	assert_memory_equal(read->partial_intensity_error, result->partial_intensity_error, bytes);
	assert_memory_equal(read->partial_structure_factor_error, result->partial_structure_factor_error, bytes);
	remove("partial_errors.h5");
	sonde_debye_result_free(&read);
	sonde_debye_result_free(&result);
	sonde_context_free(&context);
}

/* Blocks: two halves of the sample. */
static void test_errors_of_blocks(void **state)
{
	sonde_atoms *atoms = make_sample("Sr2+,Ti4+,O", 10.0, 0.0);
	const int64_t count = sonde_atoms_count(atoms);
	int64_t *blocks = malloc((size_t)count * sizeof *blocks);
	sonde_debye_options options = options_of(SONDE_DEBYE_METHOD_REFERENCE, AUTO, 0.1, 20.0, 60);
	(void)state;

	assert_non_null(blocks);
	for (int64_t i = 0; i < count; ++i)
		blocks[i] = 2 * i < count ? 1 : 2;
	assert_int_equal(sonde_atoms_set_blocks(atoms, blocks), SONDE_OK);
	options.partials = SONDE_DEBYE_PARTIALS_BLOCK;
	sonde_debye_result *truth = run(atoms, &options);
	options.method = SONDE_DEBYE_METHOD_HISTOGRAM;
	sonde_debye_result *result = run(atoms, &options);
	assert_int_equal(result->block_count, 2);
	assert_true(largest_part(result->block_intensity, truth->block_intensity, result->block_intensity_error,
				 3 * result->q_count) <= 1.0);
	check_sum_of_errors(result, result->block_intensity_error, 3);
	sonde_debye_result_free(&truth);
	sonde_debye_result_free(&result);
	sonde_atoms_free(&atoms);
	free(blocks);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_errors_hold_and_add_up),
	    cmocka_unit_test(test_errors_of_a_mixture_and_of_a_file),
	    cmocka_unit_test(test_errors_of_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
