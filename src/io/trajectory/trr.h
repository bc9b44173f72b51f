/* GROMACS's trajectories TRR, in either precision. Only frames with positions count. */
#ifndef SONDE_IO_TRAJECTORY_TRR_H
#define SONDE_IO_TRAJECTORY_TRR_H

#include "io/trajectory/trajectory_format.h"

extern const struct trajectory_format trr_format;

#endif
