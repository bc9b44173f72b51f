/* The checkpoint of a mean: the sums over the samples so far. */
#ifndef SONDE_DEBYE_MEAN_CHECKPOINT_H
#define SONDE_DEBYE_MEAN_CHECKPOINT_H

#include "debye/means/mean.h"
#include "matter/samples/samples.h"
#include "run/report.h"

/* The lines by which jobs are compared: version, options, the source of the samples, and the positions in the first one. */
sonde_status mean_checkpoint_job(const struct sonde_debye_mean *mean, struct samples *samples,
				 const sonde_atoms *first, struct text *job);
/* Writes PATH.checkpoint, replacing an older one. */
sonde_status mean_checkpoint_save(const char *path, struct sonde_debye_mean *mean, struct text *job);
/* Restores the sums from it; the mean has its first sample only, which gives the sizes of everything. SONDE_INVALID if the
 * file is of another job. */
sonde_status mean_checkpoint_restore(const char *path, struct sonde_debye_mean *mean, struct text *job);

/* For `sonde info`. */
bool mean_is_checkpoint(const char *path);
sonde_status mean_describe_checkpoint(const char *path, struct report *report);

#endif
