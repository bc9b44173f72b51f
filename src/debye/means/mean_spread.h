/* Standard errors of means over frames. */
#ifndef SONDE_DEBYE_MEAN_SPREAD_H
#define SONDE_DEBYE_MEAN_SPREAD_H

#include "debye/debye.h"
#include "run/spread.h"

/* Adds a frame. `blocks` blocks of `expected` frames; 0: each frame is a value. */
sonde_status mean_spread_add(struct spread *spread, const sonde_debye_result *frame, int64_t blocks,
			     int64_t expected);
/* Sets the standard errors of `result`, which has the curves of the frames; none with fewer than two values. */
sonde_status mean_spread_deliver(const struct spread *spread, sonde_debye_result *result);

#endif
