/* Electronic stopping by the formulas of J. F. Ziegler, J. P. Biersack and U. Littmark, The Stopping and Range of
 * Ions in Solids (Pergamon, 1985), beyond 10 MeV/u by Bethe's formula. No installed file is needed. */
#ifndef SONDE_STOPPING_ZBL_H
#define SONDE_STOPPING_ZBL_H

#define ZBL_ELEMENTS 92

/* An element, as an ion and as a target: data/stopping_zbl.csv and data/mean_excitation.csv. */
struct zbl_element {
	double fermi;      /* Fermi velocity of its electrons, in units of the Bohr velocity */
	double screening;  /* factor for the screening length of its ions */
	double proton[8];  /* coefficients for the stopping of protons in it */
	double excitation; /* mean excitation energy I, eV */
	double shell; /* correction of the Bethe stopping number at 10 MeV/u, so that both formulas agree there */
};

struct stopping_zbl {
	struct zbl_element elements[ZBL_ELEMENTS]; /* by atomic number minus 1 */
};

void stopping_zbl_read(struct stopping_zbl *zbl);
/* S in eV/(10^15 atoms/cm^2), which is 0.1 eV nm^2 per atom, of an ion of atomic number z1 in element z2, both
 * from 1 to 92, at an energy in keV/u; 0 at energy 0. */
double stopping_zbl_value(const struct stopping_zbl *zbl, int z1, int z2, double energy);

#endif
