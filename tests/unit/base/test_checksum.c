/* Checksums: known values, pieces, and the effects of changed words and lengths. */
#include "unit/support.h"

#include "base/checksum.h"

#define SIZE 1000

static unsigned char bytes[SIZE];

static uint64_t sum_of(size_t size, size_t piece)
{
	struct checksum checksum = {0};

	for (size_t at = 0; at < size; at += piece)
		checksum_add(&checksum, bytes + at, size - at < piece ? size - at : piece);
	assert_true(checksum.size == size);
	return checksum_end(&checksum);
}

static void fill(void)
{
	for (size_t k = 0; k < SIZE; ++k)
		bytes[k] = (unsigned char)(k * k % 251);
}

static void test_sum_is_independent_of_pieces(void **unused)
{
	static const size_t pieces[] = {1, 2, 3, 7, 8, 9, 16, 17, 999};

	(void)unused;
	fill();
	for (size_t size = 0; size < SIZE; size += 1 + size / 7)
		for (size_t k = 0; k < COUNT(pieces); ++k)
			assert_true(sum_of(size, pieces[k]) == sum_of(size, SIZE));
}

/* As files have them: written once, by Python's integers. */
static void test_sums_are_the_recorded_ones(void **unused)
{
	(void)unused;
	fill();
	assert_true(checksum_numbers(0, "\1\0\0\0\0\0\0\0", 1) == 0xea8568d2e45fd6cbu);
	assert_true(checksum_bytes(3, "abc", 3) == 0xd91d518f8bfae872u);
	assert_true(sum_of(SIZE - 3, SIZE) == 0xf0892b9b612988aeu);
}

static void test_every_changed_bit_changes_the_sum(void **unused)
{
	(void)unused;
	fill();
	const uint64_t sum = sum_of(SIZE, SIZE);
	for (size_t bit = 0; bit < 8 * SIZE; ++bit) {
		bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
		assert_true(sum_of(SIZE, SIZE) != sum);
		bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
	}
	/* words that are exchanged, and zeros at the end */
	for (size_t k = 0; k < 8; ++k) {
		const unsigned char other = bytes[k];
		bytes[k] = bytes[k + 80];
		bytes[k + 80] = other;
	}
	assert_true(sum_of(SIZE, SIZE) != sum);
	memset(bytes + 500, 0, 500);
	for (size_t size = 500; size < SIZE; ++size)
		assert_true(sum_of(size, SIZE) != sum_of(size + 1, SIZE));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sum_is_independent_of_pieces),
	    cmocka_unit_test(test_sums_are_the_recorded_ones),
	    cmocka_unit_test(test_every_changed_bit_changes_the_sum),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
