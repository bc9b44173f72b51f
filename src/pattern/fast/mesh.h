/* The transform of one group of atoms: sort, spread, Fourier transform, interpolation. */
#ifndef SONDE_PATTERN_FAST_MESH_H
#define SONDE_PATTERN_FAST_MESH_H

#include "pattern/fast/axes.h"
#include "run/context.h"

/* An atom, relative to the center of the sample. */
struct fast_atom {
	double r[3];
	int class;
};

struct line_transform;
/* Work space of transforms, for consecutive ones of any shape. */
struct fast_mesh {
	sonde_context *context;
	struct device *device;
	const struct window *window;
	struct device_kernel spread, interpolate;
	struct fast_axes axes;
	double frame[FRAME_NUMBERS];
	struct line_transform *fourier[3];
	double *node_factors[3], *wave_factors[3]; /* real; complex */
	size_t node_capacity[3], wave_capacity[3];
	double *meshes[2]; /* of which the transforms go from one to the other */
	size_t mesh_capacity[2];
	int latest;    /* holds the waves */
	double *lines; /* of each thread */
	size_t line_capacity;
	/* atoms in the order of pencils, and of cells along x in them */
	double *sorted;
	uint32_t *keys, *counts, *starts, *pencils;
	size_t sorted_capacity, key_capacity, count_capacity, start_capacity, pencil_capacity;
};
sonde_status fast_mesh_make(sonde_context *context, const struct window *window, struct fast_mesh *mesh);
void fast_mesh_free(struct fast_mesh *mesh);
/* Prepares transforms along these axes, for up to `atoms` atoms. */
sonde_status fast_mesh_shape(struct fast_mesh *mesh, const struct fast_axes *axes, size_t atoms);
/* Of sum_j w_j exp(i q.r_j), with the weights of classes, at the waves around q = middle. */
sonde_status fast_mesh_transform(struct fast_mesh *mesh, const struct fast_atom *atoms, int64_t count,
				 const double *weights, const double middle[3]);
/* The waves; wave (i, j, k) has the real part number 2 ((k rows + j) row + i). */
const double *fast_mesh_waves(const struct fast_mesh *mesh, int64_t *row, int64_t *rows);
/* Sums between waves at places along the three axes. */
sonde_status fast_mesh_interpolate(struct fast_mesh *mesh, const double *places, int64_t count, double *sums);

#endif
