/* A check of unknown files: the HDF5 library crashes on some damaged ones, allocates as much memory as a damaged size
 * demands, or follows damaged addresses in circles. Another process therefore reads the whole file first. */
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/background.h"
#include "io/containers/hdf5_common.h"

#define LARGEST_READ ((uint64_t)256 << 20)   /* limit in bytes on datasets that are read */
#define LARGEST_ATTRIBUTE ((size_t)16 << 20) /* bytes */
#define MOST_TEXTS 300000                    /* of any length */
#define MOST_MEMORY ((uint64_t)4 << 30)      /* bytes of memory, in addition to those of the process */
#define MOST_SECONDS 60                      /* seconds of processor time */

static bool enabled = true;

void hdf5_probe_enable(bool enable)
{
	enabled = enable;
}

static herr_t look_at_attribute(hid_t object, const char *name, const H5A_info_t *info, void *user)
{
	hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = attribute >= 0 ? H5Aget_type(attribute) : -1,
	      space = attribute >= 0 ? H5Aget_space(attribute) : -1;
	const hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;

	(void)info;
	(void)user;
	if (type >= 0 && count > 0 && (uint64_t)count <= LARGEST_ATTRIBUTE &&
	    H5Tget_size(type) <= LARGEST_ATTRIBUTE / (size_t)count) {
		void *values = calloc((size_t)count, H5Tget_size(type) + sizeof(hvl_t));
		if (values != NULL)
			(void)H5Aread(attribute, type, values);
		free(values);
	}
	if (attribute >= 0)
		H5Aclose(attribute);
	return 0;
}

/* Texts of any length, whose references to other parts of the file can be damaged. */
static void look_at_texts(hid_t dataset)
{
	hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
	const hssize_t count = space >= 0 ? H5Sget_simple_extent_npoints(space) : -1;

	if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) > 0 && count > 0 &&
	    count <= MOST_TEXTS) {
		char **texts = calloc((size_t)count, sizeof *texts);
		if (texts != NULL)
			(void)H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, texts);
		free(texts); /* the texts end with the process */
	}
	if (space >= 0)
		H5Sclose(space);
	if (type >= 0)
		H5Tclose(type);
}

static herr_t look_at_object(hid_t file, const char *name, const H5O_info_t *info, void *user)
{
	hid_t object = H5Oopen(file, name, H5P_DEFAULT);
	hsize_t index = 0;
	uint64_t sum;
	bool left_out;

	(void)user;
	if (object < 0)
		return 0;
	(void)H5Aiterate2(object, H5_INDEX_NAME, H5_ITER_INC, &index, look_at_attribute, NULL);
	/* unreadable ones are reported when they are to be used */
	if (info->type == H5O_TYPE_DATASET)
		(void)hdf5_sum_dataset(object, LARGEST_READ, &sum, &left_out);
	if (info->type == H5O_TYPE_DATASET)
		look_at_texts(object);
	H5Oclose(object);
	return 0;
}

/* Size of the address space of the process in bytes; 0: unknown. */
static uint64_t address_space(void)
{
	FILE *file = fopen("/proc/self/statm", "re");
	unsigned long pages = 0;

	if (file == NULL)
		return 0;
	if (fscanf(file, "%lu", &pages) != 1)
		pages = 0;
	fclose(file);
	return (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void limit(int what, uint64_t most)
{
	struct rlimit limits;

	if (getrlimit(what, &limits) == 0 && (limits.rlim_cur == RLIM_INFINITY || limits.rlim_cur > most)) {
		limits.rlim_cur = most;
		(void)setrlimit(what, &limits);
	}
}

/* In a separate process: silent, without the caller's signal handlers, and with limits on resources. */
static void settle(void)
{
	static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGXCPU, SIGTRAP};
	const int nowhere = open("/dev/null", O_RDWR | O_CLOEXEC);
	const uint64_t size = address_space();

	if (nowhere >= 0) {
		(void)dup2(nowhere, STDOUT_FILENO);
		(void)dup2(nowhere, STDERR_FILENO);
	}
	for (size_t k = 0; k < sizeof signals / sizeof *signals; ++k)
		(void)signal(signals[k], SIG_DFL);
	limit(RLIMIT_CORE, 0);
	limit(RLIMIT_CPU, MOST_SECONDS);
	if (size > 0)
		limit(RLIMIT_AS, size + MOST_MEMORY);
}

static int look(const char *path)
{
	settle();
	hdf5_quiet_library();
	hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
	if (file < 0)
		return EXIT_FAILURE;
	/* unreadable groups are reported when they are to be used */
	(void)H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, look_at_object, NULL);
	return H5Fclose(file) < 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* Whether a process ended by its own fault, and was not ended by the user or administrator. */
static bool has_crashed(int how)
{
	if (!WIFSIGNALED(how))
		return false;
	const int number = WTERMSIG(how);
	return number != SIGINT && number != SIGTERM && number != SIGQUIT && number != SIGHUP && number != SIGUSR1 &&
	       number != SIGUSR2;
}

sonde_status hdf5_probe(const char *path)
{
	int how = 0;
	pid_t ended;

	if (!enabled)
		return SONDE_OK;
	const pid_t child = background_fork();
	if (child == 0)
		_exit(look(path));
	if (child < 0)
		return SONDE_OK;
	do
		ended = waitpid(child, &how, 0);
	while (ended < 0 && errno == EINTR);
	if (ended != child)
		return SONDE_OK; /* the calling program reaps all child processes */
	if (has_crashed(how))
		return status_fail_file(SONDE_INVALID, path, "is a damaged HDF5 file");
	return WIFEXITED(how) && WEXITSTATUS(how) == EXIT_FAILURE
		   ? status_fail_file(SONDE_INVALID, path, "is not an HDF5 file, or is damaged")
		   : SONDE_OK;
}
