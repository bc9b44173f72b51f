/* Exchange of planes between neighbors, of grids that are streamed by several devices (schedule.shared), those of this
 * process or of several ranks: each device has its own planes, and copies of its neighbors', in the host's memory or in a
 * scratch file. Between devices of one process planes are copied, between ranks they are sent; what is said of ranks
 * here applies to both, except that a device of the same process stores skewed slabs for the device after in two places
 * (passes.c).
 *
 * Skewed slabs go from the first planes to the last ones. Those for the rank before are complete after the first slabs of a
 * pass, and on their way while the others are stepped; that rank needs them for the last slabs of its next pass. Those for
 * the rank after are complete at the end of a pass, and needed at the beginning of its next one: that rank is later by the
 * time of this message from then on, and waits for it once, until the ranks meet at the end of a block of passes. Planes of
 * pyramids and those in a file are exchanged after each pass. */
#ifndef SONDE_FDTD_STREAMING_HOST_EXCHANGE_H
#define SONDE_FDTD_STREAMING_HOST_EXCHANGE_H

#include "fdtd/streaming/streaming.h"

/* Whether planes may be on their way while slabs are stepped. */
static inline bool host_exchange_is_beside_steps(const struct streaming *streaming)
{
	return streaming->schedule.shared && streaming->schedule.method == STREAMING_SKEW && streaming->store == NULL;
}

/* Lists what goes to the neighbors of all devices of this process and comes from them, and checks that they expect the same
 * numbers of bytes. All arrays are made, and linked by `beside`. Ranks of one machine share memory for that, which they copy
 * to and from with `threads`; others send messages of MPI. To be released by host_exchange_free() of each. */
sonde_status host_exchange_prepare(struct streaming *first, int threads);
void host_exchange_free(struct streaming *streaming);

/* Within a pass (passes.c) of a grid that is shared: whether all of these planes of a device that come from its neighbors have
 * come, so that they may be loaded from the host's memory; or, if it `stores` them there, whether those for its neighbors have
 * been sent. */
bool host_exchange_is_free(const struct streaming *streaming, struct plane_range planes, bool stores);
/* All of these do nothing if the grid is not shared. */
/* Whether all planes for the device before are among those before `end`, the last one stored so far, and are still to be
 * sent; and sends them, once they are in the host's memory. */
bool host_exchange_has_first(const struct streaming *streaming, uint32_t end);
void host_exchange_send_first(const struct streaming *streaming);
/* Continues with all that is on its way, of all devices of this process. */
void host_exchange_go_on(const struct streaming *streaming);

/* After a pass of all ranks, of all devices from the first one on: the exchange of all planes that are not yet on their way.
 * A rank that has failed, `own`, takes part nevertheless, until the ranks agree; its planes do not matter. If it is the
 * `last` pass of a block, or neither skewed nor in memory, waits until all have come and been sent. Returns the first
 * failure. */
sonde_status host_exchange_after_pass(struct streaming *first, bool last, sonde_status own);

#endif
