/* Curves of sonde fdtd, each in the last panel of the figure. */
#ifndef SONDE_CLI_PLOT_FDTD_CURVES_H
#define SONDE_CLI_PLOT_FDTD_CURVES_H

#include "cli/plot/fdtd_drawing.h"

sonde_status add_ratios(struct drawing *drawing);
sonde_status add_powers(struct drawing *drawing);
sonde_status add_sections(struct drawing *drawing, const sonde_fdtd_monitor *monitor);
sonde_status add_traces(struct drawing *drawing);
void add_resonances(struct drawing *drawing, const sonde_fdtd_monitor *monitor);

#endif
