/* Slabs of planes that are some steps ahead of the rest, and both fields stepped at once: bit-identical to stepping
 * plane after plane, with everything that acts on fields. */
#include "physics/fdtd_ways.h"

static void test_slabs_of_planes_have_the_same_bits(void **state)
{
	static const uint32_t shapes[][2] = {{8, 3}, {16, 8}, {5, 9}, {29, 16}, {58, 7}, {1, 4}, {2, 16}};
	(void)state;

	for (int single = 0; single < 2; ++single) {
		struct simulation whole, slabs;
		double most = 0.0;
		struct way way = {.single = single != 0, .slab = 57, .at_once = 1, .cells_along_z = 20};
		simulate(&way, &whole);
		for (size_t k = 0; k < 3 * whole.trace[0].steps; ++k)
			most = fmax(most, fabs(whole.trace[0].values[k]));
		assert_true(most > 0.01);
		for (size_t k = 0; k < sizeof shapes / sizeof *shapes; ++k) {
			way.slab = shapes[k][0];
			way.at_once = shapes[k][1];
			simulate(&way, &slabs);
			int found = differences(&whole, &slabs, true);
			print_message("slabs of %u planes, %u steps: %d differences\n", shapes[k][0], shapes[k][1],
				      found);
			assert_int_equal(found, 0);
			simulation_release(&slabs);
		}
		simulation_release(&whole);
	}
}

/* GPUs step both fields at once where they may, and otherwise one after the other. The grid has cells far from all layers, in more than one group; its
 * rows have room for what lies on the conductor behind them, or just not. */
static void test_both_fields_at_once_have_the_same_bits(void **state)
{
	static const uint32_t planes_log[] = {0, 1, 5};
	static const int cells_along_z[] = {182, 192};
	(void)state;

	for (int n = 0; n < (device_properties(test_device())->gpu_kernels ? 10 : 1); ++n) {
		struct way way = {.single = n % 2 != 0, .in_place = true, .cells_along_z = cells_along_z[n / 2 % 2]};
		way.walls = n < 4 ? ALL_ABSORB : n < 6 ? SOME_MIRROR : n < 8 ? SOME_ARE_BLOCH : OTHERS_MIRROR;
		struct simulation one, both;
		double most = 0.0;
		simulate(&way, &one);
		assert_false(one.both);
		for (size_t k = 0; k < 3 * one.trace[0].steps; ++k)
			most = fmax(most, fabs(one.trace[0].values[k]));
		assert_true(most > 0.01);
		way.in_place = false;
		for (size_t p = 0; p < sizeof planes_log / sizeof *planes_log; ++p) {
			way.planes_log = planes_log[p];
			simulate(&way, &both);
			assert_int_equal(both.both, device_properties(test_device())->gpu_kernels);
			assert_int_equal(differences(&one, &both, true), 0);
			simulation_release(&both);
		}
		simulation_release(&one);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(test_slabs_of_planes_have_the_same_bits),
					   cmocka_unit_test(test_both_fields_at_once_have_the_same_bits)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
