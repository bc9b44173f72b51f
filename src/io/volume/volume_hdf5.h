/* Volumes in HDF5 files in NeXus form. */
#ifndef SONDE_IO_VOLUME_HDF5_H
#define SONDE_IO_VOLUME_HDF5_H

#include "io/volume/volume.h"

/* Writes /volume (NXentry) with /volume/data (NXdata). The file appears when it is complete. */
sonde_status volume_hdf5_write(const char *path, const struct volume *volume, bool overwrite);
/* Reads such a file, or the potential on a grid from a result of sonde coulomb. *volume is not freed after a failure.
 */
sonde_status volume_hdf5_read(const char *path, struct volume *volume);

#endif
