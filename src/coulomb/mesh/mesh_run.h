/* The state of a mesh sum, shared by its steps. */
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
	bool reports;           /* reports progress; parts do not */
	struct device *device;
	bool groups; /* uses the kernels for GPUs */
	int threads; /* of the host */
	const struct charges *charges;
	const struct targets *targets;
	const struct coulomb_plan *plan;
	const struct mesh_order *order;
	struct mesh_choice choice;
	struct mesh_smooth smooth;
	struct mesh_box boxes[2], box; /* boxes of charges and points, and of both */
	struct mesh_cells sources, points;
	struct mesh_pool *pool;  /* shared with the parts */
	uint8_t *elsewhere;      /* whether a part sums the near charges of the n-th sorted point; null: for none */
	struct mesh_part *parts; /* owned */
	uint32_t part_count;
	uint64_t coincident;
	double part_sum, near_pairs; /* struct mesh_times */
	struct mesh_transform transform;
	struct device_kernel sort, spread, interpolate, near, careful;
	struct device_buffer charge_buffer, starts, cells, near_frame, frame, back_frame, places, numbers, tiles,
	    pencils, values, far, counters;
	double *sums, *of_mesh; /* of the sorted points; on the CPU */
	struct stage stage;
	struct mesh_times *times; /* null: stages are not timed */
	double since;             /* clock at the end of the last one */
};

/* Resources of consecutive sums with meshes of the same shape and cut-offs. */
struct mesh_tools {
	double cutoff, outer;
	struct mesh_smooth smooth;
	struct mesh_transform transform;
};
sonde_status mesh_pool_make(const struct mesh_order *order, struct mesh_pool **pool);
const struct mesh_window *mesh_pool_window(const struct mesh_pool *pool);
/* The smooth part with this cut-off. */
void mesh_pool_smooth(struct mesh_pool *pool, const struct coulomb_plan *plan, double cutoff,
		      struct mesh_smooth *smooth);
/* Gets existing resources for a mesh of this extent; false if there are none. */
bool mesh_pool_take(struct mesh_pool *pool, const struct mesh_shape *extent, double cutoff, double outer,
		    struct mesh_tools *tools);
/* Returns the resources for later use, or frees them. */
void mesh_pool_give(struct mesh_pool *pool, struct mesh_tools *tools);
void mesh_pool_free(struct mesh_pool *pool);

/* Charges and points of a mesh sum that are summed by a separate mesh: points in a box with many near charges, and
 * the charges within the cut-off of that box. The mesh has their potentials within the cut-off of the parent mesh
 * and beyond its own, s_R(r) - s_outer(r), so that its sums are added to those of the parent mesh. */
struct mesh_part {
	struct charges charges;
	struct targets targets;
	uint32_t *numbers; /* of its points, in the parent sum */
	struct mesh_choice choice;
};
/* Makes the parts of a sum with sorted charges and points. */
sonde_status mesh_parts_make(struct mesh_run *run);
void mesh_part_free(struct mesh_part *part);
void mesh_parts_free(struct mesh_run *run);
#define MESH_STEPS 3.0 /* of the progress, for a set of charges; and one more for near charges */
/* The sum of a run, except for its parts: of one with its first members, up to `choice`, and pool and times set. */
sonde_status mesh_steps_sum(struct mesh_run *run, struct values *values);
/* Releases everything except the parts and their statistics. */
void mesh_steps_release(struct mesh_run *run);

/* Boxes of cubes for which separate meshes are the least work. Cubes: numbers along x, y, z; `charges` in each of all
 * cubes, x fastest. */
struct mesh_block {
	uint32_t first[3], end[3];
};
struct mesh_cubes {
	uint32_t size[3];
	double cutoff;       /* their edge */
	uint32_t *charges;   /* in each */
	uint32_t (*many)[3]; /* cubes whose points have many near charges */
	uint32_t many_count;
};
sonde_status mesh_cubes_group(const struct mesh_run *run, struct mesh_cubes *cubes, struct mesh_block **blocks,
			      uint32_t *count);

/* Values per point and set. */
uint32_t mesh_components(const struct mesh_run *run);
/* Replaces a buffer by one with this content. */
sonde_status mesh_upload(struct mesh_run *run, const void *from, size_t bytes, const char *what,
			 struct device_buffer *buffer);
/* Ends a stage. */
sonde_status mesh_clock(struct mesh_run *run, enum mesh_stage stage);

/* Sorts charges and points into cells, and uploads them in this order. */
sonde_status mesh_sort(struct mesh_run *run);
sonde_status mesh_copy(struct mesh_run *run);

sonde_status mesh_near_kernels(struct mesh_run *run);
/* Writes the near sums to the values, and on the CPU also to the sums. */
sonde_status mesh_near(struct mesh_run *run);

#endif
