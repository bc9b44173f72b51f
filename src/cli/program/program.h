/* Common to the subcommands: the program's own options, the table of subcommands, exit codes. */
#ifndef SONDE_CLI_PROGRAM_PROGRAM_H
#define SONDE_CLI_PROGRAM_PROGRAM_H

#include <stdbool.h>

#include "base/options.h"
#include "job/program_table.h"
#include "run/engine.h"
#include "sonde/program_options.h"
#include "sonde/sonde.h"

/* A subcommand: an engine, or one of the others that program.c lists. */
struct command {
	const char *name;
	const char *summary;                /* one line for the list of commands */
	const char *usage;                  /* "sonde NAME ..." */
	const char *description;            /* paragraphs for --help */
	const char *job;                    /* lines of a short job for --help; null: none */
	const char *examples;               /* lines for --help */
	const struct option_table *options; /* of its engine; null if it has none */
	const char *program_options; /* names of the program's options that it takes, each surrounded by blanks */
	sonde_status (*run)(int argc, char **argv);
	bool two_files;                          /* takes a second positional argument */
	bool many_files;                         /* takes any number of them */
	bool own_yaml;                           /* the YAML file that it takes is not a job file */
	const struct option_table *const *lists; /* of the lists allowed in its job, ended by null; null: none */
	const char *inputs,
	    *outputs;       /* endings of files that it reads and writes, separated by blanks, for completion */
	const char *stream; /* ending of the default format of --output -; null: it must be given */
	const struct engine *engine; /* null for other commands */
};

/* Makes the list of commands; to be called first. */
void commands_list(void);
extern const struct command *const commands;
extern int command_count;
const struct command *command_find(const char *name);
/* Whether a command takes one of the program's options. */
bool command_takes(const struct command *command, const struct option_row *row);

/* The process's exit code for a status: 0, 2 (bad input), 3 (device or resource), 130 (interrupted), 75 (interrupted by a signal of a
 * batch system, with a checkpoint), 1 (jobs of a campaign failed). */
int exit_code(sonde_status status);
/* The failure that follows is that of jobs of a campaign. */
void program_jobs_failed(void);

/* Whether all ranks of a job of MPI carry out a command; others are for the first one alone. */
bool command_is_for_ranks(const struct command *command);
/* Whether each of them carries it out on its own: sonde campaign, whose workers share a folder. */
bool command_is_for_workers(const struct command *command);

/* Sets what drivers read from the environment, unless the user has set it: before the first thread. */
void program_set_variables(void);

/* A context set up by the program's options, cancelled by Ctrl-C, whose progress is shown. One at a time. */
sonde_status program_context(const sonde_program_options *options, const struct command *command, int argc,
			     char **argv, sonde_context **context);
void program_context_free(sonde_context **context);

/* The subcommands' functions; argv[0] is the subcommand's name. */
sonde_status command_build(int argc, char **argv);
sonde_status command_engine(int argc, char **argv);
sonde_status command_convert(int argc, char **argv);
sonde_status command_info(int argc, char **argv);
sonde_status command_campaign(int argc, char **argv);
sonde_status command_match(int argc, char **argv);
sonde_status command_library(int argc, char **argv);
sonde_status command_report(int argc, char **argv);
sonde_status command_refine(int argc, char **argv);
sonde_status command_devices(int argc, char **argv);
sonde_status command_help(int argc, char **argv);

/* Whether a pipe to which the command wrote has been closed: then nothing is reported. */
bool program_lost_reader(void);

#endif
