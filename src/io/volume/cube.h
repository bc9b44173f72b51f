/* Volumes as Gaussian cube files, for quantum chemistry programs, VMD, ASE and others. */
#ifndef SONDE_IO_CUBE_H
#define SONDE_IO_CUBE_H

#include "io/volume/volume_output.h"

/* Write the values, lengths in bohr; charges are written as atoms of number 0. gzip if the path ends in .gz. In the file the
 * last index is the fastest. */
sonde_status cube_begin(struct volume_output *output);
sonde_status cube_add(struct volume_output *output, const double *values, const double *vectors, int64_t count);
/* Reads a file with one value per point, plain or gzip, lengths in bohr or (negative counts) Angstrom. *volume is not
 * freed after a failure. */
sonde_status cube_read(const char *path, struct volume *volume);

#endif
