/* Exchange of planes (exchange.h) with the ranks before and after this one: the first device of a rank is the neighbor of
 * the last device of the rank before. Planes go by way of the host's memory, pinned where GPUs have it. */
#ifndef SONDE_FDTD_STREAMING_RANK_EXCHANGE_H
#define SONDE_FDTD_STREAMING_RANK_EXCHANGE_H

#include "fdtd/streaming/streaming.h"

/* Makes the buffers, and checks that the neighbors expect the same numbers of bytes; a no-op without ranks. All planes are
 * made, and linked by `beside`. To be released by rank_exchange_free(). */
sonde_status rank_exchange_prepare(struct streaming *first);
void rank_exchange_free(struct streaming *first);
/* Copies the outer planes to the neighbors, and theirs to here. A rank that has failed, `own`, takes part in all exchanges
 * until the ranks agree, as the others wait for it; its planes do not matter. Returns its failure. */
sonde_status rank_exchange_planes(struct streaming *first, sonde_status own);

#endif
