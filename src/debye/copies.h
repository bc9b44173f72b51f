/* Samples of copies of one structure: the pairs within a copy are summed once, and those of atoms of different copies
 * exactly, on average over orientations, or not at all. */
#ifndef SONDE_DEBYE_COPIES_H
#define SONDE_DEBYE_COPIES_H

#include "debye/classes.h"

/* Sets the atoms whose pairs are summed, by option `copies`: all, or those of the first copy. Fails unless the copies
 * are congruent. */
sonde_status debye_copies_take(sonde_context *context, const sonde_debye_options *options, int64_t sample_atoms,
			       struct debye_classes *classes);

/* From the sums of the first copy to those of all copies. Averaged over independent orientations of the copies about
 * their centers, the pairs of classes a and b in copies m and n with centers at R_m and R_n have the sum
 *
 *     b_a(q) b_b(q) sin(q R_mn)/(q R_mn),     b_a(q) = sum over atoms i of class a of sin(q d_i)/(q d_i)
 *
 * with d_i the distance of atom i from its copy's center (Guinier & Fournet, Small-Angle Scattering of X-Rays (1955),
 * section 2.2; Kotlarchyk & Chen, J. Chem. Phys. 79 (1983) 2461). */
sonde_status debye_copies_add(sonde_context *context, const struct debye_classes *classes, struct pair_sums *sums);

#endif
