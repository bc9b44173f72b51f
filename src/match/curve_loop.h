/* Loops over the curves of a series, or over synthetic curves, with progress. */
#ifndef SONDE_MATCH_CURVE_LOOP_H
#define SONDE_MATCH_CURVE_LOOP_H

#include "base/threads.h"
#include "sonde/context.h"

/* A curve; `worker` is below the number of the context's threads, and no two simultaneous calls have the same. */
typedef sonde_status curve_work(void *state, int64_t curve, int worker);

/* Calls `work` for the curves 0 to `count` - 1 on the threads of the context, `grain` of them at a time. `stage` is the name of the progress.
 * After a failure the others are not begun, and the one that failed is called again, as worker 0, for the message; if it succeeds then,
 * the status is SONDE_RESOURCE with `what`, for which memory was missing. */
sonde_status curve_loop(sonde_context *context, const char *stage, int64_t count, int64_t grain, curve_work *work,
			void *state, const char *what);

#endif
