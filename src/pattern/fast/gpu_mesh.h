/* The transform of mesh.h on a GPU. Atoms are spread in any order, by sums of integers. */
#ifndef SONDE_PATTERN_FAST_GPU_MESH_H
#define SONDE_PATTERN_FAST_GPU_MESH_H

#include "pattern/fast/mesh_shape.h"
#include "run/context.h"

struct gpu_mesh;

sonde_status gpu_mesh_make(sonde_context *context, struct device *device, const struct fast_atoms *atoms,
			   struct gpu_mesh **gpu);
/* Loads the kernels of a GPU, and tests them, as gpu_mesh_make() would. */
sonde_status gpu_mesh_test(struct device *device);
void gpu_mesh_free(struct gpu_mesh **gpu);
/* The most points of a line that the device can transform. */
int64_t gpu_mesh_longest(const struct device *device);
/* The functions of mesh.h. */
sonde_status gpu_mesh_shape(struct gpu_mesh *gpu, const struct mesh_shape *shape);
sonde_status gpu_mesh_transform(struct gpu_mesh *gpu, int64_t first, int64_t count, const double *weights,
				int classes, int moment, const double middle[3]);
sonde_status gpu_mesh_waves(struct gpu_mesh *gpu, int64_t first, int64_t count, double *waves);
sonde_status gpu_mesh_set_points(struct gpu_mesh *gpu, const double *places, int64_t count);
sonde_status gpu_mesh_interpolate(struct gpu_mesh *gpu, double *sums);

/* sum_j f_j exp(i q.r_j) at some vectors q, every atom at each of them; amplitudes: of classes, [point][class][real and imaginary part]. */
sonde_status gpu_mesh_check(struct gpu_mesh *gpu, const double *vectors, const double *amplitudes, int count,
			    int classes, double *sums);

#endif
