/* Curves of a candidate whose distances and displacements differ a little from those that were computed, and the resolution of an
 * instrument.
 *
 * Isotropic strain e: all distances become 1 + e times as long. The interference between atoms, h = S - 1 or (I/N - <f^2>)/<f^2>, is then
 * that at q (1 + e); exactly for candidates of one element and for neutrons, since the weights of pairs of species depend on q only through
 * the amplitudes' ratios. G(r) becomes G(r/(1 + e))/(1 + e)^2, with r rho_0 too.
 * Debye-Waller factor B = 8 pi^2 <u^2>, in addition to displacements of the candidate: h exp(-B q^2/8 pi^2); in G(r), the convolution with a
 * Gaussian of variance 2 <u^2>.
 * Resolution in q of G(r): with a constant width Qdamp, exp(-(r Qdamp)^2/2); with a width Qbroad q, the mean over strains of this standard
 * deviation, which widens a peak at r by r Qbroad. */
#ifndef SONDE_MATCH_DEFORMED_H
#define SONDE_MATCH_DEFORMED_H

#include "match/library_file.h"

struct deformation {
	double strain;
	double b;                 /* Angstrom^2 */
	double qdamp_2, qbroad_2; /* squares, since the curve is a smooth function of these; G only */
};

/* A curve on its axis, ready to be deformed. */
struct undeformed {
	enum library_curve curve;
	const double *axis; /* not owned */
	int64_t points;
	double *interference; /* h, q h of F, or G */
	double *self;         /* <f^2> of I; null: not needed */
	double *denominators; /* [points - 5][6]: of Lagrange's polynomials */
};

/* From a curve of a library; `self` [points], for I only, is then the result's. Freed by undeformed_free(), also after a failure. */
sonde_status undeformed_make(enum library_curve curve, const double *axis, int64_t points, const float *row,
			     double *self, struct undeformed *undeformed);
void undeformed_free(struct undeformed *undeformed);
/* The curve on its axis. `room`, [points], is used. Where the axis ends, the last value is used instead of those beyond: points nearer to the
 * end than deformed_reach() are wrong. */
void deform(const struct undeformed *undeformed, const struct deformation *deformation, double *room, double *to);
/* The part of the axis below `high` that deformations up to these lose. */
double deformed_reach(enum library_curve curve, const struct deformation *largest, double high);

#endif
