/* Installed data files, too large to be compiled in. */
#ifndef SONDE_BASE_DATA_FILE_H
#define SONDE_BASE_DATA_FILE_H

#include "base/status.h"

/* Finds the data file of this name: *path, to be released by free(). If `folder` is neither null nor empty, only this
 * folder is searched; otherwise, if SONDE_DATA is set, only the folder that it names; otherwise share/sonde of the
 * tree that contains the shared library, of the tree that contains the program, and of the installation. In each case
 * the folder itself and noncommercial/ below it are searched. The message of SONDE_INVALID lists the folders that
 * were searched, followed by `hint`, a remedy. */
sonde_status data_file_find(const char *folder, const char *name, const char *hint, char **path);

#endif
