/* What the transforms of a mesh have in common on the host and on GPUs: the atoms, and the axes with their factors. */
#ifndef SONDE_PATTERN_FAST_MESH_SHAPE_H
#define SONDE_PATTERN_FAST_MESH_SHAPE_H

#include <stddef.h>

#include "pattern/fast/axes.h"
#include "pattern/fast/copies.h"

struct fast_atoms {
	const struct fast_atom *atoms;
	const struct device_buffer
	    *records; /* the same on the GPU, for which the mesh is made, in place of them; null: none */
	int64_t count;
	int classes;
	double largest;                   /* no weight is larger */
	const struct fast_copies *copies; /* null: all atoms are there, else those of one copy of each structure */
};

struct mesh_shape {
	struct fast_axes axes;
	double frame[FRAME_NUMBERS]; /* of the window, with the widths along these */
	/* that undo the window: real, of nodes; complex, of waves. Not of axes with a single node. */
	double *node_factors[3], *wave_factors[3];
	size_t node_capacity[3], wave_capacity[3];
};

#endif
