/* The source charges. */
#ifndef SONDE_COULOMB_CHARGES_H
#define SONDE_COULOMB_CHARGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "matter/atoms/atoms.h"

/* The charges, coordinates in separate arrays; without those that are 0 in all sets. */
struct charges {
	uint32_t count;
	double *x, *y, *z, *q;  /* Angstrom, e; q set by set */
	uint8_t *elements;      /* atomic numbers; 0: unknown. Null where not needed */
	double total, absolute; /* of the first set */
	uint32_t sets;          /* of charges at the same positions; usually 1 */
};
/* The charges given by the option, or those of the sample. */
sonde_status charges_make(const sonde_atoms *atoms, const char *by_label, struct charges *charges);
void charges_free(struct charges *charges);
/* Sets from number `first` on as separate charges that share the arrays of `all`: as many as are summed at a time,
 * padded by sets of 0, or one. Returns their number in `all`. */
uint32_t charges_of_sets(const struct charges *all, uint32_t first, bool one, struct charges *some);

#endif
