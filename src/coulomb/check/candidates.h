/* Points of a grid that may be drawn for the estimate of the errors. */
#ifndef SONDE_COULOMB_CHECK_CANDIDATES_H
#define SONDE_COULOMB_CHECK_CANDIDATES_H

#include <stdint.h>

/* A pseudo-random number from 0 to 1 for an index. */
double candidates_chance(uint64_t index);
/* The candidate of a group of `of` consecutive points. */
int64_t candidates_of_group(int64_t group, int64_t of);
/* The means of the first `count` values are taken over points at this distance, from half of it on. */
int64_t candidates_step(int64_t count);

#endif
