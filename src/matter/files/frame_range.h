/* Frames of a trajectory, chosen as in Python: start:stop:step from 0, without the frame `stop`. */
#ifndef SONDE_MATTER_FRAME_RANGE_H
#define SONDE_MATTER_FRAME_RANGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct frame_range {
	int64_t start, stop, step; /* negative: from the end; a stop of INT64_MAX is the end */
	bool one;                  /* a single frame, `start` */
};

/* Reads "0:1000:10", "100:", "-100:", "7", "last", "100:last", "all", or "", which is all of them. SONDE_INVALID otherwise:
 * the message does not name the option. */
sonde_status frame_range_parse(const char *text, struct frame_range *range);
/* Whether the number of frames is necessary to know which ones are meant. */
bool frame_range_needs_count(const struct frame_range *range);
/* The frames of `count`: *first, and every step-th after it, *frames in all. SONDE_INVALID if there are none. */
sonde_status frame_range_resolve(const struct frame_range *range, int64_t count, int64_t *first, int64_t *frames);

#endif
