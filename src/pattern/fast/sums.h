/* The parts of sums by the fast method. */
#ifndef SONDE_PATTERN_FAST_SUMS_H
#define SONDE_PATTERN_FAST_SUMS_H

#include "pattern/fast/amplitudes.h"
#include "pattern/fast/channels.h"
#include "pattern/fast/gpu_box.h"
#include "pattern/fast/gpu_mesh.h"
#include "pattern/fast/mesh.h"
#include "pattern/fast/patches.h"

struct sums {
	sonde_context *context;
	const struct pattern_plan *plan;
	const struct pattern_values *values;
	struct window window;
	struct fast_mesh mesh;
	struct patch_atoms patch_atoms;
	struct fast_channels channels;
	struct fast_atom *atoms;                  /* in the order of their groups, which */
	int64_t starts[PATTERN_MOST_CLASSES + 1]; /* begin here */
	int64_t chunk;                            /* of pixels that are divided together */
	/* of a chunk of pixels, and of a patch */
	double *vectors, *magnitudes, *places, *factors, *sums, *amplitudes;
	uint32_t *numbers;
	struct stage stage;
	double done;
	struct amplitude_tables amplitude_tables;
	struct piecewise inverse_transform; /* of the window, by phase */
	struct gpu_box *box;                /* of a box whose amplitudes are on the GPU; else null */
	struct piecewise diffuse;           /* its intensity besides |F|^2, if there is some */
};

/* Atoms, mesh, and tables, on a GPU or with null on the host; sets all but context, plan and values, which the caller has set. To be
 * freed by sums_free(), also after a failure. */
sonde_status sums_prepare(struct sums *run, struct device *gpu);
void sums_free(struct sums *run);
/* Work space for so many pixels at a time. */
sonde_status sums_allocate(struct sums *run, int64_t chunk);
void sums_free_points(struct sums *run);
/* Patches of pixels `first` to first + count - 1 of the plan: run->vectors, ->magnitudes, and ->numbers. The list is to be freed, also
 * after a failure. */
sonde_status sums_divide(struct sums *run, int64_t first, int64_t count, struct patch_list *list);
/* run->places and ->factors of the points of a patch. */
void sums_place(struct sums *run, const struct patch *patch, const struct fast_axes *axes);
/* s half of point n along an axis, whose powers moments have. */
double sums_phase(const struct sums *run, const struct patch *patch, const struct fast_axis *axis, int64_t n);
/* grouping.c: the atoms in the order of their groups; the most atoms of a transform. */
sonde_status sums_group_atoms(struct sums *run);
size_t sums_most_atoms(const struct sums *run);
sonde_status sums_transform(struct sums *run, const double middle[3], int channel, int moment);
/* box.c: run->box, for a box whose amplitudes a GPU has room for, and depend on the magnitude of q alone. */
sonde_status sums_begin_box(struct sums *run);
/* Its intensities, those amplitudes that are wanted, and, `checked`, those of the points that are computed again. */
sonde_status sums_end_box(struct sums *run, bool checked);
/* The part of the intensity besides |F|^2, and whether there is one. */
bool sums_are_diffuse(const struct pattern_sample *sample);
double sums_diffuse(const struct pattern_sample *sample, const double vector[3], double q);

#endif
