/* Files named in a job. */
#ifndef SONDE_JOB_FILES_H
#define SONDE_JOB_FILES_H

#include "base/options.h"

/* Replaces the name of an option's file in the job file `job` by its path: in the job's folder, else in the current
 * one. Absolute names, options that are not input files, and values that need not be files are kept. SONDE_INVALID if
 * it is in neither folder. */
sonde_status job_find_file(const char *job, const struct option_row *row, void *options);

#endif
