/* The ranks of a job of MPI, of which this process may be one. */
#ifndef SONDE_CLI_PROGRAM_RANKS_H
#define SONDE_CLI_PROGRAM_RANKS_H

#include <stdbool.h>

#include "base/status.h"
#include "parallel/parallel.h"

/* Under mpirun or srun, joins the others; before the first command. SONDE_RESOURCE without the module for MPI. */
sonde_status ranks_join(void);
/* Null if this process is the only one. */
struct parallel *ranks_of_program(void);
/* Whether this process prints: it is the only one, or the first. */
bool ranks_is_first(void);
/* The exit code of all ranks. */
int ranks_leave(int code);

#endif
