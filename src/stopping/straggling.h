/* Straggling of the electronic energy loss, relative to Bohr's formula. */
#ifndef SONDE_STOPPING_STRAGGLING_H
#define SONDE_STOPPING_STRAGGLING_H

#define STRAGGLING_ELEMENTS 92

/* Coefficients of data/straggling_chu.csv and data/straggling_yang.csv. */
struct straggling {
	double chu[STRAGGLING_ELEMENTS][4]; /* by atomic number minus 1; all 0: Bohr's formula */
	double hydrogen[4], heavy[4];       /* Yang's charge exchange, for H and for heavier ions in solids */
};

void straggling_read(struct straggling *straggling);
/* Bohr's variance for 1 atom/nm^2 along the path, 4 pi Z1^2 Z2 e^4, in eV^2 nm^2. */
double straggling_bohr(int z1, int z2);
/* Chu's correction factor for binding, of element z2 at an energy in MeV/u, 0 included. */
double straggling_chu(const struct straggling *straggling, int z2, double energy);
/* The contribution of charge exchange, to be added to it. */
double straggling_yang(const struct straggling *straggling, int z1, int z2, double energy);

#endif
