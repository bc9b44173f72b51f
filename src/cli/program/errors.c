#include "cli/program/errors.h"

#include <stdio.h>
#include <string.h>

#include "base/file_names.h"
#include "base/status.h"
#include "cli/program/json.h"
#include "cli/program/spelling.h"
#include "cli/program/standard_streams.h"

static bool as_json;

bool errors_wants_json(int argc, char **argv)
{
	for (int k = 1; k < argc && strcmp(argv[k], "--") != 0; ++k)
		if (strcmp(argv[k], "--json") == 0 || strcmp(argv[k], "--json=true") == 0 ||
		    strcmp(argv[k], "--json=yes") == 0 || strcmp(argv[k], "--json=on") == 0)
			return true;
	return false;
}

void errors_as_json(bool json)
{
	as_json = as_json || json;
}

static const char *name_of(sonde_status status)
{
	static const char *const names[] = {[SONDE_OK] = "ok",
					    [SONDE_INVALID] = "invalid",
					    [SONDE_RESOURCE] = "resource",
					    [SONDE_CANCELLED] = "cancelled",
					    [SONDE_INTERNAL] = "internal",
					    [SONDE_SUSPENDED] = "suspended"};

	return names[status];
}

static void print_json(const char *command, sonde_status status, int exit_code, const char *message)
{
	const struct status_place *place = status_place();

	fputc('{', stderr);
	if (command != NULL)
		fprintf(stderr, "\"command\": \"%s\", ", command);
	fprintf(stderr, "\"error\": {\"status\": \"%s\", \"exit_code\": %d, \"message\": ", name_of(status),
		exit_code);
	json_print_string(stderr, message, strlen(message));
	if (place->file[0] != '\0') {
		const char *file = standard_stream_is_input(place->file) ? "-" : place->file;
		fputs(", \"file\": ", stderr);
		json_print_string(stderr, file, strlen(file));
	}
	if (place->line > 0)
		fprintf(stderr, ", \"line\": %zu", place->line);
	if (place->column > 0)
		fprintf(stderr, ", \"column\": %zu", place->column);
	if (place->key[0] != '\0') {
		fputs(", \"key\": ", stderr);
		json_print_string(stderr, place->key, strlen(place->key));
	}
	fputs("}}\n", stderr);
}

/* A failure of an option that the job gives, without a place yet. */
static void locate_in_job(void)
{
	const struct status_place *place = status_place();
	const char *path;
	size_t line;

	if (place->file[0] == '\0' && spelling_find(place->key, &path, &line))
		(void)status_prefix_line(SONDE_INVALID, path, (long long)line);
}

const char *errors_message(char text[ERRORS_MESSAGE_SIZE])
{
	return status_spell(spelling_of_program, NULL, text, ERRORS_MESSAGE_SIZE);
}

void errors_print(const struct command *command, sonde_status status, int exit_code)
{
	const char *name = command != NULL ? command->name : NULL;
	char spelled[ERRORS_MESSAGE_SIZE], shown[2048];

	locate_in_job();
	const char *message = errors_message(spelled);
	message = standard_streams_in(message, strlen(message), shown, sizeof shown);
	if (as_json)
		print_json(name, status, exit_code, message);
	else
		fprintf(stderr, "sonde%s%s: %s\n", name != NULL ? " " : "", name != NULL ? name : "", message);
}
