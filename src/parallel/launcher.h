/* What mpirun, mpiexec and srun tell the processes that they start, in the environment: known before MPI is. */
#ifndef SONDE_PARALLEL_LAUNCHER_H
#define SONDE_PARALLEL_LAUNCHER_H

#include <stdbool.h>

/* Whether this process is one of several that were started together, and SONDE_MPI_MODULE is not `none`; *rank is its number, *size that of all. */
bool launcher_started(int *rank, int *size);
/* Whether it is the first one on its machine; true if it is the only one. */
bool launcher_is_first_of_node(void);

#endif
