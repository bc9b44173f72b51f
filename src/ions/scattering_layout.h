/* The table of scattering angles, shared by kernels and host. */
#ifndef SONDE_IONS_SCATTERING_LAYOUT_H
#define SONDE_IONS_SCATTERING_LAYOUT_H

/* log2 of reduced energies and impact parameters that it covers, and nodes an octave of both. There is one node more on
 * every side, for cubic interpolation. */
#define TABLE_ENERGY_FIRST (-14)
#define TABLE_ENERGY_LAST 16
#define TABLE_IMPACT_FIRST (-7)
#define TABLE_IMPACT_LAST 5
#define TABLE_AN_OCTAVE 4
#define TABLE_ENERGIES ((TABLE_ENERGY_LAST - TABLE_ENERGY_FIRST) * TABLE_AN_OCTAVE + 3)
#define TABLE_IMPACTS ((TABLE_IMPACT_LAST - TABLE_IMPACT_FIRST) * TABLE_AN_OCTAVE + 3)
#define TABLE_NUMBERS (TABLE_ENERGIES * TABLE_IMPACTS)

#endif
