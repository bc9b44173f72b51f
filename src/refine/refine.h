/* Structural parameters of one model that explain a measured curve: the run of sonde refine and its result. */
#ifndef SONDE_REFINE_REFINE_H
#define SONDE_REFINE_REFINE_H

#include "refine/result.h"

struct refine_plan {
	int64_t points, atoms, fitted;
	int64_t structures; /* of a step */
	double pairs;       /* of a structure */
	double seconds;     /* of a step: structures times the time of the first one */
};

/* What a run would do. It computes the first pattern. */
sonde_status refine_plan(sonde_context *context, const struct refine_job *job, const sonde_refine_options *options,
			 struct refine_plan *plan);
/* `output`: the file whose name with .checkpoint keeps the best parameters when the run is stopped on request, which then is SONDE_SUSPENDED;
 * null or "": nothing is kept. The result is freed by refine_result_free(), also after failures. */
sonde_status refine_run(sonde_context *context, const struct refine_job *job, const sonde_refine_options *options,
			const char *output, struct refine_result *result);

#endif
