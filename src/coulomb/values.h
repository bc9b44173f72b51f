/* The values computed by sums. */
#ifndef SONDE_COULOMB_VALUES_H
#define SONDE_COULOMB_VALUES_H

#include <stdbool.h>
#include <stdint.h>

/* Sums in e/Angstrom and e/Angstrom^2, times a factor: potential[k] and, unless null, field[3 k ..] of every
 * point, and `stride` points further those of the next set of charges. */
struct values {
	double *potential, *field, factor;
	uint32_t sets; /* number of requested sets, at most that of the charges */
	int64_t stride;
	int64_t first;         /* index of the first point of the values */
	double kernel_seconds; /* of the slowest device */
	bool for_all;          /* of several ranks, not for the first one alone */
};

#endif
