/* Options of `sonde fdtd` and of the items of a job's lists: from options.def, boundary.def and the others; of bodies matter/shape/body.h. */
#ifndef SONDE_FDTD_OPTION_TABLES_H
#define SONDE_FDTD_OPTION_TABLES_H

#include "base/options.h"

extern const struct option_table fdtd_option_table, fdtd_boundary_table, fdtd_source_table, fdtd_monitor_table;

#endif
