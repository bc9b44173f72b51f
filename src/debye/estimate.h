/* Estimates of time and memory of a run. */
#ifndef SONDE_DEBYE_ESTIMATE_H
#define SONDE_DEBYE_ESTIMATE_H

#include "debye/debye.h"
#include "run/engine.h"

/* Time and memory of a complete plan on the devices of the context. */
sonde_status debye_estimate(sonde_context *context, const sonde_atoms *atoms, const struct debye_plan *plan,
			    struct engine_estimate *estimate);

#endif
