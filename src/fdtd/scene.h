/* A job's space: its grid with what is at the sides, and the media of its bodies. */
#ifndef SONDE_FDTD_SCENE_H
#define SONDE_FDTD_SCENE_H

#include "fdtd/frame.h"
#include "fdtd/grid.h"
#include "fdtd/medium.h"
#include "sonde/fdtd.h"

/* A material as the edges and faces along each of the engine's axes have it. */
struct scene_material {
	struct medium along[3];
	bool magnetic;
};

struct scene {
	const sonde_fdtd_job *job;
	struct fdtd_frame frame;
	struct fdtd_grid grid;
	struct media media; /* of scene_paint() */
};

/* Puts FILE:LINE and what the item is before the message of bad input. */
sonde_status scene_prefix(const sonde_fdtd_job *job, sonde_status status, const char *what, const size_t *lines,
			  int64_t number);

/* Grid and frame only. Fails where the step of time is not stable, layers overlap, and for sizes that are no whole cells of reason. `job` must live
 * on. */
sonde_status scene_make(const sonde_fdtd_job *job, struct scene *scene);
/* The media of the bodies, or without them. To be released by scene_free(), also after a failure. */
sonde_status scene_paint(struct scene *scene, bool bodies);
void scene_free(struct scene *scene);

/* scene_materials.c: a material of the job or of the library by its name. */
sonde_status scene_find_material(const struct scene *scene, const char *name, struct scene_material *material);
/* All materials of the job, bodies or not. */
sonde_status scene_check_materials(const struct scene *scene);

#endif
