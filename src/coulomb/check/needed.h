/* The points whose values the estimate of the errors needs. */
#ifndef SONDE_COULOMB_CHECK_NEEDED_H
#define SONDE_COULOMB_CHECK_NEEDED_H

#include "base/status.h"
#include "coulomb/check/errors.h"

/* Of `count` points of a grid from number `first` on, those that checked_take() reads, in ascending order; to be freed, never null. */
sonde_status needed_points(const struct checked_points *points, int64_t first, int64_t count, int64_t **list,
			   int64_t *listed);

#endif
