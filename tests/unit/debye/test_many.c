/* Many small samples at once: the matrix of the nodes, and results compared with exact sums of each sample. */
#include <math.h>
#include <stdlib.h>

#include "unit/support.h"
#include "debye/kernels/spread_weights.h"
#include "debye/many.h"
#include "debye/sums/many_device.h"
#include "sonde/sonde.h"

#define SAMPLES 9

/* Nodes give sin(qr)/(qr) of any distance, also of none. */
static void test_nodes(void **state)
{
	const double q[] = {0.0, 0.01, 0.7, 3.0, 11.0, 19.0, 24.0};
	struct many_nodes nodes;
	uint64_t random = 1;

	(void)state;
	assert_status(SONDE_OK, many_nodes_make(q, COUNT(q), 30.0, 2, &nodes));
	assert_true(nodes.error < 1e-7 && nodes.largest_error < 1e-5);
	for (int n = 0; n < 300; ++n) {
		const double r = n == 0 ? 0.0 : 30.0 * test_random_real(&random), steps = r * nodes.per_angstrom;
		double weights[SPREAD_WIDTH];
		spread_weights(steps - floor(steps) - 0.5, weights);
		for (size_t k = 0; k < COUNT(q); ++k) {
			const double x = q[k] * r;
			double sum = 0.0;
			for (size_t m = 0; m < SPREAD_WIDTH; ++m)
				sum += ldexp(weights[m], -SPREAD_BITS) *
				       nodes.matrix[((size_t)steps + m) * nodes.columns + k];
			assert_within(sum, x > 0.0 ? sin(x) / x : 1.0, 1e-7, "sum over nodes");
		}
	}
	many_nodes_free(&nodes);
}

/* Clusters with one to three species, of 1 to 400 atoms, some of them of a crystal, one with two atoms at one place. */
static sonde_atoms *make_sample(int number)
{
	static const int counts[SAMPLES] = {1, 2, 3, 64, 65, 129, 256, 300, 400};
	static const char *const labels[] = {"Au", "O", "Cu2+"};
	uint64_t random = (uint64_t)number + 7;
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int k = 0; k < counts[number]; ++k) {
		double r[3] = {2.1 * (k % 7), 2.1 * (k / 7 % 7), 2.1 * (k / 49)};
		for (int c = 0; c < 3 && number % 2 == 0; ++c)
			r[c] += 0.4 * test_random_real(&random) - (number == 4 && k == 5 ? 0.0 : 0.2);
		assert_status(SONDE_OK, sonde_atoms_add(atoms, labels[k * 5 / 3 % (1 + number % 3)], r));
	}
	return atoms;
}

/* Of results that are given one by one, which are those of debye_many_run(). */
struct seen {
	sonde_debye_result **results;
	int count;
};

static sonde_status see(void *user, int number, sonde_debye_result **result)
{
	struct seen *seen = user;
	const sonde_debye_result *known = seen->results[number];

	(void)__atomic_add_fetch(&seen->count, 1, __ATOMIC_RELAXED);
	return memcmp((*result)->intensity_per_atom, known->intensity_per_atom,
		      (size_t)known->q_count * sizeof(double)) == 0
		   ? SONDE_OK
		   : status_fail(SONDE_INTERNAL, "sample %d has another result", number);
}

static void compare(sonde_context *context, const sonde_debye_options *options)
{
	const sonde_atoms *samples[SAMPLES];
	sonde_debye_result *results[SAMPLES], *again[SAMPLES];
	sonde_debye_options exact = *options;
	struct debye_many *many;

	for (int k = 0; k < SAMPLES; ++k)
		samples[k] = make_sample(k);
	exact.method = SONDE_DEBYE_METHOD_REFERENCE;
	assert_status(SONDE_OK, debye_many_begin(context, options, &many));
	assert_status(SONDE_OK, debye_many_run(many, samples, SAMPLES, results));
	assert_int_equal(debye_many_times(many)->together, SAMPLES);
	struct seen seen = {results, 0};
	assert_status(SONDE_OK, debye_many_run_each(many, samples, SAMPLES, see, &seen));
	assert_int_equal(seen.count, SAMPLES);
	/* others of the same call, in another order, do not matter */
	assert_status(SONDE_OK, debye_many_run(many, samples + 3, 2, again));
	for (int k = 0; k < SAMPLES; ++k) {
		sonde_debye_result *one;
		assert_status(SONDE_OK, sonde_debye_run(context, samples[k], &exact, &one));
		assert_int_equal(results[k]->q_count, one->q_count);
		assert_true(results[k]->largest_error < 1e-5);
		for (int64_t p = 0; p < one->q_count; ++p) {
			const double error = results[k]->error_estimate[p];
			assert_within(results[k]->intensity_per_atom[p], one->intensity_per_atom[p], error, "I/N");
			assert_true(error <= results[k]->error_bound[p]);
			assert_within(results[k]->structure_factor[p], one->structure_factor[p],
				      error / one->square_mean_amplitude[p], "S");
			if (k == 3 || k == 4)
				assert_true(again[k - 3]->intensity_per_atom[p] == results[k]->intensity_per_atom[p]);
		}
		assert_int_equal(results[k]->r_count, one->r_count);
		for (int64_t p = 0; p < one->r_count; ++p)
			assert_within(results[k]->pair_distribution[p], one->pair_distribution[p], 1e-4, "G");
		sonde_debye_result_free(&one);
	}
	for (int k = 0; k < SAMPLES; ++k) {
		sonde_debye_result_free(&results[k]);
		sonde_atoms_free((sonde_atoms **)&samples[k]);
	}
	sonde_debye_result_free(&again[0]);
	sonde_debye_result_free(&again[1]);
	debye_many_free(&many);
}

static sonde_context *open_device(const char *device)
{
	sonde_context *context;

	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_device(context, device));
	return context;
}

static void test_results(void **state)
{
	sonde_context *context = open_device("cpu");
	sonde_debye_options options;

	(void)state;
	sonde_debye_options_init(&options);
	options.q = (sonde_grid){0.0, 20.0, 41};
	options.r = (sonde_grid){1.0, 3.0, 3};
	compare(context, &options);
	options.radiation = SONDE_DEBYE_RADIATION_NEUTRON;
	strcpy(options.displacement, "0.01");
	options.q = (sonde_grid){0.3, 31.0, 100};
	compare(context, &options);
	sonde_context_free(&context);
}

/* The kernels of GPUs give the same bits. */
static void test_devices(void **state)
{
	const char *const devices[] = {"cpu", "emulated"};
	double values[2][64];
	sonde_debye_options options;

	(void)state;
	sonde_debye_options_init(&options);
	options.q = (sonde_grid){0.2, 15.0, 64};
	options.r = (sonde_grid){0.0, 0.0, 1};
	for (int d = 0; d < 2; ++d) {
		sonde_context *context = open_device(devices[d]);
		const sonde_atoms *sample = make_sample(7);
		sonde_debye_result *result;
		struct debye_many *many;
		assert_status(SONDE_OK, debye_many_begin(context, &options, &many));
		assert_status(SONDE_OK, debye_many_run(many, &sample, 1, &result));
		memcpy(values[d], result->intensity_per_atom, sizeof values[d]);
		sonde_debye_result_free(&result);
		debye_many_free(&many);
		sonde_atoms_free((sonde_atoms **)&sample);
		sonde_context_free(&context);
	}
	assert_memory_equal(values[0], values[1], sizeof values[0]);
}

/* Options for which pairs need more than their distance: one by one. */
static void test_alone(void **state)
{
	sonde_context *context = open_device("cpu");
	const sonde_atoms *samples[] = {make_sample(3), make_sample(5)};
	sonde_debye_result *results[2], *one;
	sonde_debye_options options;
	struct debye_many *many;

	(void)state;
	sonde_debye_options_init(&options);
	options.q = (sonde_grid){0.2, 15.0, 20};
	options.method = SONDE_DEBYE_METHOD_EXACT;
	assert_status(SONDE_OK, debye_many_begin(context, &options, &many));
	assert_status(SONDE_OK, debye_many_run(many, samples, 2, results));
	assert_int_equal(debye_many_times(many)->alone, 2);
	assert_status(SONDE_OK, sonde_debye_run(context, samples[1], &options, &one));
	assert_memory_equal(one->intensity, results[1]->intensity, 20 * sizeof(double));
	sonde_debye_result_free(&one);
	sonde_debye_result_free(&results[0]);
	sonde_debye_result_free(&results[1]);
	debye_many_free(&many);
	strcpy(options.displacement, "Xe=1");
	assert_status(SONDE_OK, debye_many_begin(context, &options, &many));
	assert_invalid("Xe", debye_many_run(many, samples, 2, results));
	assert_null(results[0]);
	debye_many_free(&many);
	sonde_atoms_free((sonde_atoms **)&samples[0]);
	sonde_atoms_free((sonde_atoms **)&samples[1]);
	sonde_context_free(&context);
}

/* Other displacements, and other points, give what a new computation gives. */
static void test_changes(void **state)
{
	sonde_context *context = open_device("cpu");
	const sonde_atoms *sample = make_sample(7);
	sonde_debye_options options;
	struct debye_many *many, *other;

	(void)state;
	sonde_debye_options_init(&options);
	options.q = (sonde_grid){0.2, 15.0, 64};
	options.r = (sonde_grid){1.0, 3.0, 3};
	assert_status(SONDE_OK, debye_many_begin(context, &options, &many));
	for (int n = 0; n < 3; ++n) {
		sonde_debye_result *result, *expected;
		strcpy(options.displacement, n == 0 ? "" : "0.01");
		options.q.last = n == 2 ? 12.0 : 15.0;
		assert_status(SONDE_OK, debye_many_change(many, &options));
		assert_status(SONDE_OK, debye_many_run(many, &sample, 1, &result));
		assert_status(SONDE_OK, debye_many_begin(context, &options, &other));
		assert_status(SONDE_OK, debye_many_run(other, &sample, 1, &expected));
		assert_memory_equal(result->q, expected->q, 64 * sizeof(double));
		assert_memory_equal(result->intensity_per_atom, expected->intensity_per_atom, 64 * sizeof(double));
		assert_memory_equal(result->pair_distribution, expected->pair_distribution, 3 * sizeof(double));
		sonde_debye_result_free(&result);
		sonde_debye_result_free(&expected);
		debye_many_free(&other);
	}
	debye_many_free(&many);
	sonde_atoms_free((sonde_atoms **)&sample);
	sonde_context_free(&context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_nodes), cmocka_unit_test(test_results),
					   cmocka_unit_test(test_devices), cmocka_unit_test(test_alone),
					   cmocka_unit_test(test_changes)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
