/* How long a job takes, by estimate. */
#ifndef SONDE_FDTD_ESTIMATE_H
#define SONDE_FDTD_ESTIMATE_H

#include "fdtd/job/prepared.h"

/* Cell updates a second on the devices of the context, and the seconds of a job whose steps are known, else 0. */
sonde_status fdtd_estimate(struct fdtd_run *run);

#endif
