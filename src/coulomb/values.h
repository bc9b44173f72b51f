/* The values computed by sums. */
#ifndef SONDE_COULOMB_VALUES_H
#define SONDE_COULOMB_VALUES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Points whose values this rank has computed, in any order. */
struct own_points {
	struct {
		int64_t first, count;
	} * ranges;
	size_t count, capacity;
};

/* Sums in e/Angstrom and e/Angstrom^2, times a factor: potential[k] and, unless null, field[3 k ..] of every
 * point, and `stride` points further those of the next set of charges. */
struct values {
	double *potential, *field, factor;
	uint32_t sets; /* number of requested sets, at most that of the charges */
	int64_t stride;
	int64_t first;         /* index of the first point of the values */
	double kernel_seconds; /* of the slowest device */
	bool for_all;          /* of several ranks, not for the first one alone */
	/* Of several ranks, each of which writes its own points to the file: these; null: the first one writes all. */
	struct own_points *own;
	/* Then the first one needs the values of other ranks at these points only, in ascending order; null: at all. */
	const int64_t *wanted;
	int64_t wanted_count;
};

#endif
