/* Elastic scattering of two atoms in the center-of-mass frame, in reduced units: energy epsilon = E a M2/(Z1 Z2 e^2
 * (M1 + M2)), impact parameter s = p/a. */
#ifndef SONDE_STOPPING_SCATTERING_H
#define SONDE_STOPPING_SCATTERING_H

#include "stopping/screening.h"

/* Reduced distance of closest approach: the largest root of 1 - phi(x)/(x epsilon) - s^2/x^2. epsilon > 0, s >= 0. */
double scattering_apsis(const struct screening *screening, double energy, double impact);
/* (pi - theta)/2, and the square of its cosine, sin^2(theta/2), of the scattering angle
 *     theta = pi - 2 s integral from x0 of dx/(x^2 sqrt(1 - phi(x)/(x epsilon) - s^2/x^2)),
 * by Gauss-Mehler quadrature of this many points (Everhart, Stone and Carbone, Phys. Rev. 99 (1955) 1287): with
 * 100 points the relative error is at most 1e-5; bare charges need more. */
double scattering_beta(const struct screening *screening, double energy, double impact, int points);
/* The same for many, with the nodes of the quadrature computed once. */
void scattering_nodes(int points, double *nodes);
double scattering_beta_by(const struct screening *screening, double energy, double impact, int points,
			  const double *nodes);
double scattering_sin2(const struct screening *screening, double energy, double impact, int points);

#endif
