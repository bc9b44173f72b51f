/* A lock excludes other runs that write the same output; it lasts as long as the run and ends with the process, however that ends.
 *
 * On local file systems nothing is written for it: a range of bytes of the folder is locked, whose offset encodes the
 * name of the output and whose length encodes the process. Elsewhere (NFS and others, where locks of folders are not
 * seen by other machines) it is a file, lock_file.h. */
#ifndef SONDE_BASE_LOCK_H
#define SONDE_BASE_LOCK_H

#include "base/lock_file.h"

/* Locks an output. SONDE_INVALID, with the process that holds it, if another run does, in this process or another one. Continues without a lock where none is
 * available: in folders that cannot be read or written, and on file systems without locks. To be released by output_lock_release(), also after a failure. */
sonde_status output_lock_take(const char *output, struct output_lock *lock);
void output_lock_release(struct output_lock *lock);

#endif
