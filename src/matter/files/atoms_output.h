/* Files of atoms by the endings of their names. */
#ifndef SONDE_MATTER_ATOMS_OUTPUT_H
#define SONDE_MATTER_ATOMS_OUTPUT_H

#include "sonde/atoms.h"

/* Endings of the files that sonde_atoms_write() can write, separated by blanks. */
#define ATOMS_OUTPUT_FILES                                                                                          \
	".xyz .xyz.gz .extxyz .extxyz.gz .pdb .pdb.gz .cif .cif.gz .lmp .lmp.gz .data .data.gz .vasp .vasp.gz .h5 " \
	".hdf5 .nxs"

/* SONDE_INVALID, with the valid endings, for a name with another one. */
sonde_status atoms_check_ending(const char *path);
/* The same for compact ensembles (atoms/placed_atoms.h), which only HDF5 files can have. */
sonde_status atoms_check_compact_ending(const char *path);

#endif
