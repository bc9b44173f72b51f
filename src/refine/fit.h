/* A refinement in progress. */
#ifndef SONDE_REFINE_FIT_H
#define SONDE_REFINE_FIT_H

#include "refine/derivatives.h"
#include "refine/result.h"

struct fit {
	sonde_context *context;
	const struct refine_job *job;
	const sonde_refine_options *options;
	struct refine_result *result;
	struct model model;
	struct derivatives derivatives;
	struct bound bounds[REFINE_MOST_PARAMETERS]; /* with the start of this run */
	double values[REFINE_MOST_PARAMETERS];       /* the best */
	double whole;                                /* sum of the squares of the weighted measured curve */
	double scale;                                /* of the curve that was looked at last */
	double *curve;                               /* [point]: computed */
	double *unit;                                /* [point]: projected, of length 1 */
	double *slopes;                              /* [parameter][point] */
	sonde_status status;
};

/* The computed curve, its scale, and, unless null, the weighted residual, without its part in background and curve. */
sonde_status fit_look(struct fit *fit, const double *values, double *residual);
/* d residual / d parameter at the values of the last fit_look() [parameter][point], in fit->slopes: the scale and the background follow the
 * parameters (L. Kaufman, BIT 15 (1975) 49). */
sonde_status fit_differentiate(struct fit *fit, const double *values);

#endif
