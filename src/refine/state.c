#include "refine/state.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "io/text/lines.h"

#define FIRST_LINE "# sonde refine: the best parameters so far"

static sonde_status name_file(const char *output, char path[PATH_MAX])
{
	return snprintf(path, PATH_MAX, "%s.checkpoint", output) < PATH_MAX
		   ? SONDE_OK
		   : status_fail(SONDE_INVALID, "the name of the output is too long");
}

sonde_status refine_state_write(const char *output, const struct refine_job *job, const double *values)
{
	struct text text = {0};
	char path[PATH_MAX];

	CHECK(name_file(output, path));
	text_append(&text, FIRST_LINE "\n");
	for (int k = 0; k < job->count; ++k) {
		text_append(&text, "%s ", job->names[k]);
		text_append_real(&text, values[k]);
		text_append(&text, "\n");
	}
	sonde_status status = text_status(&text);
	if (status == SONDE_OK)
		status = file_write(path, text.bytes, text.size, true);
	text_free(&text);
	return status;
}

static sonde_status read_value(const char *path, const struct refine_job *job, const char *line, double *values,
			       bool *known)
{
	const size_t length = strcspn(line, " ");

	for (int k = 0; k < job->count; ++k) {
		const struct bound *bound = &job->parameters[k].bound;
		if (strlen(job->names[k]) != length || strncmp(line, job->names[k], length) != 0)
			continue;
		const char *number = line + length + strspn(line + length, " ");
		if (!text_parse_real(number, number + strlen(number), &values[k]) || values[k] < bound->lower ||
		    values[k] > bound->upper)
			return status_fail_file(SONDE_INVALID, path, "'%.40s' is not a value of %s within its bounds",
						number, job->names[k]);
		known[k] = true;
		return SONDE_OK;
	}
	return status_fail_file(SONDE_INVALID, path, "is of another job: it has '%.40s'", line);
}

sonde_status refine_state_read(const char *output, const struct refine_job *job, double *values)
{
	bool known[REFINE_MOST_PARAMETERS] = {false};
	struct line_reader *reader;
	char path[PATH_MAX], *line;
	bool first = true;

	CHECK(name_file(output, path));
	CHECK(line_reader_open(&reader, path));
	sonde_status status = line_reader_next(reader, &line);
	while (status == SONDE_OK && line != NULL) {
		if (first && strcmp(line, FIRST_LINE) != 0)
			status = status_fail_file(SONDE_INVALID, path, "is not a checkpoint of sonde refine");
		else if (!first)
			status = read_value(path, job, line, values, known);
		first = false;
		if (status == SONDE_OK)
			status = line_reader_next(reader, &line);
	}
	line_reader_close(&reader);
	CHECK(status);
	for (int k = 0; k < job->count; ++k)
		if (!known[k])
			return status_fail_file(SONDE_INVALID, path, "has no value of %s", job->names[k]);
	return SONDE_OK;
}

void refine_state_remove(const char *output)
{
	char path[PATH_MAX];

	if (name_file(output, path) == SONDE_OK)
		(void)unlink(path);
}
