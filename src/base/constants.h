/* Constants used in several places. Physical ones are those of CODATA 2018 (E. Tiesinga, P. J. Mohr, D. B. Newell, B.
 * N. Taylor, Rev. Mod. Phys. 93 (2021) 025010); "exact": fixed by the definition of the SI units since 2019. */
#ifndef SONDE_BASE_CONSTANTS_H
#define SONDE_BASE_CONSTANTS_H

#define PI 3.14159265358979323846
#define DEGREE (PI / 180.0) /* in radians */

#define SPEED_OF_LIGHT 299792458.0        /* m/s, exact */
#define ELEMENTARY_CHARGE 1.602176634e-19 /* C, exact */
#define PLANCK 6.62607015e-34             /* J s, exact */
#define REDUCED_PLANCK 1.054571817e-34    /* J s, PLANCK/(2 pi) rounded */
#define BOLTZMANN 1.380649e-23            /* J/K, exact */
#define BOLTZMANN_EV 8.617333262145e-5    /* eV/K, exact except for rounding */

/* F/m, of CODATA 2022: 7e-11 above that of 2018. In SI units, of light; the constants of Coulomb's law below do not refer to it. */
#define VACUUM_PERMITTIVITY 8.8541878188e-12

/* e^2/(4 pi epsilon_0) in eV nm, and e/(4 pi epsilon_0) in V Angstrom */
#define COULOMB_EV_NM 1.43996454784255
#define COULOMB_V_ANGSTROM 14.3996454784255

#define BOHR_RADIUS_NM 0.0529177210903
#define BOHR_RADIUS_ANGSTROM 0.529177210903

#endif
