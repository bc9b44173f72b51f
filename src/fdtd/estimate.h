/* Estimated duration of a job. */
#ifndef SONDE_FDTD_ESTIMATE_H
#define SONDE_FDTD_ESTIMATE_H

#include "fdtd/job/prepared.h"

/* Cell updates per second on the devices of the context, and the duration of a job in seconds if its steps are known,
 * else 0. */
sonde_status fdtd_estimate(struct fdtd_run *run);

/* Of a grid on one device: takes into account how a CPU steps grids that are larger than its caches, and fields in 16
 * bits. */
void fdtd_estimate_way(struct fdtd_run *run, struct device *device);

/* The same after that: takes into account that steps are taken in pairs, if that is likely. */
void fdtd_estimate_pairs(struct fdtd_run *run, struct device *device);

/* Terms of the faces through which a plane wave enters. */
double fdtd_terms_of_wave(const struct fdtd_run *run);

#endif
