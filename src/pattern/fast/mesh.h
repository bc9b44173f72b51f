/* The transform of one group of atoms: sort, spread, Fourier transform, interpolation. */
#ifndef SONDE_PATTERN_FAST_MESH_H
#define SONDE_PATTERN_FAST_MESH_H

#include "pattern/fast/mesh_shape.h"
#include "run/context.h"

struct line_transform;
struct gpu_mesh;
/* Work space of transforms, for consecutive ones of any shape: of a GPU, or of the host. */
struct fast_mesh {
	sonde_context *context;
	struct fast_atoms atoms;
	struct gpu_mesh *gpu;  /* null: the host */
	struct device *device; /* of the host */
	const struct window *window;
	struct device_kernel spread, interpolate;
	struct mesh_shape shape;
	struct line_transform *fourier[3];
	double *meshes[2]; /* of which the transforms go from one to the other */
	size_t mesh_capacity[2];
	int latest;    /* holds the waves */
	double *lines; /* of each thread */
	size_t line_capacity;
	/* atoms in the order of pencils, and of cells along x in them */
	double *sorted;
	uint32_t *keys, *counts, *starts, *pencils;
	size_t sorted_capacity, key_capacity, count_capacity, start_capacity, pencil_capacity;
	const double *places; /* of points, and their number */
	int64_t point_count;
	struct fast_atom *placed; /* a batch of atoms of copies */
	size_t placed_capacity;
	double *planes; /* of waves, from a GPU */
	size_t plane_capacity;
};
/* On a GPU, or with null on the host. The atoms must outlive it. */
sonde_status fast_mesh_make(sonde_context *context, struct device *gpu, const struct fast_atoms *atoms,
			    const struct window *window, struct fast_mesh *mesh);
void fast_mesh_free(struct fast_mesh *mesh);
/* Prepares transforms along these axes, for up to `atoms` atoms. */
sonde_status fast_mesh_shape(struct fast_mesh *mesh, const struct fast_axes *axes, size_t atoms);
/* Of sum_j w_j (t_j/half)^moment exp(i q.r_j) over `count` atoms, with the weights of classes and t along the third axis, at the waves
 * around q = middle. Ends early if the caller asked to stop. */
sonde_status fast_mesh_transform(struct fast_mesh *mesh, int64_t first, int64_t count, const double *weights,
				 int moment, const double middle[3]);
/* The waves (i, j, k) of `count` planes from k = first on; the first one of each row is 2 ((k - first) rows + j) row numbers after
 * the beginning. Valid until the next call. */
sonde_status fast_mesh_waves(struct fast_mesh *mesh, int64_t first, int64_t count, const double **waves, int64_t *row,
			     int64_t *rows);
/* Points between the waves: their places along the three axes, which must outlive the sums. */
sonde_status fast_mesh_set_points(struct fast_mesh *mesh, const double *places, int64_t count);
/* Sums at these points. */
sonde_status fast_mesh_interpolate(struct fast_mesh *mesh, double *sums);

#endif
