/* Relative motion of pairs of atoms that depends on more than their classes: displacements that are tensors, or of each
 * atom, and correlated motion.
 *
 * A pair at the distance d, with tensors U of mean square displacements, contributes
 *     sin(q r)/(q r) exp(-q^2 s/2),      r^2 = d^2 + tr U - 3 u,      s = u (1 - delta1/d - delta2/d^2 + (qbroad d)^2),
 *     U = U_i + U_j,  u = n.U.n,  n the direction from i to j.
 * exp(-q^2 u/2) is the projected Debye-Waller factor, the value of the average over orientations of the anisotropic one at its
 * points of stationary phase; r contains the next order, the growth of the mean distance by motion across it (for isotropic
 * U, r = d). Expanded in q, the product is right up to q^2 for any U, since the mean of the squared distance is d^2 + tr U.
 * The law of s: I.-K. Jeong, R. H. Heffner, M. J. Graf, S. J. L. Billinge, Phys. Rev. B 67 (2003) 104301; C. L. Farrow et al.,
 * J. Phys.: Condens. Matter 19 (2007) 335219.
 */
#ifndef SONDE_DEBYE_MOTION_H
#define SONDE_DEBYE_MOTION_H

#include <math.h>
#include <stdbool.h>

#include "debye/classes/classes.h"

/* How a pair moves. */
struct pair_width {
	double r; /* Angstrom */
	double s; /* mean square, Angstrom^2; not below 0 */
};

/* 1 - delta1/d - delta2/d^2 + (qbroad d)^2 */
double motion_law(const struct pair_motion *motion, double d);
/* The distance below which it is negative; 0: it is positive everywhere. It grows with the distance. */
double motion_root(const struct pair_motion *motion);
/* The motion of the first copy of a structure of the sample (copies.h), in *law; null without one. */
const struct pair_motion *debye_structure_motion(const struct debye_classes *classes, int number,
						 struct pair_motion *law);
/* The pair (i, j) of `atoms`, those of the motion. */
struct pair_width motion_of_pair(const struct pair_motion *motion, const sonde_atoms *atoms, int64_t i, int64_t j);
/* The same with the vector d from atom i, or one of its images, to atom j. */
struct pair_width motion_along(const struct pair_motion *motion, const sonde_atoms *atoms, int64_t i, int64_t j,
			       const double d[3]);
/* Two atoms with the vector d between them, and the sum u of their tensors. */
struct pair_width motion_of_tensor(const struct pair_motion *motion, const double d[3], const double u[6]);
/* A pair at the distance d of two species with displacements that are numbers. */
struct pair_width motion_of_species(const struct pair_motion *motion, int a, int b, double d);
/* Numbers for each atom that the kernel needs: 1 or 6. */
uint32_t motion_size(const struct pair_motion *motion);
/* The displacements of the arranged atoms of the motion, as the kernel needs them: motion_size() rows. */
sonde_status motion_arrange(const struct pair_motion *motion, const sonde_atoms *atoms,
			    struct arranged_atoms *arranged);
/* Of the classes: fails if pairs, of a periodic sample with images, are so close that their mean square would be negative,
 * and sets the motion of correlated sites. `periodic`: the cell, into which the atoms were moved, or null for a cluster. */
sonde_status motion_check(struct debye_classes *classes, const struct periodic *periodic);
/* An upper limit of |(d/dr)^k exp(-q^2 s/2)|^(1/k), k = 1 to 4, for pairs of two species between two distances: by this number
 * the factor increases the wave number in the errors of a histogram. */
double motion_steepness(const struct pair_motion *motion, int a, int b, double nearest, double farthest, double q);

/* Sums over a list of distances r > 0 with weights/r and mean squares s; the arrays are followed by LIST_PADDING zeros. Adds to
 * totals[0 .. points of the sums), of which that at q = 0 becomes NaN. The same bits on every device. `stage`: for
 * progress reports by points of q; may be null. */
sonde_status motion_list_add(sonde_context *context, struct device *device, const double *r,
			     const double *weight_over_r, const double *s, uint32_t count,
			     const struct pair_sums *sums, struct stage *stage, double *totals);

#endif
