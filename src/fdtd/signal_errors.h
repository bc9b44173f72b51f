/* The errors of fields against time: of signals at points, and of snapshots. docs/fdtd_theory.md, Errors. */
#ifndef SONDE_FDTD_SIGNAL_ERRORS_H
#define SONDE_FDTD_SIGNAL_ERRORS_H

#include <stdbool.h>

#include "sonde/fdtd.h"

/* What the errors of signals are made of. Errors are relative, frequencies in rad/s, times in s. */
struct signal_causes {
	double dispersion;       /* of the wavenumber at the highest frequency */
	double surfaces;         /* of a surface; 0: there are none */
	double displacement;     /* phase at the highest frequency by which sources are displaced to nodes */
	double size;             /* of the box, between sides that reflect or repeat */
	double rounding;         /* relative to the largest field */
	double largest[2];       /* of E in V/m, of H in A/m */
	double highest, typical; /* angular frequencies of the sources */
	double crossing;         /* the time that waves take to cross the box */
	double middle;           /* of the time in which sources are active; infinite if they do not end */
};

/* Samples at equal times. */
struct signal {
	const double *times, *real, *imaginary; /* null: real values */
	int64_t count;
};

/* The time for which waves that arrive at time t have been under way. */
double signal_travel_time(const struct signal_causes *causes, double t);
/* The errors of the samples of a signal, where fields are as large as `largest`; NaN where no value is finite. Fails if memory runs
 * out. */
sonde_status signal_error_estimates(const struct signal_causes *causes, const struct signal *signal, double largest,
				    double *errors);
/* The same from the signal of a companion run at times of its own: `part` of the differences, of which *largest is the largest.
 * Errors stay as they are after its end, and everywhere if its samples are too sparse for values between them. */
sonde_status signal_errors_by_companion(double highest, double part, const struct signal *signal,
					const struct signal *companion, double *errors, double *largest);

/* Raises the largest values of E and of H to those of the fields against time. */
void signal_largest_fields(const sonde_fdtd_result *result, double largest[2]);
/* Adds an array NAME-error along time to each signal and each component of snapshots of a result that has none: estimates, or
 * for signals which a companion run also has (null: there was none), `part` of the differences. *most is set to the largest
 * of these, relative to the largest value of its signal, if that is more. */
sonde_status signal_errors_add(const struct signal_causes *causes, double part, const sonde_fdtd_result *companion,
			       sonde_fdtd_result *result, double *most);

#endif
