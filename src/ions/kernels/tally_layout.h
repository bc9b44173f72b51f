/* Sums in each cell: rows of the tallies, first those of all atoms, then some for each kind of the
 * target atoms. Shared by kernels and host. */
#ifndef SONDE_IONS_KERNELS_TALLY_LAYOUT_H
#define SONDE_IONS_KERNELS_TALLY_LAYOUT_H

#define TALLY_IMPLANTED 0u          /* ions at rest */
#define TALLY_IONIZATION_BY_IONS 1u /* energies in units of 2^-20 eV */
#define TALLY_IONIZATION_BY_RECOILS 2u
#define TALLY_PHONONS_BY_IONS 3u
#define TALLY_PHONONS_BY_RECOILS 4u
#define TALLY_STORED 5u        /* energy that atoms lost when they permanently left their sites, or the target */
#define TALLY_DAMAGE_ENERGY 6u /* of primary recoils */
#define TALLY_NRT 7u           /* displacements, in units of 2^-20 */
#define TALLY_ARC 8u
#define TALLY_SHOWN_OF_ALL 9u
#define TALLY_LOST 9u /* energy of atoms that left the target; these three outside the cells */
#define TALLY_COLLISIONS_OF_IONS 10u
#define TALLY_COLLISIONS_OF_RECOILS 11u
#define TALLY_BROUGHT 12u /* energy of ions at their start */
#define TALLY_ROWS_OF_ALL 13u
/* for each kind */
#define TALLY_PRIMARY 0u   /* primary recoils, of ions */
#define TALLY_ENERGY_TO 1u /* energy transferred to them by ions */
#define TALLY_VACANCIES_BY_IONS 2u
#define TALLY_VACANCIES_BY_RECOILS 3u
#define TALLY_REPLACEMENTS 4u
#define TALLY_INTERSTITIALS 5u /* recoils at rest */
#define TALLY_SHOWN_OF_KIND 6u
#define TALLY_SPUTTERED 6u   /* recoils that left through x = 0, outside the cells, */
#define TALLY_TRANSMITTED 7u /* and at the other end */
#define TALLY_ROWS_OF_KIND 8u

/* Spectra of primary recoils, by group of ions (i modulo SPECTRUM_GROUPS) and kind of atoms. */
#define SPECTRUM_GROUPS LEAVING_GROUPS

/* Leaving atoms, by group of ions (i modulo LEAVING_GROUPS), kind of atoms (0: the ions) and side (0: x = 0, 1:
 * the other end): number, energy in units, cosines of the angle with the normal in units of 1/UNITS_OF_COSINE,
 * energies in the bins of primary recoils, and these cosines in LEAVING_COSINES bins of equal width, which are
 * equal solid angles. */
#define LEAVING_GROUPS 64u
#define LEAVING_NUMBER 0u
#define LEAVING_ENERGY 1u
#define LEAVING_COSINE 2u
#define LEAVING_BINS 3u
#define LEAVING_COSINES 20u
#define UNITS_OF_COSINE 1073741824.0f /* 2^30: sums of a launch fit into 64 bits for any number of leaving atoms */
#define LEAVING_NUMBERS(energy_bins) (LEAVING_BINS + (energy_bins) + LEAVING_COSINES)

#endif
