/* sonde convert */
#include <stdio.h>

#include "base/file_names.h"
#include "base/status.h"
#include "cli/program/arguments.h"
#include "cli/program/help.h"
#include "io/volume/volume_formats.h"
#include "run/report.h"

/* Checks one of the two files. */
static void report_file(struct report *report, const char *name, const char *path, const char *format,
			const char *stream)
{
	const char *shown = file_names_get(path);

	report_open_object(report, name);
	report_text(report, "file", shown == path ? path : stream);
	report_text(report, "format", format);
	report_close(report);
}

static sonde_status print_json(const struct arguments *arguments, const struct volume_conversion *conversion)
{
	const struct grid *grid = &conversion->grid;
	struct report report;

	report_begin(&report, "convert", true);
	report_file(&report, "read", arguments->positional, conversion->from, "-");
	report_file(&report, "written", arguments->second, conversion->to, "-");
	report_integers(&report, "points", grid->size, 3);
	report_numbers(&report, "origin_angstrom", grid->origin, 3);
	report_open_list(&report, "steps_angstrom");
	for (int k = 0; k < 3; ++k)
		report_numbers(&report, NULL, grid->steps[k], 3);
	report_close(&report);
	report_boolean(&report, "values", conversion->values);
	report_boolean(&report, "vectors", conversion->vectors);
	if (conversion->unit[0] != '\0')
		report_text(&report, "unit", conversion->unit);
	if (conversion->vectors && conversion->vector_unit[0] != '\0')
		report_text(&report, "field_unit", conversion->vector_unit);
	report_lines(&report, "notes", conversion->note);
	sonde_status status = report_end(&report, NULL);
	if (status == SONDE_OK)
		fputs(report.text.bytes, stdout);
	report_free(&report);
	return status;
}

/* The standard input has no name that gives its format. */
static sonde_status check_input(const char *path)
{
	if (volume_format(path) == NULL && file_names_get(path) != path)
		return status_fail_file(SONDE_INVALID, path,
					"does not begin as a volume does (OpenDX, cube, MRC, VTK, HDF5); "
					"--input-format names its kind");
	return SONDE_OK;
}

sonde_status command_convert(int argc, char **argv)
{
	const struct command *command = command_find("convert");
	struct arguments arguments = {0};
	struct volume_conversion conversion = {.note = ""};

	CHECK(arguments_read(command, argc, argv, NULL, NULL, 0, &arguments));
	if (arguments.help)
		return help_answer(command, &arguments);
	if (arguments.second == NULL)
		return status_fail(SONDE_INVALID, "name two files: sonde convert FROM TO");
	CHECK(check_input(arguments.positional));
	CHECK(volume_convert(arguments.positional, arguments.second, arguments.program.force, &conversion));
	if (arguments.program.json)
		return print_json(&arguments, &conversion);
	if (conversion.note[0] != '\0' && !arguments.program.quiet)
		printf("note: %s\n", conversion.note);
	return SONDE_OK;
}
