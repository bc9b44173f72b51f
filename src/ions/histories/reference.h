/* The oracle of the transport of ions: one history after another in float64, directly by the formulas. Slow and
 * simple. Steps of constant length, with one collision at the end of each (a monolayer); no straggling. */
#ifndef SONDE_IONS_HISTORIES_REFERENCE_H
#define SONDE_IONS_HISTORIES_REFERENCE_H

#include <stdint.h>

#include "base/status.h"
#include "stopping/screening.h"
#include "stopping/table.h"

#define REFERENCE_MOST_ELEMENTS 8

/* An amorphous half space x > 0 of one material. */
struct reference_target {
	int count;
	int atomic_number[REFERENCE_MOST_ELEMENTS];
	double mass[REFERENCE_MOST_ELEMENTS];         /* amu */
	double fraction[REFERENCE_MOST_ELEMENTS];     /* atomic fractions, with sum 1 */
	double displacement[REFERENCE_MOST_ELEMENTS]; /* energy that an atom needs to leave its site, eV */
	double lattice[REFERENCE_MOST_ELEMENTS];      /* part of it lost to the lattice, eV */
	double density;                               /* atoms per nm^3 */
	double step;                                  /* nm between collisions */
	double cutoff;                                /* eV, below which an atom stops */
};

/* Incident ions along x, one at a time. */
struct reference_beam {
	int atomic_number;
	double mass, energy; /* amu, eV */
};

/* Sums over histories. Energies in eV, lengths in nm; [0]: by the ions, [1]: by the recoils. */
struct reference_totals {
	double ions, stopped; /* number followed, number stopped in the target */
	double range, range_squares, path;
	double vacancies, replacements;
	double collisions[2], ionization[2], phonons[2];
	double stored, lost; /* in vacancies, and with leaving atoms */
};

/* Follows ion number `ion` and all its recoils, and adds to the totals. All random numbers of a history depend on
 * the seed and on this number. */
sonde_status reference_history(const struct screening *screening, enum screening_kind kind,
			       const struct stopping_table *stopping, const struct reference_target *target,
			       const struct reference_beam *beam, uint32_t seed, uint32_t ion,
			       struct reference_totals *totals);

#endif
