/* Counter-based random numbers: the known answers of Random123, and uniformity. */
#include "unit/support.h"

#include <math.h>

#define SONDE_ISA host
#include "device/kernel_random.h"

static void numbers_are_those_of_random123(void **unused)
{
	/* Random123 1.14, tests/kat_vectors, philox4x32 10: counter, key, result */
	static const u32 rows[3][10] = {{0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
					{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff,
					 0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
					{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0,
					 0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}};
	(void)unused;

	for (int r = 0; r < 3; ++r) {
		struct random_block counter = {{rows[r][0], rows[r][1], rows[r][2], rows[r][3]}};
		struct random_block found = random_philox(counter, rows[r][4], rows[r][5]);
		for (int k = 0; k < 4; ++k)
			assert_int_equal(found.word[k], rows[r][6 + k]);
	}
}

static void numbers_are_uniform_and_uncorrelated(void **unused)
{
	enum { COUNT = 400000 };
	double sum = 0.0, squares = 0.0, neighbors = 0.0, before = 0.5;
	(void)unused;

	assert_true(random_uniform(0) > 0.0F && random_uniform(UINT32_MAX) < 1.0F);
	for (u32 n = 0; n < COUNT / 4; ++n) {
		struct random_block counter = {{n, 0, 0, 0}};
		struct random_block block = random_philox(counter, 7, 0);
		for (int k = 0; k < 4; ++k) {
			double x = (double)random_uniform(block.word[k]) - 0.5;
			sum += x;
			squares += x * x;
			neighbors += x * before;
			before = x;
		}
	}
	/* five standard deviations */
	assert_within(sum / COUNT, 0.0, 5.0 * sqrt(1.0 / 12.0 / COUNT), "sum COUNT");
	assert_within(squares / COUNT, 1.0 / 12.0, 5.0 * sqrt(1.0 / 180.0 / COUNT), "squares COUNT");
	assert_within(neighbors / COUNT, 0.0, 5.0 / 12.0 / sqrt((double)COUNT), "neighbors COUNT");
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(numbers_are_those_of_random123),
					   cmocka_unit_test(numbers_are_uniform_and_uncorrelated)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
