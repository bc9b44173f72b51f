/* What `sonde info` says of volumes. */
#ifndef SONDE_CLI_INFO_VOLUME_H
#define SONDE_CLI_INFO_VOLUME_H

#include <stdbool.h>

#include "base/status.h"
#include "run/report.h"

/* Whether the name is that of a volume that can be read, HDF5 files left aside. */
bool info_is_volume(const char *path);
/* Reads a volume and prints what it is. */
sonde_status info_describe_volume(const char *path, struct report *report);

#endif
