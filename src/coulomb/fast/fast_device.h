/* The fast sum on one device. */
#ifndef SONDE_COULOMB_FAST_FAST_DEVICE_H
#define SONDE_COULOMB_FAST_FAST_DEVICE_H

#include "coulomb/fast/blocks.h"
#include "coulomb/plan.h"
#include "coulomb/values.h"
#include "device/device.h"

#define FAST_SUM_ITEMS 128u /* work-items of block_sums */
#define FAST_SEGMENT_ITEMS 256u

/* One level on the device. */
struct fast_level {
	struct device_buffer charges, starts, rows, numbers, frame;
	struct device_buffer values; /* at the nodes of the active blocks: all, or those of a piece */
};

/* State on the device for one run. */
struct fast_device {
	struct device *device;
	const sonde_context *context;
	int threads; /* of the host */
	const struct block_tree *tree;
	const struct targets *targets;
	bool single, field;
	enum charge_form form;
	double softening, kappa;
	int whole_level; /* from this level on all blocks are computed at once, before the pieces */
	struct device_kernel sums, careful, interpolate, segments;
	struct fast_level levels[BLOCKS_MOST_LEVELS];
	struct device_buffer near_rows, near_numbers, node_offsets, point_offsets, to_halves, to_points;
	struct device_buffer halves_shape, points_shape, blocks, parents, own, flags, coincident, values;
	double *on_host; /* sums of a piece */
	size_t on_host_capacity;
	double seconds; /* of the kernels */
};

/* Blocks of a level: from first to end - 1 in each direction. */
struct block_range {
	uint32_t first[3], end[3];
};

/* Points of the grid, and those of such a range, whose rows are complete if all blocks of the first direction are. */
struct point_box {
	int64_t first[3], size[3];
};
struct point_box fast_points_of(const struct block_tree *tree, const struct targets *targets, int whole_level,
				const struct block_range *range);

/* Copies the tree to the device, and computes the values at the nodes from level `whole_level` on. */
sonde_status fast_device_prepare(const sonde_context *context, struct device *device, const struct block_tree *tree,
				 const struct targets *targets, const struct coulomb_plan *plan, int whole_level,
				 struct fast_device *run);
void fast_device_release(struct fast_device *run);
/* Sums at the grid's points of a range of blocks of `whole_level` into `values`; *coincident grows by the number of
 * omitted pairs. */
sonde_status fast_device_sum(struct fast_device *run, const struct block_range *range, struct values *values,
			     uint64_t *coincident);

/* The part of fast_device_prepare() that finds the kernels and uploads the tree. */
sonde_status fast_device_upload(struct fast_device *run);
/* Whether it has work-groups, as GPUs do. */
static inline bool fast_device_has_groups(const struct fast_device *run)
{
	const struct device_properties *has = device_properties(run->device);

	return has->gpu_kernels && has->most_work_items >= FAST_SUM_ITEMS;
}

/* Numbers of a point: the potential, and by choice the field, in each set. */
static inline uint32_t fast_device_components(const struct fast_device *run)
{
	return run->tree->sets * (run->field ? 4 : 1);
}

#endif
