/* Ewald's sum (Ann. Phys. 369 (1921) 253): charges periodic in three directions, in a neutralizing background,
 * surrounded by a conductor at infinity ("tin foil").
 *
 *     phi(p) = sum_images q erfc(alpha r)/r + 4 pi/V sum_{k != 0} exp(-k^2/(4 alpha^2))/k^2 sum_j q_j cos(k (p - r_j))
 *              - pi Q/(V alpha^2)
 *
 * A charge at the point itself is excluded: 2 alpha q/sqrt(pi) is subtracted from the second sum. The result does
 * not depend on alpha. */
#ifndef SONDE_COULOMB_PERIODIC_EWALD_H
#define SONDE_COULOMB_PERIODIC_EWALD_H

#include "coulomb/charges.h"
#include "coulomb/periodic/cell.h"
#include "coulomb/plan.h"

struct ewald {
	double alpha; /* 1/Angstrom */
	struct cell cell;
	struct charges images; /* images within reach of the cell */
	double *waves;         /* kx, ky, kz, and the coefficients of cos(k p) and sin(k p), for half of the waves */
	uint32_t wave_count;
	double background;
};

/* The two sums, truncated at `tolerance`, for evaluation at this many points. `split` times the best alpha: 1
 * unless two splittings are compared. */
sonde_status ewald_make(const sonde_context *context, const struct charges *charges, const struct cell *cell,
			double tolerance, double split, double points, struct ewald *ewald);
/* Approximate cost per point, for many points, in units of a plain charge. */
double ewald_terms(const struct charges *charges, double tolerance);
void ewald_free(struct ewald *ewald);
/* The oracle: one point by the C library's erfc, sine and cosine, in compensated float64. */
void ewald_reference_point(const struct ewald *ewald, const double point[3], double sums[4], uint64_t *coincident);

#endif
