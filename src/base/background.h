/* Threads that work in the background of the calling one, and fork(). A process that is forked while another thread
 * allocates memory or loads a library inherits that thread's locks, which nobody releases there: it may only execute
 * another program (POSIX.1-2017, fork()). Where the C library lets it allocate memory nevertheless, the allocators of
 * sanitizers and drivers do not. fork() therefore waits for such threads. */
#ifndef SONDE_BASE_BACKGROUND_H
#define SONDE_BASE_BACKGROUND_H

#include <sys/types.h>

/* Around the work of a background thread: the first is called before the thread is created, the second at its end, or
 * if it was not created. */
void background_begin(void);
void background_end(void);

/* fork() when no background thread is at work; none begins meanwhile. Not to be called by such a thread. */
pid_t background_fork(void);

#endif
