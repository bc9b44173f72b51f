/* Scalar fields on grids as OpenDX text, in the dialect that VMD, PyMOL, Chimera and APBS read. */
#ifndef SONDE_IO_DX_H
#define SONDE_IO_DX_H

#include "io/volume/volume_output.h"

/* Write the values, with the comments before them; gzip if the path ends in .gz. In the file the last index is the
 * fastest. */
sonde_status dx_begin(struct volume_output *output);
sonde_status dx_add(struct volume_output *output, const double *values, const double *vectors, int64_t count);
sonde_status dx_end(struct volume_output *output);
/* Reads such files, plain or gzip, of type float or double; the data must be text and follow the header. *volume is
 * not freed after a failure. */
sonde_status dx_read(const char *path, struct volume *volume);

#endif
