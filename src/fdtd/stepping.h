/* The steps of a simulation in progress, up to its end, or until its fields have decayed: surveys of the fields, snapshots,
 * checkpoints, and stops. */
#ifndef SONDE_FDTD_STEPPING_H
#define SONDE_FDTD_STEPPING_H

#include "fdtd/fields/survey.h"
#include "fdtd/job/prepared.h"
#include "fdtd/job/settling.h"

struct checkpoint;
struct state;

/* Intervals of time, in which fields are compared. */
struct stretches {
	uint64_t end; /* of the current one; 0: none */
	double first, before, most;
};

/* A simulation in progress. */
struct stepping {
	struct fdtd_run *run;
	struct simulation *simulation;
	struct survey survey;
	struct stage stage;
	double largest, last; /* component of E away from point sources, its peak and its present value */
	double anywhere;      /* present */
	struct settling settling;
	double change; /* of the monitors' powers; infinite: not yet known */
	struct stretches stretches;
	enum job_pass pass;
	bool due;           /* the actions of the present step: it was stopped before them */
	uint64_t next, end; /* the next step with actions; the last one */
	uint64_t first;     /* step at which it began, or was resumed */
	double seconds, saved;
};

/* The last step of a run; beyond reach if it ends by the decay of its fields. */
uint64_t stepping_last_step(const struct fdtd_run *run);
/* Point sources have near fields that grow as the inverse cube of the cell size, and do not measure the radiated field:
 * they are left out. */
sonde_status stepping_make_survey(struct stepping *stepping);
/* Resumes a run that was stopped here. */
sonde_status stepping_take_up(struct stepping *stepping, struct state *state, struct checkpoint *checkpoint);
/* The end of a run that stops by itself is estimated for the progress. */
void stepping_begin_stage(struct stepping *stepping, const char *name);
/* Steps to `end`, or until the field has decayed; snapshots only of the run with bodies. */
sonde_status stepping_go_to(struct stepping *stepping, uint64_t end);
/* Whether the fields have decayed to the requested level, and the data of the monitors have settled as well. */
bool stepping_has_decayed(const struct stepping *stepping);

static inline double stepping_cells(const sonde_fdtd_plan *plan)
{
	return (double)plan->cells[0] * (double)plan->cells[1] * (double)plan->cells[2];
}

#endif
