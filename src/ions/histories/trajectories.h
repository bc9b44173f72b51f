/* Paths of the first ions and of the atoms that they set going. */
#ifndef SONDE_IONS_HISTORIES_TRAJECTORIES_H
#define SONDE_IONS_HISTORIES_TRAJECTORIES_H

#include "ions/plan/plan.h"

/* Follows as many of the first ions as the plan's option says, at most `ions`, once more, which makes the same histories, and keeps
 * their vertices in the result. */
sonde_status trajectories_follow(sonde_context *context, const struct ions_plan *plan, int64_t ions,
				 sonde_ions_result *result);

#endif
