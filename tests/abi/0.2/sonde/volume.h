/* Scalar and vector fields on grids, in the files of other programs. */
#ifndef SONDE_VOLUME_H
#define SONDE_VOLUME_H

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

#ifdef __cplusplus
}
#endif
#endif
