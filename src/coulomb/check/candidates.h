/* Points of a grid that may be drawn for the estimate of the errors, and all points that the estimate needs. */
#ifndef SONDE_COULOMB_CHECK_CANDIDATES_H
#define SONDE_COULOMB_CHECK_CANDIDATES_H

#include "base/status.h"
#include "coulomb/check/errors.h"

/* A pseudo-random number from 0 to 1 for an index. */
double candidates_chance(uint64_t index);
/* The candidate of a group of `of` consecutive points. */
int64_t candidates_of_group(int64_t group, int64_t of);
/* The means of the first `count` values are taken over every so manieth point, from half of that on. */
int64_t candidates_step(int64_t count);
/* The points among `count` of the grid from number `first` on whose values checked_take() reads, in ascending order; to be freed. */
sonde_status candidates_list(const struct checked_points *points, int64_t first, int64_t count, int64_t **list,
			     int64_t *listed);

#endif
