/* A pass of a grid's planes through several devices, one after the other, by time skewing: device g makes steps g n to
 * (g + 1) n - 1 of the pass, each on a window of planes of its own, and hands every plane over to the next device. The
 * first one loads planes from the host, the last one stores them there. Each plane crosses the link to the host once in
 * each direction, and all devices work at the same time. */
#ifndef SONDE_FDTD_STREAMING_CHAIN_H
#define SONDE_FDTD_STREAMING_CHAIN_H

#include "fdtd/streaming/streaming.h"

/* A slab of a device: its planes at its first step are those from `begin` on, before `end`, and lie one further back at
 * each later one; only those of the grid exist. */
struct chain_slab {
	int64_t begin, end;
	uint32_t first_step, steps; /* of the device, among those of the pass */
	struct plane_range load, store;
};

/* All streaming is made, and linked by `beside`: makes the buffers between the devices. To be released by chain_free(),
 * before any of these is. */
sonde_status chain_prepare(struct streaming *first);
void chain_free(struct streaming *first);
/* Steps that device number `position` makes in a pass, and those that the devices before it make. */
void chain_share(const struct schedule *schedule, uint32_t steps, uint32_t position, struct chain_slab *slab);
/* `step` is called for each slab of each device, on its queue 0. */
typedef sonde_status chain_stepper(void *user, uint32_t position, const struct chain_slab *slab);
sonde_status chain_pass(struct streaming *first, uint32_t steps, chain_stepper *step, void *user);

#endif
