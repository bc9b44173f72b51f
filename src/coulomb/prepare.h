/* The beginning of a run, which its plan shares. */
#ifndef SONDE_COULOMB_PREPARE_H
#define SONDE_COULOMB_PREPARE_H

#include "coulomb/charges.h"
#include "coulomb/output/delivery.h"
#include "coulomb/periodic/ewald.h"
#include "coulomb/plan.h"
#include "coulomb/targets/mask.h"
#include "coulomb/targets/targets.h"
#include "matter/atoms.h"
#include "run/context.h"

/* What is run, and where it goes: into the result, or into a file. */
struct coulomb_run {
	sonde_context *context;
	const sonde_atoms *atoms;
	sonde_coulomb_options *options; /* whose quantity is settled with the targets */
	struct charges charges;
	struct targets targets;
	const struct targets *planned; /* those, shared; null: they are made, and are the run's own */
	struct mask *mask;
	const char *path; /* null: into the result */
	bool overwrite, mirrored;
	struct delivery *delivery;
	double began;
	sonde_coulomb_result *result;
};

/* What periodic charges need, and nothing of open boundaries. */
struct coulomb_periodic {
	struct cell cell;
	struct ewald ewald, check;
};

void coulomb_periodic_free(struct coulomb_periodic *periodic);

/* Options as a sample is run with them; refuses what options and sample alone forbid. */
sonde_status coulomb_settle_options(const sonde_atoms *atoms, const sonde_coulomb_options *given,
				    sonde_coulomb_options *options);
/* Charges and targets, and what can be refused before the work. */
sonde_status coulomb_run_prepare(struct coulomb_run *run);
/* From here on everything is its mirror image, in which the file's order is that of the points. */
void coulomb_run_mirror(struct coulomb_run *run);
/* What is decided before the sums of a batch. */
sonde_status coulomb_plan_batch(const struct coulomb_run *run, const struct charges *charges,
				struct coulomb_periodic *periodic, struct coulomb_plan *plan);
/* Ewald's sums for the method of the plan: at all points, or at the nodes of the largest block. */
sonde_status coulomb_make_ewald(sonde_context *context, const struct charges *charges, const struct targets *targets,
				struct coulomb_plan *plan, struct coulomb_periodic *periodic);
/* But for its result. */
void coulomb_run_free(struct coulomb_run *run);

#endif
