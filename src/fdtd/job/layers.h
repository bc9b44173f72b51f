/* The waves of a job, and the absorbing layers that suit them. */
#ifndef SONDE_FDTD_JOB_LAYERS_H
#define SONDE_FDTD_JOB_LAYERS_H

#include "fdtd/job/space.h"

/* In radians per step, of all sources and monitors; 0: unknown. `densest`: refractive index, relative to the
 * background, of the body in which waves of the highest frequency are shortest. */
struct job_waves {
	double lowest, highest, densest;
};

/* Needs the frame's time step and the grid's Courant numbers. Skips invalid sources, monitors and bodies, which are
 * rejected where they are made. */
void job_waves_find(const struct job_space *space, struct job_waves *waves);
/* The absorbing layer across an axis: the values of the item, and for the rest those that suit the waves. The layers'
 * sides have to be marked by nonzero cells. */
struct absorbing_layer job_layer_of(const struct job_space *space, const struct job_waves *waves, int axis,
				    const sonde_fdtd_boundary_options *boundary);

#endif
