/* `sonde info` of volumes. */
#ifndef SONDE_CLI_INFO_VOLUME_H
#define SONDE_CLI_INFO_VOLUME_H

#include <stdbool.h>

#include "base/status.h"
#include "run/report.h"

/* Whether the name is that of a readable volume, other than HDF5 files. */
bool info_is_volume(const char *path);
/* Reads a volume and prints its description. */
sonde_status info_describe_volume(const char *path, struct report *report);

#endif
