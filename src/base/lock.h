/* Runs that write the same output are kept apart: a run locks OUTPUT.lock, beside the output, for as long as it lasts. The lock ends with the process,
 * however it ends; the file, which names the process, is removed with it, or stays after a kill and is taken over by the next run. */
#ifndef SONDE_BASE_LOCK_H
#define SONDE_BASE_LOCK_H

#include "base/status.h"

struct output_lock {
	int descriptor; /* -1: there is none */
	char *path;
};

/* Locks an output. SONDE_INVALID, with the process that holds it, if another run does, in this process or another one. Goes on without a lock where none can be
 * had: in folders that cannot be written, and on file systems without locks. To be released by output_lock_release(), also after a failure. */
sonde_status output_lock_take(const char *output, struct output_lock *lock);
void output_lock_release(struct output_lock *lock);

#endif
