/* Exchange of planes (exchange.h) with the ranks before and after this one: the first device of a rank is the neighbor of
 * the last device of the rank before. Planes go from GPU to GPU where that is possible (rank_direct.h), else by way of the host's
 * memory, pinned where GPUs have it. */
#ifndef SONDE_FDTD_STREAMING_RANK_EXCHANGE_H
#define SONDE_FDTD_STREAMING_RANK_EXCHANGE_H

#include "fdtd/streaming/streaming.h"

/* Makes the buffers, and checks that the neighbors expect the same numbers of bytes; a no-op without ranks. All planes are
 * made, and linked by `beside`. To be released by rank_exchange_free(). */
sonde_status rank_exchange_prepare(struct streaming *first);
void rank_exchange_free(struct streaming *first);
/* The planes of a number of exchanges, one after the other: each rank sends its outer planes to its neighbors, and receives
 * theirs, in this order or the other; those that are sent are packed behind the work on queue 0, and copied and sent beside later
 * work, those that are received are unpacked ahead of it. From a neighbor the planes of an exchange are received before those of the
 * next one are sent to it. A no-op where there is no such neighbor. A rank that has failed, `own`,
 * takes part in all exchanges until the ranks agree, as the others wait for it; its planes do not matter. All return the first
 * failure. rank_exchange_end() waits until all has been sent; without it the exchanges continue with those that begin next. */
enum rank_neighbor { RANK_BEFORE, RANK_AFTER };
bool rank_exchange_has(const struct streaming *first, enum rank_neighbor neighbor);
void rank_exchange_begin(struct streaming *first, uint32_t exchanges);
/* Whether the planes of the last exchange are still to be received. */
bool rank_exchange_continues(const struct streaming *first);
sonde_status rank_exchange_send(struct streaming *first, enum rank_neighbor neighbor, sonde_status own);
sonde_status rank_exchange_receive(struct streaming *first, enum rank_neighbor neighbor, sonde_status own);
sonde_status rank_exchange_end(struct streaming *first, sonde_status own);

/* Bytes that a rank sends to the rank before and receives from it, in this order, and those of the rank after. Fails on all
 * ranks if neighbors expect other numbers. */
struct rank_exchange_sizes {
	uint64_t before[2], after[2];
};
sonde_status rank_exchange_compare(struct parallel *ranks, const struct rank_exchange_sizes *own);

#endif
