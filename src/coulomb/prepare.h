/* The beginning of a run, shared with its plan. */
#ifndef SONDE_COULOMB_PREPARE_H
#define SONDE_COULOMB_PREPARE_H

#include "coulomb/charges.h"
#include "coulomb/output/delivery.h"
#include "coulomb/periodic/ewald.h"
#include "coulomb/plan.h"
#include "coulomb/mask.h"
#include "coulomb/targets/targets.h"
#include "matter/atoms/atoms.h"
#include "run/context.h"

/* A run and its output: the result, or a file. */
struct coulomb_run {
	sonde_context *context;
	const sonde_atoms *atoms;
	sonde_coulomb_options *options; /* its quantity is decided with the targets */
	struct charges charges;
	struct targets targets;
	const struct targets *planned; /* shared targets of a plan; null: the run makes its own */
	struct mask *mask;
	const char *path; /* null: output to the result */
	const char *kept; /* the file next to which the values are kept while they are computed; null: nowhere */
	struct unfinished *unfinished;
	bool overwrite, mirrored;
	struct delivery *delivery;
	double began;
	sonde_coulomb_result *result;
};

/* A run whose values are kept in a checkpoint of the file `output` while they are computed; null: nowhere. With `streamed` the result is
 * written there, which must have a name then. */
sonde_status coulomb_run_kept(sonde_context *context, const sonde_atoms *atoms, const sonde_coulomb_options *options,
			      const char *output, bool overwrite, bool streamed, sonde_coulomb_result **result);

/* Preparations for periodic charges; nothing for open boundaries. */
struct coulomb_periodic {
	struct cell cell, check_cell; /* the second one for the sum used for comparison */
	struct ewald ewald, check;
};

void coulomb_periodic_free(struct coulomb_periodic *periodic);

/* The options for a sample; fails for invalid combinations of options and sample. */
sonde_status coulomb_settle_options(const sonde_atoms *atoms, const sonde_coulomb_options *given,
				    sonde_coulomb_options *options);
/* Charges and targets, and all checks before the work. */
sonde_status coulomb_run_prepare(struct coulomb_run *run);
/* From here on everything is mirrored, so that the order of the file is that of the points. */
void coulomb_run_mirror(struct coulomb_run *run);
/* Decisions before the sums of a batch. */
sonde_status coulomb_plan_batch(const struct coulomb_run *run, const struct charges *charges,
				struct coulomb_periodic *periodic, struct coulomb_plan *plan);
/* Ewald's sums for the method of the plan: at all points, or at the nodes of the largest block. */
sonde_status coulomb_make_ewald(sonde_context *context, const struct charges *charges, const struct targets *targets,
				struct coulomb_plan *plan, struct coulomb_periodic *periodic);
/* Releases all except the result. */
void coulomb_run_free(struct coulomb_run *run);

#endif
