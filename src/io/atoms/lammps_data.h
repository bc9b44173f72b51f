/* Data files of LAMMPS. */
#ifndef SONDE_IO_LAMMPS_DATA_H
#define SONDE_IO_LAMMPS_DATA_H

#include <stdint.h>

#include "base/status.h"
#include "io/atoms/atom_sink.h"

/* Reads a file, plain or gzip, in units metal or real. Atom styles atomic, charge, bond, angle, molecular and full, by the comment in
 * "Atoms # STYLE", or by the number of columns. Elements are the labels of types, the comments of Masses, or have the masses
 * (sink->element). The file does not specify whether the sample is periodic. Atoms are delivered in the order of their
 * numbers, within the box where the file has them: image flags are ignored. */
sonde_status lammps_data_read(const char *path, int64_t frame, const struct atom_sink *sink);

#endif
