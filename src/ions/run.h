/* From sums to a result, of a run or of a file. */
#ifndef SONDE_IONS_RUN_H
#define SONDE_IONS_RUN_H

#include "ions/plan/plan.h"
#include "ions/tallies/sums.h"

/* Fills a result, whose provenance is there, but for its paths and times; takes the sums: *sums becomes null. */
sonde_status ions_result_make(const struct ions_plan *plan, struct ions_sums **sums, sonde_ions_result *result);
/* Whether what --until asks for was reached: until_missed. */
sonde_status ions_look_at_precision(const struct ions_plan *plan, const struct ions_sums *sums,
				    sonde_ions_result *result);

#endif
