/* Files that a job names. */
#ifndef SONDE_JOB_FILES_H
#define SONDE_JOB_FILES_H

#include "base/options.h"

/* Puts the path of an option's file in place of its name in the job file `job`: beside the job, else in the current folder. Absolute
 * names, options that are no files to read, and values that need not be files are left as they are. SONDE_INVALID if it is in neither folder. */
sonde_status job_find_file(const char *job, const struct option_row *row, void *options);

#endif
