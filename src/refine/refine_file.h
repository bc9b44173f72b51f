/* Files with results of sonde refine: HDF5 in NeXus form, or a table of the parameters. */
#ifndef SONDE_REFINE_REFINE_FILE_H
#define SONDE_REFINE_REFINE_FILE_H

#include <stdbool.h>

#include "refine/refine.h"
#include "run/result_table.h"

#define REFINE_OUTPUT_FILES RESULT_NEXUS_ENDINGS " " RESULT_TABLE_ENDINGS

/* With the command and the devices of the context. */
sonde_status refine_file_write(sonde_context *context, const struct refine_result *result, const char *path,
			       bool overwrite);

#endif
