/* The result of a refinement. */
#ifndef SONDE_REFINE_RESULT_H
#define SONDE_REFINE_RESULT_H

#include <stdbool.h>
#include <stdint.h>

#include "match/match.h"
#include "refine/job.h"
#include "sonde/refine_options.h"

/* A refined parameter, or a derived number. */
struct refine_value {
	char *name;
	double start, value;
	double error, low, high; /* standard error and 95 % interval; NaN for one at a bound */
	double lower, upper;     /* bounds; infinite: none */
	int bound;               /* -1, 1: it is at its lower, upper one, and no interval is known; else 0 */
	double step;             /* of its differences */
};

struct refine_result {
	int parameter_count, derived_count;
	struct refine_value *parameters, *derived;
	double *correlations;     /* [parameter][parameter]; 0 for those at bounds */
	struct match_curve curve; /* measured and fitted; no contributions */
	double scale;             /* of the computed curve */
	double chi_square, rwp, variance;
	int64_t points, fitted; /* fitted: the number of all parameters, with scale and background */
	double atoms;           /* mean number */
	int64_t structures;     /* computed in all */
	bool converged;
	/* after each step, and at the start */
	int64_t step_count, step_capacity;
	double *step_rwp;    /* [step] */
	double *step_values; /* [step][parameter] */
	double seconds, building, computing;
	double error;                        /* largest estimate of the patterns, over <f^2> + I/N */
	const sonde_refine_options *options; /* of the caller */
	const struct refine_job *job;
};

void refine_result_free(struct refine_result *result);

#endif
