/* Far fields and maps of sonde fdtd. */
#ifndef SONDE_CLI_PLOT_FDTD_MAPS_H
#define SONDE_CLI_PLOT_FDTD_MAPS_H

#include "cli/plot/fdtd_drawing.h"

sonde_status add_far_field(struct drawing *drawing, const sonde_fdtd_monitor *monitor);
sonde_status add_map(struct drawing *drawing, const sonde_fdtd_monitor *monitor);

#endif
