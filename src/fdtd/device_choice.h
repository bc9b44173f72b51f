/* How a grid is divided among several devices. */
#ifndef SONDE_FDTD_DEVICE_CHOICE_H
#define SONDE_FDTD_DEVICE_CHOICE_H

#include "fdtd/job/prepared.h"

/* Chooses the context's devices that share the grid, by planes of x in proportion to their rates, and the steps between
 * their exchanges. Of run->on, count is 1 if one device has all of it; then run->alone is the reason, if there are
 * others: null otherwise. */
sonde_status fdtd_choose_devices(struct fdtd_run *run);
/* The same for the devices of several ranks, in their order: run->on has those of this rank, and ranks if they share the grid;
 * else run->alone is the reason. If the grid `streams`, each rank has one device, and run->most_height steps of a pass at
 * most; fdtd_choose_streaming() chooses them. */
sonde_status fdtd_choose_ranks(struct fdtd_run *run, bool streams);
/* The reason why ranks that stream a grid use one device each. */
extern const char fdtd_one_device_of_rank[];
/* After fdtd_estimate(): the rate and the time of the devices of all ranks. */
sonde_status fdtd_estimate_ranks(struct fdtd_run *run);
/* The bytes of the device that needs most, without monitors; and a device that has not as many: null if all have. */
sonde_status fdtd_count_device_memory(const struct fdtd_run *run, double *most, const struct device **lacks);
/* Of a grid that is streamed, as run->schedule says: the devices through which its planes go one after the other, and
 * their rate. */
sonde_status fdtd_choose_chain(struct fdtd_run *run);
/* After fdtd_estimate(): the rate of the devices together. */
void fdtd_estimate_exchanges(struct fdtd_run *run);
/* Notes which devices are not used, and why. */
sonde_status fdtd_note_devices(const struct fdtd_run *run);

#endif
