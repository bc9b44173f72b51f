/* Following ions on all devices of a context. */
#ifndef SONDE_IONS_HISTORIES_FOLLOW_H
#define SONDE_IONS_HISTORIES_FOLLOW_H

#include "ions/plan/plan.h"
#include "ions/tallies/sums.h"

/* Called after each round; `sums` are those of complete rounds. */
typedef sonde_status ions_round(void *user, const struct ions_sums *sums);

/* Follows ions up to the number of the plan, starting with number sums->ions, or until the requested precision is
 * reached. Cancelled runs leave the sums of complete rounds in `sums`. *seconds is set to the kernel time. */
sonde_status ions_follow(sonde_context *context, const struct ions_plan *plan, ions_round *after, void *user,
			 struct ions_sums *sums, double *seconds);

#endif
