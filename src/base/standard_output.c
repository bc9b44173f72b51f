#include "base/standard_output.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static int standard_output = -1;

void standard_output_take(int descriptor)
{
	standard_output = descriptor;
}

bool standard_output_is(const char *path)
{
	return standard_output >= 0 && path != NULL && strcmp(path, STANDARD_OUTPUT_PATH) == 0;
}

sonde_status standard_output_open(struct file_output *output)
{
	*output = (struct file_output){.path = strdup(STANDARD_OUTPUT_PATH), .stream = tmpfile()};
	if (output->path != NULL && output->stream != NULL)
		return SONDE_OK;
	int reason = errno;
	file_output_discard(output);
	return status_fail(SONDE_RESOURCE,
			   "the standard output is kept in a temporary file first, which cannot be opened: %s",
			   strerror(reason));
}

static bool copy_to(int from, int to)
{
	char block[65536];
	ssize_t got;

	while ((got = read(from, block, sizeof block)) > 0 || (got < 0 && errno == EINTR)) {
		for (ssize_t at = 0, put; at < got; at += put) {
			put = write(to, block + at, (size_t)(got - at));
			if (put < 0 && errno != EINTR)
				return false;
			put = put < 0 ? 0 : put;
		}
	}
	return got == 0;
}

sonde_status standard_output_fail(struct file_output *output, int reason)
{
	file_output_discard(output);
	return status_fail(SONDE_RESOURCE, "the standard output cannot be written: %s",
			   strerror(reason != 0 ? reason : EIO));
}

sonde_status standard_output_commit(struct file_output *output)
{
	int from = fileno(output->stream);

	errno = 0;
	if (ferror(output->stream) != 0 || fflush(output->stream) != 0 || lseek(from, 0, SEEK_SET) != 0 ||
	    !copy_to(from, standard_output))
		return standard_output_fail(output, output->reason != 0 ? output->reason : errno);
	file_output_discard(output);
	return SONDE_OK;
}
