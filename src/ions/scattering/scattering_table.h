/* A table of scattering angles for a potential, used by histories: kernels/scattering_lookup.h. */
#ifndef SONDE_IONS_SCATTERING_SCATTERING_TABLE_H
#define SONDE_IONS_SCATTERING_SCATTERING_TABLE_H

#include "ions/kernels/scattering_layout.h"
#include "stopping/scattering.h"

/* Fills TABLE_NUMBERS numbers: -log2 tan^2(theta/2), a row of impact parameters for each energy, as float32. */
void scattering_table_fill(const struct screening *screening, int threads, float *table);
/* The same for log2 of the reduced distance of closest approach. */
void scattering_table_fill_apsis(const struct screening *screening, int threads, float *table);

#endif
