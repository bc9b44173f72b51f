/* Runs of samples: what is made of a sample before its pairs are summed, and the sums. */
#ifndef SONDE_DEBYE_PREPARED_H
#define SONDE_DEBYE_PREPARED_H

#include "debye/classes/classes.h"
#include "debye/sums/errors.h"

/* Sums over the pairs of classes, and their errors, made before. */
struct given_sums {
	double *sums;
	struct histogram_error *errors;
};

/* A sample with its plan. Begins as {0}, and is not moved: the plan refers to the classes. */
struct prepared_sample {
	struct debye_classes classes;
	struct debye_plan plan;
	struct arranged_atoms early; /* the atoms as required by GPUs, if they are arranged in advance; else empty */
	const struct given_sums *given; /* sums of the pairs, which are copied; null: they are made */
	const double *sines;            /* of G(r), from debye_sines(), or null */
};
void debye_prepared_free(struct prepared_sample *prepared);
/* Sums the pairs of a prepared sample; devices may still be starting. `began`: clock_seconds() at the beginning of its run. */
sonde_status debye_carry_out(sonde_context *context, struct prepared_sample *prepared, double began,
			     sonde_debye_result **result);
/* A sample or a lattice, one of them null. The sums are kept in a checkpoint of the file `output` while they are computed; null: nowhere. */
sonde_status debye_run_sample(sonde_context *context, const sonde_atoms *atoms, const sonde_lattice *lattice,
			      const sonde_debye_options *options, const char *output, sonde_debye_result **result);

/* sonde_debye_execute() for one of many similar samples. */
struct debye_execution {
	const sonde_atoms
	    *next; /* the sample that will be executed next, which another thread prepares; may be null */
	struct debye_check *check; /* of some of the samples for all of them; null: each one is checked */
};
/* The same plan for another context. */
sonde_status debye_plan_beside(const struct sonde_debye_plan *plan, sonde_context *context,
			       struct sonde_debye_plan **beside);
sonde_status debye_execute(struct sonde_debye_plan *plan, const sonde_atoms *atoms,
			   const struct debye_execution *execution, sonde_debye_result **result);

#endif
