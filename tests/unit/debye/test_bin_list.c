/* Lists of distances from bins: one or two for each, in the order of the bins, by any number of threads. */
#include "unit/support.h"

#include <math.h>

#include "debye/sums/bin_list.h"

#define BINS 50000 /* several blocks */
#define FIRST 7

/* A third is empty; of the others some have no variance, and one distance. */
static void fill(uint64_t *words)
{
	uint64_t state = 3;

	for (size_t b = 0; b < BINS; ++b) {
		const uint64_t pairs = test_random(&state) % 3 * (1 + test_random(&state) % 1000);
		words[3 * b] = pairs;
		words[3 * b + 1] = 1 + test_random(&state) % 1000;
		words[3 * b + 2] = test_random(&state) % 2 * (1 + test_random(&state) % 50);
	}
}

static struct bin_moments read_bin(const uint64_t *words)
{
	return (struct bin_moments){(double)words[0], (double)words[1], (double)words[2], 1.0};
}

static void compare(const uint64_t *words, const struct bin_list *list, const struct histogram_error *error)
{
	struct histogram_error expected = {.skew = 0.0};
	size_t n = 0;
	uint64_t pairs = 0;

	for (size_t b = 0; b < BINS; ++b) {
		const struct bin_moments bin = read_bin(words + 3 * b);
		const double r = ((double)(FIRST + b) * 1024.0 + bin.mean) * 1e-6,
			     deviation = sqrt(bin.variance) * 1e-6;
		const int count = bin.pairs == 0.0 ? 0 : bin.variance == 0.0 ? 1 : 2;
		pairs += words[3 * b];
		for (int k = 0; k < count; ++k, ++n) {
			const double at = count == 1 ? r : k == 0 ? r - deviation : r + deviation;
			assert_true(list->r[n] == at && list->weight_over_r[n] == bin.pairs / count / at);
		}
		if (count > 0)
			bin_errors_add(&expected, &bin, r, 1e-6, 1024.0);
		expected.farthest = count > 0 ? r : expected.farthest;
	}
	assert_true(list->count == n && list->pairs == pairs && list->all == (double)pairs);
	assert_true(list->r[n] == 0.0 && list->weight_over_r[n + LIST_PADDING - 1] == 0.0);
	assert_true(fabs(error->skew - expected.skew) <= 1e-12 * expected.skew && expected.skew > 0.0);
	assert_true(fabs(error->third[0] - expected.third[0]) <= 1e-12 * expected.third[0]);
	assert_true(error->farthest == expected.farthest && error->nearest < 0.02 && error->nearest > 0.0);
}

static void lists_do_not_depend_on_threads(void **state)
{
	uint64_t *words = calloc(3 * BINS, sizeof *words);
	struct bin_list list = {.count = 0};
	const struct bins_to_list bins = {.words = words,
					  .words_per_bin = 3,
					  .first = FIRST,
					  .count = BINS,
					  .units_per_bin = 1024.0,
					  .unit = 1e-6,
					  .read = read_bin};
	(void)state;

	assert_non_null(words);
	fill(words);
	for (int threads = 1; threads <= 4; ++threads) {
		struct histogram_error error = {.skew = 0.0};
		assert_status(SONDE_OK, bin_list_make(threads, &bins, threads == 4, &list, &error, NULL, 0));
		compare(words, &list, &error);
	}
	bin_list_free(&list);
	free(words);
}

/* Bins that are empty, and pairs at one place. */
static void empty_bins_and_coincident_pairs(void **state)
{
	const uint64_t words[] = {0, 0, 0, 0, 0, 0}, together[] = {5, 0, 0, 2, 512, 0};
	struct bin_list list = {.count = 0};
	struct bins_to_list bins = {
	    .words = words, .words_per_bin = 3, .count = 2, .units_per_bin = 1024.0, .unit = 1.0, .read = read_bin};
	(void)state;

	assert_status(SONDE_OK, bin_list_make(2, &bins, false, &list, NULL, NULL, 0));
	assert_true(list.count == 0 && list.pairs == 0 && list.coincident == 0.0 && list.r[0] == 0.0);
	bins.words = together;
	assert_status(SONDE_OK, bin_list_make(2, &bins, false, &list, NULL, NULL, 0));
	assert_true(list.count == 1 && list.pairs == 7 && list.coincident == 5.0 && list.all == 7.0);
	assert_true(list.r[0] == 1536.0 && list.weight_over_r[0] == 2.0 / 1536.0);
	bin_list_free(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(lists_do_not_depend_on_threads),
	    cmocka_unit_test(empty_bins_and_coincident_pairs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
