/* VASP's structures: POSCAR and CONTCAR, from version 5 on, which name the species. */
#ifndef SONDE_IO_POSCAR_H
#define SONDE_IO_POSCAR_H

#include <stdint.h>

#include "base/status.h"
#include "io/atoms/atom_sink.h"

/* Reads a file, plain or gzip. The structure is periodic along all three edges. A file has one frame. Velocities after the atoms are
 * ignored. */
sonde_status poscar_read(const char *path, int64_t frame, const struct atom_sink *sink);

#endif
