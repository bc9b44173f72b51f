/* Exchange of planes with the ranks before and after this one, of grids that are streamed by several ranks
 * (schedule.shared): each has its own planes, and copies of its neighbors', in the host's memory or in a scratch file. */
#ifndef SONDE_FDTD_STREAMING_HOST_EXCHANGE_H
#define SONDE_FDTD_STREAMING_HOST_EXCHANGE_H

#include "fdtd/streaming/streaming.h"

/* Lists what goes to the neighbors and comes from them, and checks that they expect the same numbers of bytes. All arrays
 * are made. To be released by host_exchange_free(). */
sonde_status host_exchange_prepare(struct streaming *streaming);
void host_exchange_free(struct streaming *streaming);
/* After a pass: sends this rank's outer planes, straight from where they are, and receives its neighbors'. A rank that has
 * failed, `own`, takes part nevertheless, until the ranks agree; its planes do not matter. Returns the first failure. */
sonde_status host_exchange_planes(struct streaming *streaming, sonde_status own);

#endif
