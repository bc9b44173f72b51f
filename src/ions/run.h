/* The beginning that a run and its plan share; and from sums to a result, of a run or of a file. */
#ifndef SONDE_IONS_RUN_H
#define SONDE_IONS_RUN_H

#include "ions/plan/plan.h"
#include "ions/tallies/sums.h"

/* sonde_ions_job_plan(), and what else a run with its result in that file (null: in memory) refuses and remarks before its first ion. */
sonde_status ions_run_plan(sonde_context *context, const sonde_ions_job *job, const char *path,
			   struct sonde_ions_plan **plan);
const struct ions_plan *ions_run_plan_of(const struct sonde_ions_plan *plan);
/* Fills a result, whose provenance is there, but for its paths and times; takes the sums: *sums becomes null. */
sonde_status ions_result_make(const struct ions_plan *plan, struct ions_sums **sums, sonde_ions_result *result);
/* Whether what --until asks for was reached: until_missed. */
sonde_status ions_look_at_precision(const struct ions_plan *plan, const struct ions_sums *sums,
				    sonde_ions_result *result);

#endif
