#include "fdtd/streaming/rank_direct.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "device/peers.h"
#include "device/sharing.h"

#define WHAT "the planes of neighbors"
#define HOST_SIZE 64
#define PROBE_BYTES 4096

/* What a rank offers a neighbor. */
struct offer {
	uint64_t is_made, token; /* the token is what it will copy to the neighbor as a test */
	char host[HOST_SIZE];
	struct device_ticket received, sent, unpacked;
};

/* Numbers that processes do not have in common by chance. */
static uint64_t make_token(const struct parallel *ranks, int side)
{
	const double now = clock_seconds();
	uint64_t bits;

	memcpy(&bits, &now, sizeof bits);
	return (bits ^ (uint64_t)getpid() << 32) * UINT64_C(0x9E3779B97F4A7C15) + 2 * (uint64_t)parallel_rank(ranks) +
	       (uint64_t)side + 1;
}

static bool offers(struct direct_side *side, struct offer *offer)
{
	return side->device != NULL && side->received->memory != NULL && device_shares(side->device) &&
	       device_offer_buffer(side->device, side->received, &offer->received) == SONDE_OK &&
	       device_offer_event(side->device, &side->sent, &offer->sent) == SONDE_OK &&
	       device_offer_event(side->device, &side->unpacked, &offer->unpacked) == SONDE_OK;
}

static bool takes(struct direct_side *side, const struct offer *own, const struct offer *offer)
{
	return own->is_made && offer->is_made && strcmp(own->host, offer->host) == 0 &&
	       device_take_buffer(side->device, &offer->received, side->bytes_there, &side->there) == SONDE_OK &&
	       device_take_event(side->device, &offer->sent, &side->sent_there) == SONDE_OK &&
	       device_take_event(side->device, &offer->unpacked, &side->unpacked_there) == SONDE_OK;
}

/* The token to the neighbor's buffer, as planes go. */
static sonde_status send_token(struct direct_side *side, uint64_t token)
{
	struct device_buffer buffer = {.memory = NULL};
	const struct device_bytes from = {side->device, &buffer, 0}, to = {side->device, &side->there, 0};

	CHECK(device_upload(side->device, &token, sizeof token, WHAT, &buffer));
	sonde_status status = device_begin_after(side->device, &side->unpacked_there);
	if (status == SONDE_OK)
		status = device_copy(&from, &to, sizeof token);
	if (status == SONDE_OK)
		status = device_renew_event(side->device, &side->sent);
	if (status == SONDE_OK)
		status = device_wait(side->device);
	device_release(side->device, &buffer);
	return status;
}

static bool has_come(struct direct_side *side, uint64_t expected)
{
	uint64_t token = 0;

	return device_begin_after(side->device, &side->sent_there) == SONDE_OK &&
	       device_read(side->device, side->received, 0, &token, sizeof token) == SONDE_OK &&
	       device_renew_event(side->device, &side->unpacked) == SONDE_OK && token == expected;
}

/* A connection remains if both of its ranks want it to. */
static sonde_status agree(struct parallel *ranks, struct direct_side sides[DIRECT_SIDES], bool *every)
{
	const int rank = parallel_rank(ranks), count = parallel_size(ranks);
	const uint32_t own[DIRECT_SIDES] = {sides[DIRECT_BEFORE].is_connected, sides[DIRECT_AFTER].is_connected};
	const uint32_t(*all)[DIRECT_SIDES];
	void *bytes;
	size_t size;

	CHECK(parallel_gather(ranks, own, sizeof own, &bytes, &size));
	all = bytes;
	*every = true;
	for (int k = 0; k + 1 < count; ++k) {
		const bool both = all[k][DIRECT_AFTER] && all[k + 1][DIRECT_BEFORE];
		*every = *every && both;
		if (k == rank)
			sides[DIRECT_AFTER].is_connected = both;
		if (k + 1 == rank)
			sides[DIRECT_BEFORE].is_connected = both;
	}
	free(bytes);
	return SONDE_OK;
}

/* The offer of a side's neighbor to this rank. */
static const struct offer *neighbor_of(const struct offer (*all)[DIRECT_SIDES], int rank, int side)
{
	return side == DIRECT_BEFORE ? &all[rank - 1][DIRECT_AFTER] : &all[rank + 1][DIRECT_BEFORE];
}

static sonde_status connect_all(struct parallel *ranks, struct direct_side sides[DIRECT_SIDES],
				const struct offer own[DIRECT_SIDES], const struct offer (*all)[DIRECT_SIDES],
				bool *every)
{
	const int rank = parallel_rank(ranks);

	for (int n = 0; n < DIRECT_SIDES; ++n)
		sides[n].is_connected =
		    sides[n].device != NULL && takes(&sides[n], &own[n], neighbor_of(all, rank, n));
	CHECK(agree(ranks, sides, every));
	for (int n = 0; n < DIRECT_SIDES; ++n)
		sides[n].is_connected = sides[n].is_connected && send_token(&sides[n], own[n].token) == SONDE_OK;
	CHECK(agree(ranks, sides, every));
	for (int n = 0; n < DIRECT_SIDES; ++n)
		sides[n].is_connected =
		    sides[n].is_connected && has_come(&sides[n], neighbor_of(all, rank, n)->token);
	return agree(ranks, sides, every);
}

sonde_status rank_direct_connect(struct parallel *ranks, struct direct_side sides[DIRECT_SIDES], bool *every)
{
	struct offer own[DIRECT_SIDES];
	void *bytes;
	size_t size;

	memset(own, 0, sizeof own);
	for (int n = 0; n < DIRECT_SIDES; ++n) {
		own[n].is_made = offers(&sides[n], &own[n]);
		own[n].token = make_token(ranks, n);
		snprintf(own[n].host, sizeof own[n].host, "%s", parallel_host(ranks));
	}
	CHECK(parallel_gather(ranks, own, sizeof own, &bytes, &size));
	const sonde_status status = connect_all(ranks, sides, own, bytes, every);
	free(bytes);
	/* all ranks have taken, or not, what was offered */
	for (int n = 0; n < DIRECT_SIDES; ++n) {
		sides[n].is_connected = sides[n].is_connected && status == SONDE_OK;
		if (!sides[n].is_connected)
			rank_direct_return(&sides[n]);
	}
	return status;
}

void rank_direct_return(struct direct_side *side)
{
	if (side->device == NULL)
		return;
	device_return_buffer(side->device, &side->there);
	device_event_release(side->device, &side->sent_there);
	device_event_release(side->device, &side->unpacked_there);
}

void rank_direct_release(struct direct_side *side)
{
	if (side->device == NULL)
		return;
	device_event_release(side->device, &side->sent);
	device_event_release(side->device, &side->unpacked);
}

sonde_status rank_direct_probe(struct parallel *ranks, struct device *first, struct device *last, bool *every)
{
	const int rank = parallel_rank(ranks);
	struct device_buffer received[DIRECT_SIDES] = {{.memory = NULL}, {.memory = NULL}};
	struct direct_side sides[DIRECT_SIDES] = {
	    {.device = rank > 0 ? first : NULL, .received = &received[DIRECT_BEFORE], .bytes_there = PROBE_BYTES},
	    {.device = rank + 1 < parallel_size(ranks) ? last : NULL,
	     .received = &received[DIRECT_AFTER],
	     .bytes_there = PROBE_BYTES}};
	sonde_status status;

	/* without a buffer nothing is lent */
	for (int n = 0; n < DIRECT_SIDES; ++n)
		if (sides[n].device != NULL && device_shares(sides[n].device))
			(void)device_allocate(sides[n].device, PROBE_BYTES, WHAT, &received[n]);
	status = rank_direct_connect(ranks, sides, every);
	for (int n = 0; n < DIRECT_SIDES; ++n)
		rank_direct_return(&sides[n]);
	if (status == SONDE_OK)
		status = parallel_agree(ranks, status);
	for (int n = 0; n < DIRECT_SIDES; ++n) {
		rank_direct_release(&sides[n]);
		device_release(sides[n].device, &received[n]);
	}
	return status;
}
