/* Following ions on all devices of a context. */
#ifndef SONDE_IONS_HISTORIES_FOLLOW_H
#define SONDE_IONS_HISTORIES_FOLLOW_H

#include "ions/plan/plan.h"
#include "ions/tallies/sums.h"

/* Told after each round; `sums` are those of whole rounds. */
typedef sonde_status ions_round(void *user, const struct ions_sums *sums);

/* Follows ions until there are as many as the plan says, beginning with number sums->ions, or until they are precise enough.
 * Cancelled runs leave in `sums` what whole rounds have given. *seconds becomes those in kernels. */
sonde_status ions_follow(sonde_context *context, const struct ions_plan *plan, ions_round *after, void *user,
			 struct ions_sums *sums, double *seconds);

#endif
