/* The command line of a subcommand, read against the option tables, and its job file. */
#ifndef SONDE_CLI_PROGRAM_ARGUMENTS_H
#define SONDE_CLI_PROGRAM_ARGUMENTS_H

#include <stdbool.h>

#include "cli/program/program.h"
#include "io/containers/yaml.h"

struct arguments {
	sonde_program_options program;
	const char *positional; /* the one positional argument; null if there is none */
	const char *second;     /* the second one, of commands that take two files; else null */
	const char **files;     /* those after the first, of commands that take many; to be released by free() */
	int file_count;
	const char *job;         /* the same, if it names a job file */
	const char *description; /* the description of a sample among these two and `sample`; null: none */
	bool help;               /* --help or --version was given: help_answer() */
	bool version;            /* the latter */
	struct yaml_list *lists; /* lists allowed in the job; set by the caller, may be null */
	int list_count;
	const char *input; /* copy of the standard input if that is the file; kept when arguments are read again */
	struct text notes; /* likely mistakes, one line each; to be released by text_free() */
};

/* Reads argv[1] and following: flags of the program into `arguments`, flags of the engine into `engine_options`
 * (already at its defaults; may be null). A positional that ends in .yaml or .yml is a job file: its options are set
 * first, then those of the command line. `blocks` are the blocks allowed in the job. Files that the job names are
 * searched in its folder, then in the current one; '-' for a file is replaced by the path of the standard input or
 * output. */
sonde_status arguments_read(const struct command *command, int argc, char **argv, void *engine_options,
			    struct yaml_block *blocks, int block_count, struct arguments *arguments);

#endif
