/* The table of scattering angles, shared by kernels and host. */
#ifndef SONDE_IONS_KERNELS_SCATTERING_LAYOUT_H
#define SONDE_IONS_KERNELS_SCATTERING_LAYOUT_H

/* log2 of the reduced energies and impact parameters covered. Uranium at 0.1 eV, the lowest --cutoff, has 2^-25
 * with uranium or hydrogen, and 2^-27 if its mass is set to 1000; at this energy a ZBL potential acts up to impact
 * parameters of 60. */
#define TABLE_ENERGY_FIRST (-27.0f)
#define TABLE_ENERGY_LAST 13.0f
#define TABLE_IMPACT_FIRST (-8.0f)
#define TABLE_IMPACT_LAST 6.75f
/* Node number n of each is at L with n = (L - FIRST) (DENSITY + GROWTH (L - FIRST)): DENSITY nodes per octave at
 * the first one and increasingly more beyond, in total INTERVALS up to the last. At low energies atoms are nearly
 * hard spheres, and the angle falls within a few screening lengths of an impact parameter of 20 to 60. There is
 * one additional node on every side, for cubic interpolation. */
#define TABLE_ENERGY_DENSITY 1.2f
#define TABLE_ENERGY_GROWTH 0.021f
#define TABLE_ENERGY_INTERVALS 82
#define TABLE_IMPACT_DENSITY 2.2f
#define TABLE_IMPACT_GROWTH 0.18f
#define TABLE_IMPACT_INTERVALS 72
#define TABLE_ENERGIES (TABLE_ENERGY_INTERVALS + 3)
#define TABLE_IMPACTS (TABLE_IMPACT_INTERVALS + 3)
#define TABLE_NUMBERS (TABLE_ENERGIES * TABLE_IMPACTS)

#endif
