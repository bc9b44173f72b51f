/* Whether the monitors' sums still change: a field that has decayed far may last long in a narrow resonance, whose
 * share of a spectrum grows as long as it oscillates. */
#ifndef SONDE_FDTD_JOB_SETTLING_H
#define SONDE_FDTD_JOB_SETTLING_H

#include "fdtd/job/monitors.h"

/* The powers of all closed boxes and planes at two earlier steps, the older one first; 0: none yet. Zero-initialized. */
struct settling {
	uint64_t steps[2];
	size_t count; /* of powers: of all frequencies of all monitors */
	double *powers[2];
};

/* Takes a sample, and returns the change of the powers since a twentieth of the time ago or more, relative to the
 * largest power in both directions; infinite if there is no sample that old, 0 if no monitor has powers. */
sonde_status settling_look(struct settling *settling, const struct job_monitors *monitors,
			   struct simulation *simulation, double *change);
/* Saves the samples to a checkpoint, or restores them. */
sonde_status settling_state(struct settling *settling, struct state *state);
/* Whether the restored data have as many powers as the monitors in a simulation. */
sonde_status settling_check(const struct settling *settling, const struct job_monitors *monitors,
			    const struct state *state);
void settling_free(struct settling *settling);

#endif
