/* Which waves a job has, and the absorbing layers that suit them. */
#ifndef SONDE_FDTD_JOB_LAYERS_H
#define SONDE_FDTD_JOB_LAYERS_H

#include "fdtd/job/space.h"

/* In radians a step, of all sources and of what monitors look at; 0: not known. `densest`: index of refraction relative to the background, of the body in
 * which waves of the highest frequency are shortest. */
struct job_waves {
	double lowest, highest, densest;
};

/* Needs the frame's step of time and the grid's Courant numbers. Leaves out what is no valid source, monitor or body, which is refused where they are
 * made. */
void job_waves_find(const struct job_space *space, struct job_waves *waves);
/* The absorbing layer across an axis: what the item says, and for the rest what suits the waves. Layers of the sides have to be marked by cells that are
 * not 0. */
struct absorbing_layer job_layer_of(const struct job_space *space, const struct job_waves *waves, int axis,
				    const sonde_fdtd_boundary_options *boundary);

#endif
