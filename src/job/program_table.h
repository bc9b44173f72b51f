/* The top-level options of a job file: those of the program itself, from program.def. */
#ifndef SONDE_JOB_PROGRAM_TABLE_H
#define SONDE_JOB_PROGRAM_TABLE_H

#include "base/options.h"

extern const struct option_table program_option_table;

#endif
