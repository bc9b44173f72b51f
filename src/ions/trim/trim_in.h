/* Jobs for SRIM's program TRIM as options: its file TRIM.IN, of SRIM-2003 to 2013. */
#ifndef SONDE_IONS_TRIM_TRIM_IN_H
#define SONDE_IONS_TRIM_TRIM_IN_H

#include <stdbool.h>

#include "base/status.h"
#include "sonde/ions_options.h"

/* Whether a file is named as such: "TRIM.IN", or with ".in" at its end; upper and lower case are the same. */
bool trim_in_is_named(const char *path);

/* Sets the options that the file speaks of; the others stay as they are: at their defaults. Flags of the command line are to be
 * read after it. What options cannot say is refused, by file and line: beams of TRIM.DAT, target atoms that are not of natural mass,
 * compound corrections that differ from layer to layer, different energies of an element in two layers. `options` is as it was after
 * a failure. */
sonde_status trim_in_read(const char *path, sonde_ions_options *options);

#endif
