/* A picture of sonde fdtd as it grows, and its units. */
#ifndef SONDE_CLI_PLOT_FDTD_DRAWING_H
#define SONDE_CLI_PLOT_FDTD_DRAWING_H

#include <stdbool.h>

#include "cli/figure/figure.h"
#include "sonde/fdtd.h"

#define LONGEST_WAVE 3e-5 /* m; longer ones are given as frequencies */

struct drawing {
	const sonde_fdtd_result *result;
	struct figure *figure;
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

#endif
