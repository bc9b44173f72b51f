/* The parts of a mesh on a GPU, for the sources that launch its kernels. */
#ifndef SONDE_PATTERN_FAST_GPU_PARTS_H
#define SONDE_PATTERN_FAST_GPU_PARTS_H

#include "pattern/fast/mesh_shape.h"
#include "run/launches.h"

enum { DEPOSIT, ASSEMBLY, WAVES, LONG_WAVES, GATHER, CHECKING, ADDITION, SQUARES, BLOCKS, VOLUMES, KERNELS };

struct gpu_axis {
	struct device_buffer shape, node_factors, wave_factors, roots, order;
	uint64_t groups;
	bool is_long;
};
struct gpu_shape {
	struct fast_axes axes;
	struct gpu_axis axis[3];
	struct device_buffer frame;
};
struct gpu_mesh {
	sonde_context *context;
	struct device *device;
	struct device_kernel kernels[KERNELS];
	struct device_pace paces[KERNELS];
	bool timed[KERNELS]; /* their pace is that of some launches */
	uint32_t line_bytes, long_bytes;
	int64_t atom_count, point_count;  /* atoms of one copy of each structure, if there are copies */
	const struct fast_copies *copies; /* null: none */
	double unit;                      /* the integer that stands for 1 */
	struct gpu_shape own;             /* by gpu_mesh_shape() */
	struct gpu_shape *shape;          /* in use: this, or one that was kept */
	const double (*rotation)[3];      /* R: atoms are at R r; null: at r */
	double *roots;                    /* work space of the host */
	uint32_t *order;
	size_t root_capacity, order_capacity;
	struct device_buffer atoms, placements, placed, weights, deposit, meshes[2], places, sums;
	bool borrowed; /* the atoms */
	int latest;    /* holds the waves */
};

/* Groups of a kernel, some at a time; `first` is an argument of the kernel. */
struct gpu_launch {
	struct gpu_mesh *gpu;
	int kernel;
	const struct device_argument *arguments;
	size_t argument_count;
	uint32_t *first, base, scale; /* the argument is base + scale times the number of the first group */
	uint64_t done, all;
};
/* May return before they have ended. */
sonde_status gpu_mesh_launch(struct gpu_launch *launch);

/* gpu_copies.c: brings the placements of copies onto the device; places a batch of their atoms in gpu->placed. */
sonde_status gpu_copies_send(struct gpu_mesh *gpu);
sonde_status gpu_copies_place(struct gpu_mesh *gpu, const struct fast_batch *batch);
/* gpu_check.c has the check, */
sonde_status gpu_mesh_send(struct gpu_mesh *gpu, struct device_buffer *buffer, const void *from, size_t bytes,
			   const char *what);
/* The shape becomes one of its own, which may be used later by gpu->shape; to be released before the mesh is freed. */
sonde_status gpu_mesh_keep_shape(struct gpu_mesh *gpu, struct gpu_shape **shape);
void gpu_mesh_release_shape(struct gpu_mesh *gpu, struct gpu_shape **shape);
/* Sums at `count` places on the device, into gpu->sums. */
sonde_status gpu_mesh_gather(struct gpu_mesh *gpu, const struct device_buffer *places, int64_t count);

#endif
