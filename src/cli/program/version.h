/* sonde --version */
#ifndef SONDE_CLI_PROGRAM_VERSION_H
#define SONDE_CLI_PROGRAM_VERSION_H

#include <stdbool.h>

#include "base/status.h"

/* Prints version, commit, compiler, HDF5 and instruction sets on stdout, a line each; with `json` as one object. */
sonde_status version_print(bool json);

#endif
