/* Paths of the first ions and of the atoms that they set going. */
#ifndef SONDE_IONS_TRAJECTORIES_H
#define SONDE_IONS_TRAJECTORIES_H

#include "ions/plan.h"

/* Follows as many ions as the plan's option says once more, which makes the same histories, and keeps their vertices in the
 * result. */
sonde_status trajectories_follow(sonde_context *context, const struct ions_plan *plan, sonde_ions_result *result);

#endif
