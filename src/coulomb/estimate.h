/* Estimates of time and memory of a run. */
#ifndef SONDE_COULOMB_ESTIMATE_H
#define SONDE_COULOMB_ESTIMATE_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "run/context.h"

/* Number of sums of charges at points, or the equivalent of another method. */
double coulomb_evaluations(const struct charges *charges, const struct targets *targets,
			   const struct coulomb_plan *plan);
/* Seconds for a batch of charges with this plan on the devices of the context, without reading and writing files. */
sonde_status coulomb_estimate_seconds(sonde_context *context, const struct charges *charges,
				      const struct targets *targets, const struct coulomb_plan *plan,
				      double *seconds);
/* Bytes of a file with this many numbers at the targets (path null: no file), and the seconds until the devices
 * are ready and for writing it. */
sonde_status coulomb_estimate_file(sonde_context *context, const char *path, const struct targets *targets,
				   double numbers, double *bytes, double *seconds);

#endif
