/* Volumes as Gaussian cube files, for programs of quantum chemistry, VMD, ASE and others. */
#ifndef SONDE_IO_CUBE_H
#define SONDE_IO_CUBE_H

#include "io/volume.h"

/* Writes the values, lengths in bohr; charges are written as atoms of number 0. gzip if the path ends in .gz. The file
 * appears when it is complete. */
sonde_status cube_write(const char *path, const struct volume *volume, bool overwrite);
/* Reads a file with one value a point, plain or gzip, lengths in bohr or (negative counts) Angstrom. *volume is not freed
 * after a failure. */
sonde_status cube_read(const char *path, struct volume *volume);

#endif
