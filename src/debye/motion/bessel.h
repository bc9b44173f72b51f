/* Bessel's function J_0, with the same bits on every processor. */
#ifndef SONDE_DEBYE_BESSEL_H
#define SONDE_DEBYE_BESSEL_H

#include "sonde/status.h"

/* x >= 0; within 1e-15. */
double bessel_j0(double x);

/* Values for many x >= 0, within 1e-13; `last`: the largest. */
struct bessel_table;
sonde_status bessel_table_create(double last, struct bessel_table **table);
void bessel_table_free(struct bessel_table **table);
double bessel_table_j0(const struct bessel_table *table, double x);

#endif
