/* Descriptions of libraries of candidates. */
#ifndef SONDE_CLI_INFO_LIBRARY_H
#define SONDE_CLI_INFO_LIBRARY_H

#include <stdbool.h>

#include "io/containers/hdf5.h"
#include "run/report.h"

bool info_is_library(struct hdf5_reader *reader);
sonde_status info_describe_library(const char *path, struct report *report);

#endif
