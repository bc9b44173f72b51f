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

/* Reads such an HDF5 file, completely: every number has the bits that were written. `options` become those of the run, and have to live as
 * long as the result. SONDE_INVALID for damaged files, and those without a part. Freed by match_result_free(), also after a failure. */
sonde_status match_file_read(const char *path, sonde_match_options *options, struct match_result *result);

#endif
