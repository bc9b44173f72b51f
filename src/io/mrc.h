/* Volumes as MRC files, which CCP4 maps are, too (MRC2014: Cheng et al., J. Struct. Biol. 192 (2015) 146). */
#ifndef SONDE_IO_MRC_H
#define SONDE_IO_MRC_H

#include <stdbool.h>

#include "base/status.h"
#include "io/grid.h"

/* Writes a grid along x, y, z in float32, as the format has it. `label` is cut to 79 bytes. The file appears when it is
 * complete. */
sonde_status mrc_write(const char *path, const struct grid *grid, const double *values, const char *label,
		       bool overwrite);

#endif
