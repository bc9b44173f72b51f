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

sonde_status standard_output_open(FILE **stream)
{
	*stream = tmpfile();
	return *stream != NULL
		   ? SONDE_OK
		   : status_fail(
			 SONDE_RESOURCE,
			 "the standard output is first collected in a temporary file, which cannot be opened: %s",
			 strerror(errno));
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

sonde_status standard_output_fail(int reason)
{
	return status_fail(SONDE_RESOURCE, "the standard output cannot be written: %s",
			   strerror(reason != 0 ? reason : EIO));
}

bool standard_output_copy(FILE *stream)
{
	int from = fileno(stream);

	errno = 0;
	return ferror(stream) == 0 && fflush(stream) == 0 && lseek(from, 0, SEEK_SET) == 0 &&
	       copy_to(from, standard_output);
}
