/* Trajectories in CHARMM's, NAMD's and LAMMPS's binary format DCD. */
#ifndef SONDE_IO_DCD_H
#define SONDE_IO_DCD_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct dcd;

/* Opens a file, plain or gzip, of either byte order, with record markers of 32 bits, and reads what precedes its frames. */
sonde_status dcd_open(const char *path, struct dcd **dcd);
void dcd_close(struct dcd **dcd);
/* Number of atoms. */
int64_t dcd_atoms(const struct dcd *dcd);
/* Number of frames according to the file; 0: not specified. */
int64_t dcd_frames(const struct dcd *dcd);

/* A frame: `positions` are x, y, z of each atom in Angstrom, owned by `dcd`, until the next call; null at the end of the file.
 * `lattice`: rows a, b, c; null if the frame has no cell. */
sonde_status dcd_next(struct dcd *dcd, const double **positions, const double **lattice);
/* Skips a frame without reading its numbers; *ended at the end of the file. */
sonde_status dcd_skip(struct dcd *dcd, bool *ended);

#endif
