/* Whether what the monitors have summed up still changes: a field that has fallen far may go on for long in a narrow resonance, whose part of a spectrum
 * grows as long as it rings. */
#ifndef SONDE_FDTD_JOB_SETTLING_H
#define SONDE_FDTD_JOB_SETTLING_H

#include "fdtd/job/monitors.h"

/* The powers of all closed boxes and planes at two earlier steps, the older one first; 0: there is none yet. Zeroed at first. */
struct settling {
	uint64_t steps[2];
	size_t count; /* of powers: of all frequencies of all monitors */
	double *powers[2];
};

/* Looks, and says by which part of the largest power that goes to and fro there the powers differ from those a twentieth of the time ago or more; infinite
 * where nothing was looked at so early, 0 where no monitor has powers. */
sonde_status settling_look(struct settling *settling, const struct job_monitors *monitors,
			   struct simulation *simulation, double *change);
/* Into a checkpoint, or out of it. */
sonde_status settling_state(struct settling *settling, struct state *state);
/* Whether what came out of it has as many powers as the monitors in a simulation. */
sonde_status settling_check(const struct settling *settling, const struct job_monitors *monitors,
			    const struct state *state);
void settling_free(struct settling *settling);

#endif
