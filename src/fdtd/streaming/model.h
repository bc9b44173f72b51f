/* Time that streamed steps take, from the speeds of the device and of its link: notes of the paper's tables and of time
 * skewing in docs/fdtd_theory.md. */
#ifndef SONDE_FDTD_STREAMING_MODEL_H
#define SONDE_FDTD_STREAMING_MODEL_H

#include "fdtd/streaming/schedule.h"

struct streaming_speeds {
	double plane_steps[2]; /* planes that the device steps per second, by half steps and by whole ones */
	double launches[2];    /* s: of a step of one slab, whatever its width */
	double in, out;        /* s: of a plane to the device, from it */
	double slab;           /* s: of a slab in addition, whatever its width, in each direction */
	double message;        /* s: of a plane between ranks, which send and receive at the same time */
};

/* Seconds of a pass of schedule->height steps. */
double streaming_seconds(const struct schedule *schedule, const struct streaming_speeds *speeds);

#endif
