#include "fdtd/streaming/rank_exchange.h"

#include <stdlib.h>

#include "base/memory.h"
#include "device/peers.h"
#include "fdtd/streaming/exchange.h"
#include "parallel/parallel.h"

#define WHAT "the planes of neighbors"

/* Planes that are sent, or received: packed on the device, unless it is the host itself, and in the host's memory. */
struct far_planes {
	struct plane_range planes;
	size_t bytes;
	void *memory;
	struct device_buffer packed;
};

/* A neighbor on another rank. */
struct far_side {
	struct streaming *on; /* its neighbor here */
	struct device *device;
	int rank;
	struct far_planes sent, received;
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
		device_host_release(side->device, side->sent.memory);
		device_host_release(side->device, side->received.memory);
		device_release(side->device, &side->sent.packed);
		device_release(side->device, &side->received.packed);
	}
	free(far);
	first->far = NULL;
}

/* To the host's memory. */
static sonde_status take(struct far_side *side)
{
	struct far_planes *sent = &side->sent;
	const bool packs = sent->packed.memory != NULL;
	struct plane_packing packing = {.buffer = packs ? &sent->packed : NULL,
					.memory = packs ? NULL : sent->memory};

	CHECK(exchange_pack(side->on, sent->planes, &packing));
	return packs ? device_read(side->device, &sent->packed, 0, sent->memory, sent->bytes) : SONDE_OK;
}

static sonde_status put(struct far_side *side)
{
	struct far_planes *received = &side->received;
	const bool packs = received->packed.memory != NULL;
	struct plane_packing packing = {
	    .buffer = packs ? &received->packed : NULL, .memory = packs ? NULL : received->memory, .unpacks = true};

	/* the memory is free again once the next planes have been taken, which the device does after this */
	if (packs)
		CHECK(device_send(side->device, &received->packed, 0, received->memory, received->bytes));
	return exchange_pack(side->on, received->planes, &packing);
}

sonde_status rank_exchange_planes(struct streaming *first, sonde_status own)
{
	struct rank_exchange *far = first->far;
	struct parallel_transfer transfers[PARALLEL_MOST_TRANSFERS];
	sonde_status status = own;
	int count = 0;

	if (far == NULL)
		return status;
	for (int n = 0; n < far->count; ++n) {
		struct far_side *side = &far->sides[n];
		if (status == SONDE_OK)
			status = take(side);
		transfers[count++] =
		    (struct parallel_transfer){side->rank, false, side->received.memory, side->received.bytes};
		transfers[count++] =
		    (struct parallel_transfer){side->rank, true, side->sent.memory, side->sent.bytes};
	}
	parallel_exchange(first->ranks, transfers, count);
	for (int n = 0; n < far->count && status == SONDE_OK; ++n)
		status = put(&far->sides[n]);
	return status;
}
