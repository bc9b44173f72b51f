/* Resuming a run that was stopped: a file next to the result, with all numbers. */
#ifndef SONDE_FDTD_CHECKPOINT_H
#define SONDE_FDTD_CHECKPOINT_H

#include "fdtd/job/prepared.h"
#include "fdtd/job/settling.h"
#include "run/state.h"

/* State of a run. */
struct checkpoint {
	enum job_pass pass;   /* the current run */
	double largest, last; /* component of E: its peak and its present value */
	bool due;             /* the actions of its present step */
	struct settling settling;
	struct simulation *simulation;
};

/* Writes PATH.checkpoint, replacing an older one; the first rank does, and all ranks call it. */
sonde_status fdtd_checkpoint_save(struct fdtd_run *run, const char *path, struct checkpoint *checkpoint);
/* Opens PATH.checkpoint, which must be of the same job: the message names the difference. Restores the data of the
 * monitors, and returns which run is in progress. */
sonde_status fdtd_checkpoint_open(struct fdtd_run *run, const char *path, struct state *state,
				  struct checkpoint *checkpoint);
/* Restores the simulation, which the caller has made in the meantime, and closes the file in any case. */
sonde_status fdtd_checkpoint_restore(struct state *state, struct checkpoint *checkpoint);
/* Contents of a checkpoint, for reports, except the numbers of the simulation. */
struct checkpoint_summary {
	char *job; /* its lines; to be freed */
	enum job_pass pass;
	uint64_t steps; /* completed */
	double largest, last;
};
bool fdtd_checkpoint_is_one(const char *file);
sonde_status fdtd_checkpoint_summarize(const char *file, struct checkpoint_summary *summary);

#endif
