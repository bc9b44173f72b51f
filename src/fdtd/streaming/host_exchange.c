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

/* All that goes to a neighbor of a device, or comes from it, in the order of messages; empty without that neighbor. */
struct far_list {
	struct streaming *streaming; /* of the device */
	struct far_list
	    *partner; /* the same pieces of a neighbor in this process, between which they are copied; or null: */
	int rank;     /* the neighbor is a device of this one */
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
	struct streaming *first;   /* of this process' devices */
	size_t at_once, piece;     /* messages of a list, and bytes of one, at most */
	int threads, most_threads; /* for memory that ranks share; for copies between devices of this process */
	int count;
	struct far_list *lists; /* LISTS of each device */
	sonde_status status;    /* the first failure */
};

/* A list of a device. */
static struct far_list *list_of(const struct streaming *streaming, enum far_list_number number)
{
	struct far_list *lists = streaming->host_far->lists;

	while (lists->streaming != streaming)
		lists += LISTS;
	return &lists[number];
}

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
	struct far_list *list = list_of(streaming, number);

	list->rank = parallel_rank(streaming->ranks) + (number < TO_AFTER ? -1 : 1);
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

/* A device has copies of as many planes as its steps need: of the planes after its own fewer than of those before
 * (schedule_kept()). */
static sonde_status add_lists_of(struct streaming *streaming)
{
	const struct schedule *schedule = &streaming->schedule;
	const struct plane_range own = schedule->own, here = schedule_here(schedule);
	const uint32_t ahead = schedule->height + schedule->lag, behind = schedule->height * (1 + schedule->lag);
	const bool direct = host_exchange_is_beside_steps(streaming),
		   has_after = own.end < schedule->planes && !(direct && streaming->beside != NULL),
		   has_before = own.begin > 0 && !(direct && streaming != streaming->host_far->first);

	if (own.begin > 0)
		CHECK(add_list(streaming, TO_BEFORE, (struct plane_range){own.begin, own.begin + ahead}));
	if (has_before)
		CHECK(add_list(streaming, FROM_BEFORE, (struct plane_range){here.begin, own.begin}));
	if (has_after)
		CHECK(add_list(streaming, TO_AFTER, (struct plane_range){own.end - behind, own.end}));
	if (own.end < schedule->planes)
		CHECK(add_list(streaming, FROM_AFTER, (struct plane_range){own.end, here.end}));
	return SONDE_OK;
}

/* Lists between two devices of this process. */
static sonde_status join(struct far_list *sent, struct far_list *received)
{
	if (sent->count != received->count || sent->bytes != received->bytes)
		return status_fail(SONDE_INTERNAL, "a device sends %zu bytes of planes, and its neighbor expects %zu",
				   sent->bytes, received->bytes);
	sent->partner = received;
	received->partner = sent;
	return SONDE_OK;
}

static sonde_status add_lists(struct streaming *first)
{
	for (struct streaming *on = first; on != NULL; on = on->beside)
		CHECK(add_lists_of(on));
	for (const struct streaming *on = first; on->beside != NULL; on = on->beside) {
		CHECK(join(list_of(on, TO_AFTER), list_of(on->beside, FROM_BEFORE)));
		CHECK(join(list_of(on->beside, TO_BEFORE), list_of(on, FROM_AFTER)));
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
	const struct host_exchange *far = streaming->host_far;
	struct far_list *const lists[LISTS] = {&far->lists[TO_BEFORE], &far->lists[FROM_BEFORE],
					       &far->lists[far->count - LISTS + TO_AFTER],
					       &far->lists[far->count - LISTS + FROM_AFTER]};
	const char *const host = parallel_host(streaming->ranks);
	const int rank = parallel_rank(streaming->ranks), size = parallel_size(streaming->ranks);
	const bool before = rank > 0, after = rank + 1 < size;
	struct rings_taken taken = {{0}}, *all_taken;
	struct ring_news news, *all;
	size_t bytes;
	void *memory;

	memset(&news, 0, sizeof news);
	if (before && streaming->store == NULL)
		(void)shared_ring_offer(&lists[TO_BEFORE]->ring, host, &news.offers[TO_BEFORE]);
	if (after && streaming->store == NULL)
		(void)shared_ring_offer(&lists[TO_AFTER]->ring, host, &news.offers[TO_AFTER]);
	CHECK(parallel_gather(streaming->ranks, &news, sizeof news, &memory, &bytes));
	all = memory;
	if (before && streaming->store == NULL)
		taken.lists[FROM_BEFORE] =
		    shared_ring_take(&lists[FROM_BEFORE]->ring, host, &all[rank - 1].offers[TO_AFTER]);
	if (after && streaming->store == NULL)
		taken.lists[FROM_AFTER] =
		    shared_ring_take(&lists[FROM_AFTER]->ring, host, &all[rank + 1].offers[TO_BEFORE]);
	free(memory);
	CHECK(parallel_gather(streaming->ranks, &taken, sizeof taken, &memory, &bytes));
	all_taken = memory;
	lists[FROM_BEFORE]->is_ringed = taken.lists[FROM_BEFORE] != 0;
	lists[FROM_AFTER]->is_ringed = taken.lists[FROM_AFTER] != 0;
	lists[TO_BEFORE]->is_ringed = before && all_taken[rank - 1].lists[FROM_AFTER] != 0;
	lists[TO_AFTER]->is_ringed = after && all_taken[rank + 1].lists[FROM_BEFORE] != 0;
	free(memory);
	for (int n = 0; n < LISTS; ++n) {
		shared_ring_close_file(&lists[n]->ring);
		if (!lists[n]->is_ringed)
			shared_ring_free(&lists[n]->ring);
	}
	return SONDE_OK;
}

static sonde_status make(struct streaming *first, int threads)
{
	struct host_exchange *far;

	CHECK(memory_allocate(&far, 1, sizeof *far, WHAT));
	first->host_far = far;
	*far = (struct host_exchange){.first = first,
				      .at_once = first->store != NULL ? PIECES_OF_FILE : PIECES_AT_ONCE,
				      .piece = first->store != NULL ? PIECE_BYTES_OF_FILE : PIECE_BYTES,
				      .threads = threads < MOST_THREADS ? threads : MOST_THREADS,
				      .most_threads = threads};
	for (const struct streaming *on = first; on != NULL; on = on->beside)
		far->count += LISTS;
	CHECK(memory_allocate(&far->lists, (size_t)far->count, sizeof *far->lists, WHAT));
	struct streaming *on = first;
	for (int n = 0; n < far->count; ++n) {
		far->lists[n].streaming = on;
		far->lists[n].sends = n % LISTS == TO_BEFORE || n % LISTS == TO_AFTER;
		on->host_far = far;
		on = n % LISTS == LISTS - 1 ? on->beside : on;
	}
	return SONDE_OK;
}

sonde_status host_exchange_prepare(struct streaming *first, int threads)
{
	CHECK(make(first, threads));
	if (parallel_size(first->ranks) == 1)
		return add_lists(first);
	CHECK(make_rings(first));
	CHECK(add_lists(first));
	const struct far_list *const lists = first->host_far->lists, *const of_last =
									 lists + first->host_far->count - LISTS;
	const struct rank_exchange_sizes sizes = {.before = {lists[TO_BEFORE].bytes, lists[FROM_BEFORE].bytes},
						  .after = {of_last[TO_AFTER].bytes, of_last[FROM_AFTER].bytes}};
	return rank_exchange_compare(first->ranks, &sizes);
}

/* Messages ----------------------------------------------------------------------------------------------- */

/* A piece's memory: where its planes are, or a buffer. Planes of a pass that is not complete are where it stores them:
 * skewed slabs have one copy. */
static char *memory_of(const struct far_list *list, size_t number)
{
	const struct streaming *streaming = list->streaming;
	const struct far_piece *piece = &list->pieces[number];
	const struct streamed_array *array = &streaming->arrays[piece->array];
	int part = 0;

	if (list->buffers != NULL)
		return list->buffers + number % PIECES_OF_FILE * PIECE_BYTES_OF_FILE;
	while (part + 1 < array->part_count && array->parts[part + 1].offset <= piece->begin)
		++part;
	return streaming_host_byte(array, streaming->present, part, piece->begin);
}

/* Between memory and the planes of a piece; after a failure nothing is moved any more, but all messages come. */
static void move_piece(struct host_exchange *far, const struct far_list *list, size_t number, char *memory)
{
	struct streaming *streaming = list->streaming;
	const struct far_piece *piece = &list->pieces[number];
	const struct shared_bytes bytes = {
	    .offset = piece->begin, .from = list->sends ? NULL : memory, .to = list->sends ? memory : NULL};

	if (far->status == SONDE_OK)
		far->status = streaming_move_shared(streaming, &streaming->arrays[piece->array],
						    schedule_here(&streaming->schedule),
						    (struct byte_range){piece->begin, piece->end}, &bytes);
}

static void begin_piece(struct host_exchange *far, struct far_list *list)
{
	const struct far_piece *piece = &list->pieces[list->begun];
	char *const memory = memory_of(list, list->begun);
	const struct parallel_transfer transfer = {
	    .rank = list->rank, .sends = list->sends, .bytes = memory, .size = piece->end - piece->begin};

	if (list->sends && list->buffers != NULL)
		move_piece(far, list, list->begun, memory);
	list->numbers[list->begun % far->at_once] = parallel_begin_transfer(list->streaming->ranks, &transfer);
	++list->begun;
}

static void end_piece(struct host_exchange *far, struct far_list *list)
{
	if (!list->sends && list->buffers != NULL)
		move_piece(far, list, list->done, memory_of(list, list->done));
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

static void copy_widely(int threads, char *to, const char *from, size_t bytes)
{
	struct wide_copy copy = {to, from, bytes};

	threads_for(threads, (int64_t)((bytes + BYTES_OF_THREAD - 1) / BYTES_OF_THREAD), 1, copy_some, &copy);
}

/* A piece of a list through the memory that both ranks share, if the other rank is as far: then it is the
 * turn of the other lists. */
static void go_on_in_ring(const struct host_exchange *far, struct far_list *list)
{
	char *memory;

	if (is_done(list))
		return;
	memory = list->sends ? shared_ring_to_fill(&list->ring) : shared_ring_to_empty(&list->ring);
	if (memory == NULL)
		return;
	const struct far_piece *piece = &list->pieces[list->done];
	char *const here = memory_of(list, list->done);
	if (list->sends)
		copy_widely(far->threads, memory, here, piece->end - piece->begin);
	else
		copy_widely(far->threads, here, memory, piece->end - piece->begin);
	if (list->sends)
		shared_ring_fill_done(&list->ring);
	else
		shared_ring_empty_done(&list->ring);
	list->begun = ++list->done;
}

/* A piece from another device of this process, once its planes there are complete, and their copies here are not needed any
 * more. */
static void go_on_here(struct host_exchange *far, struct far_list *to)
{
	struct far_list *from = to->partner;

	if (to->sends || is_done(to) || is_done(from))
		return;
	const struct far_piece *piece = &to->pieces[to->done];
	if (to->buffers != NULL) {
		move_piece(far, from, from->done, to->buffers);
		move_piece(far, to, to->done, to->buffers);
	} else {
		copy_widely(far->most_threads, memory_of(to, to->done), memory_of(from, from->done),
			    piece->end - piece->begin);
	}
	to->begun = ++to->done;
	from->begun = ++from->done;
}

static void go_on_by_messages(struct host_exchange *far, struct far_list *list)
{
	struct parallel *ranks = list->streaming->ranks;

	while (list->begun < list->count && list->begun - list->done < far->at_once)
		begin_piece(far, list);
	while (list->done < list->begun &&
	       parallel_has_arrived(ranks, list->numbers[list->done % far->at_once], false))
		end_piece(far, list);
}

void host_exchange_go_on(const struct streaming *streaming)
{
	struct host_exchange *far = streaming->host_far;

	for (int n = 0; far != NULL && n < far->count; ++n) {
		struct far_list *list = &far->lists[n];
		if (list->partner != NULL)
			go_on_here(far, list);
		else if (list->is_ringed)
			go_on_in_ring(far, list);
		else
			go_on_by_messages(far, list);
	}
}

/* Pieces of all lists that have been sent, or have come. */
static size_t all_done(const struct host_exchange *far)
{
	size_t done = 0;

	for (int n = 0; n < far->count; ++n)
		done += far->lists[n].done;
	return done;
}

static void await(const struct far_list *list)
{
	const struct host_exchange *far = list->streaming->host_far;

	host_exchange_go_on(list->streaming);
	for (long looks = 0; !is_done(list); ++looks) {
		const size_t before = all_done(far);
		rank_rest(looks);
		host_exchange_go_on(list->streaming);
		looks = all_done(far) > before ? 0 : looks;
	}
}

/* All of its pieces, once those of the exchange before have been sent or have come. */
static void open_list(struct far_list *list)
{
	await(list);
	list->begun = list->done = 0;
	list->open = true;
	host_exchange_go_on(list->streaming);
}

void host_exchange_free(struct streaming *streaming)
{
	struct host_exchange *far = streaming->host_far;

	streaming->host_far = NULL;
	if (far == NULL || far->first != streaming)
		return;
	for (int n = 0; far->lists != NULL && n < far->count; ++n) {
		free(far->lists[n].pieces);
		free(far->lists[n].buffers);
		shared_ring_free(&far->lists[n].ring);
	}
	free(far->lists);
	free(far);
}

/* Passes ------------------------------------------------------------------------------------------------- */

static bool overlap(struct plane_range a, struct plane_range b)
{
	return a.begin < b.end && b.begin < a.end;
}

bool host_exchange_is_free(const struct streaming *streaming, struct plane_range planes, bool stores)
{
	for (int n = 0; n < LISTS; ++n) {
		const struct far_list *list = list_of(streaming, (enum far_list_number)n);
		if (list->sends == stores && !is_done(list) && overlap(planes, list->planes))
			return false;
	}
	return true;
}

bool host_exchange_has_first(const struct streaming *streaming, uint32_t end)
{
	if (streaming->host_far == NULL || !host_exchange_is_beside_steps(streaming))
		return false;
	const struct far_list *list = list_of(streaming, TO_BEFORE);
	return list->count > 0 && !list->open && end >= list->planes.end;
}

void host_exchange_send_first(const struct streaming *streaming)
{
	open_list(list_of(streaming, TO_BEFORE));
}

/* All of them, unless they have been opened during the pass. */
static void open_all(const struct host_exchange *far)
{
	for (int n = 0; n < far->count; ++n)
		if (n % LISTS != TO_BEFORE || !far->lists[n].open)
			open_list(&far->lists[n]);
	for (int n = TO_BEFORE; n < far->count; n += LISTS)
		far->lists[n].open = false;
}

sonde_status host_exchange_after_pass(struct streaming *first, bool last, sonde_status own)
{
	struct host_exchange *far = first->host_far;

	if (far == NULL)
		return own;
	if (far->status == SONDE_OK)
		far->status = own;
	open_all(far);
	own = far->status;
	if (!last && host_exchange_is_beside_steps(first))
		return own;
	for (int n = 0; n < far->count; ++n)
		await(&far->lists[n]);
	own = far->status;
	if (last) {
		far->status = SONDE_OK;
		if (first->ranks != NULL)
			parallel_end_transfers(first->ranks);
	}
	return own;
}
