/* Bodies of a job on their way to the grid. */
#ifndef SONDE_FDTD_JOB_PAINTING_H
#define SONDE_FDTD_JOB_PAINTING_H

#include "fdtd/job_space.h"
#include "fdtd/paint.h"

/* What a body is made of, in the order of painting; numbers of media along each axis. */
struct painted_body {
	struct shape *shape, *hollow;
	struct voxels *voxels;
	uint16_t *voxel_media[3]; /* of the voxels' materials */
	uint16_t numbers[3];
};

struct painting {
	struct painted_body *bodies;
	size_t count, capacity;
	bool anisotropic;
};

void painting_free(struct painting *painting);
/* Adds a body, which is the painting's from now on, also after a failure. */
sonde_status painting_add(struct painting *painting, struct painted_body *body);
void painted_body_free(struct painted_body *body);

/* job_files.c: bodies from samples and maps, at a place along the engine's axes. *inside: whether any of it is in the grid. */
sonde_status job_add_voxels(struct job_space *space, const sonde_fdtd_body_options *body, const double center[3],
			    bool *inside, struct painting *painting);
sonde_status job_add_built(struct job_space *space, const sonde_fdtd_body_options *body, const double center[3],
			   const struct job_material *material, bool *inside, struct painting *painting);
/* job_bodies.c: whether a box has any part in the grid, layers included. */
bool job_box_is_inside(const struct job_space *space, const double low[3], const double high[3]);

#endif
