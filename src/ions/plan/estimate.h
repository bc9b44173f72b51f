/* What a run takes, by estimate. */
#ifndef SONDE_IONS_PLAN_ESTIMATE_H
#define SONDE_IONS_PLAN_ESTIMATE_H

#include "ions/plan/plan.h"
#include "run/context.h"

struct ions_estimate {
	double flights, recoil_collisions; /* of an ion: its own, and those of all atoms that it sets in motion */
	double tally_bytes;                /* of a device */
	double host_bytes;
	double seconds;
};

sonde_status ions_estimate_make(sonde_context *context, const struct ions_plan *plan, struct ions_estimate *estimate);

#endif
