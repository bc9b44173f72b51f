/* GROMACS's compressed trajectories XTC, of either kind: up to 300 million atoms, and more. */
#ifndef SONDE_IO_TRAJECTORY_XTC_H
#define SONDE_IO_TRAJECTORY_XTC_H

#include "io/trajectory/trajectory_format.h"

extern const struct trajectory_format xtc_format;

#endif
