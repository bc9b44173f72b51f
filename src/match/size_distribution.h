/* Log-normal distributions of the sizes of particles, over a family of computed sizes.
 *
 * The number of particles per size D is n(D) = exp(-(ln D - mu)^2/2 s^2)/(D s sqrt(2 pi)), with the mean size M = exp(mu + s^2/2) and the
 * width w, the standard deviation over the mean, s^2 = ln(1 + w^2). Curves of particles between two sizes of the family are the straight line
 * between theirs, so that integrals over n(D) become sums over the family with the integrals of n(D) over hat functions, which follow from
 * the error function: the distribution may be narrower than the distance of two sizes. */
#ifndef SONDE_MATCH_SIZE_DISTRIBUTION_H
#define SONDE_MATCH_SIZE_DISTRIBUTION_H

#include <stdint.h>

/* Parts of all atoms that are in particles of each of the increasing `sizes`, whose sum is 1, with atoms[k] in each particle. Particles smaller
 * than the first and larger than the last size are left out; the return value is their part of all particles' volume. */
double size_distribution_parts(double mean, double width, const double *sizes, const double *atoms, int64_t count,
			       double *parts);

#endif
