/* Locks of outputs on file systems of several machines (lock.h): a file OUTPUT.lock next to the output, which is locked and names the process and the machine
 * that hold it. It is removed when the lock is released; after a kill it stays, locks nothing, and is taken over by the next run. */
#ifndef SONDE_BASE_LOCK_FILE_H
#define SONDE_BASE_LOCK_FILE_H

#include "base/status.h"

struct output_lock {
	int descriptor; /* -1: none */
	char *path;     /* of the file, if the lock is one */
};

/* As output_lock_take() and output_lock_release(), wherever the output is. */
sonde_status lock_file_take(const char *output, struct output_lock *lock);
void lock_file_release(struct output_lock *lock);
/* SONDE_INVALID, with its message. */
sonde_status lock_is_held(const char *output, const char *holder);

#endif
