/* Sums on one device. */
#ifndef SONDE_PATTERN_SUMS_DEVICE_H
#define SONDE_PATTERN_SUMS_DEVICE_H

#include "pattern/pattern.h"

/* State on the device for one run. */
struct sums_device {
	struct device *device;
	sonde_context *context; /* null: no stop */
	const struct pattern_plan *plan;
	const struct pattern_tiles *tiles;
	bool single;
	uint32_t work_items, pixels_of_group;
	uint32_t part_tiles;      /* of the atoms on the device at a time: whole segments, or all */
	uint32_t first_tile, end; /* those on it, none if `end` is 0 */
	struct device_kernel kernel;
	struct device_buffer atoms, centers, classes, q, amplitudes, sums;
	/* of the pixels in progress, in rows of `stride` */
	float *host_singles; /* atoms of a part */
	double *host_q, *host_amplitudes, *host_sums, *host_parts, *diffuse;
	size_t q_capacity, amplitudes_capacity, sums_capacity, parts_capacity, diffuse_capacity;
	struct device_pace pace;
};

sonde_status sums_device_prepare(sonde_context *context, struct device *device, const struct pattern_plan *plan,
				 const struct pattern_tiles *tiles, bool single, struct sums_device *run);
void sums_device_release(struct sums_device *run);
/* Most pixels that it takes at a time; `run` is zero before it is prepared. */
int64_t sums_device_most(const struct sums_device *run, const struct device *device, const struct pattern_plan *plan);
/* Pixels `first` to `first + count - 1`. */
sonde_status sums_device_run(struct sums_device *run, int64_t first, int64_t count,
			     const struct pattern_values *values);

#endif
