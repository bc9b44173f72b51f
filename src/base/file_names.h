/* Names of files that differ from their paths: paths in a job are relative to the job's folder, and the standard
 * input is kept in a file without a name. Messages give the path that was opened; descriptions of a run give the name
 * that the user wrote, which does not depend on where the run was started. */
#ifndef SONDE_BASE_FILE_NAMES_H
#define SONDE_BASE_FILE_NAMES_H

#include "base/status.h"

/* Records that the file at `path` was written as `name`, for the rest of the process. Both are copied; may be called from any
 * thread. Fails with SONDE_RESOURCE where memory is short. */
sonde_status file_names_set(const char *path, const char *name);
/* That name; `path` itself where none was recorded. Names live as long as the process. */
const char *file_names_get(const char *path);

#endif
