/* Curves of sonde fdtd. Titles are left to the caller; other settings that they change are restored. */
#ifndef SONDE_CLI_PLOT_FDTD_CURVES_H
#define SONDE_CLI_PLOT_FDTD_CURVES_H

#include "cli/plot/fdtd_drawing.h"

void append_ratios(struct drawing *drawing);
void append_powers(struct drawing *drawing);
void append_sections(struct drawing *drawing, const sonde_fdtd_monitor *monitor);
void append_traces(struct drawing *drawing);
void append_resonances(struct drawing *drawing, const sonde_fdtd_monitor *monitor);

#endif
