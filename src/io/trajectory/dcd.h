/* Trajectories in CHARMM's, NAMD's and LAMMPS's binary format DCD, of either byte order, with record markers of 32 bits. */
#ifndef SONDE_IO_TRAJECTORY_DCD_H
#define SONDE_IO_TRAJECTORY_DCD_H

#include "io/trajectory/trajectory_format.h"

extern const struct trajectory_format dcd_format;

#endif
