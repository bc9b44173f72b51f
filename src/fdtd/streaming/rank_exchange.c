#include "fdtd/streaming/rank_exchange.h"

#include <stdlib.h>

#include "base/memory.h"
#include "device/peers.h"
#include "fdtd/streaming/exchange.h"
#include "parallel/parallel.h"

#define WHAT "the planes of neighbors"
#define QUEUE_STEPS 0
#define QUEUE_RECEIVED 1

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
	int numbers[MOST_PIECES + 1];                 /* of transfers of received pieces */
	int taken;                                    /* pieces to the device */
};

/* A neighbor on another rank. */
struct far_side {
	struct streaming *on; /* its neighbor here */
	struct device *device;
	int rank;
	struct far_planes sent, received;
	/* all received pieces are on the device, and have been unpacked */
	struct device_event at_device, unpacked;
};

struct rank_exchange {
	int count;
	struct far_side sides[2];
};

static sonde_status make_planes(struct far_side *side, struct far_planes *of)
{
	struct plane_packing counted = {.bytes = 0};

	CHECK(exchange_pack(side->on, of->planes, &counted));
	of->bytes = counted.bytes;
	of->piece = of->bytes / MOST_PIECES > PIECE_BYTES ? of->bytes / MOST_PIECES : PIECE_BYTES;
	of->pieces = (int)((of->bytes + of->piece - 1) / of->piece);
	CHECK(device_host_allocate(side->device, of->bytes, WHAT, &of->memory));
	if (!device_properties(side->device)->gpu_kernels || !device_reaches(side->device, side->device))
		return SONDE_OK;
	return device_allocate(side->device, of->bytes, WHAT, &of->packed);
}

static sonde_status make_side(struct rank_exchange *far, struct streaming *on, int rank)
{
	const struct schedule *schedule = &on->schedule;
	const struct plane_range own = schedule->own, kept = schedule_kept(schedule);
	const uint32_t ahead = schedule->height + schedule->lag, behind = schedule->height * (1 + schedule->lag);
	struct far_side *side = &far->sides[far->count++];

	*side = (struct far_side){.on = on, .device = on->device, .rank = rank};
	if (rank < parallel_rank(on->ranks)) {
		/* the rank before keeps planes after its own, and this one some before */
		side->sent.planes = (struct plane_range){own.begin, own.begin + ahead};
		side->received.planes = (struct plane_range){kept.begin, own.begin};
	} else {
		side->sent.planes = (struct plane_range){own.end - behind, own.end};
		side->received.planes = (struct plane_range){own.end, kept.end};
	}
	CHECK(make_planes(side, &side->sent));
	return make_planes(side, &side->received);
}

enum { TO_BEFORE, FROM_BEFORE, TO_AFTER, FROM_AFTER, COUNTS };

/* Ranks whose grids differ would wait for bytes that never come. */
static sonde_status compare_sizes(const struct streaming *first)
{
	const struct rank_exchange *far = first->far;
	const int rank = parallel_rank(first->ranks);
	uint64_t own[COUNTS] = {0}, *all;
	sonde_status status = SONDE_OK;
	void *bytes;
	size_t size;

	for (int n = 0; n < far->count; ++n) {
		uint64_t *of = own + (far->sides[n].rank < rank ? TO_BEFORE : TO_AFTER);
		of[0] = far->sides[n].sent.bytes;
		of[1] = far->sides[n].received.bytes;
	}
	CHECK(parallel_gather(first->ranks, own, sizeof own, &bytes, &size));
	all = bytes;
	for (int k = 0; k + 1 < parallel_size(first->ranks); ++k, all += COUNTS)
		if (all[TO_AFTER] != all[COUNTS + FROM_BEFORE] || all[FROM_AFTER] != all[COUNTS + TO_BEFORE])
			status =
			    status_fail(SONDE_INTERNAL, "ranks %d and %d do not share the same planes", k, k + 1);
	free(bytes);
	return status;
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
	if (first->ranks == NULL)
		return SONDE_OK;
	CHECK(make_sides(first));
	return compare_sizes(first);
}

void rank_exchange_free(struct streaming *first)
{
	struct rank_exchange *far = first->far;

	for (int n = 0; far != NULL && n < far->count; ++n) {
		struct far_side *side = &far->sides[n];
		for (int k = 0; k < side->sent.pieces; ++k)
			device_event_release(side->device, &side->sent.at_host[k]);
		device_event_release(side->device, &side->at_device);
		device_event_release(side->device, &side->unpacked);
		device_host_release(side->device, side->sent.memory);
		device_host_release(side->device, side->received.memory);
		device_release(side->device, &side->sent.packed);
		device_release(side->device, &side->received.packed);
	}
	free(far);
	first->far = NULL;
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

static int begin_piece(const struct far_side *side, const struct far_planes *of, int number)
{
	const struct byte_range piece = piece_of(of, number);
	const struct parallel_transfer transfer = {.rank = side->rank,
						   .sends = of == &side->sent,
						   .bytes = (char *)of->memory + piece.begin,
						   .size = piece.end - piece.begin};

	return parallel_begin_transfer(side->on->ranks, &transfer);
}

/* Planes of the exchange before must be on the device, before others come into the same memory. */
static sonde_status begin_to_receive(struct far_side *side, sonde_status own)
{
	struct far_planes *received = &side->received;
	const sonde_status status = own == SONDE_OK && packs(received) && received->taken > 0
					? device_event_wait(side->device, &side->at_device)
					: own;

	received->taken = 0;
	for (int k = 0; k < received->pieces; ++k)
		received->numbers[k] = begin_piece(side, received, k);
	return status;
}

/* To the host's memory; of GPUs once its queue has come there. */
static sonde_status take(struct far_side *side)
{
	struct far_planes *sent = &side->sent;
	struct plane_packing packing = {.buffer = packs(sent) ? &sent->packed : NULL,
					.memory = packs(sent) ? NULL : sent->memory};

	CHECK(exchange_pack(side->on, sent->planes, &packing));
	for (int k = 0; k < sent->pieces && packs(sent); ++k) {
		const struct byte_range piece = piece_of(sent, k);
		CHECK(device_fetch(side->device, &sent->packed, piece.begin, (char *)sent->memory + piece.begin,
				   piece.end - piece.begin));
		CHECK(record(side->device, &sent->at_host[k]));
	}
	return SONDE_OK;
}

/* Received pieces in their order, to the device: those that are there, or all. */
static sonde_status put(struct far_side *side, bool all)
{
	struct far_planes *received = &side->received;
	sonde_status status = SONDE_OK;

	if (!packs(received))
		return SONDE_OK;
	device_use_queue(side->device, QUEUE_RECEIVED);
	if (received->taken == 0)
		status = device_begin_after(side->device, &side->unpacked);
	while (status == SONDE_OK && received->taken < received->pieces &&
	       parallel_has_arrived(side->on->ranks, received->numbers[received->taken], all)) {
		const struct byte_range piece = piece_of(received, received->taken++);
		status = device_send(side->device, &received->packed, piece.begin,
				     (char *)received->memory + piece.begin, piece.end - piece.begin);
	}
	if (status == SONDE_OK && all)
		status = record(side->device, &side->at_device);
	device_use_queue(side->device, QUEUE_STEPS);
	return status;
}

static sonde_status send_pieces(struct rank_exchange *far, struct far_side *side, sonde_status own)
{
	struct far_planes *sent = &side->sent;
	sonde_status status = own;

	for (int k = 0; k < sent->pieces; ++k) {
		if (status == SONDE_OK && packs(sent))
			status = device_event_wait(side->device, &sent->at_host[k]);
		begin_piece(side, sent, k);
		for (int n = 0; n < far->count && status == SONDE_OK; ++n)
			status = put(&far->sides[n], false);
	}
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

sonde_status rank_exchange_planes(struct streaming *first, sonde_status own)
{
	struct rank_exchange *far = first->far;
	sonde_status status = own;

	for (int n = 0; far != NULL && n < far->count; ++n)
		status = begin_to_receive(&far->sides[n], status);
	for (int n = 0; far != NULL && n < far->count && status == SONDE_OK; ++n)
		status = take(&far->sides[n]);
	for (int n = 0; far != NULL && n < far->count; ++n)
		status = send_pieces(far, &far->sides[n], status);
	for (int n = 0; far != NULL && n < far->count && status == SONDE_OK; ++n)
		status = put(&far->sides[n], true);
	if (far != NULL)
		parallel_end_transfers(first->ranks);
	for (int n = 0; far != NULL && n < far->count && status == SONDE_OK; ++n)
		status = unpack(&far->sides[n]);
	return status;
}
