/* Distances of the pairs of two classes across the periodic directions of a slab or a rod, with the numbers of pairs. */
#ifndef SONDE_DEBYE_DISTANCES_H
#define SONDE_DEBYE_DISTANCES_H

#include <stddef.h>

#include "sonde/status.h"

struct distances {
	double *s, *weight;
	size_t count, s_capacity, weight_capacity;
};

/* The absolute value of s. */
sonde_status distances_add(double s, double weight, struct distances *list);
/* Two of half the weight, a standard deviation apart from the mean; one where the deviation is a rounding error. */
sonde_status distances_add_bin(double mean, double deviation, double weight, struct distances *list);
/* Into increasing order; fast where few are out of it. */
void distances_sort(struct distances *list);
void distances_free(struct distances *list);

#endif
