/* Sums whose bits do not depend on which device computed the parts: the parts are added in the order of their
 * numbers, with compensation (Neumaier, Z. Angew. Math. Mech. 54 (1974) 39). What an addition loses is found without
 * a comparison (Knuth, The Art of Computer Programming 2, section 4.2.2, theorem B): the same bits, in less time. */
#ifndef SONDE_RUN_ORDERED_SUM_H
#define SONDE_RUN_ORDERED_SUM_H

#include <stddef.h>

struct ordered_sum {
	double sum, lost;
};

static inline void ordered_sum_add(struct ordered_sum *sum, double x)
{
	const double total = sum->sum + x, added = total - sum->sum;

	sum->lost += (sum->sum - (total - added)) + (x - added);
	sum->sum = total;
}

static inline double ordered_sum_value(const struct ordered_sum *sum)
{
	return sum->sum + sum->lost;
}

/* Adds `parts` arrays of `count` numbers, consecutive in memory, to `count` sums. */
static inline void ordered_sum_add_arrays(struct ordered_sum *sums, const double *arrays, size_t parts, size_t count)
{
	for (size_t part = 0; part < parts; ++part)
		for (size_t k = 0; k < count; ++k)
			ordered_sum_add(&sums[k], arrays[part * count + k]);
}

#endif
