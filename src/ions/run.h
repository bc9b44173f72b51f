/* The common beginning of a run and its plan; and the conversion of sums to a result, for a run or a file. */
#ifndef SONDE_IONS_RUN_H
#define SONDE_IONS_RUN_H

#include "ions/plan/plan.h"
#include "ions/tallies/sums.h"

/* sonde_ions_job_plan(), and all other checks and notes of a run with its result in this file (null: in memory)
 * before its first ion. */
sonde_status ions_run_plan(sonde_context *context, const sonde_ions_job *job, const char *path,
			   struct sonde_ions_plan **plan);
const struct ions_plan *ions_run_plan_of(const struct sonde_ions_plan *plan);
/* Fills a result with existing provenance, except paths and times; takes ownership of the sums: *sums becomes
 * null. */
sonde_status ions_result_make(const struct ions_plan *plan, struct ions_sums **sums, sonde_ions_result *result);
/* Sets until_missed, whether the precision requested by --until was not reached. */
sonde_status ions_look_at_precision(const struct ions_plan *plan, const struct ions_sums *sums,
				    sonde_ions_result *result);

#endif
