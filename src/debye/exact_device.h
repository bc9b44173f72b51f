/* Exact sums on one device. */
#ifndef SONDE_DEBYE_EXACT_DEVICE_H
#define SONDE_DEBYE_EXACT_DEVICE_H

#include "debye/debye.h"
#include "debye/series_layout.h"
#include "debye/shape.h"
#include "parallel/ordered_sum.h"

#define EXACT_ATOMS_PER_TILE 128
#define EXACT_PIECE_CPU 128 /* pairs of tiles of a piece; constants, so that sums do not depend on the machine */
#define EXACT_PIECE_GPU 4096

/* Everything on the device for one run. */
struct exact_device {
	struct device *device;
	struct debye_shape shape;
	struct device_kernel kernel, rows_kernel;
	struct device_buffer x, y, z, tiles, tile_pairs, scratch, partial, coincident, row_sums;
	uint32_t most_pairs, most_rows;
	double *partial_host;
	uint64_t *coincident_host;
	struct device_pace pace;
};

/* Points of q that are summed together. */
struct exact_points {
	double first, step;
	uint32_t count; /* at most Q_PASS */
};

sonde_status exact_device_prepare(struct device *device, const struct debye_shape *shape,
				  const struct arranged_atoms *atoms, bool f32, struct exact_device *run);
void exact_device_release(struct exact_device *run);
/* Adds to sums[0 .. points->count) the sums of sin(q r)/r over pairs of tiles, in their order, and to *coincident the
 * pairs with r = 0. */
sonde_status exact_device_sum(sonde_context *context, struct exact_device *run, const struct tile_pair *pairs,
			      uint32_t count, const struct exact_points *points, struct ordered_sum *sums,
			      uint64_t *coincident);

#endif
