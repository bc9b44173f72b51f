/* Scalar and vector fields on grids, in the files of other programs. */
#ifndef SONDE_VOLUME_H
#define SONDE_VOLUME_H

#include <stdint.h>

#include "sonde/status.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Converts a volume; the endings of the names give the formats: OpenDX (.dx, .dx.gz), Gaussian cube (.cube, .cube.gz,
 * .cub), MRC and CCP4 (.mrc .map .ccp4), VTK images (.vtk), HDF5 (.h5 .hdf5 .nxs: results of sonde coulomb, and files
 * written by this function), and, for writing only, a table x y z value (.xy .dat .txt .csv). Numbers are unchanged,
 * in their unit; lengths are in the unit of each format. MRC files have float32. The file appears when it is
 * complete; an existing one is an error unless `overwrite`. */
SONDE_API sonde_status sonde_volume_convert(const char *from, const char *to, int overwrite);

/* Writes a map of voxels for bodies of the shape `voxels` and the option `voxels` of ions: an HDF5 file (.h5 .hdf5 .nxs) with
 * /voxels/materials or /voxels/permittivities, whichever is not null, sizes[2] x sizes[1] x sizes[0] numbers, z slowest; and
 * /voxels/spacing along x, y, z, in the unit of the body's `scale`, Angstrom by default. `origin`, the place of the corner of
 * the first voxel in that unit, may be null: the map's middle is then its origin. The file appears when it is complete; an
 * existing one is an error unless `overwrite`. */
SONDE_API sonde_status sonde_voxels_write(const char *path, const int64_t sizes[3], const int64_t *materials,
					  const double *permittivities, const double spacing[3], const double *origin,
					  int overwrite);

#ifdef __cplusplus
}
#endif
#endif
