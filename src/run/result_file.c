#include "run/result_file.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LONGEST_NAME 256

void result_file_text(struct hdf5_reader *reader, struct report *report, const char *name, const char *path)
{
	char *text;

	if (hdf5_reader_has(reader, path) && hdf5_reader_text(reader, path, &text) == SONDE_OK) {
		if (text[0] != '\0') {
			report_line(report, name, "%s", text);
			report_text(report, name, text);
		}
		free(text);
	}
}

void result_file_lines(struct hdf5_reader *reader, struct report *report, const char *name, const char *path)
{
	char *text;

	if (!hdf5_reader_has(reader, path) || hdf5_reader_text(reader, path, &text) != SONDE_OK)
		return;
	for (const char *line = text; *line != '\0';) {
		const size_t length = strcspn(line, "\n");
		report_line(report, line == text ? name : "", "%.*s", (int)length, line);
		line += length + (line[length] == '\n');
	}
	report_lines(report, name, text);
	free(text);
}

double result_file_number(struct hdf5_reader *reader, const char *path)
{
	double *values, value = NAN;
	int64_t count;

	if (hdf5_reader_has(reader, path) && hdf5_reader_reals(reader, path, &values, &count) == SONDE_OK) {
		if (count == 1)
			value = values[0];
		free(values);
	}
	return value;
}

void result_file_axis(struct hdf5_reader *reader, struct report *report, const char *name, const char *path,
		      const char *unit)
{
	double *values;
	int64_t count;

	if (!hdf5_reader_has(reader, path) || hdf5_reader_reals(reader, path, &values, &count) != SONDE_OK)
		return;
	if (count > 0) {
		report_line(report, name, "%lld points, %g to %g %s", (long long)count, values[0], values[count - 1],
			    unit);
		report_open_object(report, name);
		report_integer(report, "points", count);
		report_number(report, "first", values[0]);
		report_number(report, "last", values[count - 1]);
		report_text(report, "unit", unit);
		report_close(report);
	}
	free(values);
}

/* The group of an engine. */
struct entry {
	struct hdf5_reader *reader;
	struct report *report;
	const char *engine;
	char path[LONGEST_NAME + 128];
};

/* /ENGINE/name; valid until the next call. */
static const char *in(struct entry *entry, const char *name)
{
	snprintf(entry->path, sizeof entry->path, "/%s/%.*s", entry->engine, LONGEST_NAME + 32, name);
	return entry->path;
}

static sonde_status print_option(void *user, const char *name)
{
	struct entry *entry = user;
	char option[LONGEST_NAME + 32], *value;

	if (strlen(name) > LONGEST_NAME)
		return SONDE_OK;
	snprintf(option, sizeof option, "process/options/%s", name);
	if (hdf5_reader_text(entry->reader, in(entry, option), &value) != SONDE_OK)
		return SONDE_OK;
	report_print(entry->report, "             %s = %s\n", name, value);
	report_value(entry->report, name, value);
	free(value);
	return SONDE_OK;
}

/* The job file as it was, if there was one. */
static void print_job(struct entry *entry)
{
	const char *path = in(entry, "process/job_file");
	char *text;

	if (!hdf5_reader_has(entry->reader, path) || hdf5_reader_text(entry->reader, path, &text) != SONDE_OK)
		return;
	report_text(entry->report, "job_file", text);
	report_print(entry->report, "job file\n");
	for (const char *line = text; *line != '\0';) {
		const int size = (int)strcspn(line, "\n");
		report_print(entry->report, "             %.*s\n", size, line);
		line += size + (line[size] == '\n');
	}
	free(text);
}

sonde_status result_file_options(struct hdf5_reader *reader, struct report *report, const char *engine)
{
	struct entry entry = {reader, report, engine, ""};

	report_print(report, "options\n");
	report_open_object(report, "options");
	CHECK(hdf5_reader_members(reader, in(&entry, "process/options"), print_option, &entry));
	report_close(report);
	print_job(&entry);
	return SONDE_OK;
}

void result_file_origin(struct hdf5_reader *reader, struct report *report, const char *engine)
{
	static const char *const lines[][2] = {{"what", "title"},         {"version", "process/version"},
					       {"date", "process/date"},  {"command", "process/command"},
					       {"sample", "sample/name"}, {"sha256", "sample/sha256"}};
	struct entry entry = {reader, report, engine, ""};

	for (size_t k = 0; k < sizeof lines / sizeof *lines; ++k)
		result_file_text(reader, report, lines[k][0], in(&entry, lines[k][1]));
}

void result_file_time(struct hdf5_reader *reader, struct report *report, const char *engine)
{
	struct entry entry = {reader, report, engine, ""};
	const double seconds = result_file_number(reader, in(&entry, "process/seconds")),
		     earlier = result_file_number(reader, in(&entry, "process/resumed_seconds")),
		     memory = result_file_number(reader, in(&entry, "process/peak_memory"));

	report_print(report, "%-12s %.3g s", "took", seconds);
	if (earlier > 0.0)
		report_print(report, " after %.3g s of earlier runs", earlier);
	report_print(report, ", at most %.0f MB of memory\n", memory * 1e-6);
	report_number(report, "seconds", seconds);
	if (earlier > 0.0)
		report_number(report, "earlier_seconds", earlier);
	report_number(report, "peak_memory_bytes", memory);
}

void result_file_checkpoint(struct report *report, const char *engine)
{
	report_line(report, "what", "checkpoint of an unfinished run of sonde %s", engine);
	report_text(report, "what", "checkpoint");
	report_text(report, "engine", engine);
}

void result_file_resume(struct report *report, const char *path, const char *job)
{
	static const char suffix[] = ".checkpoint";
	const size_t length = strlen(path), cut = sizeof suffix - 1;

	if (length > cut && strcmp(path + length - cut, suffix) == 0)
		report_line(report, "to resume", "the same command with `output %.*s` `resume`", (int)(length - cut),
			    path);
	else
		report_line(report, "to resume",
			    "rename it to RESULT%s, then the same command with `output RESULT` `resume`", suffix);
	report_print(report, "job\n");
	report_lines(report, "job", job);
	for (const char *line = job; *line != '\0';) {
		const int size = (int)strcspn(line, "\n");
		report_print(report, "             %.*s\n", size, line);
		line += size + (line[size] == '\n');
	}
}
