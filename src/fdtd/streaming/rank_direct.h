/* Copies of planes from the GPU of one rank to that of another one of the same machine, without the host: each rank lends its
 * neighbors the buffers into which they copy, and events that order the copies (device/sharing.h). Where that fails, for
 * whatever reason, planes go by way of the hosts (rank_exchange.h). */
#ifndef SONDE_FDTD_STREAMING_RANK_DIRECT_H
#define SONDE_FDTD_STREAMING_RANK_DIRECT_H

#include <stdbool.h>

#include "device/device.h"
#include "parallel/parallel.h"

enum { DIRECT_BEFORE, DIRECT_AFTER, DIRECT_SIDES };

/* What this rank and a neighbor have of each other. */
struct direct_side {
	/* set by the caller: this rank's device, null if there is no neighbor, and the buffer for the neighbor's planes, of at least 8
	 * bytes; without memory it is not lent */
	struct device *device;
	const struct device_buffer *received;
	bool is_connected;
	/* this rank's copy to the neighbor is complete; the planes that the neighbor has copied have been unpacked */
	struct device_event sent, unpacked;
	/* of the neighbor: the buffer for this rank's planes, of `bytes_there`, set by the caller; its copy to this rank is complete;
	 * what this rank has copied has been unpacked */
	size_t bytes_there;
	struct device_buffer there;
	struct device_event sent_there, unpacked_there;
};

/* Connects all ranks with their neighbors, as far as that is possible, and tests each connection with a copy; all ranks come
 * here. *all: whether all neighbors are connected. Fails only if the ranks cannot exchange messages. */
sonde_status rank_direct_connect(struct parallel *ranks, struct direct_side sides[DIRECT_SIDES], bool *all);
/* Gives back what is the neighbor's; this rank's events are released once the neighbor has done the same. */
void rank_direct_return(struct direct_side *side);
void rank_direct_release(struct direct_side *side);

/* Whether all ranks, whose first and last device these are, can be connected: for plans. All ranks come here. */
sonde_status rank_direct_probe(struct parallel *ranks, struct device *first, struct device *last, bool *all);

#endif
