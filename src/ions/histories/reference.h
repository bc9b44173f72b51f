/* The oracle of the transport of ions: one history after the other in float64, by the formulas as they stand. Slow and
 * obvious. Steps of constant length, one collision at the end of each (a monolayer); no straggling. */
#ifndef SONDE_IONS_HISTORIES_REFERENCE_H
#define SONDE_IONS_HISTORIES_REFERENCE_H

#include <stdint.h>

#include "base/status.h"
#include "stopping/screening.h"
#include "stopping/table.h"

#define REFERENCE_MOST_ELEMENTS 8

/* A half space x > 0 of one material, amorphous. */
struct reference_target {
	int count;
	int atomic_number[REFERENCE_MOST_ELEMENTS];
	double mass[REFERENCE_MOST_ELEMENTS];         /* amu */
	double fraction[REFERENCE_MOST_ELEMENTS];     /* of the atoms; together 1 */
	double displacement[REFERENCE_MOST_ELEMENTS]; /* energy that an atom must get to leave its place, eV */
	double lattice[REFERENCE_MOST_ELEMENTS];      /* of which it loses so much, eV */
	double density;                               /* atoms in a nm^3 */
	double step;                                  /* nm between collisions */
	double cutoff;                                /* eV, below which an atom stops */
};

/* Ions that come along x, one at a time. */
struct reference_beam {
	int atomic_number;
	double mass, energy; /* amu, eV */
};

/* Sums over histories. Energies in eV, lengths in nm; [0]: by the ions, [1]: by the recoils. */
struct reference_totals {
	double ions, stopped; /* that were followed, that stopped in the target */
	double range, range_squares, path;
	double vacancies, replacements;
	double collisions[2], ionization[2], phonons[2];
	double stored, lost; /* in vacancies, and with what left */
};

/* Follows ion number `ion` and all its recoils, and adds to the totals. All that a history draws depends on the seed and on
 * that number. */
sonde_status reference_history(const struct screening *screening, enum screening_kind kind,
			       const struct stopping_table *stopping, const struct reference_target *target,
			       const struct reference_beam *beam, uint32_t seed, uint32_t ion,
			       struct reference_totals *totals);

#endif
