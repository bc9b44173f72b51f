/* Runs the subcommand and reports its outcome. */
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/status.h"
#include "cli/program/errors.h"
#include "cli/program/help.h"
#include "cli/program/main.h"
#include "cli/program/program.h"
#include "cli/program/ranks.h"
#include "cli/program/version.h"

#define TIME_TO_PRINT 500000 /* microseconds, for the first rank, without MPI */

static sonde_status run(int argc, char **argv)
{
	const struct command *command;

	command = argc > 1 ? command_find(argv[1]) : NULL;
	if (!ranks_is_first() && !command_is_for_ranks(command) && !command_is_for_workers(command))
		return SONDE_OK;
	if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		help_print(NULL);
		return argc < 2 ? status_fail(SONDE_INVALID, "no command is given") : SONDE_OK;
	}
	if (strcmp(argv[1], "--version") == 0) {
		return version_print(errors_wants_json(argc, argv));
	}
	if (command != NULL)
		return command->run(argc - 1, argv + 1);
	char *const words[] = {"help", argv[1], NULL};
	return command_help(2, (char **)words);
}

int sonde_program_main(int argc, char **argv)
{
	/* exceeding a file-size limit is an error of write(), not the end of the process */
	signal(SIGXFSZ, SIG_IGN);
	commands_list();
	errors_as_json(errors_wants_json(argc, argv));
	program_set_variables(); /* MPI has threads */
	sonde_status status = ranks_join();
	if (status == SONDE_OK)
		status = run(argc, argv);
	if (status == SONDE_OK && (fflush(stdout) != 0 || ferror(stdout)))
		status = status_fail(SONDE_RESOURCE, "the standard output cannot be written");
	status = parallel_end(ranks_of_program(), status);
	if (program_lost_reader())
		return ranks_leave(128 + SIGPIPE); /* as a shell would report it */
	if (status != SONDE_OK && ranks_is_first())
		errors_print(argc > 1 ? command_find(argv[1]) : NULL, status, exit_code(status));
	else if (status != SONDE_OK && ranks_of_program() == NULL)
		(void)usleep(TIME_TO_PRINT); /* mpirun ends all ranks when this one ends */
	return ranks_leave(exit_code(status));
}
