/* Volumes as VTK images (legacy format, binary), for ParaView, VisIt and others. */
#ifndef SONDE_IO_VTK_H
#define SONDE_IO_VTK_H

#include <stdbool.h>

#include "base/status.h"
#include "io/grid.h"

/* Writes the potential and the field (three numbers a point) of a grid along x, y, z; either may be null. `title` is one
 * line. The file appears when it is complete. */
sonde_status vtk_write(const char *path, const struct grid *grid, const double *potential, const double *field,
		       const char *title, bool overwrite);

#endif
