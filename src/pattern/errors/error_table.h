/* The estimated error of amplitudes as a function of |q|: the largest one of the checked vectors (check.h) is relative to
 * sqrt(sum_j |f_j|^2), which depends on |q| alone, so that a table says it for any number of points. */
#ifndef SONDE_PATTERN_ERRORS_ERROR_TABLE_H
#define SONDE_PATTERN_ERRORS_ERROR_TABLE_H

#include "pattern/pattern.h"

#define PATTERN_ERROR_NODES 257 /* from the smallest to the largest |q| of the vectors */

/* Adds weight sum_j |f_j|^2 of a sample at the nodes. Of anisotropic displacements the largest one of all directions. */
void error_table_add(const struct pattern_sample *sample, const struct pattern_pixels *pixels, double weight,
		     double squares[PATTERN_ERROR_NODES]);
/* Gives a result the errors of F, of amplitudes of a sample, or of several like it, with these sums and this relative error; */
sonde_status error_table_make(const struct pattern_sample *sample, const struct pattern_pixels *pixels,
			      const double squares[PATTERN_ERROR_NODES], double relative_error,
			      sonde_pattern_result *result);
/* and those of one of its parts. */
void error_table_of_part(const struct pattern_sample *sample, const struct pattern_pixels *pixels,
			 double relative_error, double errors[PATTERN_ERROR_NODES]);

/* Where a magnitude is among the nodes of a result. */
struct error_place {
	int64_t node;
	double part; /* of the way to the next one */
};
struct error_place error_table_place(const sonde_pattern_result *result, double q);
/* The error there of a row of numbers for the nodes. */
double error_table_at(const double *errors, struct error_place place);

#endif
