/* Scalar fields on grids as OpenDX text, in the dialect that VMD, PyMOL, Chimera and APBS read. */
#ifndef SONDE_IO_DX_H
#define SONDE_IO_DX_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "io/grid.h"

/* Writes `values`, the first index fastest, with `comments` (lines that begin with "#") before them; gzip if the path
 * ends in .gz. In the file the last index is the fastest. The file appears when it is complete. */
sonde_status dx_write(const char *path, const struct grid *grid, const double *values, const char *comments,
		      bool overwrite);

#endif
