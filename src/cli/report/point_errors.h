/* Errors of a pattern at its points, for which its file has a table alone. */
#ifndef SONDE_CLI_REPORT_POINT_ERRORS_H
#define SONDE_CLI_REPORT_POINT_ERRORS_H

#include "base/text.h"
#include "io/containers/hdf5.h"
#include "sonde/context.h"

/* An object for each array of errors of the pattern at `path`, with a comma in front; none for other files, and for those with
 * more points than are read as a whole. Fails only for lack of memory, or if it is stopped. */
sonde_status point_errors_append(sonde_context *context, struct hdf5_reader *reader, const char *path,
				 struct text *page);

#endif
