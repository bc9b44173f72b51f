/* Thermal motion of the atoms: Debye-Waller factors. */
#ifndef SONDE_DEBYE_DISPLACEMENT_H
#define SONDE_DEBYE_DISPLACEMENT_H

#include "debye/classes/classes.h"

/* Whether the displacements are those of the sample. */
bool displacements_are_of_sample(const sonde_debye_options *options);
/* Reads the option `displacement` into classes->displacement, which stays null if it is empty and for tensors of the sample, and
 * makes the motion of pairs if the sums need one, to be checked by motion_check(). */
sonde_status displacements_read(const sonde_debye_options *options, struct debye_classes *classes);
/* Multiplies the sums over pairs of atoms by exp(-q^2 (U_a + U_b)/2). Point k of the sums is point k * stride of the
 * amplitudes, which have `points` points. */
void displacements_damp(const struct debye_classes *classes, const struct amplitudes *amplitudes, int64_t points,
			int64_t stride, struct pair_sums *sums);

#endif
