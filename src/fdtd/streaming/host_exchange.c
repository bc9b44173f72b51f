#include "fdtd/streaming/host_exchange.h"

#include <stdlib.h>

#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/streaming/rank_exchange.h"
#include "fdtd/streaming/rank_notes.h"
#include "parallel/parallel.h"
#include "parallel/shared_ring.h"

#define WHAT "the planes of neighbors"

/* To and from the rank before and the rank after. */
enum far_list_number { TO_BEFORE, FROM_BEFORE, TO_AFTER, FROM_AFTER, LISTS };

/* A message has at most this many bytes, and this many of a list are on their way at a time; of planes in a file, which
 * need memory for them, fewer and smaller ones. */
#define PIECE_BYTES ((size_t)32 << 20)
#define PIECES_AT_ONCE (PARALLEL_MOST_TRANSFERS / LISTS - 1)
#define PIECE_BYTES_OF_FILE ((size_t)1 << 20)
#define PIECES_OF_FILE 2
/* Copies to memory that ranks share: few threads, as others load the memory as well. */
#define MOST_THREADS 8
#define BYTES_OF_THREAD ((size_t)512 << 10)

/* Some bytes of an array. */
struct far_piece {
	int array;
	size_t begin, end;
};

/* All that goes to a neighbor, or comes from it, in the order of messages; empty without that neighbor. */
struct far_list {
	int rank;
	bool sends;
	struct plane_range planes;
	size_t count, capacity, bytes;
	struct far_piece *pieces;
	bool open;          /* its messages may begin */
	size_t begun, done; /* pieces of the present exchange */
	int numbers[PIECES_AT_ONCE];
	char *buffers;           /* of planes in a file; else null */
	bool is_ringed;          /* pieces go through memory that both ranks share, instead of messages */
	struct shared_ring ring; /* this */
};

struct host_exchange {
	size_t at_once, piece; /* messages of a list, and bytes of one, at most */
	int threads;
	struct far_list lists[LISTS];
	sonde_status status; /* the first failure */
};

/* Making ------------------------------------------------------------------------------------------------- */

static sonde_status add_range(struct host_exchange *far, struct far_list *list, int array, struct byte_range range)
{
	const size_t most = list->is_ringed ? SHARED_RING_PIECE_BYTES : far->piece;

	for (size_t at = range.begin, end; at < range.end; at = end) {
		end = range.end - at < most ? range.end : at + most;
		CHECK(memory_grow(&list->pieces, &list->capacity, list->count + 1, sizeof *list->pieces, WHAT));
		list->pieces[list->count++] = (struct far_piece){array, at, end};
		list->bytes += end - at;
	}
	return SONDE_OK;
}

static sonde_status add_list(struct streaming *streaming, enum far_list_number number, struct plane_range planes)
{
	struct far_list *list = &streaming->host_far->lists[number];

	list->rank = parallel_rank(streaming->ranks) + (number < TO_AFTER ? -1 : 1);
	list->sends = number == TO_BEFORE || number == TO_AFTER;
	list->planes = planes;
	for (int n = 0; n < streaming->count; ++n) {
		const struct streamed_array *array = &streaming->arrays[n];
		for (int k = 0; k < array->part_count && array->changes; ++k)
			CHECK(add_range(streaming->host_far, list, n,
					streaming_bytes(streaming, &array->parts[k], planes)));
	}
	list->begun = list->done = list->count;
	return streaming->store == NULL
		   ? SONDE_OK
		   : memory_allocate_to_fill(&list->buffers, PIECES_OF_FILE, PIECE_BYTES_OF_FILE, WHAT);
}

/* A rank has copies of as many planes as its steps need: of the planes after its own fewer than of those before
 * (schedule_kept()). */
static sonde_status add_lists(struct streaming *streaming)
{
	const struct schedule *schedule = &streaming->schedule;
	const struct plane_range own = schedule->own, here = schedule_here(schedule);
	const uint32_t ahead = schedule->height + schedule->lag, behind = schedule->height * (1 + schedule->lag);
	const int rank = parallel_rank(streaming->ranks);

	if (rank > 0) {
		CHECK(add_list(streaming, TO_BEFORE, (struct plane_range){own.begin, own.begin + ahead}));
		CHECK(add_list(streaming, FROM_BEFORE, (struct plane_range){here.begin, own.begin}));
	}
	if (rank + 1 < parallel_size(streaming->ranks)) {
		CHECK(add_list(streaming, TO_AFTER, (struct plane_range){own.end - behind, own.end}));
		CHECK(add_list(streaming, FROM_AFTER, (struct plane_range){own.end, here.end}));
	}
	return SONDE_OK;
}

/* Offers of all ranks, for their neighbors, and which offers they have taken. */
struct ring_news {
	struct shared_ring_offer offers[LISTS]; /* those to neighbors */
};

struct rings_taken {
	uint32_t lists[LISTS]; /* those from neighbors */
};

/* Rings for all that goes to a neighbor on the same machine, and what the others have taken of them. Planes in a file wait for
 * that. */
static sonde_status make_rings(struct streaming *streaming)
{
	struct host_exchange *far = streaming->host_far;
	const char *const host = parallel_host(streaming->ranks);
	const int rank = parallel_rank(streaming->ranks), size = parallel_size(streaming->ranks);
	const bool before = rank > 0, after = rank + 1 < size;
	struct rings_taken taken = {{0}}, *all_taken;
	struct ring_news news, *all;
	size_t bytes;
	void *memory;

	memset(&news, 0, sizeof news);
	if (before && streaming->store == NULL)
		(void)shared_ring_offer(&far->lists[TO_BEFORE].ring, host, &news.offers[TO_BEFORE]);
	if (after && streaming->store == NULL)
		(void)shared_ring_offer(&far->lists[TO_AFTER].ring, host, &news.offers[TO_AFTER]);
	CHECK(parallel_gather(streaming->ranks, &news, sizeof news, &memory, &bytes));
	all = memory;
	if (before && streaming->store == NULL)
		taken.lists[FROM_BEFORE] =
		    shared_ring_take(&far->lists[FROM_BEFORE].ring, host, &all[rank - 1].offers[TO_AFTER]);
	if (after && streaming->store == NULL)
		taken.lists[FROM_AFTER] =
		    shared_ring_take(&far->lists[FROM_AFTER].ring, host, &all[rank + 1].offers[TO_BEFORE]);
	free(memory);
	CHECK(parallel_gather(streaming->ranks, &taken, sizeof taken, &memory, &bytes));
	all_taken = memory;
	far->lists[FROM_BEFORE].is_ringed = taken.lists[FROM_BEFORE] != 0;
	far->lists[FROM_AFTER].is_ringed = taken.lists[FROM_AFTER] != 0;
	far->lists[TO_BEFORE].is_ringed = before && all_taken[rank - 1].lists[FROM_AFTER] != 0;
	far->lists[TO_AFTER].is_ringed = after && all_taken[rank + 1].lists[FROM_BEFORE] != 0;
	free(memory);
	for (int n = 0; n < LISTS; ++n) {
		shared_ring_close_file(&far->lists[n].ring);
		if (!far->lists[n].is_ringed)
			shared_ring_free(&far->lists[n].ring);
	}
	return SONDE_OK;
}

sonde_status host_exchange_prepare(struct streaming *streaming, int threads)
{
	struct host_exchange *far;

	CHECK(memory_allocate(&far, 1, sizeof *far, WHAT));
	streaming->host_far = far;
	far->at_once = streaming->store != NULL ? PIECES_OF_FILE : PIECES_AT_ONCE;
	far->piece = streaming->store != NULL ? PIECE_BYTES_OF_FILE : PIECE_BYTES;
	far->threads = threads < MOST_THREADS ? threads : MOST_THREADS;
	CHECK(make_rings(streaming));
	CHECK(add_lists(streaming));
	const struct rank_exchange_sizes sizes = {
	    .before = {far->lists[TO_BEFORE].bytes, far->lists[FROM_BEFORE].bytes},
	    .after = {far->lists[TO_AFTER].bytes, far->lists[FROM_AFTER].bytes}};
	return rank_exchange_compare(streaming->ranks, &sizes);
}

/* Messages ----------------------------------------------------------------------------------------------- */

/* A piece's memory: where its planes are, or a buffer. Planes of a pass that is not complete are where it stores them:
 * skewed slabs have one copy. */
static char *memory_of(const struct streaming *streaming, const struct far_list *list, size_t number)
{
	const struct far_piece *piece = &list->pieces[number];
	const struct streamed_array *array = &streaming->arrays[piece->array];
	int part = 0;

	if (list->buffers != NULL)
		return list->buffers + number % PIECES_OF_FILE * PIECE_BYTES_OF_FILE;
	while (part + 1 < array->part_count && array->parts[part + 1].offset <= piece->begin)
		++part;
	return streaming_host_byte(array, streaming->present, part, piece->begin);
}

/* Between a buffer and the file; after a failure nothing is moved any more, but all messages come. */
static void move_piece(struct streaming *streaming, const struct far_list *list, size_t number)
{
	const struct far_piece *piece = &list->pieces[number];
	char *const memory = memory_of(streaming, list, number);
	const struct shared_bytes bytes = {
	    .offset = piece->begin, .from = list->sends ? NULL : memory, .to = list->sends ? memory : NULL};

	if (list->buffers != NULL && streaming->host_far->status == SONDE_OK)
		streaming->host_far->status = streaming_move_shared(
		    streaming, &streaming->arrays[piece->array], schedule_here(&streaming->schedule),
		    (struct byte_range){piece->begin, piece->end}, &bytes);
}

static void begin_piece(struct streaming *streaming, struct far_list *list)
{
	const struct far_piece *piece = &list->pieces[list->begun];
	const struct parallel_transfer transfer = {.rank = list->rank,
						   .sends = list->sends,
						   .bytes = memory_of(streaming, list, list->begun),
						   .size = piece->end - piece->begin};

	if (list->sends)
		move_piece(streaming, list, list->begun);
	list->numbers[list->begun % streaming->host_far->at_once] =
	    parallel_begin_transfer(streaming->ranks, &transfer);
	++list->begun;
}

static void end_piece(struct streaming *streaming, struct far_list *list)
{
	if (!list->sends)
		move_piece(streaming, list, list->done);
	++list->done;
}

static bool is_done(const struct far_list *list)
{
	return list->done == list->count;
}

/* A copy by several threads. */
struct wide_copy {
	char *to;
	const char *from;
	size_t bytes;
};

static void copy_some(void *state, int64_t begin, int64_t end, int worker)
{
	const struct wide_copy *copy = state;
	const size_t first = (size_t)begin * BYTES_OF_THREAD, until = (size_t)end * BYTES_OF_THREAD,
		     behind = until < copy->bytes ? until : copy->bytes;

	(void)worker;
	memcpy(copy->to + first, copy->from + first, behind - first);
}

static void copy_widely(const struct host_exchange *far, char *to, const char *from, size_t bytes)
{
	struct wide_copy copy = {to, from, bytes};

	threads_for(far->threads, (int64_t)((bytes + BYTES_OF_THREAD - 1) / BYTES_OF_THREAD), 1, copy_some, &copy);
}

/* A piece of a list through the memory that both ranks share, if the other rank is as far: then it is the
 * turn of the other lists. */
static void go_on_in_ring(struct streaming *streaming, struct far_list *list)
{
	char *memory;

	if (is_done(list))
		return;
	memory = list->sends ? shared_ring_to_fill(&list->ring) : shared_ring_to_empty(&list->ring);
	if (memory == NULL)
		return;
	const struct far_piece *piece = &list->pieces[list->done];
	char *const here = memory_of(streaming, list, list->done);
	if (list->sends)
		copy_widely(streaming->host_far, memory, here, piece->end - piece->begin);
	else
		copy_widely(streaming->host_far, here, memory, piece->end - piece->begin);
	if (list->sends)
		shared_ring_fill_done(&list->ring);
	else
		shared_ring_empty_done(&list->ring);
	list->begun = ++list->done;
}

void host_exchange_go_on(struct streaming *streaming)
{
	struct host_exchange *far = streaming->host_far;

	for (int n = 0; far != NULL && n < LISTS; ++n) {
		struct far_list *list = &far->lists[n];
		if (list->is_ringed) {
			go_on_in_ring(streaming, list);
			continue;
		}
		while (list->begun < list->count && list->begun - list->done < far->at_once)
			begin_piece(streaming, list);
		while (list->done < list->begun &&
		       parallel_has_arrived(streaming->ranks, list->numbers[list->done % far->at_once], false))
			end_piece(streaming, list);
	}
}

static void await(struct streaming *streaming, const struct far_list *list)
{
	host_exchange_go_on(streaming);
	for (long looks = 0; !is_done(list); ++looks) {
		const size_t before = list->done;
		rank_rest(looks);
		host_exchange_go_on(streaming);
		looks = list->done > before ? 0 : looks;
	}
}

/* All of its pieces, once those of the exchange before have been sent or have come. */
static void open_list(struct streaming *streaming, enum far_list_number number)
{
	struct far_list *list = &streaming->host_far->lists[number];

	await(streaming, list);
	list->begun = list->done = 0;
	list->open = true;
	host_exchange_go_on(streaming);
}

void host_exchange_free(struct streaming *streaming)
{
	struct host_exchange *far = streaming->host_far;

	for (int n = 0; far != NULL && n < LISTS; ++n) {
		free(far->lists[n].pieces);
		free(far->lists[n].buffers);
		shared_ring_free(&far->lists[n].ring);
	}
	free(far);
	streaming->host_far = NULL;
}

/* Passes ------------------------------------------------------------------------------------------------- */

static bool overlap(struct plane_range a, struct plane_range b)
{
	return a.begin < b.end && b.begin < a.end;
}

void host_exchange_await(struct streaming *streaming, struct plane_range planes, bool stores)
{
	struct host_exchange *far = streaming->host_far;

	for (int n = 0; far != NULL && n < LISTS; ++n)
		if (far->lists[n].sends == stores && !is_done(&far->lists[n]) &&
		    overlap(planes, far->lists[n].planes))
			await(streaming, &far->lists[n]);
}

/* Whether messages of a pass may be on their way during the next one. */
static bool goes_beside(const struct streaming *streaming)
{
	return streaming->schedule.method == STREAMING_SKEW && streaming->store == NULL;
}

bool host_exchange_has_first(const struct streaming *streaming, uint32_t end)
{
	const struct host_exchange *far = streaming->host_far;

	if (far == NULL || far->lists[TO_BEFORE].count == 0 || !goes_beside(streaming))
		return false;
	return !far->lists[TO_BEFORE].open && end >= far->lists[TO_BEFORE].planes.end;
}

void host_exchange_send_first(struct streaming *streaming)
{
	open_list(streaming, TO_BEFORE);
}

sonde_status host_exchange_after_pass(struct streaming *streaming, bool last, sonde_status own)
{
	struct host_exchange *far = streaming->host_far;

	if (far == NULL)
		return own;
	if (far->status == SONDE_OK)
		far->status = own;
	for (int n = 0; n < LISTS; ++n)
		if (n != TO_BEFORE || !far->lists[n].open)
			open_list(streaming, (enum far_list_number)n);
	far->lists[TO_BEFORE].open = false;
	own = far->status;
	if (!last && goes_beside(streaming))
		return own;
	for (int n = 0; n < LISTS; ++n)
		await(streaming, &far->lists[n]);
	own = far->status;
	if (last) {
		parallel_end_transfers(streaming->ranks);
		far->status = SONDE_OK;
	}
	return own;
}
