/* Patterns of atoms in the memory of a device: those of atoms on the host, without a copy there. */
#include "unit/resident_atoms.h"

#include <math.h>

#include "pattern/resident/resident.h"
#include "sonde/pattern.h"

#define ATOMS 4200 /* above ATOMS_RESIDENT_LEAST */

static const char *const names[] = {"emulated", "opencl:0", "cuda:0"};

/* Three species in turn, in a ball off the origin with some atoms far outside; two at one place. */
static sonde_atoms *make_gas(void)
{
	static const char *const labels[] = {"Au", "Cu", "O"};
	uint64_t state = 11;
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int i = 0; i < ATOMS; ++i) {
		double r[3];
		for (int k = 0; k < 3; ++k) {
			const double part = 2.0 * test_random_real(&state) - 1.0;
			r[k] = 1000.0 + (i % 400 == 7 ? 90.0 : 25.0) * part;
		}
		if (i == 4)
			memcpy(r, atoms->positions, sizeof r);
		assert_status(SONDE_OK, sonde_atoms_add(atoms, labels[i % 7 < 4 ? 0 : i % 7 - 4], r));
	}
	return atoms;
}

static sonde_pattern_options options_of(void)
{
	sonde_pattern_options options;

	sonde_pattern_options_init(&options);
	options.q = (sonde_grid){0.1, 4.0, 12};
	options.phi = 24;
	options.wavelength = 0.7;
	return options;
}

static sonde_pattern_result *run(sonde_context *context, const sonde_atoms *atoms,
				 const sonde_pattern_options *options)
{
	sonde_pattern_result *result;

	assert_status(SONDE_OK, sonde_pattern_run(context, atoms, options, &result));
	return result;
}

/* The largest difference of I, as a fraction of the mean. */
static double compare(const sonde_pattern_result *a, const sonde_pattern_result *b)
{
	double worst = 0.0, mean = 0.0;

	assert_int_equal(a->count, b->count);
	for (int64_t n = 0; n < a->count; ++n) {
		worst = fmax(worst, fabs(a->intensity[n] - b->intensity[n]));
		mean += a->intensity[n] / (double)a->count;
	}
	return worst / mean;
}

/* Whether the atoms are still on the device alone; the difference is at most `most`. */
static void check_run(sonde_context *context, const sonde_pattern_options *options, bool stay, double most,
		      const char *what)
{
	sonde_atoms *here = make_gas(), *there = make_gas();

	move_to_device(context, there);
	sonde_pattern_result *expected = run(context, here, options), *found = run(context, there, options);
	print_message("%s: difference %.2g, errors %.2g and %.2g of %lld points\n", what, compare(expected, found),
		      expected->largest_error, found->largest_error, (long long)found->checked_points);
	assert_true(compare(expected, found) <= most);
	assert_int_equal(expected->checked_points, found->checked_points);
	assert_true(found->largest_error <= 3.0 * expected->largest_error + 1e-15);
	assert_true(found->largest_error > 0.0);
	assert_int_equal(sonde_atoms_on_gpu(there), stay);
	sonde_pattern_result_free(&expected);
	sonde_pattern_result_free(&found);
	sonde_atoms_free(&here);
	sonde_atoms_free(&there);
}

static void direct_sums_are_those_of_the_host(void **state)
{
	(void)state;
	for (size_t k = 0; k < COUNT(names); ++k) {
		sonde_context *context = context_with(names[k]);
		sonde_pattern_options options = options_of();
		if (context == NULL)
			continue;
		check_run(context, &options, true, 1e-11, "direct");
		options.precision = SONDE_PATTERN_PRECISION_FLOAT32;
		check_run(context, &options, true, 1e-4, "float32");
		options.precision = SONDE_PATTERN_PRECISION_FLOAT64;
		options.h = options.k = (sonde_grid){-1.0, 1.0, 16};
		options.u.x = options.v.y = 2.0;
		check_run(context, &options, true, 1e-11, "plane");
		sonde_context_free(&context);
	}
}

/* The fast method adds integers, in any order. */
static void fast_sums_have_the_bits_of_the_host(void **state)
{
	(void)state;
	for (size_t k = 0; k < COUNT(names); ++k) {
		sonde_context *context = context_with(names[k]);
		sonde_pattern_options options = options_of();
		if (context == NULL)
			continue;
		options.method = SONDE_PATTERN_METHOD_FAST;
		check_run(context, &options, true, 0.0, "fast");
		strcpy(options.orientations, "random:4"); /* kept on the device for all of them: fast/turned.c */
		options.q.points = 3;
		options.phi = 8;
		check_run(context, &options, true, 0.0, "orientations");
		options.orientations[0] = '\0';
		options.h = options.k = (sonde_grid){-1.0, 1.0, 8};
		options.l = (sonde_grid){-1.0, 1.0, 4};
		options.u.x = options.v.y = options.w.z = 0.7;
		check_run(context, &options, true, 0.0, "volume");
		sonde_context_free(&context);
	}
}

/* What needs the atoms on the host. */
static void others_get_a_copy(void **state)
{
	sonde_context *context = context_with("opencl:0");
	sonde_pattern_options options = options_of();
	(void)state;

	if (context == NULL)
		return;
	strcpy(options.orientations, "uniform:8");
	check_run(context, &options, false, 1e-11, "uniform orientations");
	sonde_context_free(&context);
}

static void wrong_coordinates_are_reported(void **state)
{
	sonde_context *context = context_with("emulated");
	sonde_pattern_options options = options_of();
	sonde_pattern_result *result;
	sonde_atoms *atoms = make_gas();
	(void)state;

	atoms->positions[3 * 77 + 2] = INFINITY;
	move_to_device(context, atoms);
	assert_invalid("atom 78", sonde_pattern_run(context, atoms, &options, &result));
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
}

/* Without memory for the order of the atoms, the host cuts the tiles, from a copy: whichever allocation fails. */
static void lack_of_memory_costs_a_copy(void **state)
{
	const sonde_pattern_options options = options_of();
	int copies = 0;
	(void)state;

	for (uint64_t bytes = 300000; bytes < 700000; bytes += 20000) {
		sonde_context *context = context_with("emulated"), *plenty = context_with("emulated");
		sonde_atoms *here = make_gas(), *there = make_gas();
		assert_status(SONDE_OK, sonde_context_set_device_memory(context, bytes));
		move_to_device(context, there);
		sonde_pattern_result *expected = run(plenty, here, &options), *found = run(context, there, &options);
		assert_true(compare(expected, found) <= 1e-11);
		copies += sonde_atoms_on_gpu(there) == 0;
		sonde_pattern_result_free(&expected);
		sonde_pattern_result_free(&found);
		sonde_atoms_free(&here);
		sonde_atoms_free(&there);
		sonde_context_free(&context);
		sonde_context_free(&plenty);
	}
	print_message("%d of 20 runs with a copy\n", copies);
	assert_true(copies > 4 && copies < 16);
}

/* Extents along directions have the bits and the atoms of the host. */
static void extents_are_those_of_the_host(void **state)
{
	static const double directions[][3] = {{1.0, 0.0, 0.0}, {0.3, -0.7, 0.1}, {-1.0, -1.0, 1.0}, {0.0, 0.0, 0.0}},
			    origin[3] = {1000.0, 990.0, 1003.0};
	const int count = (int)COUNT(directions);
	(void)state;

	for (size_t k = 0; k < COUNT(names); ++k) {
		sonde_context *context = context_with(names[k]);
		struct pattern_extents expected, found;
		struct pattern_sample of_host, of_device;
		sonde_pattern_options options = options_of();
		if (context == NULL)
			continue;
		sonde_atoms *here = make_gas(), *there = make_gas();
		move_to_device(context, there);
		assert_status(SONDE_OK, pattern_sample_make(context, here, &options, &of_host));
		assert_status(SONDE_OK, pattern_sample_make(context, there, &options, &of_device));
		assert_true(pattern_is_resident(&of_device) && !pattern_is_resident(&of_host));
		assert_memory_equal(of_host.center, of_device.center, sizeof of_host.center);
		assert_status(SONDE_OK, pattern_find_extents(&of_host, 1, origin, directions, count, &expected));
		assert_status(SONDE_OK, pattern_find_extents(&of_device, 1, origin, directions, count, &found));
		for (int d = 0; d < count; ++d) {
			assert_true(expected.low[d] == found.low[d] && expected.high[d] == found.high[d]);
			assert_true(expected.lowest[d] == found.lowest[d] && expected.highest[d] == found.highest[d]);
		}
		pattern_sample_free(&of_host);
		pattern_sample_free(&of_device);
		sonde_atoms_free(&here);
		sonde_atoms_free(&there);
		sonde_context_free(&context);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(extents_are_those_of_the_host),
					   cmocka_unit_test(direct_sums_are_those_of_the_host),
					   cmocka_unit_test(fast_sums_have_the_bits_of_the_host),
					   cmocka_unit_test(others_get_a_copy),
					   cmocka_unit_test(lack_of_memory_costs_a_copy),
					   cmocka_unit_test(wrong_coordinates_are_reported)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
