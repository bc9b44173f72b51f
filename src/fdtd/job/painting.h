/* Bodies of a job before they are painted onto the grid. */
#ifndef SONDE_FDTD_JOB_PAINTING_H
#define SONDE_FDTD_JOB_PAINTING_H

#include "fdtd/job/space.h"
#include "fdtd/media/paint.h"

/* Media of a body, in the order of painting; their numbers along each axis. */
struct painted_body {
	struct shape *shape;
	struct voxels *voxels;
	uint16_t *voxel_media[3]; /* of the voxels' materials */
	uint16_t numbers[3];
};

/* Ends of conductors, along the engine's axes. */
#define MOST_OPENED 64
struct conductor_box {
	double low[3], high[3];
};

struct painting {
	struct painted_body *bodies;
	size_t count, capacity;
	bool anisotropic;
	size_t conductor_count;
	struct conductor_box conductors[MOST_OPENED]; /* the last ones */
};

/* job/openings.c: records where a conductor ends; extends a body that is painted later by `more` (m), which is
 * slightly more than the enlargement of conductors, at ends that it has in common with one, if there are any. */
void painting_keep_conductor(struct painting *painting, const double low[3], const double high[3]);
bool job_open_conductors(const struct job_space *space, const struct painting *painting, const double low[3],
			 const double high[3], double more, sonde_body_options *body, double center[3]);

void painting_free(struct painting *painting);
/* Adds a body, which then belongs to the painting, also after a failure. */
sonde_status painting_add(struct painting *painting, struct painted_body *body);
void painted_body_free(struct painted_body *body);

/* job/files.c: bodies from samples and maps, at a position along the engine's axes. *inside: whether any part of it
 * is in the grid. */
sonde_status job_add_voxels(struct job_space *space, const sonde_body_options *body, const double center[3],
			    bool *inside, struct painting *painting);
sonde_status job_add_built(struct job_space *space, const sonde_body_options *body, const double center[3],
			   const struct job_material *material, bool *inside, struct painting *painting);
/* job/bodies.c: adds a body of the job, from 0, with all its copies, and its media to the space's. */
sonde_status job_add_body(struct job_space *space, int64_t number, struct painting *painting);
/* job/memory.c: the memory of the painting's bodies. */
sonde_status job_memory_of_bodies(const struct job_space *space, const struct painting *painting,
				  struct job_body_memory *memory);
/* Whether a box has any part in the grid, layers included. */
bool job_box_is_inside(const struct job_space *space, const double low[3], const double high[3]);

#endif
