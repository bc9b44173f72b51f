/* What the patches of a run have in common, and the sums at the points of one of them by one device: devices share the patches, whose
 * sums do not depend on the device. */
#ifndef SONDE_PATTERN_FAST_PATCH_SUMS_H
#define SONDE_PATTERN_FAST_PATCH_SUMS_H

#include "pattern/fast/amplitudes.h"
#include "pattern/fast/mesh.h"
#include "pattern/fast/patches.h"

struct fast_sums {
	sonde_context *context;
	const struct pattern_plan *plan;
	const struct pattern_values *values;
	struct window window;
	struct patch_atoms patch_atoms;
	struct fast_channels channels;
	struct fast_atom *atoms;                  /* in the order of their groups, which */
	int64_t starts[PATTERN_MOST_CLASSES + 1]; /* begin here */
	/* points in the order of their patches, and their numbers, from that of the first one on; not of a box */
	int64_t first;
	double *vectors, *magnitudes;
	uint32_t *numbers;
	struct amplitude_tables amplitude_tables;
	struct piecewise inverse_transform; /* of the window, by phase */
};

struct patch_worker {
	struct device *device; /* the GPU; null: the host */
	const struct fast_sums *run;
	struct fast_mesh mesh;
	double *places, *factors, *sums, *amplitudes; /* of the points of a patch */
	struct stage *stage; /* of the host: advanced while a block is summed, from `done` on; else null */
	double done;
	size_t place_capacity, factor_capacity, sum_capacity, amplitude_capacity;
};
/* Zeroed by the end, and after a failure. */
sonde_status patch_worker_begin(const struct fast_sums *run, struct device *gpu, struct patch_worker *worker);
void patch_worker_end(struct patch_worker *worker);
/* Real and imaginary parts at the points of a patch, or of a block of a box. SONDE_CANCELLED if the caller asked to stop. */
sonde_status patch_worker_sum(struct patch_worker *worker, const struct patch *patch);

#endif
