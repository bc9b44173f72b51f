/* Fields on nodes for pictures: a plane of a monitor, or a line. */
#ifndef SONDE_FDTD_OUTPUT_RESULT_LAYER_H
#define SONDE_FDTD_OUTPUT_RESULT_LAYER_H

#include <stdbool.h>

#include "fdtd/output/outlines.h"
#include "sonde/fdtd.h"

/* Nodes of a monitor of kind fields or snapshot: all of a plane, the middle layer across z of a volume, a line (count[1] = 1). */
struct result_layer {
	int axes[2];              /* 0, 1, 2 for x, y, z: to the right, and up (-1: a line) */
	int64_t count[2];         /* nodes */
	double low[2], step[2];   /* m: position of the first one, distance between nodes */
	int64_t first, stride[2]; /* numbers in an array's values for one time or frequency */
	int64_t size;             /* numbers for one time or frequency */
	int64_t frames;           /* times, or frequencies */
	const double *at;         /* these; s, Hz */
	bool snapshot;
};

/* False for other kinds, for points, and if there are no times or no components. */
bool result_layer_of(const sonde_fdtd_monitor *monitor, struct result_layer *layer);
/* The value of an array on the layer's nodes; arrays without times or frequencies have one frame. */
static inline double result_layer_value(const struct result_layer *layer, const sonde_fdtd_array *array,
					int64_t frame, int64_t i, int64_t j)
{
	return array->values[frame * layer->size + layer->first + i * layer->stride[0] + j * layer->stride[1]];
}
/* Whether an array is a field on the monitor's nodes: its name "Ez", or "Ez_real" and so on. */
bool result_is_field(const sonde_fdtd_array *array);
/* The largest value on the layer over all frames, and in one of them. */
double result_layer_largest(const struct result_layer *layer, const sonde_fdtd_array *array);
double result_layer_largest_of_frame(const struct result_layer *layer, const sonde_fdtd_array *array, int64_t frame);
/* The level exceeded by a thousandth of the values of all frames: near a point source fields are far larger than
 * elsewhere. Above 0. */
double result_layer_range(const struct result_layer *layer, const sonde_fdtd_array *array);

/* The outlines of the bodies in the layer, from the monitor's array "permittivity"; none without it. *lines is to be
 * freed. */
sonde_status result_layer_outlines(const struct result_layer *layer, const sonde_fdtd_monitor *monitor,
				   struct outline **lines, size_t *count);

#endif
