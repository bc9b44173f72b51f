/* Volumes as VTK images (legacy format), for ParaView, VisIt and others. */
#ifndef SONDE_IO_VTK_H
#define SONDE_IO_VTK_H

#include "io/volume/volume_output.h"

/* Write values and vectors of a grid along x, y, z, binary. */
sonde_status vtk_begin(struct volume_output *output);
sonde_status vtk_add(struct volume_output *output, const double *values, const double *vectors, int64_t count);
/* An image with several arrays. Numbers are in the order of the result, the last index fastest; in the file the first one is. */
struct vtk_array {
	const char *name;       /* without blanks */
	const double *parts[3]; /* of a vector; the others null: a scalar */
};
struct vtk_image {
	const char *title; /* a line of at most 255 bytes */
	int64_t size[3];
	double origin[3], spacing[3];
	bool single; /* numbers of 4 bytes, else of 8 */
	int count;
	const struct vtk_array *arrays;
};
/* Writes an image; non-finite values become 0. The file appears when it is complete. */
sonde_status vtk_write_image(const char *path, const struct vtk_image *image, bool overwrite);

/* Reads such files, text or binary, float or double: the first SCALARS and the first VECTORS. Lengths are in the unit that the title names
 * ("lengths in micrometres"), else in Angstrom. *volume is not freed after a
 * failure. */
sonde_status vtk_read(const char *path, struct volume *volume);

#endif
