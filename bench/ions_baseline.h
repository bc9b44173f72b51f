/* Baseline for sonde ions: histories followed in the simplest way. */
#ifndef SONDE_BENCH_IONS_BASELINE_H
#define SONDE_BENCH_IONS_BASELINE_H

#include <stdint.h>

#define IONS_BASELINE_FIRST \
	0.125 /* eV, where tables begin; sixteen energies an octave, evenly from one power of 2 on */

/* At an energy: stopping in eV/nm and its slope, mean length of a flight in nm, square of the largest impact parameter there. */
struct ions_baseline_flight {
	double stopping, slope, length, disc;
};

/* Ions in a half space of one element. Energies in eV, masses in amu. */
struct ions_baseline {
	int z1, z2;
	double m1, m2, energy, displacement, lattice, cutoff;
	int exponential;                               /* lengths of flights; else they are all equal */
	const struct ions_baseline_flight *flights[2]; /* of the ion, of recoils */
	double bin;                                    /* width, nm; 100 of them */
};

struct ions_baseline_answer {
	int64_t ions;
	double range, range_error, vacancies, vacancies_error, collisions; /* nm; for an ion; with standard errors */
};

/* Follows this many ions in float64, one after the other, scattering by the MAGIC formula (Biersack and Haggmark,
 * Nucl. Instrum. Methods 174 (1980) 257; for the universal potential Ziegler, Biersack and Littmark 1985). */
void baseline_ions(const struct ions_baseline *job, int64_t ions, struct ions_baseline_answer *answer);

#endif
