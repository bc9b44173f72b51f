/* Pictures of one sample in many orientations by the fast method on GPUs, which share them. Atoms are turned instead of vectors, by the directions of
 * the axes of their mesh alone: points, patches, amplitudes, and the factors of the window are the same for all orientations and stay on
 * the device, and the mesh has room for the ball around the sample. */
#ifndef SONDE_PATTERN_FAST_TURNED_H
#define SONDE_PATTERN_FAST_TURNED_H

#include "pattern/pattern.h"

struct turned;

/* For the plan of a picture without rotations, `fast` of which is widened until the error of the picture in the orientation `first`
 * is within the tolerance; that error, and the number of points that were computed again, unless `error` is null. *turned is null if
 * no GPU computes such pictures: amplitudes depend on the direction of q in the sample, or memory is short. The plan must outlive it.
 * Freed by turned_free(). */
sonde_status turned_make(sonde_context *context, struct pattern_plan *plan, const double first[3][3], double *error,
			 int64_t *checked, struct turned **turned);
void turned_free(struct turned **turned);
/* Intensities of `count` pictures, one after the other, with the same bits by any GPUs. *failed is the index of the device that was the
 * first to fail, if one does. */
sonde_status turned_pictures(struct turned *turned, const double (*rotations)[3][3], int64_t count,
			     double *intensities, int *failed);

#endif
