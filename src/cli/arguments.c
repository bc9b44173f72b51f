#include "cli/arguments.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"

/* One pass over the words of the command line. */
struct reading {
	const struct command *command;
	void *engine_options;
	struct arguments *arguments;
	struct yaml_block *blocks;
	int block_count;
};

/* "--output" for "-o", which the option's help says is short for it; else the flag as it is. */
static const char *long_name(const struct reading *reading, const char *short_flag, char *buffer, size_t size)
{
	const struct option_table *const tables[] = {&program_option_table, reading->command->options};
	char words[16], name[64];

	if (strcmp(short_flag, "-h") == 0)
		return "--help";
	snprintf(words, sizeof words, "%.2s for short", short_flag);
	for (size_t t = 0; t < 2 && strlen(short_flag) == 2; ++t)
		for (size_t k = 0; tables[t] != NULL && k < tables[t]->count; ++k)
			if (strstr(tables[t]->rows[k].help, words) != NULL) {
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
			   nearest.best == NULL ? "; --help lists what there is" : "");
}

/* Finds the row of a flag and the struct that it belongs to. */
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

/* What the command line says is not what the file does. */
static void forget_line(const struct reading *reading, const struct option_row *row, const void *options)
{
	for (int k = 0; k < reading->block_count; ++k) {
		const struct yaml_block *block = &reading->blocks[k];
		if (block->options == options && block->lines != NULL)
			block->lines[row - block->table->rows] = 0;
	}
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
	if (strcmp(name, "help") == 0) {
		reading->arguments->help = true;
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
			return status_fail(SONDE_INVALID, "--%s: its value is missing", name);
		value = argv[k + 1];
		*used = 2;
	}
	forget_line(reading, row, options);
	sonde_status status = option_parse(row, options, value);
	if (status != SONDE_OK)
		return status_prefix(status, "--%s", name);
	char where[72];
	snprintf(where, sizeof where, "--%s", name);
	option_note_unit(row, value, where, &reading->arguments->notes);
	return SONDE_OK;
}

static sonde_status read_words(struct reading *reading, int argc, char **argv)
{
	bool flags_end = false;

	reading->arguments->positional = reading->arguments->second = NULL;
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
		} else {
			return status_fail(SONDE_INVALID, "'%.64s' is one file too many, after '%.64s'", argv[k],
					   reading->arguments->positional);
		}
	}
	return SONDE_OK;
}

sonde_status arguments_read(const struct command *command, int argc, char **argv, void *engine_options,
			    struct yaml_block *blocks, int block_count, struct arguments *arguments)
{
	struct reading reading = {command, engine_options, arguments, blocks, block_count};

	*arguments = (struct arguments){.lists = arguments->lists, .list_count = arguments->list_count};
	options_set_defaults(&program_option_table, &arguments->program);
	CHECK(read_words(&reading, argc, argv));
	if (arguments->help || arguments->positional == NULL ||
	    !(file_has_suffix(arguments->positional, ".yaml") || file_has_suffix(arguments->positional, ".yml")))
		return SONDE_OK;
	/* the job speaks first, the command line has the last word */
	text_free(&arguments->notes);
	options_set_defaults(&program_option_table, &arguments->program);
	for (int k = 0; k < block_count; ++k)
		options_set_defaults(blocks[k].table, blocks[k].options);
	struct yaml_block top = {&program_option_table, &arguments->program, false, NULL, NULL, &arguments->notes};
	CHECK(yaml_read_job_lists(arguments->positional, &top, blocks, block_count, arguments->lists,
				  arguments->list_count));
	CHECK(read_words(&reading, argc, argv));
	arguments->job = arguments->positional;
	return SONDE_OK;
}
