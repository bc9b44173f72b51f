/* Files with results of sonde match: HDF5 in NeXus form, or a table of the weights. */
#ifndef SONDE_MATCH_MATCH_FILE_H
#define SONDE_MATCH_MATCH_FILE_H

#include <stdbool.h>

#include "match/match.h"
#include "run/result_table.h"

#define MATCH_OUTPUT_FILES RESULT_NEXUS_ENDINGS " " RESULT_TABLE_ENDINGS

/* With the command and the device of the context. */
sonde_status match_file_write(sonde_context *context, const struct match_result *result, const char *path,
			      bool overwrite);

#endif
