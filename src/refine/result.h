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
	double error, low, high; /* standard error, NaN at a bound; and 95 % interval */
	double lower, upper;     /* bounds; infinite: none */
	int bound;               /* -1, 1: it is at its lower, upper one; else 0 */
	double step;             /* of its differences */
};

struct refine_result {
	int parameter_count, derived_count;
	struct refine_value *parameters, *derived;
	double *correlations; /* [parameter][parameter]; 0 for those at bounds */
	int curve_count;
	struct match_curve
	    *curves;            /* measured and fitted; with the scales of the computed ones, and no contributions */
	double chi_square, rwp; /* of all curves */
	double variance;        /* of weighted points */
	int64_t points, independent; /* independent: see struct data_set */
	int64_t fitted;              /* the number of all parameters, with scales and backgrounds */
	double atoms;                /* mean number */
	int64_t structures;          /* computed in all */
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
