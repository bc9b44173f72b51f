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
	struct fast_atom *atoms;      /* in the order of their groups, or, of a resident sample, */
	struct device_buffer records; /* the same on its device; the groups */
	int64_t starts[PATTERN_MOST_CLASSES +
		       1];         /* begin here; of a sample by placements those of one copy of each structure */
	struct fast_copies copies; /* of these; without runs: the atoms are all atoms */
	/* points in the order of their patches, and their numbers, from that of the first one on; not of a box */
	int64_t first;
	double *vectors, *magnitudes;
	uint32_t *numbers;
	struct amplitude_tables amplitude_tables;
	struct piecewise inverse_transform; /* of the window, by phase */
};

/* fast.c: what the patches have in common, of a division; the context, plan, and values are set before. Freed by fast_sums_free(),
 * also after a failure. What workers need to begin, the atoms in groups; */
sonde_status fast_sums_group(struct fast_sums *of, const struct pattern_division *division);
/* then the rest. */
sonde_status fast_sums_prepare(struct fast_sums *of, const struct device *gpu,
			       const struct pattern_division *division);
void fast_sums_free(struct fast_sums *of);
/* Room for the points that are divided together. */
sonde_status fast_sums_allocate(struct fast_sums *of, int64_t chunk);
/* Patches of pixels `first` to first + count - 1 of the plan. */
sonde_status fast_sums_divide(struct fast_sums *of, int64_t first, int64_t count, struct patch_list *list);
/* grouping.c: the atoms in the order of their groups. */
sonde_status fast_group_atoms(struct fast_sums *of);
/* The part of the intensity besides |F|^2. */
double fast_diffuse(const struct pattern_sample *sample, const double vector[3], double q);

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
/* The parts of that. The mesh for a patch, or a block, with the extents of all atoms; */
sonde_status patch_worker_shape(struct patch_worker *worker, const struct patch *patch, struct fast_axes *axes);
/* the most atoms of a transform; */
size_t patch_most_atoms(const struct fast_sums *run);
/* worker->places and ->factors of the points of a patch; */
sonde_status patch_worker_place(struct patch_worker *worker, const struct patch *patch, const struct fast_axes *axes);
/* s half of point n along an axis, whose powers moments have; */
double patch_phase(const struct fast_sums *run, const struct patch *patch, const struct fast_axis *axis, int64_t n);
/* the transform of a channel's atoms. */
sonde_status patch_worker_transform(struct patch_worker *worker, const double middle[3], int channel, int moment);

#endif
