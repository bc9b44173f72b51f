/* Loops shared by threads. The library has its own threads, and not OpenMP's, because it must choose how they wait: one
 * that finds no work looks for some for a moment and then sleeps, so that on a busy machine waiting threads do not take
 * the processors from working ones. */
#ifndef SONDE_BASE_THREADS_H
#define SONDE_BASE_THREADS_H

#include <stdint.h>

/* Some iterations of a loop: `first` to `end` - 1. `worker` is below the number of threads of the loop, and no two
 * calls at one time have the same. */
typedef void threads_body(void *state, int64_t first, int64_t end, int worker);

/* Calls `body` for the iterations 0 to `count` - 1, `grain` (at least 1) or fewer of them a call, on at most `threads`
 * threads, of which the caller is one, and returns when all have ended. Which thread gets which is not determined.
 * Fewer threads take part where fewer are to be had, only the caller at worst; a loop within a body is the work of the
 * thread that meets it. May be called from several threads at once. */
void threads_for(int threads, int64_t count, int64_t grain, threads_body *body, void *state);

/* Loops that the calling thread begins from now on end early, and leave iterations undone, as soon as *flag (read as an atomic) is not 0; null: no more. For
 * work that is thrown away when it is stopped. */
void threads_end_when(const int *flag);

/* The most threads that loops of this process wanted at one time and the system refused; 0: there were enough. */
int threads_refused(void);

/* Parts of a loop over `count` that are as large as possible and still keep `threads` threads equally busy. */
int64_t threads_grain(int threads, int64_t count);

/* Processors that this process may use; OMP_NUM_THREADS, if set, instead. */
int threads_available(void);

#endif
