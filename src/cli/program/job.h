/* Samples of commands: from a file, or from the `build` block of a job. */
#ifndef SONDE_CLI_PROGRAM_JOB_H
#define SONDE_CLI_PROGRAM_JOB_H

#include "cli/program/arguments.h"

/* The file of the sample given by the command line and the job, null if it is the block `build`; fails if they give none or
 * two. With the description of a sample, the block only changes its atoms. */
sonde_status job_sample_file(const struct arguments *arguments, const struct yaml_block *build, const char **path);
/* Reads or builds the sample given by the command line and the job; fails if they give none or two. */
sonde_status job_sample(sonde_context *context, const struct arguments *arguments, const struct yaml_block *build,
			sonde_atoms **atoms);

#endif
