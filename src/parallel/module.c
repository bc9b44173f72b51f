#include "parallel/module.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/dynamic_library.h"

/* The folder of the program or of the shared library, followed by the way to the modules. */
static void beside(const char *file, const char *way, char path[PATH_MAX])
{
	const char *slash = strrchr(file, '/');

	if (slash == NULL ||
	    snprintf(path, PATH_MAX, "%.*s/%s/libsonde_mpi.so", (int)(slash - file), file, way) >= PATH_MAX)
		path[0] = '\0';
}

static void beside_program(char path[PATH_MAX])
{
	char program[PATH_MAX];
	const ssize_t size = readlink("/proc/self/exe", program, sizeof program - 1);

	program[size > 0 ? size : 0] = '\0';
	beside(program, SONDE_MODULES_FROM_PROGRAM, path);
}

static sonde_status find_module(char path[PATH_MAX])
{
	const char *given = getenv("SONDE_MPI_MODULE");

	if (given != NULL && given[0] != '\0') {
		if (given[0] != '/')
			return status_fail(SONDE_RESOURCE,
					   "SONDE_MPI_MODULE is '%.200s', which is not an absolute path", given);
		snprintf(path, PATH_MAX, "%s", given);
		return SONDE_OK;
	}
	beside_program(path);
	if (path[0] == '\0' || access(path, R_OK) != 0)
		snprintf(path, PATH_MAX, "%s/libsonde_mpi.so", SONDE_MODULES_INSTALLED);
	if (access(path, R_OK) != 0)
		return status_fail(
		    SONDE_RESOURCE,
		    "this is a rank of an MPI job, but Sonde was installed without its module libsonde_mpi.so; "
		    "docs/parallel.md says how to build it, and SONDE_MPI_MODULE names it");
	return SONDE_OK;
}

sonde_status parallel_module_open(int size, const struct mpi_functions **mpi, struct mpi_place *place)
{
	mpi_functions_of_module *functions = NULL;
	char path[PATH_MAX], reason[128];

	CHECK(find_module(path));
	const char *const names[] = {path, NULL};
	const struct symbol symbols[] = {{MPI_FUNCTIONS_SYMBOL, &functions, false}};
	if (dynamic_library_open(names, symbols, 1, reason, sizeof reason) == NULL) {
		const char *cause = dlerror();
		return status_fail(SONDE_RESOURCE, "the MPI module %.300s cannot be opened: %.300s", path,
				   cause != NULL ? cause : reason);
	}
	*mpi = functions();
	if ((*mpi)->version != MPI_FUNCTIONS_VERSION)
		return status_fail(SONDE_RESOURCE, "the MPI module %.300s belongs to another version of Sonde", path);
	const char *failure = (*mpi)->start(place);
	if (failure != NULL)
		return status_fail(SONDE_RESOURCE, "%s", failure);
	/* the launcher of another MPI: each process would take itself for the only one */
	if (place->size != size)
		return status_fail(
		    SONDE_RESOURCE,
		    "%d ranks were started, but %s of the module %.300s sees %d: it is not the MPI of the launcher",
		    size, place->library, path, place->size);
	return SONDE_OK;
}
