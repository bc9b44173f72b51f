/* What a run takes, by estimate. */
#ifndef SONDE_COULOMB_ESTIMATE_H
#define SONDE_COULOMB_ESTIMATE_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "run/context.h"

/* Sums that are to be done: of charges at points, or as many as another method is equal to. */
double coulomb_evaluations(const struct charges *charges, const struct targets *targets,
			   const struct coulomb_plan *plan);
/* Seconds of a batch of charges with that plan on the devices of the context, without reading and writing files. */
sonde_status coulomb_estimate_seconds(sonde_context *context, const struct charges *charges,
				      const struct targets *targets, const struct coulomb_plan *plan,
				      double *seconds);
/* Bytes of a file of so many numbers at the targets (path null: no file), and the seconds until the devices are ready and for
 * writing it. */
sonde_status coulomb_estimate_file(sonde_context *context, const char *path, const struct targets *targets,
				   double numbers, double *bytes, double *seconds);

#endif
