/* What files are called where that is not their path: a file that a job names is found beside the job, and the standard
 * input is kept in a file without a name. Messages have the path that was opened; what describes a run has the name that the user wrote,
 * which is the same wherever the run was started. */
#ifndef SONDE_BASE_FILE_NAMES_H
#define SONDE_BASE_FILE_NAMES_H

#include "base/status.h"

/* Records that the file at `path` was written as `name`, for the rest of the process. Both are copied; may be called from any
 * thread. Fails with SONDE_RESOURCE where memory is short. */
sonde_status file_names_set(const char *path, const char *name);
/* That name; `path` itself where none was recorded. Names live as long as the process. */
const char *file_names_get(const char *path);

#endif
