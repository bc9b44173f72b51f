/* sonde convert */
#include <stdio.h>

#include "cli/arguments.h"
#include "cli/help.h"
#include "base/status.h"
#include "io/volume.h"

sonde_status command_convert(int argc, char **argv)
{
	const struct command *command = command_find("convert");
	struct arguments arguments = {0};
	char note[VOLUME_TITLE];

	CHECK(arguments_read(command, argc, argv, NULL, NULL, 0, &arguments));
	if (arguments.help)
		return help_print(command);
	if (arguments.second == NULL)
		return status_fail(SONDE_INVALID, "name two files: sonde convert FROM TO");
	CHECK(volume_convert(arguments.positional, arguments.second, arguments.program.force, note));
	if (note[0] != '\0' && !arguments.program.quiet)
		printf("note: %s\n", note);
	return SONDE_OK;
}
