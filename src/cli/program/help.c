#include "cli/program/help.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/status.h"
#include "cli/program/completion.h"
#include "cli/program/errors.h"
#include "cli/program/version.h"
#include "device/device.h"
#include "matter/sample/sample.h"
#include "matter/materials/optical_library.h"
#include "matter/materials/material.h"

#define WIDTH 92

/* Prints text wrapped to WIDTH with an indent; "\n" in it begins a new line. */
static void print_wrapped(const char *text, int indent)
{
	int column = indent;

	printf("%*s", indent, "");
	while (*text != '\0') {
		if (*text == '\n') {
			printf("\n%*s", indent, "");
			column = indent;
			++text;
			continue;
		}
		int length = (int)strcspn(text, " \n");
		if (column > indent && column + 1 + length > WIDTH) {
			printf("\n%*s", indent, "");
			column = indent;
		}
		if (column > indent) {
			putchar(' ');
			++column;
		}
		printf("%.*s", length, text);
		column += length;
		text += length;
		while (*text == ' ')
			++text;
	}
	putchar('\n');
}

const char *help_placeholder(const struct option_row *row)
{
	switch (row->type) {
	case OPTION_REAL:
		return "NUMBER";
	case OPTION_INTEGER:
		return "COUNT";
	case OPTION_CHOICE:
		return "NAME";
	case OPTION_GRID:
		return "FIRST:LAST:POINTS";
	case OPTION_VECTOR:
		return "X,Y,Z";
	case OPTION_SIZE:
		return "SIZE";
	case OPTION_TEXT:
		switch (option_file(row)) {
		case OPTION_FILE:
		case OPTION_NEW_FILE:
			return "FILE";
		case OPTION_FOLDER:
			return "FOLDER";
		default:
			return "TEXT";
		}
	case OPTION_BOOLEAN:
		break;
	}
	return "";
}

/* The kinds of devices; returns the length of the text. */
static size_t describe_devices(char *text, size_t size)
{
	const struct device_kind *kind;
	size_t used = 0;

	for (int k = 0; (kind = device_kind(k)) != NULL && used < size; ++k)
		if (!kind->is_hidden)
			used += (size_t)snprintf(text + used, size - used, "%s%s%s: %s", used > 0 ? "; " : "",
						 kind->name, kind->is_numbered ? ":N" : "", kind->help);
	if (used < size)
		used += (size_t)snprintf(text + used, size - used, ". ");
	return used < size ? used : size - 1;
}

/* Choices, unit, default and range of an option. */
static void describe_values(const struct option_row *row, char *text, size_t size)
{
	size_t used = 0;

	text[0] = '\0';
	if (row->type == OPTION_CHOICE)
		used += (size_t)snprintf(text + used, size - used, "One of %s. ", row->choices);
	if (row == options_find(&program_option_table, "device"))
		used += describe_devices(text, size);
	if (row->unit[0] != '\0')
		used += (size_t)snprintf(text + used, size - used, "Unit: %s. ", row->unit);
	if (row->type != OPTION_BOOLEAN && row->default_text[0] != '\0')
		used += (size_t)snprintf(text + used, size - used, "Default: %s. ", row->default_text);
	if ((row->type == OPTION_REAL || row->type == OPTION_GRID) && row->maximum > row->minimum)
		snprintf(text + used, size - used, "Range: %g to %g.", row->minimum, row->maximum);
}

/* Bytes of a row's help that apply to a command: without what is said of the standard output, if it only writes files. */
static int length_of_help(const struct command *command, const struct option_row *row)
{
	const bool files = row == options_find(&program_option_table, "output") &&
			   !command_takes(command, options_find(&program_option_table, "output_format"));
	const char *end = files ? strstr(row->help, " - is the standard output") : NULL;

	return end != NULL ? (int)(end - row->help) : (int)strlen(row->help);
}

static void print_option(const struct command *command, const struct option_row *row)
{
	char flag[64], values[512], text[1024];

	printf(option_short_flag(row) != '\0' ? "  -%c, --" : "  --", option_short_flag(row));
	printf("%s%s%s\n", option_flag(row, flag), row->type == OPTION_BOOLEAN ? "" : " ", help_placeholder(row));
	describe_values(row, values, sizeof values);
	snprintf(text, sizeof text, "%.*s %s", length_of_help(command, row), row->help, values);
	print_wrapped(text, 8);
}

static void print_lines(const char *lines, const char *prefix)
{
	while (*lines != '\0') {
		int length = (int)strcspn(lines, "\n");
		printf("%s%.*s\n", prefix, length, lines);
		lines += length + (lines[length] == '\n');
	}
}

static void print_program(void)
{
	printf("sonde %s: what a probe sees of matter\n\nusage: sonde COMMAND [options]\n\n", sonde_version());
	for (int k = 0; k < command_count; ++k)
		printf("  %-9s %s\n", commands[k].name, commands[k].summary);
	printf("\n'sonde COMMAND --help' describes a command, 'sonde --version' this build. Start with:\n\n"
	       "  sonde build --cell rocksalt --species Co,O --a 4.2614 --sphere 40 -o coo.xyz\n"
	       "  sonde debye coo.xyz --q 0.1:20.08:1000 -o coo.h5 --plot coo.png\n"
	       "  sonde info coo.h5\n\n"
	       "Exit codes: 0 success, 2 invalid input, 3 device or resource, 130 interrupted, 75 ended\n"
	       "by the signal of a batch system; runs of debye, pattern, ions and fdtd with --output then leave\n"
	       "a checkpoint. 1: jobs of a campaign failed.\n");
}

static void print_keys(const struct option_table *list)
{
	char flag[64], values[512], text[1024];

	for (size_t k = 0; k < list->count; ++k) {
		const struct option_row *row = &list->rows[k];
		printf("  %s: %s\n", option_flag(row, flag),
		       row->type == OPTION_BOOLEAN ? "true|false" : help_placeholder(row));
		describe_values(row, values, sizeof values);
		snprintf(text, sizeof text, "%s %s", row->help, values);
		print_wrapped(text, 8);
	}
}

/* The keys of the items of a list in jobs. */
static void print_list(const struct command *command, const struct option_table *list)
{
	printf("sonde %s: items of a job's list '%s:' in its block '%s:'\n\n", command->name, list->name,
	       command->options->name);
	print_keys(list);
}

/* The keys of descriptions of samples. */
static void print_sample(void)
{
	const struct option_table *const lists[] = {&material_item_table, &body_table_in_angstrom};

	printf("A description of a sample for all probes, a YAML file (docs/sample.md):\n\n"
	       "  materials:\n"
	       "    - {name: gold, cell: fcc, species: Au, a: 4.0782, library: Au-JC}\n"
	       "    - {name: glass, composition: SiO2, density: 2.2, index: 1.45}\n"
	       "  bodies: # the last one counts where they overlap\n"
	       "    - {material: glass, shape: sphere, radius: 4.5 nm}\n"
	       "    - {material: gold, shape: sphere, radius: 3 nm}\n\n"
	       "  sonde build particle.yaml -o particle.xyz\n"
	       "  sonde debye particle.yaml --q 0.02:8:400 -o powder.h5\n"
	       "  sonde ions --sample particle.yaml --ion Xe --energy 20keV\n\n"
	       "A job names it as sample: particle.yaml. Lengths are in Angstrom or have a unit.\n");
	for (size_t k = 0; k < 2; ++k) {
		printf("\nItems of '%s:':\n\n", lists[k]->name);
		print_keys(lists[k]);
	}
	printf("\nOther keys:\n\n");
	print_keys(&sample_option_table);
}

/* The available lists. */
static void name_lists(const struct command *command)
{
	printf("\nLists of the block '%s:' in a job; 'sonde help %s LIST' describes their items:\n ",
	       command->options->name, command->name);
	for (const struct option_table *const *list = command->lists; *list != NULL; ++list)
		printf(" %s", (*list)->name);
	printf("\n");
}

static sonde_status help_list(const struct command *command, const char *name)
{
	struct nearest_word nearest = {.word = name};
	char hint[96];

	for (const struct option_table *const *list = command->lists; list != NULL && *list != NULL; ++list) {
		if (strcmp((*list)->name, name) == 0) {
			print_list(command, *list);
			return SONDE_OK;
		}
		nearest_word_offer(&nearest, (*list)->name);
	}
	return status_fail(SONDE_INVALID, "jobs of sonde %s have no list '%.64s'%s", command->name, name,
			   nearest_word_hint(&nearest, hint, sizeof hint));
}

static void print_command(const struct command *command)
{
	printf("sonde %s: %s\n\nusage: %s\n\n", command->name, command->summary, command->usage);
	if (command->job != NULL) {
		printf(command->own_yaml && strcmp(command->name, "refine") != 0 ? "A %s:\n\n" : "A job:\n\n",
		       command->name);
		print_lines(command->job, "  ");
		printf("\n");
	}
	print_wrapped(command->description, 0);
	if (command->lists != NULL)
		name_lists(command);
	if (command->options != NULL) {
		printf("\nOptions of %s:\n", command->name);
		for (size_t k = 0; k < command->options->count; ++k)
			print_option(command, &command->options->rows[k]);
	}
	printf("\nGeneral options:\n");
	for (size_t k = 0; k < program_option_table.count; ++k)
		if (command_takes(command, &program_option_table.rows[k]))
			print_option(command, &program_option_table.rows[k]);
	printf("  --help\n        Print this text.\n  --version\n        Print version, commit, compiler, HDF5 and "
	       "instruction "
	       "sets.\n");
	if (command->options != NULL && !command->own_yaml)
		printf("\nA job file (YAML) uses the same names: general options at the top level, those of the "
		       "engine in a\n"
		       "block '%s:'. The command line overrides the job file.\n",
		       command->options->name);
	printf("\nExamples:\n");
	print_lines(command->examples, "  ");
}

/* Text for troff, where backslashes, quotes and leading dots have a meaning. */
static void print_troff(const char *text)
{
	bool line_start = true;

	for (; *text != '\0'; ++text) {
		if (line_start && (*text == '.' || *text == '\''))
			printf("\\&");
		if (*text == '\\' || *text == '-')
			putchar('\\');
		if (*text == '|') /* lists of choices may be longer than a line */
			printf(", ");
		else
			putchar(*text);
		line_start = *text == '\n';
	}
	putchar('\n');
}

static void print_manual_option(const struct command *command, const struct option_row *row)
{
	char flag[64], values[512], text[1024];

	printf(".TP\n.B ");
	if (option_short_flag(row) != '\0')
		printf("\\-%c, ", option_short_flag(row));
	printf("\\-\\-");
	for (const char *c = option_flag(row, flag); *c != '\0'; ++c)
		printf(*c == '-' ? "\\-" : "%c", *c);
	printf(" %s\n", help_placeholder(row));
	snprintf(text, sizeof text, "%.*s", length_of_help(command, row), row->help);
	print_troff(text);
	describe_values(row, values, sizeof values);
	if (values[0] != '\0')
		print_troff(values);
}

static void print_manual_item(const struct option_row *row)
{
	char flag[64], values[512];

	printf(".TP\n.B ");
	print_troff(option_flag(row, flag));
	print_troff(row->help);
	describe_values(row, values, sizeof values);
	if (values[0] != '\0')
		print_troff(values);
}

static void print_manual(const struct command *command)
{
	printf(".TH SONDE\\-%s 1 \"" SONDE_DATE "\" \"sonde %s\"\n.SH NAME\nsonde\\-%s \\- ", command->name,
	       sonde_version(), command->name);
	print_troff(command->summary);
	printf(".SH SYNOPSIS\n.nf\n");
	print_troff(command->usage);
	printf(".fi\n.SH DESCRIPTION\n");
	print_troff(command->description);
	printf(".SH OPTIONS\n");
	for (size_t k = 0; command->options != NULL && k < command->options->count; ++k)
		print_manual_option(command, &command->options->rows[k]);
	for (size_t k = 0; k < program_option_table.count; ++k)
		if (command_takes(command, &program_option_table.rows[k]))
			print_manual_option(command, &program_option_table.rows[k]);
	for (const struct option_table *const *list = command->lists; list != NULL && *list != NULL; ++list) {
		printf(".SH ITEMS OF %s\n", (*list)->name);
		for (size_t k = 0; k < (*list)->count; ++k)
			print_manual_item(&(*list)->rows[k]);
	}
	printf(".SH EXAMPLES\n.nf\n");
	print_troff(command->examples);
	printf(
	    ".fi\n.SH EXIT STATUS\n0 success, 2 invalid input, 3 device or resource, 130 interrupted (INT, QUIT, "
	    "HUP), 75 "
	    "ended by a batch system's signal (TERM, XCPU, USR1, USR2) during a run of debye, pattern, ions, fdtd, "
	    "or campaign, with a checkpoint if --output is given; 1 jobs of a campaign failed.\n");
}

static void print_variables_of_devices(void)
{
	const struct device_kind *kind;

	for (int k = 0; (kind = device_kind(k)) != NULL; ++k) {
		for (const struct device_variable *of = kind->variables; of != NULL && of->name != NULL; ++of) {
			if (of->help == NULL)
				continue;
			printf(".TP\n.B %s\n", of->name);
			print_troff(of->help);
		}
	}
}

/* The page of the program, with its commands; each has a page of its own. */
static void print_program_manual(void)
{
	printf(".TH SONDE 1 \"" SONDE_DATE "\" \"sonde %s\"\n.SH NAME\nsonde \\- what a probe sees of matter\n"
	       ".SH SYNOPSIS\n.B sonde\n.I command\n[options]\n.SH COMMANDS\n",
	       sonde_version());
	for (int k = 0; k < command_count; ++k) {
		printf(".TP\n.B %s\n", commands[k].name);
		print_troff(commands[k].summary);
	}
	printf(".SH ENVIRONMENT\n"
	       ".TP\n.B SONDE_DATA\nFolder with tables of stopping powers, in place of the installed one.\n"
	       ".TP\n.B SONDE_ISA\nInstruction set of the CPU kernels: sse2, avx2, avx512.\n");
	print_variables_of_devices();
	printf(
	    ".SH EXIT STATUS\n0 success, 2 invalid input, 3 device or resource, 130 interrupted (INT, QUIT, HUP), 75 "
	    "ended by "
	    "a batch system's signal (TERM, XCPU, USR1, USR2) during a run of debye, pattern, ions, fdtd, or "
	    "campaign, "
	    "with a checkpoint if \\-\\-output is given; 1 jobs of a campaign failed.\n.SH SEE ALSO\n");
	for (int k = 0; k < command_count; ++k)
		if (strcmp(commands[k].name, "help") != 0)
			printf(".BR sonde\\-%s (1)%s\n", commands[k].name, k + 2 < command_count ? "," : "");
}

static sonde_status unknown_command(const char *name)
{
	struct nearest_word nearest = {.word = name};
	char hint[96];

	for (int k = 0; k < command_count; ++k)
		nearest_word_offer(&nearest, commands[k].name);
	return status_fail(SONDE_INVALID, "unknown command '%.64s'%s", name,
			   nearest_word_hint(&nearest, hint, sizeof hint));
}

sonde_status help_print(const struct command *command)
{
	if (command == NULL)
		print_program();
	else
		print_command(command);
	return SONDE_OK;
}

sonde_status help_answer(const struct command *command, const struct arguments *arguments)
{
	return arguments->version ? version_print(arguments->program.json != 0) : help_print(command);
}

/* Named materials for targets. */
static void print_materials(void)
{
	const char *name;

	for (int k = 0; (name = material_name(k)) != NULL; ++k) {
		struct material material;
		if (material_parse(name, &material) == SONDE_OK)
			printf("%-28s %-10.6g g/cm^3  %s\n", name, material.density,
			       material_state_name(material.state));
	}
}

/* Named materials for bodies in sonde fdtd. */
static void print_optics(void)
{
	const char *name;

	for (int k = 0; (name = optical_library_name(k)) != NULL; ++k) {
		struct optical_material material;
		if (optical_library_find(name, &material) != SONDE_OK)
			continue;
		printf("%-18s", material.name);
		if (isfinite(material.longest))
			printf(" %6.4g to %6.4g um ", 1e6 * material.shortest, 1e6 * material.longest);
		else
			printf(" %-19s", "");
		printf(" %s\n", material.source);
	}
}

sonde_status command_help(int argc, char **argv)
{
	bool manual = argc > 1 && strcmp(argv[1], "--man") == 0;
	const char *name = argc > 1 + manual ? argv[1 + manual] : NULL;

	if (name != NULL && strcmp(name, "--completion") == 0 && argc <= 3)
		return completion_print(argc == 3 ? argv[2] : "bash");
	if (name != NULL && strcmp(name, "--version") == 0)
		return version_print(errors_wants_json(argc, argv));
	if (argc == 3 && !manual && command_find(name) != NULL)
		return help_list(command_find(name), argv[2]);
	if (argc > 2 + manual)
		return status_fail(SONDE_INVALID, "unexpected argument '%.64s'", argv[argc - 1]);
	if (name == NULL || strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0)
		return help_print(NULL);
	if (strcmp(name, "materials") == 0) {
		print_materials();
		return SONDE_OK;
	}
	if (strcmp(name, "sample") == 0) {
		print_sample();
		return SONDE_OK;
	}
	if (strcmp(name, "optics") == 0) {
		print_optics();
		return SONDE_OK;
	}
	if (manual && strcmp(name, "sonde") == 0) {
		print_program_manual();
		return SONDE_OK;
	}
	if (command_find(name) == NULL)
		return unknown_command(name);
	if (manual)
		print_manual(command_find(name));
	else
		print_command(command_find(name));
	return SONDE_OK;
}
