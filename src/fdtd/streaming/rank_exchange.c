#include "fdtd/streaming/rank_exchange.h"

#include <stdlib.h>

#include "base/memory.h"
#include "device/peers.h"
#include "device/sharing.h"
#include "fdtd/streaming/exchange.h"
#include "fdtd/streaming/rank_direct.h"
#include "fdtd/streaming/rank_notes.h"
#include "parallel/parallel.h"

#define WHAT "the planes of neighbors"
#define QUEUE_STEPS 0
#define QUEUE_RECEIVED 1
#define QUEUE_SENT 2
#define LONGEST_CLOSE 10.0 /* s */

/* Planes go in pieces, so that the copy of one from the device, the message of another and the copy of a third to the
 * neighbor's device take place at the same time. */
#define PIECE_BYTES ((size_t)8 << 20)
#define MOST_PIECES (PARALLEL_MOST_TRANSFERS / 4 - 1)

/* Planes that are sent, or received: packed on the device, unless it is the host itself, and in the host's memory. */
struct far_planes {
	struct plane_range planes;
	size_t bytes, piece;
	int pieces;
	void *memory;
	struct device_buffer packed;
	struct device_event at_host[MOST_PIECES + 1]; /* pieces to be sent */
	int numbers[MOST_PIECES + 1];                 /* of transfers */
	int begun,
	    done; /* pieces: their transfers; received ones are done once they are on their way to the device */
};

/* A neighbor on another rank. */
struct far_side {
	struct streaming *on; /* its neighbor here */
	struct device *device;
	int rank;
	struct far_planes sent, received;
	struct device_event packed; /* planes to be sent */
	/* all received pieces are on the device, and have been unpacked */
	struct device_event at_device, unpacked;
	uint32_t left; /* exchanges whose planes are not yet expected */
	bool expects;  /* the planes of one */
	/* connected: planes go from device to device, and notes instead of them by messages */
	struct direct_side *direct;
	struct rank_notes notes;
};

struct rank_exchange {
	int count;
	struct far_side sides[2];
	struct direct_side direct[DIRECT_SIDES];
	bool continues;      /* the planes of an exchange are not yet received */
	sonde_status status; /* after a failure nothing is done on devices any more, but all messages come */
};

static sonde_status make_planes(struct far_side *side, struct far_planes *of)
{
	struct plane_packing counted = {.bytes = 0};

	CHECK(exchange_pack(side->on, of->planes, &counted));
	of->bytes = counted.bytes;
	of->piece = of->bytes / MOST_PIECES > PIECE_BYTES ? of->bytes / MOST_PIECES : PIECE_BYTES;
	of->pieces = (int)((of->bytes + of->piece - 1) / of->piece);
	if (!device_properties(side->device)->gpu_kernels || !device_reaches(side->device, side->device))
		return SONDE_OK;
	return device_allocate(side->device, of->bytes, WHAT, &of->packed);
}

static bool is_direct(const struct far_side *side)
{
	return side->direct->is_connected;
}

static sonde_status make_side(struct rank_exchange *far, struct streaming *on, int rank)
{
	const struct schedule *schedule = &on->schedule;
	const struct plane_range own = schedule->own, kept = schedule_kept(schedule);
	const uint32_t ahead = schedule->height + schedule->lag, behind = schedule->height * (1 + schedule->lag);
	struct far_side *side = &far->sides[far->count++];

	*side =
	    (struct far_side){.on = on,
			      .device = on->device,
			      .rank = rank,
			      .notes = {.ranks = on->ranks, .rank = rank},
			      .direct = &far->direct[rank < parallel_rank(on->ranks) ? DIRECT_BEFORE : DIRECT_AFTER]};
	if (rank < parallel_rank(on->ranks)) {
		/* the rank before keeps planes after its own, and this one some before */
		side->sent.planes = (struct plane_range){own.begin, own.begin + ahead};
		side->received.planes = (struct plane_range){kept.begin, own.begin};
	} else {
		side->sent.planes = (struct plane_range){own.end - behind, own.end};
		side->received.planes = (struct plane_range){own.end, kept.end};
	}
	CHECK(make_planes(side, &side->sent));
	CHECK(make_planes(side, &side->received));
	*side->direct = (struct direct_side){
	    .device = side->device, .received = &side->received.packed, .bytes_there = side->sent.bytes};
	return SONDE_OK;
}

/* Ranks whose grids differ would wait for bytes that never come. */
sonde_status rank_exchange_compare(struct parallel *ranks, const struct rank_exchange_sizes *own)
{
	const struct rank_exchange_sizes *all;
	sonde_status status = SONDE_OK;
	void *bytes;
	size_t size;

	CHECK(parallel_gather(ranks, own, sizeof *own, &bytes, &size));
	all = bytes;
	for (int k = 0; k + 1 < parallel_size(ranks); ++k, ++all)
		if (all[0].after[0] != all[1].before[1] || all[0].after[1] != all[1].before[0])
			status =
			    status_fail(SONDE_INTERNAL, "ranks %d and %d do not share the same planes", k, k + 1);
	free(bytes);
	return status;
}

static sonde_status compare_sizes(const struct streaming *first)
{
	const struct rank_exchange *far = first->far;
	const int rank = parallel_rank(first->ranks);
	struct rank_exchange_sizes own = {0};

	for (int n = 0; n < far->count; ++n) {
		uint64_t *of = far->sides[n].rank < rank ? own.before : own.after;
		of[0] = far->sides[n].sent.bytes;
		of[1] = far->sides[n].received.bytes;
	}
	return rank_exchange_compare(first->ranks, &own);
}

static sonde_status make_sides(struct streaming *first)
{
	const int rank = parallel_rank(first->ranks);
	struct streaming *last = first;

	CHECK(memory_allocate(&first->far, 1, sizeof *first->far, WHAT));
	while (last->beside != NULL)
		last = last->beside;
	if (rank > 0)
		CHECK(make_side(first->far, first, rank - 1));
	return rank + 1 < parallel_size(first->ranks) ? make_side(first->far, last, rank + 1) : SONDE_OK;
}

sonde_status rank_exchange_prepare(struct streaming *first)
{
	bool all;

	if (first->ranks == NULL)
		return SONDE_OK;
	CHECK(make_sides(first));
	CHECK(compare_sizes(first));
	CHECK(rank_direct_connect(first->ranks, first->far->direct, &all));
	for (int n = 0; n < first->far->count; ++n) {
		struct far_side *side = &first->far->sides[n];
		if (is_direct(side))
			continue;
		CHECK(device_host_allocate(side->device, side->sent.bytes, WHAT, &side->sent.memory));
		CHECK(device_host_allocate(side->device, side->received.bytes, WHAT, &side->received.memory));
	}
	return SONDE_OK;
}

static sonde_status record(struct device *device, struct device_event *event)
{
	device_event_release(device, event);
	return device_event_record(device, event);
}

static bool packs(const struct far_planes *of)
{
	return of->packed.memory != NULL;
}

static struct byte_range piece_of(const struct far_planes *of, int number)
{
	const size_t begin = (size_t)number * of->piece, end = begin + of->piece;

	return (struct byte_range){begin, end < of->bytes ? end : of->bytes};
}

static void begin_piece(struct far_side *side, struct far_planes *of)
{
	const struct byte_range piece = piece_of(of, of->begun);
	const struct parallel_transfer transfer = {.rank = side->rank,
						   .sends = of == &side->sent,
						   .bytes = (char *)of->memory + piece.begin,
						   .size = piece.end - piece.begin};

	of->numbers[of->begun++] = parallel_begin_transfer(side->on->ranks, &transfer);
}

static void keep_failure(struct rank_exchange *far, sonde_status status)
{
	if (far->status == SONDE_OK)
		far->status = status;
}

/* Whether an event of a side's device has passed; after a failure all have. */
static bool has_passed(struct rank_exchange *far, struct far_side *side, const struct device_event *event)
{
	bool done = true;

	if (far->status == SONDE_OK)
		keep_failure(far, device_event_done(side->device, event, &done));
	return done || far->status != SONDE_OK;
}

/* Pieces to be sent that have come to the host. */
static void go_on_sending(struct rank_exchange *far, struct far_side *side)
{
	struct far_planes *sent = &side->sent;

	while (sent->begun < sent->pieces && (!packs(sent) || has_passed(far, side, &sent->at_host[sent->begun])))
		begin_piece(side, sent);
	while (sent->done < sent->begun && parallel_has_arrived(side->on->ranks, sent->numbers[sent->done], false))
		++sent->done;
}

/* A received piece to the device, behind the unpacking of the planes before; all of them, once they are there. */
static sonde_status put(struct far_side *side, int number)
{
	struct far_planes *received = &side->received;
	const struct byte_range piece = piece_of(received, number);
	sonde_status status = SONDE_OK;

	device_use_queue(side->device, QUEUE_RECEIVED);
	if (number == 0)
		status = device_begin_after(side->device, &side->unpacked);
	if (status == SONDE_OK)
		status = device_send(side->device, &received->packed, piece.begin,
				     (char *)received->memory + piece.begin, piece.end - piece.begin);
	if (status == SONDE_OK && number + 1 == received->pieces)
		status = record(side->device, &side->at_device);
	device_use_queue(side->device, QUEUE_STEPS);
	return status;
}

/* The next planes are expected once those before them have left the host's memory. */
static void go_on_receiving(struct rank_exchange *far, struct far_side *side)
{
	struct far_planes *received = &side->received;

	if (!side->expects && side->left > 0 && (!packs(received) || has_passed(far, side, &side->at_device))) {
		side->expects = true;
		--side->left;
		received->begun = received->done = 0;
		while (received->begun < received->pieces)
			begin_piece(side, received);
	}
	while (side->expects && received->done < received->pieces &&
	       parallel_has_arrived(side->on->ranks, received->numbers[received->done], false)) {
		if (packs(received) && far->status == SONDE_OK)
			keep_failure(far, put(side, received->done));
		++received->done;
	}
}

static void go_on(struct rank_exchange *far)
{
	for (int n = 0; n < far->count; ++n) {
		if (is_direct(&far->sides[n]))
			continue;
		go_on_sending(far, &far->sides[n]);
		go_on_receiving(far, &far->sides[n]);
	}
}

/* From device to device ----------------------------------------------------------------------- */

/* Behind the copy of the exchange before, which reads the same packed planes, and the neighbor's unpacking of it. */
static sonde_status copy_there(struct far_side *side)
{
	struct plane_packing packing = {.buffer = &side->sent.packed};
	const struct device_bytes from = {side->device, &side->sent.packed, 0},
				  to = {side->device, &side->direct->there, 0};
	sonde_status status;

	CHECK(device_begin_after(side->device, &side->direct->sent));
	CHECK(exchange_pack(side->on, side->sent.planes, &packing));
	CHECK(record(side->device, &side->packed));
	device_use_queue(side->device, QUEUE_SENT);
	status = device_begin_after(side->device, &side->packed);
	if (status == SONDE_OK)
		status = device_begin_after(side->device, &side->direct->unpacked_there);
	if (status == SONDE_OK)
		status = device_copy(&from, &to, side->sent.bytes);
	if (status == SONDE_OK)
		status = device_renew_event(side->device, &side->direct->sent);
	device_use_queue(side->device, QUEUE_STEPS);
	return status;
}

static sonde_status unpack_here(struct far_side *side)
{
	struct plane_packing packing = {.buffer = &side->received.packed, .unpacks = true};

	CHECK(device_begin_after(side->device, &side->direct->sent_there));
	CHECK(exchange_pack(side->on, side->received.planes, &packing));
	return device_renew_event(side->device, &side->direct->unpacked);
}

/* The neighbor's event is waited for by the device, which sees what has been recorded before: hence the notes. */
static sonde_status send_directly(struct rank_exchange *far, struct far_side *side)
{
	(void)rank_notes_await(&side->notes, NOTE_UNPACKED, side->notes.sent[NOTE_SENT], 0.0);
	if (far->status == SONDE_OK)
		keep_failure(far, copy_there(side));
	rank_notes_send(&side->notes, NOTE_SENT);
	return far->status;
}

static sonde_status receive_directly(struct rank_exchange *far, struct far_side *side)
{
	(void)rank_notes_await(&side->notes, NOTE_SENT, side->notes.sent[NOTE_UNPACKED] + 1, 0.0);
	if (far->status == SONDE_OK)
		keep_failure(far, unpack_here(side));
	rank_notes_send(&side->notes, NOTE_UNPACKED);
	return far->status;
}

/* Memory that a neighbor has taken is released after it has been given back. A neighbor that does not come has failed, and will
 * not touch it. Returns whether the side's notes can be forgotten. */
static bool await_close(struct far_side *side)
{
	if (!is_direct(side))
		return true;
	const bool closed = rank_notes_await(&side->notes, NOTE_CLOSED, 1, LONGEST_CLOSE);
	side->direct->is_connected = false;
	if (closed)
		rank_notes_end(&side->notes);
	return closed;
}

static void begin_close(struct far_side *side)
{
	if (!is_direct(side))
		return;
	(void)device_wait(side->device);
	rank_direct_return(side->direct);
	rank_notes_send(&side->notes, NOTE_CLOSED);
}

static bool close_all(struct rank_exchange *far)
{
	bool closed = true;

	for (int n = 0; n < far->count; ++n)
		begin_close(&far->sides[n]);
	for (int n = 0; n < far->count; ++n)
		closed &= await_close(&far->sides[n]);
	return closed;
}

/* By way of the hosts ------------------------------------------------------------------------- */

static bool has_sent(const struct far_side *side)
{
	return side->sent.done == side->sent.pieces;
}

static bool has_received(const struct far_side *side)
{
	return side->expects && side->received.done == side->received.pieces;
}

typedef bool far_condition(const struct far_side *side);

static void go_on_until(struct rank_exchange *far, const struct far_side *side, far_condition *condition)
{
	go_on(far);
	for (long looks = 0; !condition(side); ++looks) {
		rank_rest(looks);
		go_on(far);
	}
}

/* To the host's memory; of GPUs once its queue has come there, beside later steps. */
static sonde_status take(struct far_side *side)
{
	struct far_planes *sent = &side->sent;
	struct plane_packing packing = {.buffer = packs(sent) ? &sent->packed : NULL,
					.memory = packs(sent) ? NULL : sent->memory};
	sonde_status status;

	CHECK(exchange_pack(side->on, sent->planes, &packing));
	if (!packs(sent))
		return SONDE_OK;
	CHECK(record(side->device, &side->packed));
	device_use_queue(side->device, QUEUE_SENT);
	status = device_begin_after(side->device, &side->packed);
	for (int k = 0; k < sent->pieces && status == SONDE_OK; ++k) {
		const struct byte_range piece = piece_of(sent, k);
		status = device_fetch(side->device, &sent->packed, piece.begin, (char *)sent->memory + piece.begin,
				      piece.end - piece.begin);
		if (status == SONDE_OK)
			status = record(side->device, &sent->at_host[k]);
	}
	device_use_queue(side->device, QUEUE_STEPS);
	return status;
}

static sonde_status unpack(struct far_side *side)
{
	struct far_planes *received = &side->received;
	struct plane_packing packing = {.buffer = packs(received) ? &received->packed : NULL,
					.memory = packs(received) ? NULL : received->memory,
					.unpacks = true};

	if (packs(received))
		CHECK(device_begin_after(side->device, &side->at_device));
	CHECK(exchange_pack(side->on, received->planes, &packing));
	return packs(received) ? record(side->device, &side->unpacked) : SONDE_OK;
}

static struct far_side *side_of(const struct streaming *first, enum rank_neighbor neighbor)
{
	const int rank = parallel_rank(first->ranks) + (neighbor == RANK_BEFORE ? -1 : 1);

	for (int n = 0; n < first->far->count; ++n)
		if (first->far->sides[n].rank == rank)
			return &first->far->sides[n];
	return NULL;
}

bool rank_exchange_continues(const struct streaming *first)
{
	return first->far->continues;
}

bool rank_exchange_has(const struct streaming *first, enum rank_neighbor neighbor)
{
	return first->far != NULL && side_of(first, neighbor) != NULL;
}

void rank_exchange_begin(struct streaming *first, uint32_t exchanges)
{
	struct rank_exchange *far = first->far;

	for (int n = 0; n < far->count; ++n) {
		struct far_side *side = &far->sides[n];
		side->left += exchanges;
		if (!far->continues)
			side->sent.begun = side->sent.done = side->sent.pieces;
	}
	far->continues = true;
	go_on(far);
}

sonde_status rank_exchange_send(struct streaming *first, enum rank_neighbor neighbor, sonde_status own)
{
	struct far_side *side = side_of(first, neighbor);

	keep_failure(first->far, own);
	if (side == NULL)
		return first->far->status;
	if (is_direct(side))
		return send_directly(first->far, side);
	go_on_until(first->far, side, has_sent);
	if (first->far->status == SONDE_OK)
		keep_failure(first->far, take(side));
	side->sent.begun = side->sent.done = 0;
	go_on(first->far);
	return first->far->status;
}

sonde_status rank_exchange_receive(struct streaming *first, enum rank_neighbor neighbor, sonde_status own)
{
	struct far_side *side = side_of(first, neighbor);

	keep_failure(first->far, own);
	if (side == NULL)
		return first->far->status;
	if (is_direct(side))
		return receive_directly(first->far, side);
	go_on_until(first->far, side, has_received);
	if (first->far->status == SONDE_OK)
		keep_failure(first->far, unpack(side));
	side->expects = false;
	return first->far->status;
}

static void end_transfers(struct streaming *first)
{
	parallel_end_transfers(first->ranks);
	for (int n = 0; n < first->far->count; ++n)
		rank_notes_sent(&first->far->sides[n].notes);
}

sonde_status rank_exchange_end(struct streaming *first, sonde_status own)
{
	struct rank_exchange *far = first->far;

	keep_failure(far, own);
	for (int n = 0; n < far->count; ++n)
		if (!is_direct(&far->sides[n]))
			go_on_until(far, &far->sides[n], has_sent);
	end_transfers(first);
	far->continues = false;
	own = far->status;
	far->status = SONDE_OK;
	return own;
}

/* After a stop or a failure all ranks have begun the same exchanges: their messages come, into memory that is still there. */
static void end_messages(struct streaming *first)
{
	struct rank_exchange *far = first->far;

	keep_failure(far, SONDE_CANCELLED);
	for (int n = 0; n < far->count; ++n) {
		struct far_side *side = &far->sides[n];
		if (is_direct(side))
			continue;
		go_on_until(far, side, has_sent);
		while (side->expects || side->left > 0) {
			go_on_until(far, side, has_received);
			side->expects = false;
		}
	}
	end_transfers(first);
}

void rank_exchange_free(struct streaming *first)
{
	struct rank_exchange *far = first->far;

	if (far == NULL)
		return;
	if (far->continues)
		end_messages(first);
	/* what an expected note would go into stays */
	const bool closed = close_all(far);
	for (int n = 0; n < far->count; ++n) {
		struct far_side *side = &far->sides[n];
		rank_direct_release(side->direct);
		for (int k = 0; k < side->sent.pieces; ++k)
			device_event_release(side->device, &side->sent.at_host[k]);
		device_event_release(side->device, &side->packed);
		device_event_release(side->device, &side->at_device);
		device_event_release(side->device, &side->unpacked);
		device_host_release(side->device, side->sent.memory);
		device_host_release(side->device, side->received.memory);
		device_release(side->device, &side->sent.packed);
		device_release(side->device, &side->received.packed);
	}
	if (closed)
		free(far);
	first->far = NULL;
}
