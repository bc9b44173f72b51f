#include "parallel/parallel.h"

#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "parallel/launcher.h"
#include "parallel/module.h"

#define MESSAGE_SIZE 768
#define BYTES_AT_ONCE ((size_t)64 << 20) /* MPI counts with int */

struct parallel {
	const struct mpi_functions *mpi;
	struct mpi_place place;
	sonde_status failed; /* a failure on which the ranks have agreed, */
	char message[MESSAGE_SIZE];
	uint64_t round;
	int on_processors; /* ranks that may use some of the same processors, this one included */
	int64_t *met;      /* what the ranks bring to a meeting */
};

int parallel_rank(const struct parallel *ranks)
{
	return ranks != NULL ? ranks->place.rank : 0;
}

int parallel_size(const struct parallel *ranks)
{
	return ranks != NULL ? ranks->place.size : 1;
}

int parallel_local_rank(const struct parallel *ranks)
{
	return ranks != NULL ? ranks->place.local_rank : 0;
}

int parallel_local_size(const struct parallel *ranks)
{
	return ranks != NULL ? ranks->place.local_size : 1;
}

bool parallel_is_first(const struct parallel *ranks)
{
	return parallel_rank(ranks) == 0;
}

const char *parallel_host(const struct parallel *ranks)
{
	return ranks != NULL ? ranks->place.host : "";
}

const char *parallel_library(const struct parallel *ranks)
{
	return ranks != NULL ? ranks->place.library : "";
}

int parallel_threads(const struct parallel *ranks, int processors)
{
	/* a user's number is for each rank */
	if (ranks == NULL || getenv("OMP_NUM_THREADS") != NULL)
		return processors;
	return processors > ranks->on_processors ? processors / ranks->on_processors : 1;
}

void parallel_deal(const struct parallel *ranks, int count, int *first, int *step)
{
	const int rank = parallel_local_rank(ranks), size = parallel_local_size(ranks);

	*first = count > 0 ? rank % count : 0;
	*step = count >= size ? size : count > 0 ? count : 1;
}

/* Agreement ------------------------------------------------------------------------------------------------------- */

enum { MET_STATUS, MET_WHAT, MET_WORDS };

static bool is_failure(int64_t status)
{
	return status != SONDE_OK && status != SONDE_CANCELLED && status != SONDE_SUSPENDED;
}

/* The message of rank `from` becomes that of all. Rank 0, which prints it, keeps its own as it is. */
static sonde_status fail_as(struct parallel *ranks, sonde_status status, int from)
{
	const struct mpi_place *place = &ranks->place;
	char message[MESSAGE_SIZE];

	snprintf(message, sizeof message, "%s", place->rank == from ? status_message() : "");
	ranks->mpi->broadcast(message, sizeof message, from);
	message[sizeof message - 1] = '\0';
	if (is_failure(status)) {
		ranks->failed = status;
		strcpy(ranks->message, message);
	}
	if (place->rank == from)
		return status;
	return from == 0 ? status_fail(status, "%s", message) : status_fail(status, "rank %d: %s", from, message);
}

/* The lowest rank with a failure; else one that was stopped; -1: none. */
static int find_failed(const struct parallel *ranks)
{
	int stopped = -1;

	for (int k = 0; k < ranks->place.size; ++k) {
		const int64_t status = ranks->met[MET_WORDS * k + MET_STATUS];
		if (is_failure(status))
			return k;
		if (status != SONDE_OK && stopped < 0)
			stopped = k;
	}
	return stopped;
}

sonde_status parallel_agree_on(struct parallel *ranks, sonde_status own, uint64_t what)
{
	if (ranks == NULL)
		return own;
	if (ranks->failed != SONDE_OK)
		return own != SONDE_OK ? own : status_fail(ranks->failed, "%s", ranks->message);
	const int64_t mine[MET_WORDS] = {own, (int64_t)what};
	ranks->mpi->meet(mine, ranks->met, MET_WORDS);
	const int from = find_failed(ranks);
	if (from >= 0)
		return fail_as(ranks, (sonde_status)ranks->met[MET_WORDS * from + MET_STATUS], from);
	for (int k = 1; k < ranks->place.size; ++k) {
		if (ranks->met[MET_WORDS * k + MET_WHAT] == ranks->met[MET_WHAT])
			continue;
		ranks->failed = SONDE_INTERNAL;
		snprintf(ranks->message, sizeof ranks->message,
			 "ranks 0 and %d do not have the same work: do they have the same options, read the same "
			 "files, and are their "
			 "machines alike?",
			 k);
		return status_fail(ranks->failed, "%s", ranks->message);
	}
	return SONDE_OK;
}

/* Steps that all ranks take together have numbers of their own, which pieces of work do not reach. */
enum { STEP_AGREE = 1, STEP_BROADCAST, STEP_SUM, STEP_SUM_WIDE, STEP_GATHER, STEP_END };
#define STEP_OF(kind, size) ((UINT64_C(1) << 63) | (uint64_t)(kind) << 56 | (uint64_t)(size))

sonde_status parallel_agree(struct parallel *ranks, sonde_status own)
{
	return parallel_agree_on(ranks, own, STEP_OF(STEP_AGREE, 0));
}

/* Exchange -------------------------------------------------------------------------------------------------------- */

static size_t at_most(size_t left, size_t most)
{
	return left < most ? left : most;
}

sonde_status parallel_broadcast(struct parallel *ranks, void *bytes, size_t size)
{
	if (parallel_size(ranks) == 1)
		return SONDE_OK;
	CHECK(parallel_agree_on(ranks, SONDE_OK, STEP_OF(STEP_BROADCAST, size)));
	for (size_t first = 0; first < size; first += BYTES_AT_ONCE)
		ranks->mpi->broadcast((char *)bytes + first, (int)at_most(size - first, BYTES_AT_ONCE), 0);
	return SONDE_OK;
}

static void sum_words(const struct parallel *ranks, uint64_t *numbers, size_t count)
{
	const size_t most = BYTES_AT_ONCE / sizeof *numbers;

	for (size_t first = 0; first < count; first += most)
		ranks->mpi->sum_words(numbers + first, (int)at_most(count - first, most));
}

sonde_status parallel_sum(struct parallel *ranks, uint64_t *numbers, size_t count)
{
	if (parallel_size(ranks) == 1)
		return SONDE_OK;
	CHECK(parallel_agree_on(ranks, SONDE_OK, STEP_OF(STEP_SUM, count)));
	sum_words(ranks, numbers, count);
	return SONDE_OK;
}

/* Whether the sum of as many such numbers as there are ranks has 64 bits, for numbers of this rank. */
static bool has_narrow_sums(const struct parallel *ranks, const __int128 *numbers, size_t count)
{
	const __int128 most = INT64_MAX / ranks->place.size;
	bool narrow = true;

	for (size_t k = 0; k < count; ++k)
		narrow = narrow && numbers[k] <= most && numbers[k] >= -most;
	return narrow;
}

/* The low words of the numbers, in their place, or back. Lower ones are read before they are overwritten. */
static void narrow(__int128 *numbers, size_t count)
{
	for (size_t k = 0; k < count; ++k) {
		const int64_t word = (int64_t)numbers[k];
		memcpy((char *)numbers + k * sizeof word, &word, sizeof word);
	}
}

static void widen(__int128 *numbers, size_t count)
{
	for (size_t k = count; k-- > 0;) {
		int64_t word;
		memcpy(&word, (const char *)numbers + k * sizeof word, sizeof word);
		numbers[k] = word;
	}
}

sonde_status parallel_sum_wide(struct parallel *ranks, __int128 *numbers, size_t count)
{
	const size_t most = BYTES_AT_ONCE / sizeof *numbers;

	if (parallel_size(ranks) == 1)
		return SONDE_OK;
	CHECK(parallel_agree_on(ranks, SONDE_OK, STEP_OF(STEP_SUM_WIDE, count)));
	uint64_t wide = has_narrow_sums(ranks, numbers, count) ? 0 : 1;
	sum_words(ranks, &wide, 1);
	if (wide == 0) {
		/* half of the bytes, and added by MPI itself */
		narrow(numbers, count);
		sum_words(ranks, (uint64_t *)numbers, count);
		widen(numbers, count);
		return SONDE_OK;
	}
	for (size_t first = 0; first < count; first += most)
		ranks->mpi->sum_pairs(numbers + first, (int)at_most(count - first, most));
	return SONDE_OK;
}

/* The parts of all ranks from `done` bytes of each on, at most `most` of each; `part` is null on ranks that do not get them. */
static void gather_part(struct parallel *ranks, bool for_all, const char *own, const uint64_t *sizes, uint64_t done,
			size_t most, char *part, int *counts, int *offsets)
{
	const int size = ranks->place.size;
	int offset = 0;

	for (int k = 0; k < size; ++k) {
		counts[k] = sizes[k] > done ? (int)at_most((size_t)(sizes[k] - done), most) : 0;
		offsets[k] = offset;
		offset += counts[k];
	}
	const int mine = counts[ranks->place.rank];
	(for_all ? ranks->mpi->gather : ranks->mpi->collect)(own + (mine > 0 ? done : 0), mine, part, counts,
							     offsets);
}

static sonde_status gather_parts(struct parallel *ranks, bool for_all, const void *own, const uint64_t *sizes,
				 char *all)
{
	const bool gets = for_all || parallel_is_first(ranks);
	const int size = ranks->place.size;
	const size_t most = BYTES_AT_ONCE / (size_t)size;
	uint64_t largest = 0;
	char *part = NULL;
	int *counts = NULL, *offsets = NULL;
	sonde_status status;

	for (int k = 0; k < size; ++k)
		largest = sizes[k] > largest ? sizes[k] : largest;
	const bool whole = largest <= most; /* one part, whose bytes come to their places at once */
	if (gets && whole)
		part = all;
	else if (gets)
		CHECK_GOTO(status, memory_allocate_to_fill(&part, most * (size_t)size, 1, "an exchange"), done);
	CHECK_GOTO(status, memory_allocate(&counts, (size_t)size, sizeof *counts, "an exchange"), done);
	CHECK_GOTO(status, memory_allocate(&offsets, (size_t)size, sizeof *offsets, "an exchange"), done);
done:
	status = parallel_agree(ranks, status); /* each may be short of memory */
	if ((gets && part == NULL) || counts == NULL || offsets == NULL)
		largest = 0; /* after a failure */
	for (uint64_t done = 0; status == SONDE_OK && done < largest; done += most) {
		char *to = all;
		gather_part(ranks, for_all, own, sizes, done, most, part, counts, offsets);
		for (int k = 0; gets && !whole && k < size; to += sizes[k++])
			memcpy(to + (counts[k] > 0 ? done : 0), part + offsets[k], (size_t)counts[k]);
	}
	if (!whole)
		free(part);
	free(counts);
	free(offsets);
	return status;
}

/* For all ranks, or for the first one. */
static sonde_status gather(struct parallel *ranks, bool for_all, const void *own, size_t own_size, void **all,
			   size_t *size)
{
	const bool gets = for_all || parallel_is_first(ranks);
	const int count = parallel_size(ranks);
	uint64_t *sizes;
	char *bytes = NULL;

	*all = NULL;
	*size = 0;
	CHECK(memory_allocate(&sizes, (size_t)count, sizeof *sizes, "an exchange"));
	sizes[parallel_rank(ranks)] = own_size;
	sonde_status status = parallel_sum(ranks, sizes, (size_t)count);
	for (int k = 0; k < count; ++k)
		*size += (size_t)sizes[k];
	if (status == SONDE_OK) {
		status = memory_allocate_to_fill(&bytes, *size > 0 && gets ? *size : 1, 1, "an exchange");
		status = parallel_agree(ranks, status);
	}
	if (status == SONDE_OK && count > 1)
		status = gather_parts(ranks, for_all, own, sizes, bytes);
	else if (status == SONDE_OK && own_size > 0)
		memcpy(bytes, own, own_size);
	free(sizes);
	if (status != SONDE_OK || !gets) {
		free(bytes);
		*size = 0;
		return status;
	}
	*all = bytes;
	return SONDE_OK;
}

sonde_status parallel_gather(struct parallel *ranks, const void *own, size_t own_size, void **all, size_t *size)
{
	return gather(ranks, true, own, own_size, all, size);
}

sonde_status parallel_collect(struct parallel *ranks, const void *own, size_t own_size, void **all, size_t *size)
{
	return gather(ranks, false, own, own_size, all, size);
}

sonde_status parallel_sum_in_order(struct parallel *ranks, double *numbers, size_t count)
{
	void *all;
	size_t size;

	if (parallel_size(ranks) == 1)
		return SONDE_OK;
	CHECK(parallel_gather(ranks, numbers, count * sizeof *numbers, &all, &size));
	memset(numbers, 0, count * sizeof *numbers);
	for (int rank = 0; rank < parallel_size(ranks); ++rank)
		for (size_t k = 0; k < count; ++k)
			numbers[k] += ((const double *)all)[(size_t)rank * count + k];
	free(all);
	return SONDE_OK;
}

sonde_status parallel_merge(struct parallel *ranks, void *bytes, size_t size)
{
	const size_t words = size / sizeof(uint64_t), rest = size % sizeof(uint64_t);
	char *const end = (char *)bytes + words * sizeof(uint64_t);
	uint64_t last = 0;

	CHECK(parallel_sum(ranks, bytes, words));
	if (rest == 0)
		return SONDE_OK;
	memcpy(&last, end, rest);
	CHECK(parallel_sum(ranks, &last, 1));
	memcpy(end, &last, rest);
	return SONDE_OK;
}

sonde_status parallel_largest(struct parallel *ranks, double *numbers, size_t count)
{
	void *all;
	size_t size;

	if (parallel_size(ranks) == 1)
		return SONDE_OK;
	CHECK(parallel_gather(ranks, numbers, count * sizeof *numbers, &all, &size));
	for (size_t n = 0; n < size / sizeof *numbers; ++n)
		numbers[n % count] = fmax(numbers[n % count], ((const double *)all)[n]);
	free(all);
	return SONDE_OK;
}

sonde_status parallel_least(struct parallel *ranks, double *number)
{
	double negative = -*number;

	CHECK(parallel_largest(ranks, &negative, 1));
	*number = -negative;
	return SONDE_OK;
}

int parallel_begin_transfer(struct parallel *ranks, const struct parallel_transfer *transfer)
{
	const struct mpi_transfer of_mpi = {
	    .rank = transfer->rank, .sends = transfer->sends, .bytes = transfer->bytes, .size = transfer->size};

	return ranks->mpi->begin_transfer(&of_mpi);
}

bool parallel_has_arrived(struct parallel *ranks, int number, bool waits)
{
	return ranks->mpi->has_arrived(number, waits) != 0;
}

void parallel_end_transfers(struct parallel *ranks)
{
	ranks->mpi->end_transfers();
}

void parallel_send(struct parallel *ranks, int to, const struct parallel_message *message)
{
	ranks->mpi->send(message, sizeof *message, to);
}

bool parallel_receive(struct parallel *ranks, int *from, struct parallel_message *message)
{
	return ranks->mpi->receive(message, sizeof *message, from) != 0;
}

uint64_t parallel_next_round(struct parallel *ranks)
{
	return ++ranks->round;
}

_Static_assert(PARALLEL_MOST_TRANSFERS == MPI_MOST_TRANSFERS, "transfers of a module");

/* Start and end --------------------------------------------------------------------------------------------------- */

/* Other versions may cut the work in another way. */
static sonde_status check_program(struct parallel *ranks, const char *program)
{
	char first[256];
	sonde_status status = SONDE_OK;

	snprintf(first, sizeof first, "%.255s", program);
	ranks->mpi->broadcast(first, sizeof first, 0);
	if (strcmp(first, program) != 0)
		status = status_fail(
		    SONDE_INVALID,
		    "is sonde %.200s on %s, and rank 0 is sonde %.200s: all ranks must be the same program", program,
		    ranks->place.host, first);
	return parallel_agree(ranks, status);
}

/* A rank's node, and the processors on which it may run. */
struct seat {
	char host[MPI_HOST_SIZE];
	cpu_set_t processors;
};

/* Counts the ranks with which this one shares processors: launchers bind each to some of them, or to none. */
static sonde_status count_neighbors(struct parallel *ranks)
{
	struct seat own = {0};
	void *all;
	size_t size;

	ranks->on_processors = ranks->place.local_size;
	strcpy(own.host, ranks->place.host);
	if (sched_getaffinity(0, sizeof own.processors, &own.processors) != 0)
		memset(&own.processors, 0xff, sizeof own.processors);
	CHECK(parallel_gather(ranks, &own, sizeof own, &all, &size));
	ranks->on_processors = 0;
	for (size_t k = 0; all != NULL && k < size / sizeof own; ++k) {
		const struct seat *other = (const struct seat *)all + k;
		cpu_set_t common;
		CPU_AND(&common, &own.processors, &other->processors);
		ranks->on_processors += strcmp(own.host, other->host) == 0 && CPU_COUNT(&common) > 0;
	}
	free(all);
	return SONDE_OK;
}

sonde_status parallel_start(const char *program, struct parallel **ranks)
{
	struct parallel *made;
	int rank, size;

	*ranks = NULL;
	if (!launcher_started(&rank, &size))
		return SONDE_OK;
	CHECK(memory_allocate(&made, 1, sizeof *made, "the ranks"));
	sonde_status status = parallel_module_open(size, &made->mpi, &made->place);
	if (status == SONDE_OK)
		status =
		    memory_allocate(&made->met, (size_t)made->place.size * MET_WORDS, sizeof *made->met, "the ranks");
	if (status != SONDE_OK) {
		free(made);
		return status;
	}
	*ranks = made;
	CHECK(check_program(made, program));
	return count_neighbors(made);
}

static bool have_all_ended(const struct parallel *ranks)
{
	for (int k = 0; k < ranks->place.size; ++k)
		if (ranks->met[MET_WORDS * k + MET_WHAT] != (int64_t)STEP_OF(STEP_END, 0))
			return false;
	return true;
}

sonde_status parallel_end(struct parallel *ranks, sonde_status own)
{
	sonde_status status = own;

	if (ranks == NULL)
		return own;
	/* ranks that have been stopped meet those that do not know it yet */
	do
		status = parallel_agree_on(ranks, own, STEP_OF(STEP_END, 0));
	while (ranks->failed == SONDE_OK && !have_all_ended(ranks));
	return status;
}

int parallel_finish(struct parallel **ranks, int code)
{
	if (*ranks == NULL)
		return code;
	int64_t codes[1] = {code};
	if ((*ranks)->place.size > 0) {
		/* nobody ends before the first rank has printed its message, lest mpirun ends it */
		(*ranks)->mpi->meet(codes, (*ranks)->met, 1);
		for (int k = 0; k < (*ranks)->place.size; ++k)
			codes[0] = (*ranks)->met[k] < codes[0] ? (*ranks)->met[k] : codes[0];
		/* left from a round that was stopped */
		struct parallel_message unread;
		int from;
		while (parallel_receive(*ranks, &from, &unread))
			continue;
		(*ranks)->mpi->finish();
	}
	free((*ranks)->met);
	free(*ranks);
	*ranks = NULL;
	return (int)codes[0];
}
