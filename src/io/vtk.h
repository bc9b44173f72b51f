/* Volumes as VTK images (legacy format), for ParaView, VisIt and others. */
#ifndef SONDE_IO_VTK_H
#define SONDE_IO_VTK_H

#include "io/volume_output.h"

/* Write values and vectors of a grid along x, y, z, binary. */
sonde_status vtk_begin(struct volume_output *output);
sonde_status vtk_add(struct volume_output *output, const double *values, const double *vectors, int64_t count);
/* Reads such files, text or binary, float or double: the first SCALARS and the first VECTORS. *volume is not freed after a
 * failure. */
sonde_status vtk_read(const char *path, struct volume *volume);

#endif
