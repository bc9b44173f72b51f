/* A box of points by the fast method on a GPU that has room for the amplitudes of all points: the host copies only what is wanted. */
#ifndef SONDE_PATTERN_FAST_GPU_BOX_H
#define SONDE_PATTERN_FAST_GPU_BOX_H

#include "base/piecewise.h"
#include "pattern/fast/gpu_mesh.h"
#include "pattern/pattern.h"

struct gpu_box;

/* *box is null if the device has no room for it and for others with that number of bytes. Freed by gpu_box_free(). */
sonde_status gpu_box_make(struct gpu_mesh *gpu, const struct pattern_pixels *pixels, double others,
			  struct gpu_box **box);
void gpu_box_free(struct gpu_box **box);
/* Adds the present waves of the mesh, those of a block along these axes, times an amplitude by tables; `imaginary` may be null. */
sonde_status gpu_box_add(struct gpu_box *box, const struct fast_axes *axes, const struct piecewise *real,
			 const struct piecewise *imaginary);
/* Intensities, with a diffuse part unless its table is null. */
sonde_status gpu_box_intensities(struct gpu_box *box, const struct piecewise *diffuse, double *intensities);
/* F of points first to first + count - 1, real and imaginary parts in turn. */
sonde_status gpu_box_amplitudes(struct gpu_box *box, int64_t first, int64_t count, double *amplitudes);

#endif
