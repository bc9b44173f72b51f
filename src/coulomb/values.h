/* The numbers that sums make. */
#ifndef SONDE_COULOMB_VALUES_H
#define SONDE_COULOMB_VALUES_H

#include <stdint.h>

/* Sums in e/Angstrom and e/Angstrom^2, times a factor: potential[k] and, unless null, field[3 k ..] of every point, and
 * `stride` points further those of the next set of charges. */
struct values {
	double *potential, *field, factor;
	uint32_t sets; /* that are wanted, no more than the charges have */
	int64_t stride;
	int64_t first;         /* number of the point that the values begin with */
	double kernel_seconds; /* of the device that took longest */
};

#endif
