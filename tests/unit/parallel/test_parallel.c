/* Ranks: as one process, and, started by mpirun, as several (test_ranks of tests/unit/CMakeLists.txt). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "matter/atoms/compact_atoms.h"
#include "parallel/launcher.h"
#include "parallel/parallel.h"
#include "run/deal.h"
#include "run/share.h"

static struct parallel *ranks;

static void test_sums_are_those_of_all_ranks(void **state)
{
	const uint64_t size = (uint64_t)parallel_size(ranks), rank = (uint64_t)parallel_rank(ranks);
	uint64_t numbers[3] = {1, rank, UINT64_MAX};
	__int128 wide[2] = {(__int128)1 << 100, -(__int128)rank << 70};
	/* whose sums just have 64 bits, or do not */
	__int128 narrow[4] = {INT64_MAX / (int64_t)size, -(INT64_MAX / (int64_t)size), -(__int128)rank, 7};
	__int128 just_wide[3] = {(__int128)(INT64_MAX / (int64_t)size) + 1, -1, (__int128)rank};
	double reals[1] = {rank == 0 ? 1e16 : 1.0}, expected = 1e16;

	(void)state;
	assert_int_equal(parallel_sum(ranks, numbers, 3), SONDE_OK);
	assert_int_equal(numbers[0], size);
	assert_int_equal(numbers[1], size * (size - 1) / 2);
	assert_true(numbers[2] == (uint64_t)0 - size);
	assert_int_equal(parallel_sum_wide(ranks, wide, 2), SONDE_OK);
	assert_true(wide[0] == (__int128)size << 100);
	assert_true(wide[1] == -((__int128)(size * (size - 1) / 2) << 70));
	const __int128 most = (__int128)size * (INT64_MAX / (int64_t)size),
		       ranks_sum = (__int128)(size * (size - 1) / 2);
	assert_int_equal(parallel_sum_wide(ranks, narrow, 4), SONDE_OK);
	assert_true(narrow[0] == most && narrow[1] == -most);
	assert_true(narrow[2] == -ranks_sum && narrow[3] == 7 * (__int128)size);
	assert_int_equal(parallel_sum_wide(ranks, just_wide, 3), SONDE_OK);
	assert_true(just_wide[0] == most + (__int128)size);
	assert_true(just_wide[1] == -(__int128)size && just_wide[2] == ranks_sum);
	/* one after the other: each 1 is lost */
	for (uint64_t k = 1; k < size; ++k)
		expected += 1.0;
	assert_int_equal(parallel_sum_in_order(ranks, reals, 1), SONDE_OK);
	assert_true(reals[0] == expected);
}

static void test_bytes_are_gathered_in_order(void **state)
{
	const int rank = parallel_rank(ranks), size = parallel_size(ranks);
	char own[8], *bytes;
	void *all;
	size_t count;

	(void)state;
	memset(own, 'a' + rank, sizeof own);
	assert_int_equal(parallel_gather(ranks, own, (size_t)rank, &all, &count), SONDE_OK);
	assert_int_equal(count, size * (size - 1) / 2);
	bytes = all;
	for (int k = 0; k < size; ++k)
		for (int n = 0; n < k; ++n)
			assert_int_equal(*bytes++, 'a' + k);
	/* the same for the first rank alone */
	assert_int_equal(parallel_collect(ranks, own, (size_t)rank, (void **)&bytes, &count), SONDE_OK);
	assert_int_equal(count, rank == 0 ? size * (size - 1) / 2 : 0);
	assert_true((bytes != NULL) == (rank == 0));
	if (rank == 0)
		assert_memory_equal(bytes, all, count);
	free(bytes);
	free(all);
}

static void test_the_least_number_is_found(void **state)
{
	double number = 10.0 - parallel_rank(ranks);

	(void)state;
	assert_int_equal(parallel_least(ranks, &number), SONDE_OK);
	assert_true(number == 11.0 - parallel_size(ranks));
}

/* More than is exchanged at a time. */
static void test_large_arrays_are_exchanged(void **state)
{
	const size_t count = (size_t)9 << 20; /* 72 MB */
	const uint64_t size = (uint64_t)parallel_size(ranks);
	uint64_t *numbers = malloc(count * sizeof *numbers);
	void *all;
	size_t bytes;

	(void)state;
	assert_non_null(numbers);
	for (size_t k = 0; k < count; ++k)
		numbers[k] = k;
	assert_int_equal(parallel_sum(ranks, numbers, count), SONDE_OK);
	for (size_t k = 0; k < count; ++k)
		assert_true(numbers[k] == k * size);
	/* from the last rank only */
	const size_t own = parallel_rank(ranks) + 1 == (int)size ? count * sizeof *numbers : 0;
	assert_int_equal(parallel_gather(ranks, numbers, own, &all, &bytes), SONDE_OK);
	assert_int_equal(bytes, count * sizeof *numbers);
	assert_memory_equal(all, numbers, bytes);
	free(all);
	free(numbers);
}

static void test_rank_0_broadcasts(void **state)
{
	int number = 7 + parallel_rank(ranks);

	(void)state;
	assert_int_equal(parallel_broadcast(ranks, &number, sizeof number), SONDE_OK);
	assert_int_equal(number, 7);
}

/* Each rank has every size-th byte; an odd number of them. */
static void test_parts_are_merged(void **state)
{
	const int size = parallel_size(ranks), rank = parallel_rank(ranks);
	unsigned char bytes[1003];
	double largest[2] = {rank, -rank};

	(void)state;
	for (int k = 0; k < (int)sizeof bytes; ++k)
		bytes[k] = k % size == rank ? (unsigned char)(k | 128) : 0;
	assert_int_equal(parallel_merge(ranks, bytes, sizeof bytes), SONDE_OK);
	for (int k = 0; k < (int)sizeof bytes; ++k)
		assert_int_equal(bytes[k], (unsigned char)(k | 128));
	assert_int_equal(parallel_largest(ranks, largest, 2), SONDE_OK);
	assert_true(largest[0] == size - 1 && largest[1] == 0.0);
}

/* Each rank sends to the next one, and to the one before, arrays of other sizes. */
static void test_neighbors_exchange(void **state)
{
	enum { NUMBERS = 300000 };
	const int size = parallel_size(ranks), rank = parallel_rank(ranks);
	int *numbers[4];
	int number[4] = {-1, -1, -1, -1};

	(void)state;
	if (ranks == NULL)
		return;
	for (int n = 0; n < 4; ++n) {
		const int neighbor = n < 2 ? rank - 1 : rank + 1, sends = n % 2, up = (n < 2) != sends;
		numbers[n] = calloc(NUMBERS, sizeof *numbers[n]);
		assert_non_null(numbers[n]);
		for (int k = 0; sends && k < NUMBERS; ++k)
			numbers[n][k] = 10 * rank + up + 100 * k;
		if (neighbor >= 0 && neighbor < size)
			number[n] = parallel_begin_transfer(
			    ranks,
			    &(struct parallel_transfer){neighbor, sends, numbers[n],
							(size_t)(up ? NUMBERS : NUMBERS / 3) * sizeof *numbers[n]});
	}
	for (int n = 0; n < 4; n += 2)
		assert_true(number[n] < 0 || parallel_has_arrived(ranks, number[n], true));
	parallel_end_transfers(ranks);
	for (int n = 0; n < 4; n += 2) {
		const int neighbor = n < 2 ? rank - 1 : rank + 1, up = n < 2;
		if (neighbor < 0 || neighbor >= size)
			continue;
		for (int k = 0; k < (up ? NUMBERS : NUMBERS / 3); ++k)
			assert_int_equal(numbers[n][k], 10 * neighbor + up + 100 * k);
	}
	for (int n = 0; n < 4; ++n)
		free(numbers[n]);
}

static void test_things_of_a_node_are_dealt(void **state)
{
	int first, step;

	(void)state;
	parallel_deal(ranks, 8, &first, &step);
	assert_int_equal(first, parallel_local_rank(ranks) % 8);
	assert_int_equal(step, parallel_local_size(ranks) < 8 ? parallel_local_size(ranks) : 8);
	parallel_deal(ranks, 0, &first, &step);
	assert_true(step > 0);
	assert_true(parallel_threads(ranks, 1) == 1);
}

/* Each piece is dealt to one rank. */
static void deal_pieces(bool overlaps)
{
	uint64_t done[100] = {0};
	struct deal deal;

	assert_int_equal(deal_begin(&deal, ranks, 100, 1, overlaps), SONDE_OK);
	while (!deal.ended) {
		uint64_t first, count;
		deal_step(&deal, 7, 0, 0.0, &first, &count);
		for (uint64_t k = first; k < first + count; ++k)
			++done[k];
		usleep((useconds_t)parallel_rank(ranks) * 200);
	}
	deal_end(&deal, 0.0);
	while (!deal_has_ended(&deal)) {
		uint64_t first, count;
		deal_step(&deal, 0, 0, 0.0, &first, &count);
	}
	deal_free(&deal);
	assert_int_equal(parallel_sum(ranks, done, 100), SONDE_OK);
	for (int k = 0; k < 100; ++k)
		assert_int_equal(done[k], 1);
}

static void test_pieces_are_dealt_once(void **state)
{
	(void)state;
	if (ranks == NULL)
		return;
	deal_pieces(false);
	deal_pieces(true);
}

/* Results of pieces that are packed: all come to the first rank, or to all, in some rounds if there is a limit of time. */
#define PACKED 60
struct packed_work {
	struct {
		struct device *device;
	} states[CONTEXT_MOST_DEVICES];
	int pending[PACKED]; /* the pieces of the round */
	double values[PACKED];
	unsigned char done[PACKED]; /* on this rank, or received */
};

static sonde_status prepare_packed(void *user, struct device *device, void *state)
{
	(void)user;
	*(struct device **)state = device;
	return SONDE_OK;
}

static void release_packed(void *state)
{
	*(struct device **)state = NULL;
}

static sonde_status run_packed(void *user, void *state, uint64_t first, uint64_t count, double *done)
{
	struct packed_work *work = user;

	(void)state;
	for (uint64_t k = first; k < first + count; ++k) {
		work->values[work->pending[k]] = 1.5 * work->pending[k];
		work->done[work->pending[k]] = 1;
		usleep(1000);
	}
	*done = (double)count;
	return SONDE_OK;
}

/* A piece has as many numbers as its number says, modulo 3: also none. */
static sonde_status pack(void *user, uint64_t piece, struct text *packed)
{
	const struct packed_work *work = user;

	text_append_bytes(packed, (const char *)&work->values[work->pending[piece]], sizeof(double));
	for (int k = 0; k < work->pending[piece] % 3; ++k)
		text_append(packed, "more");
	return SONDE_OK;
}

static sonde_status unpack(void *user, uint64_t piece, const char *bytes, size_t size)
{
	struct packed_work *work = user;
	const int number = work->pending[piece];

	assert_int_equal(size, sizeof(double) + 4 * (size_t)(number % 3));
	memcpy(&work->values[number], bytes, sizeof(double));
	work->done[number] = 1;
	return SONDE_OK;
}

static int share_packed(bool for_all, double most_seconds, struct packed_work *packed)
{
	struct shared_work work = {.user = packed,
				   .states = packed->states,
				   .state_size = sizeof *packed->states,
				   .prepare = prepare_packed,
				   .release = release_packed,
				   .run = run_packed,
				   .pack = pack,
				   .unpack = unpack,
				   .for_all = for_all,
				   .most_seconds = most_seconds};
	sonde_context *context;
	struct stage stage;
	double done = 0.0;
	int rounds = 0;

	assert_int_equal(sonde_context_create(&context), SONDE_OK);
	assert_int_equal(sonde_context_set_device(context, "cpu"), SONDE_OK);
	context_set_ranks(context, ranks);
	stage_begin(&stage, context, "test", "pieces", PACKED);
	do {
		work.pieces = 0;
		for (int k = 0; k < PACKED; ++k)
			if (!packed->done[k])
				packed->pending[work.pieces++] = k;
		assert_int_equal(share_work(context, &work, &stage, &done), SONDE_OK);
		++rounds;
		if (!for_all)
			assert_int_equal(parallel_broadcast(ranks, packed->done, PACKED), SONDE_OK);
	} while (memchr(packed->done, 0, PACKED) != NULL);
	share_release(&work);
	sonde_context_free(&context);
	return rounds;
}

static void test_pieces_are_packed(void **state)
{
	struct packed_work all = {.pending = {0}}, first = all, paused = all;

	(void)state;
	assert_int_equal(share_packed(true, 0.0, &all), 1);
	assert_int_equal(share_packed(false, 0.0, &first), 1);
	const int rounds = share_packed(false, 0.01, &paused);
	assert_true(rounds > 1 || ranks == NULL);
	for (int k = 0; k < PACKED; ++k) {
		assert_true(all.values[k] == 1.5 * k);
		assert_true(first.values[k] == 1.5 * k || parallel_rank(ranks) > 0);
		assert_true(paused.values[k] == 1.5 * k || parallel_rank(ranks) > 0);
	}
}

/* Species of which one is cut by all threads of a rank together, and others are not; more and fewer than a tile. */
static sonde_atoms *make_atoms(void)
{
	static const char *const labels[] = {"Co", "O", "Pt"};
	static const int counts[] = {280000, 50000, 70};
	sonde_atoms *atoms;
	uint64_t random = 3;

	assert_int_equal(sonde_atoms_create(&atoms), SONDE_OK);
	for (int s = 0; s < 3; ++s)
		for (int i = 0; i < counts[s]; ++i) {
			double r[3];
			for (int k = 0; k < 3; ++k) {
				random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
				r[k] = (double)(random >> 50) * (k + 1.0);
			}
			assert_int_equal(sonde_atoms_add(atoms, labels[s], r), SONDE_OK);
		}
	return atoms;
}

static void test_ranks_order_atoms_as_one_process_does(void **state)
{
	sonde_atoms *atoms = make_atoms();
	struct compact_atom *alone, *together;
	sonde_context *context;

	(void)state;
	assert_int_equal(sonde_context_create(&context), SONDE_OK);
	assert_int_equal(sonde_context_set_threads(context, 2), SONDE_OK);
	assert_int_equal(compact_atoms_sort(context, atoms, 256, 1, &alone), SONDE_OK);
	context_set_ranks(context, ranks);
	assert_int_equal(compact_atoms_sort_by_ranks(context, atoms, 256, &together), SONDE_OK);
	for (int64_t i = 0; i < atoms->count; ++i) {
		assert_int_equal(alone[i].atom, together[i].atom);
		assert_memory_equal(alone[i].r, together[i].r, sizeof alone[i].r);
	}
	free(alone);
	free(together);
	sonde_context_free(&context);
	sonde_atoms_free(&atoms);
}

static void test_a_stop_reaches_all(void **state)
{
	const int last = parallel_size(ranks) - 1;
	const sonde_status own = parallel_rank(ranks) == last ? status_fail(SONDE_CANCELLED, "stopped") : SONDE_OK;

	(void)state;
	assert_int_equal(parallel_agree(ranks, own), SONDE_CANCELLED);
	assert_int_equal(parallel_agree(ranks, SONDE_OK), SONDE_OK); /* the job continues */
}

/* The last test: afterwards nothing is exchanged. The last rank fails instead of taking part in a sum. */
static void test_a_failure_reaches_all(void **state)
{
	const int last = parallel_size(ranks) - 1;
	uint64_t number = 1;
	sonde_status status;

	(void)state;
	if (ranks == NULL)
		return;
	if (parallel_rank(ranks) == last)
		status = parallel_end(ranks, status_fail(SONDE_RESOURCE, "no memory"));
	else
		status = parallel_sum(ranks, &number, 1);
	assert_int_equal(status, SONDE_RESOURCE);
	assert_non_null(strstr(status_message(), "no memory"));
	assert_int_equal(parallel_sum(ranks, &number, 1), SONDE_RESOURCE);
	assert_int_equal(parallel_end(ranks, SONDE_RESOURCE), SONDE_RESOURCE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sums_are_those_of_all_ranks),
	    cmocka_unit_test(test_bytes_are_gathered_in_order),
	    cmocka_unit_test(test_large_arrays_are_exchanged),
	    cmocka_unit_test(test_rank_0_broadcasts),
	    cmocka_unit_test(test_parts_are_merged),
	    cmocka_unit_test(test_neighbors_exchange),
	    cmocka_unit_test(test_things_of_a_node_are_dealt),
	    cmocka_unit_test(test_pieces_are_dealt_once),
	    cmocka_unit_test(test_pieces_are_packed),
	    cmocka_unit_test(test_the_least_number_is_found),
	    cmocka_unit_test(test_ranks_order_atoms_as_one_process_does),
	    cmocka_unit_test(test_a_stop_reaches_all),
	    cmocka_unit_test(test_a_failure_reaches_all),
	};
	int rank, size, failed;

	if (parallel_start("test", &ranks) != SONDE_OK)
		return 1;
	if (launcher_started(&rank, &size) && (parallel_rank(ranks) != rank || parallel_size(ranks) != size))
		return 1;
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	return parallel_finish(&ranks, failed) != 0 || failed != 0;
}
