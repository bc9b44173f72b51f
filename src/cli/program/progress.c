#include "cli/program/json.h"
#include "cli/program/progress.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "cli/program/standard_streams.h"

static const char *json_command; /* null: for people */
static bool line_is_open;

#define PLAIN_INTERVAL 10.0 /* seconds between permanent lines */

static void append_time(char *text, size_t size, double seconds)
{
	size_t used = strlen(text);

	if (seconds < 90)
		snprintf(text + used, size - used, "%.0f s", seconds);
	else if (seconds < 5400)
		snprintf(text + used, size - used, "%.0f min", seconds / 60);
	else
		snprintf(text + used, size - used, "%.1f h", seconds / 3600);
}

/* A line without its end. */
static void print_state(const sonde_progress *progress)
{
	char left[64] = "";
	double rate = progress->elapsed > 0 ? progress->done / progress->elapsed : 0;

	if (rate > 0) {
		strcpy(left, ", ");
		append_time(left, sizeof left - 8, fmax(0.0, progress->total - progress->done) / rate);
		strcat(left, " left");
	}
	fprintf(stderr, "%s: %3.0f %%, ", progress->stage,
		progress->total > 0 ? fmin(100.0, 100 * progress->done / progress->total) : 100);
	if (strcmp(progress->unit, "cell steps") == 0)
		fprintf(stderr, "%.3g Gcell/s", 1e-9 * rate);
	else
		fprintf(stderr, "%.3g %s/s", rate, progress->unit);
	if (progress->ceiling > 0)
		fprintf(stderr, " (%.0f %% of the memory's bandwidth)", 100 * rate / progress->ceiling);
	fputs(left, stderr);
}

/* A line that rewrites itself. */
static void show_line(const sonde_progress *progress, void *user)
{
	(void)user;
	fputs("\r\033[K", stderr);
	print_state(progress);
	fflush(stderr);
	line_is_open = true;
}

/* A line from time to time, for terminals without escape codes. */
static void show_plain(const sonde_progress *progress, void *user)
{
	static double shown = -PLAIN_INTERVAL;
	const double now = clock_seconds();

	(void)user;
	if (now - shown < PLAIN_INTERVAL)
		return;
	shown = now;
	print_state(progress);
	fputc('\n', stderr);
}

/* TERM is "dumb" or unset on terminals without escape codes; NO_COLOR disables them on others. */
static bool takes_escapes(void)
{
	const char *terminal = getenv("TERM"), *no_color = getenv("NO_COLOR");

	return terminal != NULL && terminal[0] != '\0' && strcmp(terminal, "dumb") != 0 &&
	       (no_color == NULL || no_color[0] == '\0');
}

static void show_json(const sonde_progress *progress, void *user)
{
	fprintf(stderr,
		"{\"command\": \"%s\", \"stage\": \"%s\", \"done\": %.17g, \"total\": %.17g, \"unit\": \"%s\", "
		"\"seconds\": %.3f}\n",
		(const char *)user, progress->stage, progress->done, progress->total, progress->unit,
		progress->elapsed);
}

void progress_start(sonde_context *context, const char *command, bool quiet, bool json)
{
	json_command = json ? command : NULL;
	if (json)
		sonde_context_set_progress(context, show_json, (void *)command);
	else if (!quiet && isatty(STDERR_FILENO))
		sonde_context_set_progress(context, takes_escapes() ? show_line : show_plain, NULL);
}

void progress_warn(const char *notes)
{
	while (*notes != '\0') {
		size_t length = strcspn(notes, "\n");
		char text[2048];
		const char *shown = standard_streams_in(notes, length, text, sizeof text);
		if (json_command != NULL) {
			fprintf(stderr, "{\"command\": \"%s\", \"warning\": ", json_command);
			json_print_string(stderr, shown, strlen(shown));
			fputs("}\n", stderr);
		} else {
			fprintf(stderr, "sonde: warning: %s\n", shown);
		}
		notes += length + (notes[length] != '\0');
	}
}

void progress_stop(void)
{
	if (line_is_open)
		fputs("\r\033[K", stderr);
	line_is_open = false;
}
