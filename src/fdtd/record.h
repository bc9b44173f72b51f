/* The job in its result. */
#ifndef SONDE_FDTD_RECORD_H
#define SONDE_FDTD_RECORD_H

#include "fdtd/job/prepared.h"

/* Makes the result's provenance, which belongs to it, also after a failure. */
sonde_status fdtd_record(struct fdtd_run *run, sonde_fdtd_result *result);
/* Its plan once more: windows may have become smaller since. */
void fdtd_record_plan(const struct fdtd_run *run, sonde_fdtd_result *result);

#endif
