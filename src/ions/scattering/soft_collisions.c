#include "ions/scattering/soft_collisions.h"

#include <math.h>

#include "base/constants.h"
#include "ions/kernels/scattering_lookup.h"

SCATTERING_LOG2_TAN2(GLOBAL)

#define WIDEST 0.25 /* step of ln p */

/* 1 - cos psi for sin^2(theta/2) in the center of mass and the ratio of the masses M1/M2, without cancellation. */
static double lost_cosine(double sin2, double ratio)
{
	double along = 1.0 - 2.0 * sin2 + ratio, across2 = 4.0 * sin2 * (1.0 - sin2),
	       square = along * along + across2;

	if (square == 0.0)
		return 1.0;
	double cosine = along / sqrt(square);
	return cosine > 0.0 ? across2 / square / (1.0 + cosine) : 1.0 - cosine;
}

/* For one element, with one atom per nm^3: Simpson's rule in ln p. */
static struct soft_collisions with_element(enum screening_kind screening, const float *table,
					   const struct ions_species *ion, int z2, double mass, double energy,
					   double from, double to)
{
	double length = screening_length(screening, ion->atomic_number, z2), both = ion->mass + mass;
	double reduced = energy * length * mass / (ion->atomic_number * z2 * COULOMB_EV_NM * both);
	double most = 4.0 * ion->mass * mass / (both * both) * energy, range = log(to / from);
	int steps = 2 * (int)ceil(0.5 * range / WIDEST);
	double step = range / steps;
	struct soft_collisions sum = {0};

	for (int k = 0; k <= steps; ++k) {
		double p = from * exp(k * step);
		double tan2 =
		    exp2((double)scattering_log2_tan2(table, (float)log2(reduced), (float)log2(p / length)));
		double sin2 = tan2 / (1.0 + tan2);
		double weight = (k == 0 || k == steps ? 1.0 : k % 2 == 1 ? 4.0 : 2.0) * step / 3.0;
		/* 2 pi p dp = 2 pi p^2 d(ln p) */
		weight *= 2.0 * PI * p * p;
		sum.turning += weight * lost_cosine(sin2, ion->mass / mass);
		sum.stopping += weight * most * sin2;
	}
	return sum;
}

struct soft_collisions soft_collisions_of(enum screening_kind screening, const float *table,
					  const struct ions_species *ion, const struct material *material,
					  double energy, double from, double to)
{
	struct soft_collisions all = {0};

	for (int e = 0; e < material->count && to > from; ++e) {
		struct soft_collisions part = with_element(screening, table, ion, material->atomic_number[e],
							   material->mass[e], energy, from, to);
		double atoms = material->atoms * material->fraction[e];
		all.turning += atoms * part.turning;
		all.stopping += atoms * part.stopping;
	}
	return all;
}
