/* sonde convert */
#include "cli/arguments.h"
#include "cli/help.h"
#include "base/status.h"

sonde_status command_convert(int argc, char **argv)
{
	const struct command *command = command_find("convert");
	struct arguments arguments = {0};

	CHECK(arguments_read(command, argc, argv, NULL, NULL, 0, &arguments));
	if (arguments.help)
		return help_print(command);
	if (arguments.second == NULL)
		return status_fail(SONDE_INVALID, "name two files: sonde convert FROM TO");
	return sonde_volume_convert(arguments.positional, arguments.second, arguments.program.force);
}
