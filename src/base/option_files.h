/* Files named in a job, or in another file of options. */
#ifndef SONDE_BASE_OPTION_FILES_H
#define SONDE_BASE_OPTION_FILES_H

#include "base/options.h"

/* Replaces the name of an option's file in the file `job` by its path: in the job's folder, else in the current one. `owner` is that of
 * the folder for the message, as "the job". Absolute names, options that are not input files, and values that need not be files are kept. SONDE_INVALID if
 * it is in neither folder. */
sonde_status option_find_file(const char *job, const char *owner, const struct option_row *row, void *options);

#endif
