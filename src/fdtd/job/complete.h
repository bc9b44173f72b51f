/* A caller's job as this library has it: structs of programs compiled with an older version are shorter. */
#ifndef SONDE_FDTD_JOB_COMPLETE_H
#define SONDE_FDTD_JOB_COMPLETE_H

#include "matter/sample/sample.h"
#include "sonde/fdtd.h"

enum { JOB_BOUNDARIES, JOB_MATERIALS, JOB_BODIES, JOB_SOURCES, JOB_MONITORS, JOB_LISTS };

struct complete_job {
	sonde_fdtd_job job; /* the caller's, with all options; shares the items whose structs are of this version */
	void *copies[JOB_LISTS];    /* of items of another version, or of all; null: shared */
	struct sample_lists joined; /* with the job's sample; empty without one */
};

/* The lists contain those of the job's sample, which is then `joined`. SONDE_INVALID if the job, or an item of a list, was not set up by its init function. To be released by
 * job_complete_free(), also after a failure. */
sonde_status job_complete(const sonde_fdtd_job *given, struct complete_job *complete);
/* The same with copies of all items, without their lines in the job's file. The solid of `build` is shared. */
sonde_status job_copy(const sonde_fdtd_job *given, struct complete_job *complete);
void job_complete_free(struct complete_job *complete);

#endif
