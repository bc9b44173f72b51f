/* Sonde: what a probe sees of matter. Includes the whole C interface.
 *
 * Threads. Functions may be called from several threads at once as long as no two of them use the same context, nor the same plan,
 * sample or result while one of them changes it. For that, each thread of a program has its own context; contexts share only the library's threads and
 * the compiled kernels on the disk, and results are bit-identical to those without other threads. A plan
 * counts as its context. sonde_atoms and results that are not being changed may be read by any number of threads. Messages
 * (sonde_status_message()) are those of the calling thread. sonde_context_cancel() may be called from any thread, and from
 * signal handlers, while the context is in use. HDF5 files are read and written by one thread at a time; the others wait.
 *
 * Versions. Within one minor version (SONDE_VERSION_MAJOR and _MINOR) a program runs with any patch version of the library, newer
 * or older than its headers. Structs that the caller allocates begin with struct_size, set by their init function or by the
 * function that fills them, and grow at their end; so do the structs that the library allocates.
 * Structs in arrays of a result, and sonde_grid and sonde_vector, do not change within a minor version. Reserved members are null.
 */
#ifndef SONDE_SONDE_H
#define SONDE_SONDE_H

#include "sonde/atoms.h"
#include "sonde/body.h"
#include "sonde/build.h"
#include "sonde/context.h"
#include "sonde/engines.h"
#include "sonde/job.h"
#include "sonde/library.h"
#include "sonde/match.h"
#include "sonde/measure.h"
#include "sonde/refine.h"
#include "sonde/status.h"
#include "sonde/tune.h"
#include "sonde/types.h"
#include "sonde/version.h"
#include "sonde/volume.h"

#endif
