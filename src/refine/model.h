/* The model of a refinement: its curves on the measured points at any values of the parameters. Many are computed together; curves of structures
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
	int set_count;
	struct data_set sets[REFINE_MOST_CURVES]; /* of the measured curves */
	int64_t begin[REFINE_MOST_CURVES + 1];    /* their first points: all are numbered one after another */
	double interpolation_errors
	    [REFINE_MOST_CURVES]; /* of the curves at the start, as parts of their largest values */
	/* of the runs of debye: */
	struct debye_many *many[REFINE_MOST_CURVES];
	bool pairs[REFINE_MOST_CURVES];                /* some curve is G(r), whose transform takes longest */
	sonde_debye_result *first[REFINE_MOST_CURVES]; /* the pattern at the start, until model_make() has ended */
	struct kept_curve *kept;
	size_t kept_count, kept_capacity;
	int64_t structures;         /* computed so far */
	double building, computing; /* seconds */
	double error;               /* largest estimate of the patterns, over <f^2> + I/N */
	int64_t atoms;              /* of the structure at the start */
};

/* Reads the measured curves and computes those at the start, which have the axes. Freed by model_free(), also after a failure. */
sonde_status model_make(sonde_context *context, const struct refine_job *job, struct model *model);
void model_free(struct model *model);
/* The points of all curves. */
int64_t model_points(const struct model *model);
/* Of these, the independent ones: see struct data_set. */
int64_t model_independent(const struct model *model);
/* Curves [count][point] at values [count][parameter]; and the mean numbers of atoms, unless null. */
sonde_status model_curves(struct model *model, const double *values, int count, double *curves, double *atoms);
/* The points of all curves become weighted, and lose their parts in the backgrounds. */
void model_project(const struct model *model, double *curves);
/* The number of structures in the mean at some values. */
sonde_status model_count(const struct refine_job *job, const double *values, int64_t *count);

#endif
