/* A job without references to its other parts: compositions in place of names of materials, and solids in place of that of its
 * block `build`. Plans, checkpoints and files of results contain the job in this form. */
#ifndef SONDE_IONS_SETTLED_JOB_H
#define SONDE_IONS_SETTLED_JOB_H

#include "matter/sample/sample.h"
#include "matter/shape/body.h"
#include "sonde/ions.h"

struct settled_job {
	sonde_ions_options *options; /* owned, and so are the items of bodies */
	struct body_list bodies;
	struct sample_lists lists;  /* the job's with those of its sample, to which bodies refer; owned */
	const sonde_sample *sample; /* of the job; null: none */
};

/* To be freed by ions_job_settled_free(), also after a failure. */
sonde_status ions_job_settle(const sonde_ions_job *job, struct settled_job *settled);
void ions_job_settled_free(struct settled_job *settled);

#endif
