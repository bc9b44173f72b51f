/* A refinement in progress. */
#ifndef SONDE_REFINE_FIT_H
#define SONDE_REFINE_FIT_H

#include "base/least_squares.h"
#include "refine/derivatives.h"
#include "refine/result.h"

struct fit {
	sonde_context *context;
	const struct refine_job *job;
	const sonde_refine_options *options;
	struct refine_result *result;
	struct model model;
	struct derivatives derivatives;
	double values[REFINE_MOST_PARAMETERS];  /* the best */
	struct least_squares_solution solution; /* of the last search */
	double whole;                           /* sum of the squares of the weighted measured curves */
	double scales[REFINE_MOST_CURVES];      /* of the curves that were looked at last */
	double *curve;                          /* [point]: computed */
	double *unit;                           /* [point]: projected, each curve of length 1 */
};

/* The computed curves, their scales, and, unless null, the weighted residual, without its parts in backgrounds and curves. */
sonde_status fit_look(struct fit *fit, const double *values, double *residual);
/* d residual / d parameter [parameter][point] at the values of the last fit_look(): scales and backgrounds follow the parameters
 * (L. Kaufman, BIT 15 (1975) 49). */
sonde_status fit_differentiate(struct fit *fit, const double *values, double *slopes);
/* The number of all parameters, with scales and backgrounds. */
int64_t fit_parameters(const struct fit *fit);
/* Degrees of freedom of curve d, at least 1: the structure's parameters are divided by the numbers of points. */
double fit_freedom(const struct fit *fit, int d);

#endif
