/* Jobs of sonde fdtd, built item by item from the defaults; the items are stored in the job itself, which must
 * therefore not be moved. */
#ifndef SONDE_TESTS_FDTD_JOB_H
#define SONDE_TESTS_FDTD_JOB_H

#include "sonde/sonde.h"

struct fdtd_job {
	sonde_fdtd_job job;
	sonde_fdtd_boundary_options boundaries[6];
	sonde_fdtd_material_options materials[4];
	sonde_body_options bodies[4];
	sonde_fdtd_source_options sources[4];
	sonde_fdtd_monitor_options monitors[8];
};

/* A job without items, in a box of x, y and z m with cubes of `cell` m. */
void fdtd_job_begin(struct fdtd_job *made, double x, double y, double z, double cell);
/* Each adds an item, for the caller to change: of a kind (SONDE_FDTD_..._KIND_..., of a body its shape), and named. They fail the test where there is no
 * room. */
sonde_fdtd_boundary_options *fdtd_job_add_boundary(struct fdtd_job *made, int kind);
sonde_fdtd_material_options *fdtd_job_add_material(struct fdtd_job *made, const char *name);
sonde_body_options *fdtd_job_add_body(struct fdtd_job *made, int shape, const char *material);
sonde_fdtd_source_options *fdtd_job_add_source(struct fdtd_job *made, int kind);
sonde_fdtd_monitor_options *fdtd_job_add_monitor(struct fdtd_job *made, int kind);
/* Runs it; fails the test, with Sonde's message, unless that succeeds. */
sonde_fdtd_result *fdtd_job_run(sonde_context *context, const struct fdtd_job *made);
/* An array of a monitor; fails the test if there is none. */
const sonde_fdtd_array *fdtd_array_of(const sonde_fdtd_result *result, int monitor, const char *name);

#endif
