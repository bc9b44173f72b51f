#include "parallel/launcher.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Variables of the launchers by which a process knows that it is one of several. */
static const struct {
	const char *rank, *size;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, /* mpirun of Open MPI */
    {"PMI_RANK", "PMI_SIZE"},                         /* mpiexec of MPICH and its relatives, srun --mpi=pmi2 */
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},   /* MVAPICH2 */
    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},         /* srun; a batch script itself is a step of one task */
    {"PALS_RANKID", "PALS_SIZE"},                     /* mpiexec of Cray */
};

static bool read_number(const char *name, long least, long *number)
{
	const char *text = getenv(name);
	char *end;

	if (text == NULL || text[0] == '\0')
		return false;
	*number = strtol(text, &end, 10);
	return *end == '\0' && *number >= least && *number <= INT_MAX;
}

bool launcher_started(int *rank, int *size)
{
	const char *module = getenv("SONDE_MPI_MODULE");
	long number, count;

	*rank = 0;
	*size = 1;
	/* independent processes */
	if (module != NULL && strcmp(module, "none") == 0)
		return false;
	for (size_t k = 0; k < sizeof launchers / sizeof *launchers; ++k) {
		if (!read_number(launchers[k].rank, 0, &number) || !read_number(launchers[k].size, 2, &count))
			continue;
		*rank = (int)number;
		*size = (int)count;
		return true;
	}
	return false;
}

bool launcher_is_first_of_node(void)
{
	static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
					    "MV2_COMM_WORLD_LOCAL_RANK", "SLURM_LOCALID", "PALS_LOCAL_RANKID"};
	long number;
	int rank, size;

	if (!launcher_started(&rank, &size))
		return true;
	for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
		if (read_number(names[k], 0, &number))
			return number == 0;
	return rank == 0;
}
