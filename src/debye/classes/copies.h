/* Samples of copies of one or several structures: the pairs within a copy are summed once, and those of atoms of
 * different copies exactly, on average over orientations, or not at all. */
#ifndef SONDE_DEBYE_COPIES_H
#define SONDE_DEBYE_COPIES_H

#include "debye/classes/classes.h"

/* Sets the atoms whose pairs are summed, by option `copies`: all, or those of the first copy of each structure. Fails
 * unless the copies of each are congruent. `atoms`: the sample of the classes. */
sonde_status debye_copies_take(sonde_context *context, const sonde_debye_options *options, const sonde_atoms *atoms,
			       struct debye_classes *classes);
/* The atoms of the first copy of a structure, in arrays of the classes. */
sonde_atoms debye_structure_atoms(const struct debye_classes *classes, int number);
/* From the sums within one copy of a structure to those within all of them. */
void debye_copies_scale(const struct debye_classes *classes, int number, struct pair_sums *sums);
/* Adds the sums of another structure, and their errors. */
void debye_copies_include(const struct debye_classes *classes, const struct pair_sums *more, struct pair_sums *sums);

/* Adds the pairs of different copies. Averaged over independent orientations of the copies about their centers, the pairs of
 * classes a and b in copies m and n with centers at R_m and R_n have the sum
 *
 *     b_ma(q) b_nb(q) sin(q R_mn)/(q R_mn),     b_ma(q) = sum over atoms i of class a in copy m of sin(q d_i)/(q d_i)
 *
 * with d_i the distance of atom i from its copy's center (Guinier & Fournet, Small-Angle Scattering of X-Rays (1955),
 * section 2.2; Kotlarchyk & Chen, J. Chem. Phys. 79 (1983) 2461). */
sonde_status debye_copies_add(sonde_context *context, const struct debye_classes *classes, struct pair_sums *sums);

#endif
