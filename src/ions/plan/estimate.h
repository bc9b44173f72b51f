/* Estimates of time and memory of a run. */
#ifndef SONDE_IONS_PLAN_ESTIMATE_H
#define SONDE_IONS_PLAN_ESTIMATE_H

#include "ions/plan/plan.h"
#include "run/context.h"

struct ions_estimate {
	double flights, recoil_collisions; /* per ion: its own, and those of all its recoils */
	double tally_bytes;                /* on a device */
	double host_bytes;
	double seconds;
};

sonde_status ions_estimate_make(sonde_context *context, const struct ions_plan *plan, struct ions_estimate *estimate);

#endif
