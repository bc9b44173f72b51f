/* Possible errors of bins of distances, each replaced by two distances at its mean +- its standard deviation. */
#ifndef SONDE_DEBYE_BIN_ERRORS_H
#define SONDE_DEBYE_BIN_ERRORS_H

#include "debye/debye.h"

/* The contents of one bin: pairs, and mean and variance of the offsets from its beginning in units. The error of a
 * variance is at most half of square_unit. */
struct bin_moments {
	double pairs, mean, variance, square_unit;
};

/* Adds those of a bin of `units_per_bin` units of `unit` Angstrom, whose mean distance is r. */
void bin_errors_add(struct histogram_error *error, const struct bin_moments *bin, double r, double unit,
		    double units_per_bin);
/* Adds the errors of further bins, which are farther. */
void bin_errors_join(struct histogram_error *error, const struct histogram_error *more);

#endif
