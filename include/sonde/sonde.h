/* Sonde: what a probe sees of matter. Includes the whole C interface.
 *
 * Threads. Functions may be called from several threads at once as long as no two of them use the same context, nor the same plan,
 * sample or result while one of them changes it. Each thread of a program has a context of its own for that; contexts share
 * nothing but the library's threads and the compiled kernels on the disk, and results have the bits that they have alone. A plan
 * counts as its context. sonde_atoms and results that nobody changes may be read by any number of threads. Messages
 * (sonde_status_message()) are those of the calling thread. sonde_context_cancel() may be called from any thread, and from
 * signal handlers, while the context is in use. Files of HDF5 are read and written by one thread at a time; the others wait.
 *
 * Versions. Within one minor version (SONDE_VERSION_MAJOR and _MINOR) a program runs with any patch version of the library, newer
 * or older than its headers. What the caller allocates begins with struct_size, set by its init function or by the function that
 * fills it, and grows at its end; so do the structs that the library allocates. Structs that stand in arrays of a result, and
 * sonde_grid and sonde_vector, do not change within a minor version. Reserved members are null.
 */
#ifndef SONDE_SONDE_H
#define SONDE_SONDE_H

#include "sonde/atoms.h"
#include "sonde/body.h"
#include "sonde/build.h"
#include "sonde/context.h"
#include "sonde/engines.h"
#include "sonde/job.h"
#include "sonde/measure.h"
#include "sonde/status.h"
#include "sonde/tune.h"
#include "sonde/types.h"
#include "sonde/version.h"
#include "sonde/volume.h"

#endif
