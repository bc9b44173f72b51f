/* Names of files by which a reader tells them apart. */
#ifndef SONDE_CLI_REPORT_FILE_NAMES_H
#define SONDE_CLI_REPORT_FILE_NAMES_H

#include "base/text.h"

/* Appends the name of file k: the last part of its path, preceded by as many other parts as tell it from the other
 * files; "(2)" follows where the same path is given a second time. */
void file_names_append(const char *const *files, int count, int k, struct text *text);

#endif
