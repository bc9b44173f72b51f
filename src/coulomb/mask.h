/* Excluded points: too near to an atom or its images, too far from all, or outside a box. */
#ifndef SONDE_COULOMB_MASK_H
#define SONDE_COULOMB_MASK_H

#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "run/context.h"

struct mask;
/* *mask is null if no point is excluded. Distances are from the nearest image of atoms that the boundary repeats. `mirrored`: the targets are
 * mirrored (targets_mirrored()). */
sonde_status mask_make(const sonde_atoms *atoms, const sonde_coulomb_options *options, bool mirrored,
		       struct mask **mask);
void mask_free(struct mask **mask);
/* Fails unless the mask, which may be null, leaves at least one of the targets, which are not yet mirrored. */
sonde_status mask_check(sonde_context *context, const struct mask *mask, const struct targets *targets);
/* Sets the values of excluded points of a range to NaN, and counts them. A null mask has none. */
int64_t mask_apply(const sonde_context *context, const struct mask *mask, const struct targets *targets,
		   const struct target_range *range, struct values *values);

#endif
