/* Lists sorted by planes have the order of one sort of all. */
#include "unit/support.h"

#include <stdlib.h>
#include <string.h>

#include "fdtd/fields/plane_sort.h"

enum { COUNT_OF_ITEMS = 20000, PLANES = 37 };

struct item {
	uint32_t plane, value, number;
};

static uint32_t plane_of(const void *item)
{
	return ((const struct item *)item)->plane;
}

static int compare(const void *a, const void *b)
{
	const struct item *x = a, *y = b;

	if (x->plane != y->plane)
		return x->plane < y->plane ? -1 : 1;
	if (x->value != y->value)
		return x->value < y->value ? -1 : 1;
	return x->number < y->number ? -1 : x->number > y->number;
}

static void order_is_that_of_all(void **state)
{
	struct item *items = calloc(COUNT_OF_ITEMS, sizeof *items), *all = calloc(COUNT_OF_ITEMS, sizeof *items);
	uint64_t seed = 3;
	(void)state;

	assert_true(items != NULL && all != NULL);
	for (int threads = 0; threads < 4; ++threads) {
		for (uint32_t n = 0; n < COUNT_OF_ITEMS; ++n) {
			seed = seed * 6364136223846793005u + 1442695040888963407u;
			/* no item in some planes, most in order in others */
			const uint32_t plane = (uint32_t)(seed >> 40) % PLANES / 2 * 2;
			items[n] = all[n] = (struct item){plane, plane % 4 == 0 ? n : (uint32_t)(seed >> 20) % 50, n};
		}
		const struct plane_order order = {PLANES, threads, plane_of, compare};
		assert_status(SONDE_OK, plane_sort(&order, items, COUNT_OF_ITEMS, sizeof *items));
		qsort(all, COUNT_OF_ITEMS, sizeof *all, compare);
		assert_memory_equal(items, all, COUNT_OF_ITEMS * sizeof *items);
	}
	free(items);
	free(all);
}

/* Few runs are merged: as many as the faces of a box have, of different lengths, with equal items. */
static void runs_are_merged(void **state)
{
	struct item *items = calloc(COUNT_OF_ITEMS, sizeof *items), *all = calloc(COUNT_OF_ITEMS, sizeof *items);
	(void)state;

	assert_true(items != NULL && all != NULL);
	for (uint32_t runs = 1; runs < 70; runs += runs < 9 ? 1 : 20) {
		for (uint32_t n = 0; n < COUNT_OF_ITEMS; ++n) {
			const uint32_t run = n % 11 * runs / 11, plane = run * 5 % 3;
			items[n] = (struct item){plane, n * (run + 3) / 7, run};
		}
		/* run after run, each of them sorted */
		uint32_t count = 0;
		for (uint32_t run = 0; run < runs; ++run)
			for (uint32_t n = 0; n < COUNT_OF_ITEMS; ++n)
				if (items[n].number == run)
					all[count++] = items[n];
		assert_int_equal(count, COUNT_OF_ITEMS);
		memcpy(items, all, COUNT_OF_ITEMS * sizeof *items);
		const struct plane_order order = {PLANES, 2, plane_of, compare};
		assert_status(SONDE_OK, plane_sort(&order, items, COUNT_OF_ITEMS, sizeof *items));
		qsort(all, COUNT_OF_ITEMS, sizeof *all, compare);
		assert_memory_equal(items, all, COUNT_OF_ITEMS * sizeof *items);
	}
	free(items);
	free(all);
}

static void nothing_may_be_sorted(void **state)
{
	const struct plane_order order = {PLANES, 2, plane_of, compare};
	struct item one = {PLANES - 1, 5, 7};
	(void)state;

	assert_status(SONDE_OK, plane_sort(&order, &one, 0, sizeof one));
	assert_status(SONDE_OK, plane_sort(&order, &one, 1, sizeof one));
	assert_true(one.plane == PLANES - 1 && one.value == 5 && one.number == 7);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(order_is_that_of_all),
	    cmocka_unit_test(runs_are_merged),
	    cmocka_unit_test(nothing_may_be_sorted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
