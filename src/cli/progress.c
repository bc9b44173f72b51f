#include "cli/json.h"
#include "cli/progress.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char *json_command; /* null: people read along */
static bool line_is_open;

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

static void show_line(const sonde_progress *progress, void *user)
{
	char left[64] = "";
	double rate = progress->elapsed > 0 ? progress->done / progress->elapsed : 0;

	(void)user;
	if (rate > 0) {
		strcpy(left, ", ");
		append_time(left, sizeof left - 8, fmax(0.0, progress->total - progress->done) / rate);
		strcat(left, " left");
	}
	fprintf(stderr, "\r\033[K%s: %3.0f %%, ", progress->stage,
		progress->total > 0 ? fmin(100.0, 100 * progress->done / progress->total) : 100);
	if (strcmp(progress->unit, "cell steps") == 0)
		fprintf(stderr, "%.3g Gcell/s", 1e-9 * rate);
	else
		fprintf(stderr, "%.3g %s/s", rate, progress->unit);
	if (progress->ceiling > 0)
		fprintf(stderr, " (%.0f %% of the memory's bandwidth)", 100 * rate / progress->ceiling);
	fputs(left, stderr);
	fflush(stderr);
	line_is_open = true;
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
		sonde_context_set_progress(context, show_line, NULL);
}

void progress_warn(const char *notes)
{
	while (*notes != '\0') {
		size_t length = strcspn(notes, "\n");
		if (json_command != NULL) {
			fprintf(stderr, "{\"command\": \"%s\", \"warning\": ", json_command);
			json_print_string(stderr, notes, length);
			fputs("}\n", stderr);
		} else {
			fprintf(stderr, "sonde: warning: %.*s\n", (int)length, notes);
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
