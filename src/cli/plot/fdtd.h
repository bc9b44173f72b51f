/* Panels of the pictures of sonde fdtd; internal. */
#ifndef SONDE_CLI_PLOT_FDTD_H
#define SONDE_CLI_PLOT_FDTD_H

#include <stdbool.h>

#include "base/text.h"
#include "sonde/fdtd.h"

#define LONGEST_WAVE 3e-5 /* m; longer ones are given as frequencies */

enum panel_kind {
	PANEL_RATIOS,     /* transmissions and reflections of all fluxes */
	PANEL_POWERS,     /* of fluxes that are not normalized, and absorbed */
	PANEL_SECTIONS,   /* cross-sections */
	PANEL_TRACES,     /* of all points */
	PANEL_RESONANCES, /* this and the following: of one monitor */
	PANEL_FAR,
	PANEL_MAP
};

struct panel {
	enum panel_kind kind;
	const sonde_fdtd_monitor *monitor; /* null if it shows several */
};

/* A growing script; its data blocks are numbered. */
struct drawing {
	const sonde_fdtd_result *result;
	struct text *script;
	int blocks;
	int plot_axes; /* of the program */
};

/* A value in SI units times `factor` is in units of `name`. */
struct scale {
	double factor;
	const char *name;
};
/* Chosen by the largest number that is drawn. */
struct scale scale_of_length(double largest);
struct scale scale_of_area(double largest);
struct scale scale_of_time(double largest);
struct scale scale_of_frequency(double largest);
/* The largest absolute value among finite numbers. */
double largest_size(const double *values, int64_t count);

extern const char *const curve_colours[6];

/* plot_fdtd_curves.c; "set title" is left to the caller; other settings they change are restored */
void append_ratios(struct drawing *drawing);
void append_powers(struct drawing *drawing);
void append_sections(struct drawing *drawing, const sonde_fdtd_monitor *monitor);
void append_traces(struct drawing *drawing);
void append_resonances(struct drawing *drawing, const sonde_fdtd_monitor *monitor);
/* plot_fdtd_maps.c */
void append_far_field(struct drawing *drawing, const sonde_fdtd_monitor *monitor);
sonde_status append_map(struct drawing *drawing, const sonde_fdtd_monitor *monitor);

#endif
