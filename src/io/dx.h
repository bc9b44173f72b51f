/* Scalar fields on grids as OpenDX text, in the dialect that VMD, PyMOL, Chimera and APBS read. */
#ifndef SONDE_IO_DX_H
#define SONDE_IO_DX_H

#include "io/volume.h"

/* Writes the values, with the comments before them; gzip if the path ends in .gz. In the file the last index is the
 * fastest. The file appears when it is complete. */
sonde_status dx_write(const char *path, const struct volume *volume, bool overwrite);
/* Reads such files, plain or gzip, of type float or double; data must be text and follow the header. *volume is not
 * freed after a failure. */
sonde_status dx_read(const char *path, struct volume *volume);

#endif
