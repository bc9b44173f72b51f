/* Opening the module with MPI. */
#ifndef SONDE_PARALLEL_MODULE_H
#define SONDE_PARALLEL_MODULE_H

#include "base/status.h"
#include "parallel/mpi_functions.h"

/* Opens the file that SONDE_MPI_MODULE names, or libsonde_mpi.so in the folder `sonde` of the libraries next to the program or library,
 * and starts MPI. SONDE_RESOURCE if that is not possible,
 * or if there are not `size` ranks. */
sonde_status parallel_module_open(int size, const struct mpi_functions **mpi, struct mpi_place *place);

#endif
