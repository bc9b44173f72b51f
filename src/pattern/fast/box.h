/* A volume whose amplitudes are on a GPU: it has room for them, and they depend on the magnitude of q alone. */
#ifndef SONDE_PATTERN_FAST_BOX_H
#define SONDE_PATTERN_FAST_BOX_H

#include "pattern/fast/gpu_box.h"
#include "pattern/fast/patch_sums.h"

struct fast_box {
	struct patch_worker worker;
	struct gpu_box *pictured; /* null: the volume is not of this kind */
	struct piecewise diffuse; /* its intensity besides |F|^2, if there is some */
};
/* `box` is zero before. Freed by fast_box_free(), also after a failure. */
sonde_status fast_box_begin(const struct fast_sums *run, struct device *gpu, struct fast_box *box);
void fast_box_free(struct fast_box *box);
/* Adds a block of it. */
sonde_status fast_box_add(struct fast_box *box, const struct patch *patch);
/* Its intensities, those amplitudes that are wanted, and, `checked`, those of the points that are computed again. */
sonde_status fast_box_end(struct fast_box *box, bool checked);

#endif
