#include "cli/plot.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/status.h"
#include "base/text.h"
#include "device/context.h"

static bool gnuplot_is_here(void)
{
	const char *path = getenv("PATH");
	char candidate[4096];

	while (path != NULL && *path != '\0') {
		size_t length = strcspn(path, ":");
		if (length > 0 && length < sizeof candidate - 16) {
			memcpy(candidate, path, length);
			strcpy(candidate + length, "/gnuplot");
			if (access(candidate, X_OK) == 0)
				return true;
		}
		path += length + (path[length] == ':');
	}
	return false;
}

sonde_status plot_check(const char *path, bool overwrite)
{
	if (!file_has_suffix(path, ".png"))
		return status_fail(SONDE_INVALID, "%s: pictures are PNG files; end the name in .png", path);
	CHECK(file_check_output(path, overwrite));
	if (!gnuplot_is_here())
		return status_fail(SONDE_INVALID,
				   "plot: gnuplot is not installed; install it (Debian: gnuplot-nox) or leave "
				   "--plot out");
	return SONDE_OK;
}

/* Starts gnuplot with its standard input and output at our ends of two pipes. */
static sonde_status start_gnuplot(pid_t *process, int *input, int *output)
{
	char *const argv[] = {"gnuplot", NULL};
	int to[2], from[2];
	posix_spawn_file_actions_t actions;

	if (pipe2(to, O_CLOEXEC) != 0)
		return status_fail(SONDE_RESOURCE, "gnuplot cannot be started: %s", strerror(errno));
	if (pipe2(from, O_CLOEXEC) != 0) {
		close(to[0]);
		close(to[1]);
		return status_fail(SONDE_RESOURCE, "gnuplot cannot be started: %s", strerror(errno));
	}
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, to[0], STDIN_FILENO);
	posix_spawn_file_actions_adddup2(&actions, from[1], STDOUT_FILENO);
	posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
	int failure = posix_spawnp(process, argv[0], &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
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

/* Waits for gnuplot, which is told to end if the caller asked to stop. True if it ended well. */
static bool wait_for(const sonde_context *context, pid_t process)
{
	int how = 0;

	do {
		if (context_cancelled(context))
			kill(process, SIGKILL);
	} while (waitpid(process, &how, 0) < 0 && errno == EINTR);
	return WIFEXITED(how) && WEXITSTATUS(how) == 0;
}

/* Feeds gnuplot a script, which draws to its standard output, and writes what it drew. gnuplot reads the
 * script to its end before it draws. */
static sonde_status draw(const sonde_context *context, const struct text *script, const char *path, bool overwrite)
{
	void (*before)(int) = signal(SIGPIPE, SIG_IGN); /* gnuplot may die while we write */
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
			status = status_fail(SONDE_RESOURCE, "%s: gnuplot failed to draw the picture", path);
	}
	signal(SIGPIPE, before);
	if (status == SONDE_OK)
		status = file_write(path, picture, size, overwrite);
	free(picture);
	return status;
}

static void append_data(struct text *script, const char *name, const double *x, const double *y, int64_t count)
{
	text_append(script, "$%s << EOD\n", name);
	for (int64_t k = 0; k < count; ++k)
		if (isfinite(y[k]))
			text_append(script, "%.8g %.8g\n", x[k], y[k]);
	text_append(script, "EOD\n");
}

static bool wide_range(const double *y, int64_t count)
{
	double low = INFINITY, high = 0.0;

	for (int64_t k = 0; k < count; ++k) {
		low = fmin(low, y[k]);
		high = fmax(high, y[k]);
	}
	return low > 0.0 && high > 100.0 * low;
}

sonde_status plot_debye(sonde_context *context, const sonde_debye_result *result, const char *path, bool overwrite)
{
	struct text script = {0};
	bool neutron = result->options.radiation == SONDE_DEBYE_RADIATION_NEUTRON;
	bool unit = result->options.factors == SONDE_DEBYE_FACTORS_UNIT;
	sonde_status status;

	append_data(&script, "intensity", result->q, result->intensity_per_atom, result->q_count);
	if (result->r_count > 0)
		append_data(&script, "distribution", result->r, result->pair_distribution, result->r_count);
	text_append(&script,
		    "set terminal pngcairo size 1200,%d font 'Sans,13'\n"
		    "set multiplot layout %d,1 margins 0.09,0.97,%s,0.96 spacing 0.1\n"
		    "set grid lc rgb '#dddddd'\nset border lc rgb '#444444'\nunset key\n",
		    result->r_count > 0 ? 900 : 500, result->r_count > 0 ? 2 : 1,
		    result->r_count > 0 ? "0.08" : "0.14");
	if (wide_range(result->intensity_per_atom, result->q_count))
		text_append(&script, "set logscale y\nset format y '10^{%%T}'\n");
	text_append(&script,
		    "set xlabel 'q (1/Å)'\nset ylabel 'I(q)/N%s'\n"
		    "set label 1 '%lld atoms' at graph 0.985,0.93 right\n"
		    "plot [%.8g:%.8g] $intensity with %s lc rgb '#1f4e9a' lw 1.2 pt 7\n",
		    unit      ? ""
		    : neutron ? " (fm^2)"
			      : " (electron units)",
		    (long long)result->atom_count, result->q[0] - (result->q_count == 1 ? 1.0 : 0.0),
		    result->q[result->q_count - 1] + (result->q_count == 1 ? 1.0 : 0.0),
		    result->q_count == 1 ? "points" : "lines");
	if (result->r_count > 0)
		text_append(&script, "unset label 1\nunset logscale y\nset format y '%%g'\n"
				     "set xlabel 'r (Å)'\nset ylabel 'G(r) (1/Å^2)'\n"
				     "plot $distribution with lines lc rgb '#a83232' lw 1.2\n");
	text_append(&script, "unset multiplot\nset output\nexit\n");
	status = text_status(&script);
	if (status == SONDE_OK)
		status = draw(context, &script, path, overwrite);
	text_free(&script);
	return status;
}
