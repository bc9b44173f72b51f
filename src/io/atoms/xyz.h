/* XYZ and extended XYZ files. */
#ifndef SONDE_IO_XYZ_H
#define SONDE_IO_XYZ_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "io/atoms/atom_sink.h"
#include "io/text/lines.h"

/* Reads frame `frame` (from 1) of the file, plain or gzip; 0 requires a single frame. Columns are label x y z, or given by
 * Properties in the comment line; a column charge, charges, initial_charges or partial_charges of type R holds charges, one
 * occupancy, occupancies or occ occupancies from 0 to 1. In plain XYZ a fifth and last column of numbers above 0 and up to 1 on
 * every line is taken for occupancies; any other is ignored, with a note. */
sonde_status xyz_read(const char *path, int64_t frame, const struct atom_sink *sink);

/* Reads the next frame of an open file, for frames one after the other; *ended at the end of the file. */
sonde_status xyz_next(struct line_reader *reader, const struct atom_sink *sink, bool *ended);
/* The same without reading its atoms; only sink->cancelled is called. */
sonde_status xyz_skip(struct line_reader *reader, const struct atom_sink *sink, bool *ended);

#endif
