/* The combined effect of the collisions omitted in flights. */
#ifndef SONDE_IONS_SCATTERING_SOFT_COLLISIONS_H
#define SONDE_IONS_SCATTERING_SOFT_COLLISIONS_H

#include "ions/target/target.h"
#include "stopping/screening.h"

struct soft_collisions {
	double turning;  /* 1/nm: inverse of the transport mean free path, N integral of (1 - cos psi) 2 pi p dp */
	double stopping; /* eV/nm: N integral of T 2 pi p dp */
};

/* For an ion and the atoms of a material, for impact parameters `from` to `to` in nm; psi is the angle in the
 * laboratory frame, T the transferred energy. `table` has the scattering angles of the screening:
 * scattering_table.h. */
struct soft_collisions soft_collisions_of(enum screening_kind screening, const float *table,
					  const struct ions_species *ion, const struct material *material,
					  double energy, double from, double to);

#endif
