/* Exact sums on one device. */
#ifndef SONDE_DEBYE_EXACT_DEVICE_H
#define SONDE_DEBYE_EXACT_DEVICE_H

#include "debye/debye.h"
#include "debye/kernels/series_layout.h"
#include "debye/sums/shape.h"
#include "run/ordered_sum.h"

#define EXACT_ATOMS_PER_TILE 128
#define EXACT_PIECE_CPU 128 /* pairs of tiles of a piece; a constant, so that sums do not depend on the machine */
#define EXACT_PIECE_GPU 4096
#define EXACT_ROWS_PER_SUM 64 /* partial sums that a GPU reduces to one */
#define EXACT_LAUNCHES 2      /* in flight at the same time */

/* Pairs of tiles to be summed, and their sums: sums[0 .. points) of sin(q r)/r, added in the order of the
 * pairs, and in `coincident` the number of pairs of atoms with r = 0. Owned by the caller. */
struct exact_work {
	const struct tile_pair *pairs;
	uint32_t count; /* of work-groups, with per_group pairs each */
	struct ordered_sum *sums;
	uint64_t coincident;
};

/* A launch: `groups` pairs of tiles from number `offset` of work `work` on, possibly of several works. */
struct exact_launch {
	struct device_buffer tile_pairs, scratch, partial, coincident, row_sums;
	uint32_t work, offset;
};

/* State on the device for one run. */
struct exact_device {
	struct device *device;
	struct debye_shape shape;
	struct device_kernel kernel, rows_kernel;
	struct device_buffer x, y, z, tiles;
	bool borrowed;             /* x, y, z are those of the order of the atoms */
	uint32_t most_points;      /* of a pass, or twice the nodes */
	uint32_t fine;             /* of sums over windows; 0: at points */
	uint32_t per_group;        /* pairs of tiles of a work-group */
	struct device_buffer u, q; /* with a motion: displacements, and the points of q of the last sums */
	const struct arranged_atoms *atoms;
	struct exact_launch launches[EXACT_LAUNCHES];
	uint32_t most_groups, launch_count;
	struct tile_pair *pairs_host;
	double *partial_host;
	uint64_t *coincident_host;
	struct device_pace pace;
	struct stage *stage; /* for progress reports; may be null */
	double stage_done;   /* progress before the works */
};

/* Points of q summed together. */
struct exact_points {
	double first, step;
	uint32_t count;
	double terms; /* of a pair of atoms, for progress; 0: count */
	/* of atoms with a motion, at most Q_PASS points: all of them, padded to a multiple of MOTION_BLOCK; count is a
	 * multiple of MOTION_COLUMNS then, and the step is 0 if they are not uniform. Else null. */
	const double *q;
};

/* For passes of `most_points` at most, a number of shape_exact_points(). */
sonde_status exact_device_prepare(struct device *device, const struct debye_shape *shape,
				  const struct arranged_atoms *atoms, bool f32, uint32_t most_points,
				  struct exact_device *run);
/* For sums over windows of distances (windows.h): pairs of tiles with the center of their window in `first_bin`; sums at
 * nodes `step` apart, `count` numbers. The last tile of the atoms is followed by one more, for pairs without atoms. */
sonde_status exact_device_prepare_windows(struct device *device, const struct debye_shape *shape,
					  const struct arranged_atoms *atoms, uint32_t fine,
					  struct exact_device *run);
void exact_device_release(struct exact_device *run);
/* Does all works. The sums of a work do not depend on the other works. After a failure the sums are
 * undefined. */
sonde_status exact_device_sum(sonde_context *context, struct exact_device *run, const struct arranged_atoms *atoms,
			      struct exact_work *works, uint32_t work_count, const struct exact_points *points);

#endif
