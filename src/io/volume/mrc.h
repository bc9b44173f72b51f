/* Volumes as MRC files, including CCP4 maps (MRC2014: Cheng et al., J. Struct. Biol. 192 (2015) 146). */
#ifndef SONDE_IO_MRC_H
#define SONDE_IO_MRC_H

#include "io/volume/volume_output.h"

/* Write a grid along x, y, z in float32, as the format requires. The title is truncated to 79 bytes. */
sonde_status mrc_begin(struct volume_output *output);
sonde_status mrc_add(struct volume_output *output, const double *values, const double *vectors, int64_t count);
sonde_status mrc_end(struct volume_output *output);
/* Reads such files of either byte order, with axes in any order and oblique cells, of modes 0 (int8), 1 (int16), 2
 * (float32), 6 (uint16) and 12 (float16); plain or gzip. *volume is not freed after a failure. */
sonde_status mrc_read(const char *path, struct volume *volume);

#endif
