/* Volumes as VTK images (legacy format), for ParaView, VisIt and others. */
#ifndef SONDE_IO_VTK_H
#define SONDE_IO_VTK_H

#include "io/volume.h"

/* Writes values and vectors of a grid along x, y, z, binary. The file appears when it is complete. */
sonde_status vtk_write(const char *path, const struct volume *volume, bool overwrite);
/* Reads such files, text or binary, float or double: the first SCALARS and the first VECTORS. *volume is not freed after a
 * failure. */
sonde_status vtk_read(const char *path, struct volume *volume);

#endif
