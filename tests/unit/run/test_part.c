/* Parts of the remaining pieces with which all takers end together. */
#include "run/part.h"

#include "unit/support.h"

#define TAKERS 8

struct machine {
	double rate; /* pieces per second */
	double begins;
	double ramp;      /* seconds that its first pieces take longer */
	double free;      /* time at which all of its pieces are completed, */
	double half_free; /* and all but the last ones that it took */
	uint64_t last;
};

/* Each taker has two launches in progress and takes another one when the first of them is completed, as `ions` on GPUs, or when both are if
 * it gets none. Returns by how much the last one ends later than all would if they ended together, s. */
static double simulate(struct machine *machines, int count, uint64_t pieces, double most_seconds, uint64_t first)
{
	struct taker takers[TAKERS] = {0};
	uint64_t left = pieces;
	double rates = 0.0, begins = 0.0, end = 0.0;

	for (int k = 0; k < count; ++k) {
		takers[k] = (struct taker){.takes_part = true};
		machines[k].free = machines[k].half_free = machines[k].begins;
		rates += machines[k].rate;
		begins += machines[k].rate * (machines[k].begins + machines[k].ramp);
	}
	while (left > 0) {
		int next = 0;
		for (int k = 1; k < count; ++k)
			next = machines[k].half_free < machines[next].half_free ? k : next;
		struct machine *machine = &machines[next];
		struct taker *taker = &takers[next];
		const double now = machine->half_free;
		if (taker->began == 0.0)
			taker->began = now;
		if (taker->taken > machine->last) {
			taker->done = taker->taken - machine->last;
			taker->when = now;
		}
		const uint64_t most = taker->done > 0 ? (uint64_t)(most_seconds * machine->rate) : first,
			       part = part_of(takers, count, next, now, left, most);
		assert_true(part <= left && part <= most);
		if (part == 0) {
			/* it completes all of its pieces first */
			assert_true(taker->taken > taker->done);
			machine->half_free = machine->free;
			machine->last = 0;
			continue;
		}
		left -= part;
		taker->taken += part;
		machine->last = part;
		machine->half_free = machine->free;
		machine->free += (double)part / machine->rate + (taker->taken == part ? machine->ramp : 0.0);
		end = machine->free > end ? machine->free : end;
	}
	return end - ((double)pieces + begins) / rates;
}

static void equal_takers_end_together(void **state)
{
	(void)state;
	for (uint64_t pieces = 6000; pieces < 40000; pieces += 517) {
		struct machine machines[2] = {{.rate = 2000.0, .begins = 0.1}, {.rate = 2000.0, .begins = 0.15}};
		const double late = simulate(machines, 2, pieces, 2.0, 2000);
		if (late > 0.15)
			fail_msg("%d pieces: %g s late", (int)pieces, late);
	}
}

/* Each looks slower at first, and the one that asks has completed more than the other has reported. */
static void equal_takers_that_start_slowly_end_together(void **state)
{
	(void)state;
	for (uint64_t pieces = 6000; pieces < 40000; pieces += 517) {
		struct machine machines[2] = {{.rate = 2060.0, .begins = 0.431, .ramp = 0.08},
					      {.rate = 2060.0, .begins = 0.436, .ramp = 0.08}};
		const double late = simulate(machines, 2, pieces, 1.0, 1954);
		if (late > 0.05)
			fail_msg("%d pieces: %g s late", (int)pieces, late);
	}
}

static void takers_of_different_speeds_end_together(void **state)
{
	(void)state;
	for (uint64_t pieces = 20000; pieces < 60000; pieces += 1013) {
		struct machine machines[3] = {
		    {.rate = 2000.0, .begins = 0.1}, {.rate = 900.0, .begins = 0.2}, {.rate = 300.0, .begins = 0.1}};
		const double late = simulate(machines, 3, pieces, 2.0, 300);
		if (late > 0.5)
			fail_msg("%d pieces: %g s late", (int)pieces, late);
	}
}

/* A million ions in groups of 64 on eight GPUs, which have room for 2112 groups at a time: each takes its share at once. Their drivers
 * start one after the other. */
static void eight_equal_takers_end_together(void **state)
{
	(void)state;
	struct machine machines[8];
	for (int k = 0; k < 8; ++k)
		machines[k] = (struct machine){.rate = 2060.0, .begins = 0.39 + 0.005 * k, .ramp = 0.05};
	for (uint64_t pieces = 15625; pieces < 150000; pieces += 4999) {
		const double late = simulate(machines, 8, pieces, 1.0, 2112);
		if (late > 0.05)
			fail_msg("%d pieces: %g s late", (int)pieces, late);
	}
}

/* Fewer pieces than one taker has room for are divided all the same. */
static void few_pieces_are_divided(void **state)
{
	struct taker takers[4];
	uint64_t left = 102;

	(void)state;
	for (int k = 0; k < 4; ++k)
		takers[k] = (struct taker){.takes_part = true};
	for (int k = 0; k < 4; ++k) {
		const uint64_t part = part_of(takers, 4, k, 1.0, left, 2112);
		assert_in_range(part, 24, 26);
		takers[k].began = 1.0;
		takers[k].taken = part;
		left -= part;
	}
	assert_int_equal(left, 0);
}

/* One taker leaves no small rest for the end. */
static void one_taker_takes_equal_parts(void **state)
{
	const struct taker alone = {.takes_part = true, .began = 1.0, .taken = 500, .done = 400, .when = 2.0};

	(void)state;
	assert_int_equal(part_of(&alone, 1, 0, 2.0, 330, 270), 165);
	assert_int_equal(part_of(&alone, 1, 0, 2.0, 270, 270), 270);
	assert_int_equal(part_of(&alone, 1, 0, 2.0, 5, 270), 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(equal_takers_end_together),
	    cmocka_unit_test(equal_takers_that_start_slowly_end_together),
	    cmocka_unit_test(takers_of_different_speeds_end_together),
	    cmocka_unit_test(eight_equal_takers_end_together),
	    cmocka_unit_test(few_pieces_are_divided),
	    cmocka_unit_test(one_taker_takes_equal_parts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
