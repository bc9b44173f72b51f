/* Resuming a run: the result's file, or the checkpoint next to it of a run that was stopped, has all sums of the ions so far and the job that
 * they belong to. */
#ifndef SONDE_IONS_CHECKPOINT_H
#define SONDE_IONS_CHECKPOINT_H

#include "ions/plan/plan.h"
#include "ions/tallies/sums.h"

/* All of a job that its numbers depend on, a line each; to be freed by text_free(). */
void ions_checkpoint_job(const struct ions_plan *plan, struct text *job);
/* Writes PATH.checkpoint, over an older one. */
sonde_status ions_checkpoint_write(const char *path, const struct ions_plan *plan, const struct ions_sums *sums,
				   double seconds);
/* Fills `sums`, which are empty, from PATH.checkpoint or, where there is none, from PATH. Fails where neither is there, or
 * where it belongs to another job: the message names what is different. */
sonde_status ions_checkpoint_read(const char *path, const struct ions_plan *plan, struct ions_sums *sums);

#endif
