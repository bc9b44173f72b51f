/* A mesh sum while it is done: what its steps share. */
#ifndef SONDE_COULOMB_MESH_MESH_RUN_H
#define SONDE_COULOMB_MESH_MESH_RUN_H

#include "coulomb/charges.h"
#include "coulomb/mesh/mesh.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "device/device.h"
#include "run/context.h"

struct mesh_pool;
struct mesh_run {
	sonde_context *context; /* may be null */
	bool reports;           /* how far it has come; parts do not */
	struct device *device;
	bool groups; /* by the kernels for GPUs */
	int threads; /* of the host */
	const struct charges *charges;
	const struct targets *targets;
	const struct coulomb_plan *plan;
	const struct mesh_order *order;
	struct mesh_choice choice;
	struct mesh_smooth smooth;
	struct mesh_box boxes[2], box; /* of charges and points; of both */
	struct mesh_cells sources, points;
	struct mesh_pool *pool; /* shared with the parts */
	uint8_t *elsewhere; /* whether a part sums the near charges of point n as they are sorted; null: none does */
	struct mesh_part *parts; /* owned */
	uint32_t part_count;
	uint64_t coincident;
	double part_sum, near_pairs; /* struct mesh_times */
	struct mesh_transform transform;
	struct device_kernel sort, spread, interpolate, near, careful;
	struct device_buffer charge_buffer, starts, cells, near_frame, frame, back_frame, places, numbers, tiles,
	    pencils, values, far, counters;
	double *sums, *of_mesh; /* of the points as they are sorted; on the CPU */
	struct stage stage;
	struct mesh_times *times; /* null: stages are not waited for */
	double since;             /* clock at the last one's end */
};

/* What sums with meshes of the same shape and cut-offs share, one after the other. */
struct mesh_tools {
	double cutoff, outer;
	struct mesh_smooth smooth;
	struct mesh_transform transform;
};
sonde_status mesh_pool_make(const struct mesh_order *order, struct mesh_pool **pool);
const struct mesh_window *mesh_pool_window(const struct mesh_pool *pool);
/* The smooth part with that cut-off. */
void mesh_pool_smooth(struct mesh_pool *pool, const struct coulomb_plan *plan, double cutoff,
		      struct mesh_smooth *smooth);
/* Tools that are there, for a mesh of that extent: else false. */
bool mesh_pool_take(struct mesh_pool *pool, const struct mesh_shape *extent, double cutoff, double outer,
		    struct mesh_tools *tools);
/* Keeps the tools for others, or frees them. */
void mesh_pool_give(struct mesh_pool *pool, struct mesh_tools *tools);
void mesh_pool_free(struct mesh_pool *pool);

/* Charges and points of a mesh sum that are summed by a mesh of their own: points in a box whose near charges are many, and
 * the charges within the cut-off of that box. The mesh has what their potentials are within the cut-off of the mesh
 * above and beyond its own, s_R(r) - s_outer(r), so that its sums are to be added to those of the mesh above. */
struct mesh_part {
	struct charges charges;
	struct targets targets;
	uint32_t *numbers; /* of its points, in the sum above */
	struct mesh_choice choice;
};
/* Parts of a sum whose charges and points are sorted. */
sonde_status mesh_parts_make(struct mesh_run *run);
/* Their sums, added to those of the points. */
sonde_status mesh_parts_sum(struct mesh_run *run, struct values *values);
void mesh_parts_free(struct mesh_run *run);
/* All of the sum of a run whose first members, up to `choice`, and pool and times are set; releases what it made. */
sonde_status mesh_run_sum(struct mesh_run *run, struct values *values);

/* Boxes of cubes in which meshes of their own are least work. Cubes: numbers along x, y, z; `charges` of each of all
 * cubes, x fastest. */
struct mesh_block {
	uint32_t first[3], end[3];
};
struct mesh_cubes {
	uint32_t size[3];
	double cutoff;       /* their edge */
	uint32_t *charges;   /* of each */
	uint32_t (*many)[3]; /* those whose points have many near charges */
	uint32_t many_count;
};
sonde_status mesh_cubes_group(const struct mesh_run *run, struct mesh_cubes *cubes, struct mesh_block **blocks,
			      uint32_t *count);

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
