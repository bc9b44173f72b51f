/* Resuming a run: the result file, or the checkpoint next to it of a stopped run, has all sums of the ions so far
 * and their job. */
#ifndef SONDE_IONS_CHECKPOINT_H
#define SONDE_IONS_CHECKPOINT_H

#include "ions/plan/plan.h"
#include "ions/tallies/sums.h"

/* All parameters of a job that affect its numbers, one per line; to be freed by text_free(). */
void ions_checkpoint_job(const struct ions_plan *plan, struct text *job);
/* Writes PATH.checkpoint, replacing an older one. */
sonde_status ions_checkpoint_write(const char *path, const struct ions_plan *plan, const struct ions_sums *sums,
				   double seconds);
/* Fills `sums`, which are empty, from PATH.checkpoint or, if there is none, from PATH. Fails if neither exists, or
 * if it belongs to another job: the message names the difference. */
sonde_status ions_checkpoint_read(const char *path, const struct ions_plan *plan, struct ions_sums *sums);

#endif
