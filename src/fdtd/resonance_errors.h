/* The errors of resonances that are due to the grid, in addition to those of their fit. docs/fdtd_theory.md, Errors. */
#ifndef SONDE_FDTD_RESONANCE_ERRORS_H
#define SONDE_FDTD_RESONANCE_ERRORS_H

#include "sonde/fdtd.h"

/* Relative errors of a frequency, with frequencies in Hz. */
struct resonance_causes {
	double dispersion, surfaces; /* at the highest frequency; of surfaces a phase */
	int order;                   /* the power of the frequency with which that of surfaces grows */
	double size;                 /* of the box, at all frequencies */
	double highest;
};

/* The relative error of a resonance's frequency. */
double resonance_shift(const struct resonance_causes *causes, double frequency);
/* Adds to the errors of all resonances of a result: those of the grid, or, for resonances that a companion run (or null) has as
 * well, `part` of the differences, of which *most is raised to the largest one, relative to the frequency. */
void resonance_errors_add(const struct resonance_causes *causes, double part, const sonde_fdtd_result *companion,
			  sonde_fdtd_result *result, double *most);

#endif
