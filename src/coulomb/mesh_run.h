/* A mesh sum while it is done: what its steps share. */
#ifndef SONDE_COULOMB_MESH_RUN_H
#define SONDE_COULOMB_MESH_RUN_H

#include "coulomb/mesh.h"

struct mesh_run {
	sonde_context *context; /* may be null */
	struct device *device;
	bool groups; /* by the kernels for GPUs */
	int threads; /* of the host */
	const struct charges *charges;
	const struct targets *targets;
	const struct coulomb_plan *plan;
	const struct mesh_order *order;
	struct mesh_choice choice;
	struct mesh_smooth smooth;
	struct mesh_box box;
	struct mesh_cells sources, points;
	struct mesh_transform transform;
	struct device_kernel sort, spread, interpolate, near, careful;
	struct device_buffer charge_buffer, starts, cells, near_frame, frame, places, numbers, tiles, pencils, values,
	    far, counters;
	double *sums, *of_mesh; /* of the points as they are sorted; on the CPU */
	struct stage stage;
	struct mesh_times *times; /* null: stages are not waited for */
	double since;             /* clock at the last one's end */
};

/* Numbers of a point in a set. */
uint32_t mesh_components(const struct mesh_run *run);
/* A buffer with that content, instead of what it was. */
sonde_status mesh_upload(struct mesh_run *run, const void *from, size_t bytes, const char *what,
			 struct device_buffer *buffer);
/* Ends a stage. */
sonde_status mesh_clock(struct mesh_run *run, enum mesh_stage stage);

/* Charges and points into cells, and onto the device in that order. */
sonde_status mesh_sort(struct mesh_run *run);
sonde_status mesh_copy(struct mesh_run *run);

sonde_status mesh_near_kernels(struct mesh_run *run);
/* What near charges are, to the values; on the CPU to the sums, too. */
sonde_status mesh_near(struct mesh_run *run);

#endif
