/* The best parameters of a refinement that was stopped: lines "NAME VALUE" in a file next to the output. */
#ifndef SONDE_REFINE_STATE_H
#define SONDE_REFINE_STATE_H

#include "refine/job.h"

/* OUTPUT.checkpoint */
sonde_status refine_state_write(const char *output, const struct refine_job *job, const double *values);
/* SONDE_INVALID for files of other jobs, and values that are not within the bounds. */
sonde_status refine_state_read(const char *output, const struct refine_job *job, double *values);
void refine_state_remove(const char *output);

#endif
