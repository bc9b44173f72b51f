/* The grid of a job: its cells, its step of time, and what is at the sides. */
#ifndef SONDE_FDTD_JOB_DOMAIN_H
#define SONDE_FDTD_JOB_DOMAIN_H

#include "fdtd/job/space.h"

/* Grid and frame only. Fails where the step of time is not stable, layers overlap, and for sizes that are no whole cells of reason. `job` must live
 * on. */
sonde_status job_space_make(const sonde_fdtd_job *job, int threads, struct job_space *space);

#endif
