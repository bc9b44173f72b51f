/* Exchange of planes with the ranks before and after this one, of grids that are streamed by several ranks
 * (schedule.shared): each has its own planes, and copies of its neighbors', in the host's memory or in a scratch file.
 *
 * Skewed slabs go from the first planes to the last ones. Those for the rank before are complete after the first slabs of a
 * pass, and on their way while the others are stepped; that rank needs them for the last slabs of its next pass. Those for
 * the rank after are complete at the end of a pass, and needed at the beginning of its next one: that rank is later by the
 * time of this message from then on, and waits for it once, until the ranks meet at the end of a block of passes. Planes of
 * pyramids and those in a file are exchanged after each pass. */
#ifndef SONDE_FDTD_STREAMING_HOST_EXCHANGE_H
#define SONDE_FDTD_STREAMING_HOST_EXCHANGE_H

#include "fdtd/streaming/streaming.h"

/* Lists what goes to the neighbors and comes from them, and checks that they expect the same numbers of bytes. All arrays
 * are made. Ranks of one machine share memory for that, which they copy to and from with `threads`; others send messages of
 * MPI. To be released by host_exchange_free(). */
sonde_status host_exchange_prepare(struct streaming *streaming, int threads);
void host_exchange_free(struct streaming *streaming);

/* All of these do nothing if the grid is not shared. Within a pass (passes.c): before planes are loaded from the host's
 * memory, or stored there, waits until they have come, or have been sent. */
void host_exchange_await(struct streaming *streaming, struct plane_range planes, bool stores);
/* Whether all planes for the rank before are among those before `end`, the last one stored so far, and are still to be
 * sent; and sends them, once they are in the host's memory. */
bool host_exchange_has_first(const struct streaming *streaming, uint32_t end);
void host_exchange_send_first(struct streaming *streaming);
/* Continues with messages on their way. */
void host_exchange_go_on(struct streaming *streaming);

/* After a pass of all ranks: the exchange of all planes that are not yet on their way. A rank that has failed, `own`, takes
 * part nevertheless, until the ranks agree; its planes do not matter. If it is the `last` pass of a block, or neither
 * skewed nor in memory, waits until all have come and been sent. Returns the first failure. */
sonde_status host_exchange_after_pass(struct streaming *streaming, bool last, sonde_status own);

#endif
