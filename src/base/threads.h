/* Loops shared by threads. The library has its own threads instead of OpenMP's because it must control how they wait:
 * an idle thread polls for work for a moment and then sleeps, so that on a busy machine waiting threads do not take
 * processors from working ones. */
#ifndef SONDE_BASE_THREADS_H
#define SONDE_BASE_THREADS_H

#include <stdint.h>

#include "base/status.h"

/* Some iterations of a loop: `first` to `end` - 1. `worker` is below the number of threads of the loop, and no two
 * simultaneous calls have the same. */
typedef void threads_body(void *state, int64_t first, int64_t end, int worker);

/* Calls `body` for the iterations 0 to `count` - 1, at most `grain` (at least 1) of them per call, on at most
 * `threads` threads including the caller, and returns when all have ended. They begin in their order; their assignment
 * to threads is not determined. Fewer threads take part if fewer are available, at worst only the caller; a loop within a body is
 * executed by the thread that reaches it. May be called from several threads at once. */
void threads_for(int threads, int64_t count, int64_t grain, threads_body *body, void *state);

/* Within a body: waits until *counter, which the body of an earlier iteration raises by threads_tell(), is at least
 * `least`, and what was written before that can be read. */
void threads_wait_for(const uint32_t *counter, uint32_t least);
void threads_tell(uint32_t *counter, uint32_t value);

/* Loops that the calling thread begins from now on end early, and leave iterations undone, as soon as *flag (read as an atomic) is not 0; null ends this.
 * For work that is discarded when it is stopped. */
void threads_end_when(const int *flag);
/* SONDE_CANCELLED if that flag is set: loops of the calling thread may have ended early, and memory that they were to
 * fill may not be filled. */
sonde_status threads_completed(void);

/* The largest number of threads that loops of this process wanted at one time and the system refused; 0: there were
 * enough. */
int threads_refused(void);

/* Grain of a loop over `count` that is as large as possible and still keeps `threads` threads equally busy. */
int64_t threads_grain(int threads, int64_t count);

/* Processors that this process may use, or OMP_NUM_THREADS if set. */
int threads_available(void);

#endif
