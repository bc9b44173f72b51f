/* Sums on one device. */
#ifndef SONDE_PATTERN_SUMS_DEVICE_H
#define SONDE_PATTERN_SUMS_DEVICE_H

#include "pattern/pattern.h"
#include "pattern/nodes.h"
#include "pattern/pixel_sets.h"

/* The host's part of some pixels, in rows of `stride`: vectors, amplitudes of classes, diffuse intensities. */
struct pixel_buffers {
	int64_t first, count;                      /* sets; count 0: none */
	double *q, *amplitudes, *diffuse, *node_q; /* the last one: vectors of nodes, in rows of `node_stride` */
	size_t q_capacity, amplitudes_capacity, diffuse_capacity, node_q_capacity;
};

/* State on the device for one run. */
struct sums_device {
	struct device *device;
	sonde_context *context; /* null: no stop */
	const struct pattern_plan *plan;
	const struct pattern_tiles *tiles;
	const struct pixel_sets *sets;
	const struct pixel_nodes *nodes; /* by which sets by columns are computed */
	bool single;
	uint32_t items; /* of a group, times lanes: sets whose pixels alternate in memory */
	uint32_t sets_of_group, pixels_of_group;
	uint32_t part_tiles;           /* of the atoms on the device at a time: whole segments, or all */
	uint32_t first_tile, end;      /* those on it, none if `end` is 0 */
	float *host_singles;           /* atoms of a part */
	struct device_kernel assembly; /* of tiles of copies */
	struct device_buffer structure_atoms, structure_centers, structure_tiles, placements;
	struct device_kernel kernel;
	struct device_buffer atoms, centers, classes, q, amplitudes, sums;
	/* of nodes */
	struct device_kernel resample;
	uint32_t resample_columns, block_count; /* columns of a work-group, and blocks of points */
	struct device_buffer weights, blocks, node_q, node_sums;
	/* of nodes of both axes */
	struct device_kernel between;
	uint32_t between_rows; /* of a work-group */
	struct device_buffer across_weights, across_blocks, between_sums;
	/* those in progress and, while a GPU computes them, the next ones */
	struct pixel_buffers buffers[2];
	int in_progress;
	bool guessed_wrong; /* the next ones were others, since several devices share them */
	double *host_sums, *host_parts;
	size_t sums_capacity, parts_capacity;
	struct device_pace pace;
};

/* Loads the kernels of a device, and tests them, as its first use would. */
sonde_status sums_device_test(struct device *device);
sonde_status sums_device_prepare(sonde_context *context, struct device *device, const struct pattern_plan *plan,
				 const struct pattern_tiles *tiles, const struct pixel_sets *sets,
				 const struct pixel_nodes *nodes, bool single, struct sums_device *run);
void sums_device_release(struct sums_device *run);
/* Most pixels that it takes at a time; `run` is zero before it is prepared. */
int64_t sums_device_most(const struct sums_device *run, const struct device *device, const struct pattern_plan *plan);
/* copies_device.c: brings the structures of copies and their placements onto the device, and places tiles `first` to
 * first + count - 1 in its atoms, centers, and classes. */
sonde_status copies_device_prepare(struct sums_device *run);
sonde_status copies_device_place(struct sums_device *run, uint32_t first, uint32_t count);
void copies_device_release(struct sums_device *run);
/* The pixels of sets `first` to `first + count - 1`. */
sonde_status sums_device_run(struct sums_device *run, int64_t first, int64_t count,
			     const struct pattern_values *values);

/* The parts of it ------------------------------------------------------------------------------------------------ */

#define SUMS_FIRST_GROUPS 8 /* per worker, while the device's pace is unknown */

/* Those of sets `first` to `first + count - 1`; by columns, these are whole columns. */
struct pixel_range {
	struct sums_device *run;
	struct pixel_buffers *buffers;
	int64_t first, count;
	uint32_t stride;
	uint32_t columns, sets_of_row,
	    node_stride; /* by columns: numbers of a point, sets of a node, and row of all nodes */
	/* of nodes of both axes, of which node_stride has those that pattern_between.k takes: those along a column, windows across
	 * columns, and numbers at nodes along columns and points across */
	uint32_t node_rows, first_window, window_count, between_stride;
	const struct pattern_values *values;
};
/* GPUs and OpenCL devices; the CPU's work-groups, and those of the emulated device, have one work-item. */
bool sums_device_has_groups(const struct device *device);
int sums_device_threads(const struct sums_device *run);
/* Where pattern_sums.k has vector v of a set: its PIXEL(v). */
uint32_t sums_device_place(const struct sums_device *run, uint32_t set, uint32_t v);
/* While a GPU computes the pixels of `range`: those that it takes next, if no other device takes them. */
sonde_status sums_device_fill_next(const struct pixel_range *range);
/* sums_launch.c: brings the tiles from `first` onto the device, a part of them; */
sonde_status sums_device_load_tiles(struct sums_device *run, uint32_t first);
/* room for `numbers` of float64; */
sonde_status sums_device_grow(struct sums_device *run, struct device_buffer *buffer, size_t numbers,
			      const char *what);
/* run->host_sums of all pixels of the range. */
sonde_status sums_device_launch(struct pixel_range *range);
/* resample.c: the same by nodes. */
sonde_status resample_prepare(struct sums_device *run);
void resample_divide(struct pixel_range *range);
sonde_status resample_fill(struct pixel_range *range);
sonde_status resample_launch(struct pixel_range *range);
/* products_device.c: the same by products of matrices. */
static inline bool products_used(const struct sums_device *run)
{
	return run->sets->points > 0 && run->nodes->along.axis < 0;
}
sonde_status products_prepare(struct sums_device *run);
sonde_status products_launch(struct pixel_range *range);

#endif
