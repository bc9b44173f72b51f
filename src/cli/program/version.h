/* sonde --version */
#ifndef SONDE_CLI_PROGRAM_VERSION_H
#define SONDE_CLI_PROGRAM_VERSION_H

#include <stdbool.h>

#include "base/status.h"

/* "0.2.0, commit 1234567": what ranks must have in common. */
void version_print_short(char *text, size_t size);
/* Prints version, commit, compiler, HDF5 and instruction sets on stdout, a line each; with `json` as one object. */
sonde_status version_print(bool json);

#endif
