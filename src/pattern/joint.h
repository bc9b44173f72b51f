/* Sites that are not occupied independently of each other. */
#ifndef SONDE_PATTERN_JOINT_H
#define SONDE_PATTERN_JOINT_H

#include "pattern/pattern.h"

/* Finds the pairs of sites of the view, whose atoms have these locations (null: none), with p_ij different from p_i p_j. */
sonde_status pattern_joint_find(const uint32_t *locations, struct pattern_sample *sample);
/* Their part of the intensity, sum over pairs of 2 (p_ij/(p_i p_j) - 1) Re(F_i F_j*), from the amplitudes F of the classes at
 * q: class c has real[2 c stride] and, `stride` numbers later, the imaginary part. */
double pattern_joint_intensity(const struct pattern_sample *sample, const double vector[3], const double *amplitudes,
			       size_t stride);

#endif
