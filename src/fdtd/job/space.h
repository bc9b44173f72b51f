/* A job's space: its grid with its boundaries, and the media of its bodies. */
#ifndef SONDE_FDTD_JOB_SPACE_H
#define SONDE_FDTD_JOB_SPACE_H

#include "fdtd/grid/frame.h"
#include "fdtd/grid/grid.h"
#include "fdtd/media/medium.h"
#include "sonde/fdtd.h"

#define JOB_NAME_SIZE 64 /* of materials and monitors, in bytes with the terminator; longer ones are rejected */

/* A material as seen by the edges and faces along each of the engine's axes. */
struct job_material {
	struct medium along[3];
	bool magnetic;
	double stable; /* the largest fraction of the time step, at most 1, for which fields in it do not grow */
};

/* The thinnest body, if it is thinner than a cell and its faces are not averaged. */
struct thin_body {
	int64_t number; /* from 1; 0: there is none */
	int axis;       /* the job's */
	double cells;
};

/* The material that reduced the time step below the default; the job owns its name. */
struct fast_material {
	const char *name;
	double courant; /* chosen value */
};

/* Runs of a job, in the order in which they are made, last one first: with the bodies; the reference run, with those
 * that are `in-reference`; of the wave alone, with those of these in which a source begins, if not all. */
enum job_pass { PASS_BODIES, PASS_REFERENCE, PASS_WAVE };

/* Each body as if it were alone. */
struct job_body_memory {
	double bytes;   /* of device memory, for poles and curved surfaces */
	double plane;   /* of these, those of a plane at most, not counting `whole` */
	double whole;   /* of these, whole on every device, and not streamed */
	double apart;   /* cells in boxes around what responds to E after its step: see step_pairs.h */
	double surface; /* cells at surfaces of bodies */
	double faces;   /* those of them at faces across the axes */
	double lossy;   /* cells in bodies of media with losses or poles */
	double metal;   /* cells at surfaces of these that are not such faces */
};

struct job_space {
	const sonde_fdtd_job *job;
	struct fdtd_frame frame;
	double courant;            /* c dt over the shortest edge, in the background */
	bool choosing;             /* the time step: materials that need a shorter one are not yet errors */
	struct fast_material fast; /* name null: there is none */
	struct fdtd_grid grid;
	struct media media; /* of job_space_paint() */
	struct media kept;  /* of job_space_keep() */
	bool keeps;
	struct thin_body thin;
	double densest_voxels; /* the largest index of refraction of maps of permittivities; 0: there are none */
	struct job_body_memory body_memory;
	bool *carriers;         /* of bodies of the reference run: whether a source begins in it, as in a waveguide */
	int threads;            /* to paint with */
	struct media_part part; /* what this rank paints; all zero: everything */
	bool streamed;          /* see job_space_make() */
};

/* Prefixes a message of bad input with FILE:LINE and the name of the item. */
sonde_status job_prefix(const sonde_fdtd_job *job, sonde_status status, const char *what, const size_t *lines,
			int64_t number);

/* job/options.c: options of all items that are out of range, or that a kind does not use. */
sonde_status job_check_options(const sonde_fdtd_job *job);

/* The same for a message that begins with the name of one of the job's own options. */
sonde_status job_prefix_option(const sonde_fdtd_job *job, sonde_status status);

/* Checks the bodies for bad input, without painting them. */
sonde_status job_space_check_bodies(struct job_space *space);
/* job/carriers.c: finds the bodies in which sources begin. */
sonde_status job_find_carriers(struct job_space *space);
/* Whether the reference run has bodies in the wave's path, so that its fields are not those of the wave alone. */
bool job_wave_is_another(const struct job_space *space);
/* Whether a body, from 0, is in a run. */
bool job_body_is_in(const struct job_space *space, int64_t number, enum job_pass pass);
/* The media of the bodies of a run. To be released by job_space_free(), also after a failure. */
sonde_status job_space_paint(struct job_space *space, enum job_pass pass);
/* Keeps the media of PASS_BODIES, just painted, for its next painting; there are none until then. */
void job_space_keep(struct job_space *space);
void job_space_free(struct job_space *space);
/* job/files.c: the largest index of refraction in the maps of permittivities of a job; 0 if there are none, and for those that
 * cannot be read, which is reported where they are painted. */
double job_densest_voxels(const sonde_fdtd_job *job);
/* By which part the length of the box differs from the job's where waves feel it, between sides that reflect or repeat: that of
 * the engine's axis where it is the largest (null: any). */
double job_size_error(const struct job_space *space, int *axis);

/* job/materials.c: a material of the job or of the library by its name. Fails if the time step is too long for it,
 * unless it is being chosen. */
sonde_status job_find_material(const struct job_space *space, const char *name, struct job_material *material);
/* Checks all materials of the job, including those without bodies. */
sonde_status job_check_materials(const struct job_space *space);
/* The fraction of the time step, at most 1, for which all materials of the job are stable, and the name of the
 * limiting one. Materials that cannot be found are ignored here. */
double job_stable_part(const struct job_space *space, const char **name);

/* A vector of the job along the engine's axes, normalized; `key` is its name for the message about 0,0,0. */
sonde_status job_unit_vector(const struct job_space *space, sonde_vector vector, const char *key, double unit[3]);
/* Nodes of a source's box along an axis; the whole axis if the size is 0, up to `margin` cells before an absorbing
 * layer, and along periodic axes. */
sonde_status job_box_along(const struct job_space *space, const sonde_fdtd_source_options *source, int axis,
			   int margin, int *low, int *high);

#endif
