/* Paths of the first ions and of their recoils. */
#ifndef SONDE_IONS_HISTORIES_TRAJECTORIES_H
#define SONDE_IONS_HISTORIES_TRAJECTORIES_H

#include "ions/plan/plan.h"

/* Follows the number of first ions given by the plan's option, at most `ions`, again, which gives the same
 * histories, and stores their vertices in the result. */
sonde_status trajectories_follow(sonde_context *context, const struct ions_plan *plan, int64_t ions,
				 sonde_ions_result *result);

#endif
