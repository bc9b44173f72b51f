/* Positions of atoms in the memory of a device, and what their users need of them. Functions return SONDE_RESOURCE if the device lacks
 * memory or fails. */
#ifndef SONDE_MATTER_DEVICE_POSITIONS_H
#define SONDE_MATTER_DEVICE_POSITIONS_H

#include "device/device.h"
#include "matter/atoms/atoms.h"
#include "matter/kernels/order_layout.h"

/* Positions in the memory of a device: coordinate k of atom i is number first + i row_step + k column_step, of 64 bits, or of 32 if
 * `is_single`. */
struct device_positions {
	struct device_buffer numbers; /* only its memory is used */
	bool is_single;
	int64_t first, row_step, column_step;
};

/* The smallest box around `count` positions, low and high end along each axis; *within: whether all coordinates are within
 * +-ATOMS_LARGEST_PLACE, and the box is known. */
sonde_status device_positions_box(struct device *device, const struct device_positions *from, int64_t count,
				  double box[ORDER_BOX], bool *within);
/* Numbers of the atoms in a box, sorted; *found: how many there are, which may be more than the `most` that are listed. */
sonde_status device_positions_within(struct device *device, const struct device_positions *from, uint32_t count,
				     const double box[ORDER_BOX], uint32_t most, uint32_t *numbers, uint32_t *found);
/* Copies the positions of some atoms to the host: x, y, z of each in turn, 3 count numbers. */
sonde_status device_positions_pick(struct device *device, const struct device_positions *from,
				   const uint32_t *numbers, uint32_t count, double *positions);
/* The lowest and the highest of the coordinates e.(r - origin) along some directions e, and the atoms that have them, of equal ones the
 * first: with the bits of vector_dot(). */
#define DEVICE_MOST_DIRECTIONS 16
struct device_extents {
	double low[DEVICE_MOST_DIRECTIONS], high[DEVICE_MOST_DIRECTIONS];
	uint32_t lowest[DEVICE_MOST_DIRECTIONS], highest[DEVICE_MOST_DIRECTIONS];
};
sonde_status device_positions_extents(struct device *device, const struct device_positions *from, uint32_t count,
				      const double origin[3], const double (*directions)[3], uint32_t direction_count,
				      struct device_extents *extents);
/* Of each atom of `numbers`, in records that remain on the device: its position relative to a center, and the bits of its number of `classes` as
 * one of 64 bits. *records is to be released, also after a failure. */
sonde_status device_positions_records(struct device *device, const struct device_positions *from,
				      const uint32_t *numbers, const uint32_t *classes, uint32_t count,
				      const double center[3], struct device_buffer *records);

#endif
