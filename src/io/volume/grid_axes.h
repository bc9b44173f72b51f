/* Axes of a grid in an HDF5 group, for programs that draw it. */
#ifndef SONDE_IO_GRID_AXES_H
#define SONDE_IO_GRID_AXES_H

#include "io/containers/hdf5.h"
#include "io/volume/volume.h"

/* Names of the datasets with the axes, one for each step. They are x, y, z, with coordinates, if the steps are along
 * x, y, z in this order, apart from those of axes with one point; else a, b, c, with distances from the origin along
 * each step. */
const char *const *grid_axis_names(const struct grid *grid);
/* Whether the points are on a line: at most one axis has several. */
bool grid_is_line(const struct grid *grid);
/* Writes the axes, in Angstrom; of a line that is not along x also the coordinates x, y, z of its points. */
sonde_status grid_axes_write(struct hdf5_writer *writer, const char *group, const struct grid *grid);
/* The path of the dataset with axis k of a group. Files of earlier versions have x, y, z for all grids. */
const char *grid_axis_path(struct hdf5_reader *reader, const char *group, int k, char path[96]);

#endif
