/* Long lists of distances as shorter ones: the same sums of sin(q r)/(q r), with the same bits on every instruction set and for any number
 * of threads; lists with nothing to condense stay as they are. */
#include "unit/support.h"

#include <math.h>
#include <stdlib.h>

#include "debye/debye.h"
#include "debye/sums/condensed_list.h"
#include "run/context.h"

#define MOST 60000
#define Q_LAST 20.0

static double r[MOST + LIST_PADDING], weights[MOST + LIST_PADDING];

/* `count` distances `step` apart, of which neighbors may have changed places, as those of neighboring bins do. */
static void fill(uint32_t count, double step)
{
	uint64_t state = 5;

	memset(r, 0, sizeof r);
	memset(weights, 0, sizeof weights);
	for (uint32_t k = 0; k < count; ++k) {
		r[k] = step * (k + 0.1 + 1.7 * test_random_real(&state));
		weights[k] = (1.0 + 1000.0 * test_random_real(&state)) / r[k];
	}
}

static long double sum_at(const double *distances, const double *numbers, uint32_t count, double q)
{
	long double sum = 0.0L;

	for (uint32_t k = 0; k < count; ++k)
		sum += (long double)numbers[k] * sinl((long double)q * distances[k]);
	return sum;
}

/* The list condensed on the instruction set `isa`; null: the best one. */
static void condense(const char *isa, int threads, uint32_t count, struct condensed_list *list)
{
	sonde_context *context;
	struct device *processor;

	if (isa != NULL)
		setenv("SONDE_ISA", isa, 1);
	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_context_set_threads(context, threads));
	assert_status(SONDE_OK, context_host_device(context, &processor));
	assert_status(SONDE_OK, condensed_list_make(context, processor, r, weights, count, Q_LAST, list));
	unsetenv("SONDE_ISA");
	sonde_context_free(&context);
}

/* Errors of a few roundings of the sum of the weights, where q r is small of that of sin(q r). */
static void check_sums(uint32_t count, const struct condensed_list *list)
{
	static const double q[] = {1e-6, 1e-3, 0.1, 1.0, 7.77, 13.0, Q_LAST};

	for (size_t k = 0; k < COUNT(q); ++k) {
		long double largest = 0.0L;
		for (uint32_t n = 0; n < count; ++n)
			largest += (long double)weights[n] * fminl(1.0L, (long double)q[k] * r[n]);
		const long double expected = sum_at(r, weights, count, q[k]),
				  found = sum_at(list->r, list->weight_over_r, list->count, q[k]);
		assert_true(fabsl(found - expected) <= 1e-15L * largest);
	}
}

static void sums_stay_the_same(void **state)
{
	static const double steps[] = {0.00195, 0.0005, 0.004};
	struct condensed_list list = {.count = 0};
	(void)state;

	for (size_t k = 0; k < COUNT(steps); ++k) {
		fill(MOST, steps[k]);
		condense(NULL, 2, MOST, &list);
		/* of windows of 15/Q_LAST, and the ends of blocks */
		assert_true(list.count < 1.2 * 32.0 * (steps[k] * MOST * Q_LAST / 15.0 + 4.0));
		check_sums(MOST, &list);
		for (int n = 0; n < LIST_PADDING; ++n)
			assert_true(list.r[list.count + n] == 0.0 && list.weight_over_r[list.count + n] == 0.0);
	}
	condensed_list_free(&list);
}

static void bits_do_not_depend_on_the_machine(void **state)
{
	const char *names[DEVICE_MOST_INSTRUCTION_SETS], *used;
	int sets = device_instruction_sets(names, &used);
	struct condensed_list first = {.count = 0};
	(void)state;

	while (strcmp(names[sets - 1], used) != 0)
		--sets; /* this processor does not have it */
	fill(MOST, 0.002);
	condense(NULL, 1, MOST, &first);
	for (int k = -1; k < sets; ++k) {
		struct condensed_list list = {.count = 0};
		condense(k < 0 ? NULL : names[k], 3, MOST, &list);
		assert_true(list.count == first.count);
		assert_memory_equal(list.r, first.r, first.count * sizeof *first.r);
		assert_memory_equal(list.weight_over_r, first.weight_over_r, first.count * sizeof *first.r);
		condensed_list_free(&list);
	}
	condensed_list_free(&first);
}

/* A list with few distances in a window, a short one, and a part of each kind. */
static void sparse_lists_stay(void **state)
{
	struct condensed_list list = {.count = 0};
	(void)state;

	fill(5000, 0.01);
	condense(NULL, 2, 5000, &list);
	assert_true(list.r == r && list.weight_over_r == weights && list.count == 5000);
	fill(90, 0.0001);
	condense(NULL, 2, 90, &list);
	assert_true(list.r == r && list.count == 90);
	fill(20000, 0.002);
	for (int k = 10000; k < 20000; ++k)
		r[k] = 30.0 + 0.05 * k;
	condense(NULL, 2, 20000, &list);
	assert_true(list.count > 10000 && list.count < 12000);
	check_sums(20000, &list);
	condensed_list_free(&list);
}

/* All distances of a window may be the same, or 0. */
static void equal_distances(void **state)
{
	struct condensed_list list = {.count = 0};
	(void)state;

	fill(1000, 0.001);
	for (int k = 0; k < 1000; ++k)
		r[k] = 2.5;
	condense(NULL, 2, 1000, &list);
	assert_true(list.count == 32);
	check_sums(1000, &list);
	condensed_list_free(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(sums_stay_the_same),
					   cmocka_unit_test(bits_do_not_depend_on_the_machine),
					   cmocka_unit_test(sparse_lists_stay), cmocka_unit_test(equal_distances)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
