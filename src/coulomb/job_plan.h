/* The plan of a job, made by the code with which a run begins. */
#ifndef SONDE_COULOMB_JOB_PLAN_H
#define SONDE_COULOMB_JOB_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "run/engine.h"
#include "sonde/coulomb.h"

struct coulomb_job_plan {
	sonde_coulomb_options options; /* with every "auto" decided */
	uint32_t charges, sets;
	bool is_grid;
	int64_t points, size[3];
	double evaluations; /* of a charge at a point, in all sets, or the equivalent of the method */
	double file_bytes;  /* 0: no file */
};

/* Fails in the cases in which a run fails before its sums. */
sonde_status coulomb_job_plan(sonde_context *context, const struct engine_request *request,
			      struct coulomb_job_plan *job, struct engine_estimate *estimate);

#endif
