/* Samples as commands get them: from a file, or from the `build` block of a job. */
#ifndef SONDE_CLI_PROGRAM_JOB_H
#define SONDE_CLI_PROGRAM_JOB_H

#include "cli/program/arguments.h"

/* Reads or builds the sample that the command line and the job name; fails if they name none or two. */
sonde_status job_sample(sonde_context *context, const struct arguments *arguments, const struct yaml_block *build,
			sonde_atoms **atoms);

#endif
