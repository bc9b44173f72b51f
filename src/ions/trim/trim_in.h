/* Jobs for SRIM's program TRIM as options: its file TRIM.IN, of SRIM-2003 to 2013. */
#ifndef SONDE_IONS_TRIM_TRIM_IN_H
#define SONDE_IONS_TRIM_TRIM_IN_H

#include <stdbool.h>

#include "base/status.h"
#include "sonde/ions_options.h"

/* Whether a file name is "TRIM.IN" or ends in ".in", case-insensitive. */
bool trim_in_is_named(const char *path);

/* Sets the options specified by the file; the others keep their defaults. Flags of the command line are to be read
 * after it. Features without an option are refused, with file and line: beams of TRIM.DAT, target atoms of
 * non-natural mass, compound corrections that differ from layer to layer, different energies of an element in two
 * layers. `options` is unchanged after a failure. */
sonde_status trim_in_read(const char *path, sonde_ions_options *options);

#endif
