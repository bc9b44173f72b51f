/* The orientations of one sample: their pictures, and the sums of these. */
#ifndef SONDE_PATTERN_AVERAGE_ORIENTATIONS_H
#define SONDE_PATTERN_AVERAGE_ORIENTATIONS_H

#include "pattern/average/running_mean.h"

/* Computes the orientations of a sample from average->done on, and adds them to its sums; `checked`: computes some points again. The
 * plan is that of the sample, whose window the check may widen. */
sonde_status orientations_add(struct average *average, const sonde_atoms *atoms, struct pattern_plan *plan,
			      bool checked);

#endif
