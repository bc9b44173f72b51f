/* Threads that work in the background of the calling one, and fork(). A process that is forked while another thread
 * allocates memory or loads a library inherits that thread's locks, which nobody releases there: it may only execute
 * another program (POSIX.1-2017, fork()). Where the C library lets it allocate memory nevertheless, the allocators of
 * sanitizers and drivers do not. fork() therefore waits for such threads. */
#ifndef SONDE_BASE_BACKGROUND_H
#define SONDE_BASE_BACKGROUND_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"

/* Around the work of a background thread: the first is called before the thread is created, the second at its end, or
 * if it was not created. */
void background_begin(void);
void background_end(void);

/* fork() when no background thread is at work; none begins meanwhile. Not to be called by such a thread. */
pid_t background_fork(void);

/* One function at a time in the background of a thread; zeroed at first. */
struct background_job {
	pthread_t thread;
	bool running;
	sonde_status (*run)(void *user);
	void *user;
	sonde_status status;
	char message[512];
};
/* The job must not be running. Where no thread is available, the caller runs it. */
void background_start(struct background_job *job, sonde_status (*run)(void *user), void *user);
/* Waits for its end, and returns the status, with its message; SONDE_OK if it was not running. */
sonde_status background_wait(struct background_job *job);
/* Waits for its end, whatever that is; the calling thread keeps its message. */
void background_drop(struct background_job *job);
/* As background_wait() for a caller who ends with `status`: returns its own failure, with the message, or else that of the job. */
sonde_status background_finish(struct background_job *job, sonde_status status);

#endif
