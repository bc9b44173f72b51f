/* Going on with a run that was stopped: a file beside the result, with all numbers. */
#ifndef SONDE_FDTD_CHECKPOINT_H
#define SONDE_FDTD_CHECKPOINT_H

#include "fdtd/job/prepared.h"
#include "fdtd/job/settling.h"
#include "fdtd/simulation/state.h"

/* Where a run is. */
struct checkpoint {
	enum job_pass pass;   /* the run that is on */
	double largest, last; /* component of E, that was and that is */
	struct settling settling;
	struct simulation *simulation;
};

/* Writes PATH.checkpoint, over an older one. */
sonde_status checkpoint_save(struct fdtd_run *run, const char *path, struct checkpoint *checkpoint);
/* Opens PATH.checkpoint, which must be of the same job: the message names what is different. Restores what the monitors have, and says which run is on. */
sonde_status checkpoint_open(struct fdtd_run *run, const char *path, struct state *state,
			     struct checkpoint *checkpoint);
/* Then the simulation, which was made meanwhile. Closes the file, whatever comes. */
sonde_status checkpoint_restore(struct state *state, struct checkpoint *checkpoint);
/* Closes the file of one that was opened; harmless on others. */
void checkpoint_close(struct state *state);
/* What a file is of, for those who ask; all but the simulation's numbers. */
struct checkpoint_summary {
	char *job; /* its lines; to be freed */
	enum job_pass pass;
	uint64_t steps; /* that are done */
	double largest, last;
};
bool checkpoint_is_one(const char *file);
sonde_status checkpoint_summarise(const char *file, struct checkpoint_summary *summary);
/* Removes the file, if it is there. */
bool checkpoint_has_file(const char *path);
void checkpoint_remove_file(const char *path);

#endif
