#include "fdtd/streaming/host_exchange.h"

#include <stdlib.h>

#include "base/memory.h"
#include "fdtd/streaming/rank_exchange.h"
#include "parallel/parallel.h"

#define WHAT "the planes of neighbors"

/* A message has at most this many bytes, and this many of a list are on their way at a time; of planes in a file, which
 * need memory for them, fewer and smaller ones. */
#define PIECE_BYTES ((size_t)32 << 20)
#define PIECES_AT_ONCE ((PARALLEL_MOST_TRANSFERS / (2 * NEIGHBORS)) - 1)
#define PIECE_BYTES_OF_FILE ((size_t)1 << 20)
#define PIECES_OF_FILE 2
#define NEIGHBORS 2

/* Some bytes of an array. */
struct far_piece {
	int array;
	size_t begin, end;
};

/* All that goes to one neighbor, or comes from it, in the order of messages. */
struct far_list {
	int rank;
	bool sends;
	size_t count, capacity, bytes;
	struct far_piece *pieces;
	size_t begun, done; /* pieces of the present exchange */
	int numbers[PIECES_AT_ONCE];
	char *buffers; /* of planes in a file; else null */
};

struct host_exchange {
	int count, at_once;
	size_t piece; /* bytes, at most */
	struct far_list lists[2 * NEIGHBORS];
};

/* Making ------------------------------------------------------------------------------------------------- */

static sonde_status add_range(struct host_exchange *far, struct far_list *list, int array, struct byte_range range)
{
	for (size_t at = range.begin, end; at < range.end; at = end) {
		end = range.end - at < far->piece ? range.end : at + far->piece;
		CHECK(memory_grow(&list->pieces, &list->capacity, list->count + 1, sizeof *list->pieces, WHAT));
		list->pieces[list->count++] = (struct far_piece){array, at, end};
		list->bytes += end - at;
	}
	return SONDE_OK;
}

static sonde_status add_list(struct streaming *streaming, int rank, bool sends, struct plane_range planes)
{
	struct host_exchange *far = streaming->host_far;
	struct far_list *list = &far->lists[far->count++];

	list->rank = rank;
	list->sends = sends;
	for (int n = 0; n < streaming->count; ++n) {
		const struct streamed_array *array = &streaming->arrays[n];
		for (int k = 0; k < array->part_count && array->changes; ++k)
			CHECK(add_range(far, list, n, streaming_bytes(streaming, &array->parts[k], planes)));
	}
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
		CHECK(add_list(streaming, rank - 1, true, (struct plane_range){own.begin, own.begin + ahead}));
		CHECK(add_list(streaming, rank - 1, false, (struct plane_range){here.begin, own.begin}));
	}
	if (rank + 1 < parallel_size(streaming->ranks)) {
		CHECK(add_list(streaming, rank + 1, true, (struct plane_range){own.end - behind, own.end}));
		CHECK(add_list(streaming, rank + 1, false, (struct plane_range){own.end, here.end}));
	}
	return SONDE_OK;
}

sonde_status host_exchange_prepare(struct streaming *streaming)
{
	const int rank = parallel_rank(streaming->ranks);
	struct rank_exchange_sizes sizes = {0};
	struct host_exchange *far;

	CHECK(memory_allocate(&far, 1, sizeof *far, WHAT));
	streaming->host_far = far;
	far->at_once = streaming->store != NULL ? PIECES_OF_FILE : PIECES_AT_ONCE;
	far->piece = streaming->store != NULL ? PIECE_BYTES_OF_FILE : PIECE_BYTES;
	CHECK(add_lists(streaming));
	for (int n = 0; n < far->count; ++n) {
		const struct far_list *list = &far->lists[n];
		uint64_t *of = list->rank < rank ? sizes.before : sizes.after;
		of[list->sends ? 0 : 1] = list->bytes;
	}
	return rank_exchange_compare(streaming->ranks, &sizes);
}

void host_exchange_free(struct streaming *streaming)
{
	struct host_exchange *far = streaming->host_far;

	for (int n = 0; far != NULL && n < far->count; ++n) {
		free(far->lists[n].pieces);
		free(far->lists[n].buffers);
	}
	free(far);
	streaming->host_far = NULL;
}

/* An exchange -------------------------------------------------------------------------------------------- */

/* A piece's memory: where its planes are, or a buffer. */
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

/* Between a buffer and the file. */
static sonde_status move_piece(struct streaming *streaming, const struct far_list *list, size_t number)
{
	const struct far_piece *piece = &list->pieces[number];
	const struct streamed_array *array = &streaming->arrays[piece->array];
	char *const memory = memory_of(streaming, list, number);
	const struct shared_bytes bytes = {.offset = piece->begin,
					   .from = list->sends ? NULL : memory,
					   .to = list->sends ? memory : NULL};

	return list->buffers == NULL
		   ? SONDE_OK
		   : streaming_move_shared(streaming, array, schedule_here(&streaming->schedule),
					   (struct byte_range){piece->begin, piece->end}, &bytes);
}

static void keep_failure(sonde_status *status, sonde_status other)
{
	if (*status == SONDE_OK)
		*status = other;
}

static void begin_piece(struct streaming *streaming, struct far_list *list, int at_once, sonde_status *status)
{
	const struct far_piece *piece = &list->pieces[list->begun];
	const struct parallel_transfer transfer = {.rank = list->rank,
						   .sends = list->sends,
						   .bytes = memory_of(streaming, list, list->begun),
						   .size = piece->end - piece->begin};

	if (list->sends && *status == SONDE_OK)
		keep_failure(status, move_piece(streaming, list, list->begun));
	list->numbers[list->begun % (size_t)at_once] = parallel_begin_transfer(streaming->ranks, &transfer);
	++list->begun;
}

static void end_piece(struct streaming *streaming, struct far_list *list, sonde_status *status)
{
	if (!list->sends && *status == SONDE_OK)
		keep_failure(status, move_piece(streaming, list, list->done));
	++list->done;
}

/* Begins and ends messages of a list; whether there was one. */
static bool go_on(struct streaming *streaming, struct far_list *list, sonde_status *status)
{
	const size_t at_once = (size_t)streaming->host_far->at_once;
	bool any = false;

	for (; list->begun < list->count && list->begun - list->done < at_once; any = true)
		begin_piece(streaming, list, (int)at_once, status);
	for (; list->done < list->begun &&
	       parallel_has_arrived(streaming->ranks, list->numbers[list->done % at_once], false);
	     any = true)
		end_piece(streaming, list, status);
	return any;
}

sonde_status host_exchange_planes(struct streaming *streaming, sonde_status own)
{
	struct host_exchange *far = streaming->host_far;
	sonde_status status = own;
	int left = far->count;

	for (int n = 0; n < far->count; ++n)
		far->lists[n].begun = far->lists[n].done = 0;
	for (long looks = 0; left > 0; ++looks) {
		left = 0;
		for (int n = 0; n < far->count; ++n) {
			struct far_list *list = &far->lists[n];
			if (go_on(streaming, list, &status))
				looks = 0;
			left += list->done < list->count ? 1 : 0;
		}
		rank_exchange_rest(looks);
	}
	parallel_end_transfers(streaming->ranks);
	return status;
}
