/* How far energy straggles by electronic losses, relative to Bohr's formula. */
#ifndef SONDE_STOPPING_STRAGGLING_H
#define SONDE_STOPPING_STRAGGLING_H

#define STRAGGLING_ELEMENTS 92

/* Coefficients of data/straggling_chu.csv and data/straggling_yang.csv. */
struct straggling {
	double chu[STRAGGLING_ELEMENTS][4]; /* by atomic number less 1; all 0: Bohr's */
	double hydrogen[4], heavy[4];       /* of Yang's charge exchange: of H, and of heavier ions in solids */
};

void straggling_read(struct straggling *straggling);
/* Bohr's variance an atom and nm^2 of path, 4 pi Z1^2 Z2 e^4, in eV^2 nm^2. */
double straggling_bohr(int z1, int z2);
/* Chu's factor for binding, of element z2 at an energy in MeV/u; from 0. */
double straggling_chu(const struct straggling *straggling, int z2, double energy);
/* What charge exchange adds to it. */
double straggling_yang(const struct straggling *straggling, int z1, int z2, double energy);

#endif
