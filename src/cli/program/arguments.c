#include "cli/program/arguments.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/file_names.h"
#include "base/memory.h"
#include "base/option_files.h"
#include "base/standard_output.h"
#include "matter/sample/sample.h"
#include "cli/program/errors.h"
#include "cli/program/spelling.h"
#include "cli/program/standard_streams.h"

/* One pass over the words of the command line. */
struct reading {
	const struct command *command;
	void *engine_options;
	struct arguments *arguments;
	struct yaml_block *blocks;
	int block_count;
	const struct option_row **given; /* options on the command line, in order */
	size_t given_count;
	const char *input; /* copy of the standard input; null: none yet */
};

/* "--output" for "-o"; an unknown short flag unchanged. */
static const char *long_name(const struct reading *reading, const char *short_flag, char *buffer, size_t size)
{
	const struct option_table *const tables[] = {&program_option_table, reading->command->options};
	char name[64];

	if (strcmp(short_flag, "-h") == 0)
		return "--help";
	for (size_t t = 0; t < 2 && strlen(short_flag) == 2; ++t)
		for (size_t k = 0; tables[t] != NULL && k < tables[t]->count; ++k)
			if (option_short_flag(&tables[t]->rows[k]) == short_flag[1]) {
				snprintf(buffer, size, "--%s", option_flag(&tables[t]->rows[k], name));
				return buffer;
			}
	return short_flag;
}

static sonde_status unknown_flag(const struct reading *reading, const char *flag, const char *name)
{
	const struct option_table *options = reading->command->options;
	struct nearest_word nearest = {.word = name};
	char hint[96], known[64], kept[64];

	if (options != NULL)
		options_offer_names(options, &nearest);
	for (size_t k = 0; k < program_option_table.count; ++k) {
		const struct option_row *row = &program_option_table.rows[k];
		if (!command_takes(reading->command, row))
			continue;
		nearest_word_offer(&nearest, option_flag(row, known));
		if (nearest.best == known) {
			memcpy(kept, known, sizeof kept);
			nearest.best = kept;
		}
	}
	snprintf(hint, sizeof hint, "%s%s%s", nearest.best != NULL ? ", did you mean '--" : "",
		 nearest.best != NULL ? nearest.best : "", nearest.best != NULL ? "'?" : "");
	return status_fail(SONDE_INVALID, "unknown option '%.64s'%s%s", flag, hint,
			   nearest.best == NULL ? "; --help lists the valid ones" : "");
}

/* Finds the row of a flag and its struct. */
static const struct option_row *find_flag(const struct reading *reading, const char *name, void **options)
{
	const struct option_row *row =
	    reading->command->options != NULL ? options_find(reading->command->options, name) : NULL;

	*options = reading->engine_options;
	if (row == NULL) {
		row = options_find(&program_option_table, name);
		*options = &reading->arguments->program;
		if (row != NULL && !command_takes(reading->command, row))
			row = NULL;
	}
	return row;
}

/* An option given on the command line has no line in the job. */
static void forget_line(const struct reading *reading, const struct option_row *row, const void *options)
{
	for (int k = 0; k < reading->block_count; ++k) {
		const struct yaml_block *block = &reading->blocks[k];
		if (block->options == options && block->lines != NULL)
			block->lines[row - block->table->rows] = 0;
	}
}

/* Reports a failure of the option `name`. */
static sonde_status fail_at_flag(const char *name, sonde_status status)
{
	status_locate(NULL, 0, 0, name);
	return status;
}

/* Reads the flag argv[k]; *used words. */
static sonde_status read_flag(struct reading *reading, int argc, char **argv, int k, int *used)
{
	char long_flag[72];
	const char *flag = argv[k][1] == '-' ? argv[k] : long_name(reading, argv[k], long_flag, sizeof long_flag);
	const char *equals = strchr(flag, '='), *value;
	size_t length = equals != NULL ? (size_t)(equals - flag) : strlen(flag);
	char name[64];
	void *options;
	const struct option_row *row;

	*used = 1;
	if (strncmp(flag, "--", 2) != 0 || length - 2 >= sizeof name || length == 2)
		return unknown_flag(reading, argv[k], flag);
	memcpy(name, flag + 2, length - 2);
	name[length - 2] = '\0';
	if (strcmp(name, "help") == 0 || strcmp(name, "version") == 0) {
		reading->arguments->help = true;
		reading->arguments->version = reading->arguments->version || name[0] == 'v';
		return SONDE_OK;
	}
	row = find_flag(reading, name, &options);
	if (row == NULL)
		return unknown_flag(reading, argv[k], name);
	if (equals != NULL) {
		value = equals + 1;
	} else if (row->type == OPTION_BOOLEAN) {
		value = "true";
	} else {
		if (k + 1 == argc)
			return fail_at_flag(name, status_fail(SONDE_INVALID, "--%s: its value is missing", name));
		value = argv[k + 1];
		*used = 2;
	}
	forget_line(reading, row, options);
	spelling_forget(name);
	sonde_status status =
	    options_set(options == &reading->arguments->program ? &program_option_table : reading->command->options,
			row, options, value, &row);
	reading->given[reading->given_count++] = row;
	if (status != SONDE_OK)
		return fail_at_flag(name, status_prefix(status, "--%s", name));
	char where[72];
	snprintf(where, sizeof where, "--%s", name);
	option_note_unit(row, value, where, &reading->arguments->notes);
	return SONDE_OK;
}

static sonde_status read_words(struct reading *reading, int argc, char **argv)
{
	bool flags_end = false;

	reading->arguments->positional = reading->arguments->second = NULL;
	reading->arguments->file_count = 0;
	for (int k = 1, used; k < argc; k += used) {
		used = 1;
		if (!flags_end && strcmp(argv[k], "--") == 0) {
			flags_end = true;
		} else if (!flags_end && argv[k][0] == '-' && argv[k][1] != '\0') {
			CHECK(read_flag(reading, argc, argv, k, &used));
		} else if (reading->arguments->positional == NULL) {
			reading->arguments->positional = argv[k];
		} else if (reading->command->two_files && reading->arguments->second == NULL) {
			reading->arguments->second = argv[k];
		} else if (reading->command->many_files) {
			reading->arguments->files[reading->arguments->file_count++] = argv[k];
		} else {
			return status_fail(SONDE_INVALID, "unexpected file '%.64s' after '%.64s'", argv[k],
					   reading->arguments->positional);
		}
	}
	return SONDE_OK;
}

/* Replaces the name of a job's file by its path, unless the command line names another one. */
static sonde_status find_job_file(void *user, const struct option_row *row, void *options)
{
	const struct reading *reading = user;

	if (options_find(&program_option_table, row->name) == row && !command_takes(reading->command, row))
		return SONDE_OK;
	for (size_t k = 0; k < reading->given_count; ++k)
		if (reading->given[k] == row)
			return SONDE_OK;
	return option_find_file(reading->arguments->positional, "the job", row, options);
}

static sonde_status read_job(struct reading *reading, int argc, char **argv)
{
	struct arguments *arguments = reading->arguments;
	size_t *lines;

	CHECK(memory_allocate(&lines, program_option_table.count, sizeof *lines, "a job"));
	struct yaml_block top = {.table = &program_option_table,
				 .options = &arguments->program,
				 .lines = lines,
				 .notes = &arguments->notes};

	/* the job is read first; the command line takes precedence */
	text_free(&arguments->notes);
	options_set_defaults(&program_option_table, &arguments->program);
	for (int k = 0; k < reading->block_count; ++k)
		options_set_defaults(reading->blocks[k].table, reading->blocks[k].options);
	sonde_status status = yaml_read_job_files(arguments->positional, &top, reading->blocks, reading->block_count,
						  arguments->lists, arguments->list_count, find_job_file, reading);
	errors_as_json(arguments->program.json != 0);
	if (status == SONDE_OK) {
		spelling_begin_job(arguments->positional);
		spelling_add_lines(&program_option_table, lines);
		if (reading->block_count > 0 && reading->blocks[0].lines != NULL)
			spelling_add_lines(reading->blocks[0].table, reading->blocks[0].lines);
	}
	free(lines);
	CHECK(status);
	reading->given_count = 0;
	CHECK(read_words(reading, argc, argv));
	arguments->job = arguments->positional;
	return SONDE_OK;
}

/* '-' ----------------------------------------------------------------------------------------------- */

static sonde_status keep_input(const struct reading *reading, const char **path)
{
	bool only_jobs = reading->command->options != NULL &&
			 !command_takes(reading->command, options_find(&program_option_table, "sample"));

	return standard_input_keep(reading->arguments->program.input_format,
				   only_jobs ? SONDE_PROGRAM_INPUT_FORMAT_YAML : SONDE_PROGRAM_INPUT_FORMAT_AUTO,
				   path);
}

/* Options of one table that name input files. */
static sonde_status open_inputs(const struct reading *reading, const struct option_table *table, void *options)
{
	for (size_t k = 0; k < table->count; ++k) {
		const struct option_row *row = &table->rows[k];
		const enum option_file kind = option_file(row);
		const char *path;
		if ((kind != OPTION_FILE && kind != OPTION_FILE_OR_VALUE) ||
		    !standard_stream_is(option_text(row, options)))
			continue;
		CHECK(keep_input(reading, &path));
		snprintf(option_text(row, options), OPTION_TEXT_SIZE, "%s", path);
	}
	return SONDE_OK;
}

static sonde_status open_output(const struct reading *reading)
{
	struct arguments *arguments = reading->arguments;
	char *output = arguments->program.output;
	const char *format = arguments->program.output_format;
	bool second = standard_stream_is(arguments->second);

	if (!second && !standard_stream_is(output))
		return format[0] == '\0' ? SONDE_OK
					 : status_fail(SONDE_INVALID,
						       "output-format: applies only to the standard output, --output "
						       "-; the format of files is given by the ending of the name");
	if (format[0] == '\0')
		format = reading->command->stream;
	if (format == NULL && !command_takes(reading->command, options_find(&program_option_table, "output_format")))
		return status_fail_option(SONDE_INVALID, "output", "sonde %s writes files, not the standard output",
					  reading->command->name);
	if (format == NULL)
		return status_fail(SONDE_INVALID, "give the format of the standard output by --output-format, as in "
						  "--output-format dx");
	CHECK(standard_output_begin(format));
	if (second)
		arguments->second = STANDARD_OUTPUT_PATH;
	else
		snprintf(output, OPTION_TEXT_SIZE, "%s", STANDARD_OUTPUT_PATH);
	return SONDE_OK;
}

static sonde_status open_streams(struct reading *reading)
{
	struct arguments *arguments = reading->arguments;

	CHECK(open_inputs(reading, &program_option_table, &arguments->program));
	for (int k = 0; k < reading->block_count; ++k)
		CHECK(open_inputs(reading, reading->blocks[k].table, reading->blocks[k].options));
	for (int k = 0; k < arguments->list_count; ++k)
		for (size_t n = 0; n < arguments->lists[k].count; ++n)
			CHECK(
			    open_inputs(reading, arguments->lists[k].table, yaml_list_item(&arguments->lists[k], n)));
	return open_output(reading);
}

/* Finds out whether a file, which may be null, is a description of a sample, for commands that take or describe samples. */
static sonde_status find_description(const struct reading *reading, const char *path)
{
	bool found = false;

	if (command_takes(reading->command, options_find(&program_option_table, "sample")) ||
	    command_takes(reading->command, options_find(&program_option_table, "frame")))
		CHECK(sample_is_one(path, &found));
	if (found)
		reading->arguments->description = path;
	return SONDE_OK;
}

static sonde_status read_all(struct reading *reading, int argc, char **argv)
{
	struct arguments *arguments = reading->arguments;

	CHECK(read_words(reading, argc, argv));
	if (arguments->help)
		return SONDE_OK;
	if (standard_stream_is(arguments->positional) && reading->input == NULL)
		CHECK(keep_input(reading, &reading->input));
	if (standard_stream_is(arguments->positional))
		arguments->positional = reading->input;
	CHECK(find_description(reading, arguments->positional));
	if (arguments->positional != NULL && arguments->description == NULL && !reading->command->own_yaml &&
	    (file_has_suffix(arguments->positional, ".yaml") || file_has_suffix(arguments->positional, ".yml")))
		CHECK(read_job(reading, argc, argv));
	if (standard_stream_is(arguments->positional))
		arguments->positional = reading->input;
	CHECK(open_streams(reading));
	return arguments->description == NULL ? find_description(reading, arguments->program.sample) : SONDE_OK;
}

sonde_status arguments_read(const struct command *command, int argc, char **argv, void *engine_options,
			    struct yaml_block *blocks, int block_count, struct arguments *arguments)
{
	struct reading reading = {command, engine_options, arguments, blocks, block_count, NULL, 0, arguments->input};

	text_free(&arguments->notes);
	*arguments = (struct arguments){.lists = arguments->lists, .list_count = arguments->list_count};
	options_set_defaults(&program_option_table, &arguments->program);
	if (command->many_files)
		CHECK(memory_allocate(&arguments->files, (size_t)argc + 1, sizeof *arguments->files,
				      "the command line"));
	CHECK(memory_allocate(&reading.given, (size_t)argc + 1, sizeof *reading.given, "the command line"));
	sonde_status status = read_all(&reading, argc, argv);
	arguments->input = reading.input;
	errors_as_json(arguments->program.json != 0);
	free(reading.given);
	return status;
}
