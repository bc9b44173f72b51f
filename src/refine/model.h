/* The model of a refinement: its curve on the measured points at any values of the parameters. Many are computed together; curves of structures
 * that several of them need are computed once, and kept for the next call. */
#ifndef SONDE_REFINE_MODEL_H
#define SONDE_REFINE_MODEL_H

#include "debye/many.h"
#include "match/data_set.h"
#include "refine/job.h"

struct kept_curve;

struct model {
	sonde_context *context;
	const struct refine_job *job;
	struct data_set set;
	struct debye_many *many;
	sonde_debye_result *first; /* the pattern at the start, until model_make() has ended */
	struct kept_curve *kept;
	size_t kept_count, kept_capacity;
	int64_t structures;         /* computed so far */
	double building, computing; /* seconds */
	double interpolation_error; /* of the curve at the start, as a part of its largest value */
	double error;               /* largest estimate of the patterns, over <f^2> + I/N */
	int64_t atoms;              /* of the structure at the start */
};

/* Reads the measured curve and computes the one at the start, which has the axis. Freed by model_free(), also after a failure. */
sonde_status model_make(sonde_context *context, const struct refine_job *job, struct model *model);
void model_free(struct model *model);
/* Curves [count][point] at values [count][parameter]; and the mean numbers of atoms, unless null. */
sonde_status model_curves(struct model *model, const double *values, int count, double *curves, double *atoms);
/* The number of structures in the mean at some values. */
sonde_status model_count(const struct refine_job *job, const double *values, int64_t *count);

#endif
