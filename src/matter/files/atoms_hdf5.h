/* Atoms in HDF5 files, NeXus: the group /structure/atoms with positions (float64), species (numbers of labels), labels, and cell, periodic,
 * occupancies, displacements, and charges if there are any. */
#ifndef SONDE_MATTER_ATOMS_HDF5_H
#define SONDE_MATTER_ATOMS_HDF5_H

#include <stdbool.h>

#include "io/containers/hdf5.h"
#include "matter/atoms/atoms.h"

/* .h5, .hdf5 or .nxs */
bool atoms_hdf5_has_ending(const char *path);
/* Whether the file has a structure. */
bool atoms_hdf5_is_structure(struct hdf5_reader *reader);
/* Complete or absent; arrays are written to the disk as they are in memory, without a copy. `context` may be null. */
sonde_status atoms_hdf5_write(sonde_context *context, const sonde_atoms *atoms, const char *path, bool overwrite);
/* Fills atoms that are empty. */
sonde_status atoms_hdf5_read(sonde_context *context, const char *path, sonde_atoms *atoms);

#endif
