/* The grid of a job: its cells, its time step, and its boundaries. */
#ifndef SONDE_FDTD_JOB_DOMAIN_H
#define SONDE_FDTD_JOB_DOMAIN_H

#include "fdtd/job/space.h"

/* Grid and frame only. Fails if the time step is not stable, if layers overlap, and for sizes that are not a
 * reasonable number of cells. `job` must live on. `streamed`: planes go through the device
 * one after the other, for which the engine's x should not be periodic. */
sonde_status job_space_make(const sonde_fdtd_job *job, int threads, bool streamed, struct job_space *space);

#endif
