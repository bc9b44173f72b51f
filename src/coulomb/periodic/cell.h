/* The cell of periodic charges: in three directions, or in two, as a slab.
 *
 * A slab is summed as if it were also periodic along its normal, with enough vacuum that the waves that distinguish
 * it from its images have decayed (Yeh and Berkowitz, J. Chem. Phys. 111 (1999) 3155). The remainder is the
 * interaction of homogeneous layers, which is known (Ballenegger, Arnold and Cerda, J. Chem. Phys. 131 (2009) 094107;
 * this is the derivative of their energy): with z along the normal, M = sum q z, S = sum q z^2 and Q = sum q of a
 * cell of height H and volume V
 *
 *     phi(z) += 2 pi/V (2 z M - S - Q z^2 - Q H^2/6).
 */
#ifndef SONDE_COULOMB_PERIODIC_CELL_H
#define SONDE_COULOMB_PERIODIC_CELL_H

#include "coulomb/charges.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"

struct cell {
	double edges[3][3];   /* Angstrom */
	double inverse[3][3]; /* fractions from coordinates: f_i = sum_k inverse[i][k] r_k */
	double volume;
	bool slab; /* repeats along the first two edges only; the third is the normal times the height */
	double normal[3], middle, height;
	double moment, square, total; /* M, S and Q, with z relative to `middle` */
};

/* The edges of the options' cell, or of the sample's; of a slab, the third one is the normal, of length 1, along which nothing repeats. */
sonde_status cell_lattice(const sonde_atoms *atoms, const sonde_coulomb_options *options, bool mirrored,
			  struct cell *cell);
/* The cell with all that sums need. `tolerance` determines a slab's distance from its images. `mirrored`:
 * charges and targets are mirrored. */
sonde_status cell_make(const sonde_atoms *atoms, const sonde_coulomb_options *options, const struct charges *charges,
		       const struct targets *targets, bool mirrored, double tolerance, struct cell *cell);
void cell_fractions(const struct cell *cell, const double point[3], double fractions[3]);
/* Moves a point into the cell. */
void cell_wrap(const struct cell *cell, double point[3]);
/* The charges of all cells with fractional coordinates between `low` and `high` that `keep` accepts (null: all). */
typedef bool keep_image(const void *user, const double place[3]);
sonde_status cell_images(const sonde_context *context, const struct cell *cell, const struct charges *charges,
			 const double low[3], const double high[3], keep_image *keep, const void *user,
			 struct charges *images);
/* The correction for a slab's images along its normal: phi, Ex, Ey, Ez at a point; 0 if it is not a slab. */
void cell_slab_term(const struct cell *cell, const double point[3], double sums[4]);

#endif
