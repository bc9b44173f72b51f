/* Ewald's sum (Ann. Phys. 369 (1921) 253): charges that repeat in three directions, in a neutralising background and with
 * a conductor far around ("tin foil").
 *
 *     phi(p) = sum_images q erfc(alpha r)/r + 4 pi/V sum_{k != 0} exp(-k^2/(4 alpha^2))/k^2 sum_j q_j cos(k (p - r_j))
 *              - pi Q/(V alpha^2)
 *
 * A charge at the point itself is left out: of the second sum, 2 alpha q/sqrt(pi) is taken away. The result does not
 * depend on alpha. */
#ifndef SONDE_COULOMB_PERIODIC_EWALD_H
#define SONDE_COULOMB_PERIODIC_EWALD_H

#include "coulomb/charges.h"
#include "coulomb/periodic/cell.h"
#include "coulomb/plan.h"

struct ewald {
	double alpha; /* 1/Angstrom */
	struct cell cell;
	struct charges images; /* those within reach of the cell */
	double *waves;         /* kx, ky, kz, and the coefficients of cos(k p) and sin(k p), of half of the waves */
	uint32_t wave_count;
	double background;
};

/* The two sums, cut where they have fallen to `tolerance`, to be taken at so many points. `split` times the best alpha: 1
 * unless two are compared. */
sonde_status ewald_make(const sonde_context *context, const struct charges *charges, const struct cell *cell,
			double tolerance, double split, double points, struct ewald *ewald);
/* About how many plain charges at each of many points this is as much work as. */
double ewald_terms(const struct charges *charges, double tolerance);
void ewald_free(struct ewald *ewald);
/* The oracle: one point by the C library's erfc, sine and cosine, in compensated float64. */
void ewald_reference_point(const struct ewald *ewald, const double point[3], double sums[4], uint64_t *coincident);

#endif
