#include "cli/plot/gnuplot.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "run/context.h"

/* The path of gnuplot, to be released with free(); null if it is not installed. Empty or relative folders of PATH are
 * skipped: files in the current folder are data, not programs to be run. */
static char *find_gnuplot(void)
{
	const char *path = getenv("PATH");
	char *candidate;

	while (path != NULL && *path != '\0') {
		int length = (int)strcspn(path, ":");
		if (*path == '/') {
			if (asprintf(&candidate, "%.*s/gnuplot", length, path) < 0)
				return NULL;
			if (access(candidate, X_OK) == 0)
				return candidate;
			free(candidate);
		}
		path += length + (path[length] == ':');
	}
	return NULL;
}

sonde_status gnuplot_check(const char *path, bool overwrite)
{
	if (!file_has_suffix(path, ".png"))
		return status_fail_file(SONDE_INVALID, path, "pictures are PNG files; end the name in .png");
	CHECK(file_check_output(path, overwrite));
	char *program = find_gnuplot();
	if (program == NULL)
		return status_fail(SONDE_INVALID,
				   "plot: gnuplot is not installed; install it (Debian: gnuplot-nox) or omit "
				   "--plot");
	free(program);
	return SONDE_OK;
}

/* Starts gnuplot with these as its standard input and output. Returns 0 or the error number. */
static int spawn_gnuplot(pid_t *process, int input, int output)
{
	char *program = find_gnuplot();
	char *const argv[] = {"gnuplot", NULL};
	posix_spawn_file_actions_t actions;
	int failure;

	if (program == NULL)
		return ENOENT;
	failure = posix_spawn_file_actions_init(&actions);
	if (failure == 0) {
		failure = posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
		if (failure == 0)
			failure = posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
		if (failure == 0)
			failure = posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
		if (failure == 0)
			failure = posix_spawn(process, program, &actions, NULL, argv, environ);
		posix_spawn_file_actions_destroy(&actions);
	}
	free(program);
	return failure;
}

/* Starts gnuplot with its standard input and output at our ends of two pipes. */
static sonde_status start_gnuplot(pid_t *process, int *input, int *output)
{
	int to[2], from[2];

	if (pipe2(to, O_CLOEXEC) != 0)
		return status_fail(SONDE_RESOURCE, "gnuplot cannot be started: %s", strerror(errno));
	if (pipe2(from, O_CLOEXEC) != 0) {
		close(to[0]);
		close(to[1]);
		return status_fail(SONDE_RESOURCE, "gnuplot cannot be started: %s", strerror(errno));
	}
	int failure = spawn_gnuplot(process, to[0], from[1]);
	close(to[0]);
	close(from[1]);
	if (failure != 0) {
		close(to[1]);
		close(from[0]);
		return status_fail(SONDE_RESOURCE, "gnuplot cannot be started: %s", strerror(failure));
	}
	*input = to[1];
	*output = from[0];
	return SONDE_OK;
}

static bool write_all(const sonde_context *context, int descriptor, const char *bytes, size_t size)
{
	while (size > 0) {
		ssize_t written = write(descriptor, bytes, size);
		if (written < 0 && errno == EINTR && !context_cancelled(context))
			continue;
		if (written <= 0)
			return false;
		bytes += written;
		size -= (size_t)written;
	}
	return true;
}

static sonde_status read_all(const sonde_context *context, int descriptor, char **bytes, size_t *size)
{
	size_t capacity = 0;
	ssize_t got;

	*bytes = NULL;
	*size = 0;
	do {
		CHECK(memory_grow(bytes, &capacity, *size + (1 << 16), 1, "the picture"));
		got = read(descriptor, *bytes + *size, 1 << 16);
		if (got > 0)
			*size += (size_t)got;
	} while (got > 0 || (got < 0 && errno == EINTR && !context_cancelled(context)));
	return SONDE_OK;
}

/* Waits for gnuplot, which is terminated if the caller asked to stop. True if it succeeded. */
static bool wait_for(const sonde_context *context, pid_t process)
{
	int how = 0;

	do {
		if (context_cancelled(context))
			kill(process, SIGKILL);
	} while (waitpid(process, &how, 0) < 0 && errno == EINTR);
	return WIFEXITED(how) && WEXITSTATUS(how) == 0;
}

sonde_status gnuplot_draw(const sonde_context *context, const struct text *script, const char *path, bool overwrite)
{
	void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* gnuplot may exit during the write */
	pid_t process = 0;
	int input = -1, output = -1;
	char *picture = NULL;
	size_t size = 0;
	sonde_status status = start_gnuplot(&process, &input, &output);

	if (status == SONDE_OK) {
		bool written = write_all(context, input, script->bytes, script->size);
		close(input);
		status = read_all(context, output, &picture, &size);
		close(output);
		bool ended_well = wait_for(context, process);
		if (context_cancelled(context))
			status = status_fail(SONDE_CANCELLED, "stopped on request while drawing %s", path);
		else if (status == SONDE_OK &&
			 (!written || !ended_well || size < 8 || memcmp(picture, "\x89PNG", 4) != 0))
			status = status_fail_file(SONDE_RESOURCE, path, "gnuplot failed to draw the picture");
	}
	signal(SIGPIPE, before);
	if (status == SONDE_OK)
		status = file_write(path, picture, size, overwrite);
	free(picture);
	return status;
}
