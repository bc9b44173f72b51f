/* Numbers of media: segments of rows with one number, and tiles. */
#include "unit/support.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/media/medium.h"

static const struct fdtd_grid grid = {.cells = {6, 4, 150}};

static uint64_t draw(uint64_t *seed)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return *seed >> 33;
}

/* The same as a plain array, whatever is written in whatever order. */
static void numbers_are_those_of_an_array(void **state)
{
	const size_t nodes = 151, all = 7 * 5 * nodes;
	uint16_t *plain = calloc(all, sizeof *plain), part[SEGMENT], number;
	struct media_numbers *numbers;
	uint64_t seed = 5;
	(void)state;

	assert_non_null(plain);
	assert_status(SONDE_OK, media_numbers_make(&grid, &numbers));
	for (int turn = 0; turn < 4000; ++turn) {
		const size_t row = nodes * (draw(&seed) % 35), one = draw(&seed) % nodes,
			     other = draw(&seed) % (nodes + 1), begin = one < other ? one : other,
			     end = one < other ? other : one;
		number = (uint16_t)(draw(&seed) % 4 == 0 ? 65535 : draw(&seed) % 3);
		if (turn % 3 == 0) {
			plain[row + one] = number;
			assert_status(SONDE_OK, media_set_number(numbers, row + one, number));
			continue;
		}
		assert_status(SONDE_OK, media_fill(numbers, row, begin, end, number));
		for (size_t k = begin; k < end; ++k)
			plain[row + k] = number;
	}
	for (size_t at = 0; at < all; ++at)
		assert_int_equal(media_number(numbers, at), plain[at]);
	for (size_t row = 0; row < all; row += nodes)
		for (size_t s = 0; s < 3; ++s) {
			const bool whole = media_segment(numbers, row, s, &number);
			media_copy_segment(numbers, row, s, part);
			for (size_t k = 0; k < SEGMENT && s * SEGMENT + k < nodes; ++k) {
				assert_int_equal(part[k], plain[row + s * SEGMENT + k]);
				assert_true(!whole || part[k] == number);
			}
		}
	media_numbers_free(&numbers);
	assert_null(numbers);
	assert_int_equal(media_number(NULL, 7), 0);
	free(plain);
}

static void set_some(void *state, int64_t first, int64_t end, int worker)
{
	(void)worker;
	for (int64_t n = first; n < end; ++n) /* neighbors by different threads */
		(void)media_set_number(state, (size_t)(n * 1987 % (7 * 5 * 151)), (uint16_t)(n % 60000));
}

static void threads_may_set_nodes_of_a_segment(void **state)
{
	const int64_t all = 7 * 5 * 151;
	struct media_numbers *numbers;
	(void)state;

	for (int turn = 0; turn < 50; ++turn) {
		assert_status(SONDE_OK, media_numbers_make(&grid, &numbers));
		threads_for(4, all, 1, set_some, numbers);
		for (int64_t n = 0; n < all; ++n)
			assert_int_equal(media_number(numbers, (size_t)(n * 1987 % all)), n % 60000);
		media_numbers_free(&numbers);
	}
}

/* What is uniform along rows takes a sixteenth of a number for each node. */
static void uniform_parts_take_little_memory(void **state)
{
	const struct fdtd_grid large = {.cells = {63, 63, 1023}};
	struct media_numbers *numbers;
	(void)state;

	assert_status(SONDE_OK, media_numbers_make(&large, &numbers));
	for (size_t row = 0; row < 64 * 64; ++row)
		assert_status(SONDE_OK, media_fill(numbers, 1024 * row, 64 * (row % 8), 1024, 3));
	assert_true(media_numbers_bytes(numbers) < 64 * 64 * 1024 / 12);
	assert_true(media_number(numbers, 1024 * 9 + 63) == 0 && media_number(numbers, 1024 * 9 + 64) == 3);
	media_numbers_free(&numbers);
}

static void survives_failing_allocations(void **state)
{
	struct media_numbers *numbers = NULL;
	(void)state;

	for (int n = 1; n <= 3; ++n) {
		memory_fail_after(n);
		assert_status(SONDE_RESOURCE, media_numbers_make(&grid, &numbers));
		media_numbers_free(&numbers);
	}
	memory_fail_after(0);
	assert_status(SONDE_OK, media_numbers_make(&grid, &numbers));
	memory_fail_after(1);
	assert_status(SONDE_RESOURCE, media_set_number(numbers, 77, 1));
	memory_fail_after(0);
	assert_status(SONDE_OK, media_set_number(numbers, 77, 1));
	assert_true(media_number(numbers, 77) == 1 && media_number(numbers, 76) == 0);
	media_numbers_free(&numbers);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(numbers_are_those_of_an_array),
	    cmocka_unit_test(threads_may_set_nodes_of_a_segment),
	    cmocka_unit_test(uniform_parts_take_little_memory),
	    cmocka_unit_test(survives_failing_allocations),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
