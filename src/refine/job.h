/* The job of a refinement, a YAML file: the structure with parameters as ${name}, what is computed of it, and the measured curves. */
#ifndef SONDE_REFINE_JOB_H
#define SONDE_REFINE_JOB_H

#include "io/containers/yaml_tree.h"
#include "refine/formula.h"
#include "sonde/atoms.h"
#include "sonde/build.h"
#include "sonde/context.h"
#include "sonde/debye.h"
#include "sonde/match_options.h"

#define REFINE_MOST_PARAMETERS 32
#define REFINE_MOST_DERIVED 32
#define REFINE_MOST_NODES 4096 /* structures in a mean */
#define REFINE_MOST_CURVES 16

/* Infinite bounds are none. */
struct bound {
	double lower, upper;
	double start; /* within them */
	double scale; /* of changes, above 0, where a bound is missing */
};

struct refine_parameter {
	const char *name;
	struct bound bound;
	double step;        /* of derivatives; 0: found */
	double grid;        /* smoothing.h; 0: none */
	const char *spread; /* a formula of the standard deviation; null: none */
	size_t spread_line, spread_column;
	bool in_spread;      /* it is part of such a formula */
	size_t line, column; /* of its item */
};

/* A function of the parameters that is reported, too. */
struct refine_derived {
	const char *name, *formula;
	size_t line, column;
};

/* A measured curve. */
struct refine_curve {
	char *measured; /* the file */
	int run;        /* of debye, in which it is computed */
	sonde_match_options fit;
};

struct refine_job {
	const char *path;
	char *text; /* of the file; null: it cannot be read twice */
	struct yaml_node *root;
	struct refine_parameter parameters[REFINE_MOST_PARAMETERS];
	const char *names[REFINE_MOST_PARAMETERS];
	double starts[REFINE_MOST_PARAMETERS];
	int count, grids;
	struct refine_derived derived[REFINE_MOST_DERIVED];
	int derived_count;
	const struct yaml_node *build, *debye; /* their options; may be null */
	char *sample;                          /* the file; null: the structure is built */
	int curve_count;
	struct refine_curve curves[REFINE_MOST_CURVES];
	/* Runs of debye for a structure: those with the options of one curve in addition to `debye`, and, null, one for all curves without. */
	int run_count;
	const struct yaml_node *runs[REFINE_MOST_CURVES];
};

/* Everything is checked except what only a built structure shows. SONDE_INVALID with its place. *job is null after a failure; else freed by
 * refine_job_free(). */
sonde_status refine_job_read(const char *path, struct refine_job **job);
void refine_job_free(struct refine_job **job);

/* The options at values of the parameters. */
sonde_status refine_job_build(const struct refine_job *job, const double *values, sonde_build_options *options);
sonde_status refine_job_debye(const struct refine_job *job, int run, const double *values,
			      sonde_debye_options *options);
/* The structure. Failures have the place of the block, and the values. */
sonde_status refine_job_make(sonde_context *context, const struct refine_job *job, const double *values,
			     sonde_atoms **atoms);
/* The standard deviation of parameter `number`; 0: none is given. */
sonde_status refine_job_spread(const struct refine_job *job, int number, const double *values, double *spread);
/* The value of a derived number. */
sonde_status refine_job_derive(const struct refine_job *job, int number, const double *values, double *value);

#endif
