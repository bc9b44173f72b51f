/* The charges that act. */
#ifndef SONDE_COULOMB_CHARGES_H
#define SONDE_COULOMB_CHARGES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "matter/atoms.h"

/* The charges, coordinates in separate arrays; those that are 0 in all sets are left out. */
struct charges {
	uint32_t count;
	double *x, *y, *z, *q;  /* Angstrom, e; q of one set after the other */
	uint8_t *elements;      /* atomic numbers; 0: not known. Null where it does not matter */
	double total, absolute; /* of the first set */
	uint32_t sets;          /* of charges at the same positions; 1 as a rule */
};
/* As the option says, or as the sample brings them. */
sonde_status charges_make(const sonde_atoms *atoms, const char *by_label, struct charges *charges);
void charges_free(struct charges *charges);
/* Sets from number `first` on as charges of their own, whose arrays stay those of `all`: as many as are summed at a time,
 * the last of them being 0 where there are fewer, or one. How many of `all` they are is returned. */
uint32_t charges_of_sets(const struct charges *all, uint32_t first, bool one, struct charges *some);

#endif
