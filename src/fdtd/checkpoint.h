/* Going on with a run that was stopped: a file beside the result, with all numbers. */
#ifndef SONDE_FDTD_CHECKPOINT_H
#define SONDE_FDTD_CHECKPOINT_H

#include "fdtd/job/prepared.h"
#include "fdtd/job/settling.h"
#include "run/state.h"

/* Where a run is. */
struct checkpoint {
	enum job_pass pass;   /* the run that is on */
	double largest, last; /* component of E, that was and that is */
	struct settling settling;
	struct simulation *simulation;
};

/* Writes PATH.checkpoint, over an older one. */
sonde_status fdtd_checkpoint_save(struct fdtd_run *run, const char *path, struct checkpoint *checkpoint);
/* Opens PATH.checkpoint, which must be of the same job: the message names what is different. Restores what the monitors have, and says which run is on. */
sonde_status fdtd_checkpoint_open(struct fdtd_run *run, const char *path, struct state *state,
				  struct checkpoint *checkpoint);
/* Then the simulation, which was made meanwhile. Closes the file, whatever comes. */
sonde_status fdtd_checkpoint_restore(struct state *state, struct checkpoint *checkpoint);
/* What a file is of, for those who ask; all but the simulation's numbers. */
struct checkpoint_summary {
	char *job; /* its lines; to be freed */
	enum job_pass pass;
	uint64_t steps; /* that are done */
	double largest, last;
};
bool fdtd_checkpoint_is_one(const char *file);
sonde_status fdtd_checkpoint_summarise(const char *file, struct checkpoint_summary *summary);

#endif
