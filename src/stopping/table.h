/* Electronic stopping of every ion in every element, from a table: data/stopping_srim13.i16 and the like
 * (data/README.md). */
#ifndef SONDE_STOPPING_TABLE_H
#define SONDE_STOPPING_TABLE_H

#include <stddef.h>

#include "base/status.h"

#define STOPPING_ELEMENTS 92
#define STOPPING_FIRST 1.0 /* keV/u, of the table; below it the stopping is proportional to the velocity */
#define STOPPING_LAST 1e6

struct stopping_table;
/* Reads such a file: 92 x 92 x 121 little-endian 16-bit numbers, 2000 ln S, ion by ion, element by element, 20
 * energies per decade; plain or compressed by gzip. To be freed by stopping_table_free(). */
sonde_status stopping_table_read(const char *path, struct stopping_table **table);
/* Its numbers as stored in memory, and their size in bytes. */
const void *stopping_table_contents(const struct stopping_table *table, size_t *size);
void stopping_table_free(struct stopping_table **table);
/* S in eV/(10^15 atoms/cm^2), which is 0.1 eV nm^2 per atom, of an ion of atomic number z1 in element z2, both
 * from 1 to 92, at an energy from 0 to STOPPING_LAST in keV/u: cubic in the logarithms. */
double stopping_table_value(const struct stopping_table *table, int z1, int z2, double energy);
/* The estimated relative error of that: the difference from an interpolation of two degrees more, and the rounding of the table. */
double stopping_table_error(const struct stopping_table *table, int z1, int z2, double energy);

#endif
