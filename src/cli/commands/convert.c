/* sonde convert */
#include <stdio.h>

#include "base/file_names.h"
#include "base/status.h"
#include "cli/program/arguments.h"
#include "cli/info/facts.h"
#include "cli/program/help.h"
#include "io/volume_formats.h"

/* One of the two files. */
static void print_file(const char *name, const char *path, const char *format, const char *stream)
{
	const char *shown = file_names_get(path);

	facts_open_object(name);
	facts_text("file", shown == path ? path : stream);
	facts_text("format", format);
	facts_close();
}

static sonde_status print_json(const struct arguments *arguments, const struct volume_conversion *conversion)
{
	const struct grid *grid = &conversion->grid;

	facts_begin("convert", true);
	print_file("read", arguments->positional, conversion->from, "-");
	print_file("written", arguments->second, conversion->to, "-");
	facts_integers("points", grid->size, 3);
	facts_numbers("origin_angstrom", grid->origin, 3);
	facts_open_list("steps_angstrom");
	for (int k = 0; k < 3; ++k)
		facts_numbers(NULL, grid->steps[k], 3);
	facts_close();
	facts_boolean("values", conversion->values);
	facts_boolean("vectors", conversion->vectors);
	if (conversion->unit[0] != '\0')
		facts_text("unit", conversion->unit);
	if (conversion->vectors && conversion->vector_unit[0] != '\0')
		facts_text("field_unit", conversion->vector_unit);
	facts_lines("notes", conversion->note);
	return facts_end();
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
	CHECK(volume_convert(arguments.positional, arguments.second, arguments.program.force, &conversion));
	if (arguments.program.json)
		return print_json(&arguments, &conversion);
	if (conversion.note[0] != '\0' && !arguments.program.quiet)
		printf("note: %s\n", conversion.note);
	return SONDE_OK;
}
