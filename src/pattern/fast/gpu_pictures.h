/* Pictures of a turned sample on a GPU: its points, and what does not depend on the orientation, stay on the device. */
#ifndef SONDE_PATTERN_FAST_GPU_PICTURES_H
#define SONDE_PATTERN_FAST_GPU_PICTURES_H

#include "pattern/fast/gpu_mesh.h"

struct gpu_pictures;

/* What is kept of a patch for all pictures. */
struct gpu_patch_points {
	int64_t count;
	const double *places;       /* as in fast_mesh_set_points() */
	const double *coefficients; /* complex, [channel][point]: amplitudes times the factors that undo the window */
	const double *phases;       /* of the third axis, whose powers are those of moments */
	const uint32_t *numbers;    /* of the points in the picture */
};

/* Of `points` points each; `diffuse` is added to their intensities unless it is null. The mesh must outlive them. */
sonde_status gpu_pictures_make(struct gpu_mesh *gpu, int64_t points, const double *diffuse,
			       struct gpu_pictures **pictures);
void gpu_pictures_free(struct gpu_pictures **pictures);
/* Adds a patch, for which the mesh has been shaped. */
sonde_status gpu_pictures_add_patch(struct gpu_pictures *pictures, int channels,
				    const struct gpu_patch_points *points);

/* Begins a picture of the sample whose atoms are at R r. */
sonde_status gpu_pictures_begin(struct gpu_pictures *pictures, const double rotation[3][3]);
/* The next transforms are those of this patch. */
void gpu_pictures_use_patch(struct gpu_pictures *pictures, size_t patch);
/* Adds the present transform. */
sonde_status gpu_pictures_add(struct gpu_pictures *pictures, size_t patch, int channel, int moment);
/* Ends it; its intensities are in slot 0 or 1 when the device has done all this. */
sonde_status gpu_pictures_end(struct gpu_pictures *pictures, int slot);
/* Waits for the picture in a slot. */
sonde_status gpu_pictures_read(struct gpu_pictures *pictures, int slot, double *intensities);
/* F of the latest picture, real and imaginary parts in turn. */
sonde_status gpu_pictures_amplitudes(struct gpu_pictures *pictures, double *amplitudes);

#endif
