/* Installed data files, too large to be compiled in. */
#ifndef SONDE_BASE_DATA_FILE_H
#define SONDE_BASE_DATA_FILE_H

#include "base/status.h"

/* *path = where the file with that name is, to be released by free(): in `folder` and nowhere else if that is neither null nor empty, else in $SONDE_DATA and
 * nowhere else if that is set, else in share/sonde of the tree that the shared library lies in, of the tree that the program lies in, or where it was
 * installed; of each, in the folder itself and in noncommercial/ below it. The message of SONDE_INVALID lists the folders that were searched, followed by
 * `hint`, a remedy. */
sonde_status data_file_find(const char *folder, const char *name, const char *hint, char **path);

#endif
