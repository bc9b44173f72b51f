/* How a grid is divided among several devices. */
#ifndef SONDE_FDTD_DEVICE_CHOICE_H
#define SONDE_FDTD_DEVICE_CHOICE_H

#include "fdtd/job/prepared.h"

/* Chooses the context's devices that share the grid, by planes of x in proportion to their rates, and the steps between
 * their exchanges. Of run->on, count is 1 if one device has all of it; then run->alone is the reason, if there are
 * others: null otherwise. */
sonde_status fdtd_choose_devices(struct fdtd_run *run);
/* The same for the devices of several ranks, in their order: run->on has those of this rank, and ranks if they share the grid;
 * else run->alone is the reason. If the grid `streams`, run->most_height is the most steps of a pass; fdtd_choose_streaming()
 * chooses them. */
sonde_status fdtd_choose_ranks(struct fdtd_run *run, bool streams);
/* After fdtd_estimate(): the rate and the time of the devices of all ranks. */
sonde_status fdtd_estimate_ranks(struct fdtd_run *run);
/* The bytes of the device that needs most, without monitors; and a device that has not as many: null if all have. */
sonde_status fdtd_count_device_memory(const struct fdtd_run *run, double *most, const struct device **lacks);
/* After fdtd_estimate(): the rate of the devices together. */
void fdtd_estimate_exchanges(struct fdtd_run *run);
/* Notes which devices are not used, and why. */
sonde_status fdtd_note_devices(const struct fdtd_run *run);

/* Adds the context's devices of the kind of its first one to run->on, and counts the others. */
sonde_status fdtd_list_devices(struct fdtd_run *run, int *others);
/* Ends of the planes of run->on, the same share of the rates of all; whether each has enough. */
bool fdtd_share_planes(struct fdtd_run *run, uint32_t planes);
/* Time of a step at the plan's rate. */
double fdtd_seconds_alone(const struct fdtd_run *run);

#endif
