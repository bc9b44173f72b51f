/* What `sonde info` says of a table that sonde wrote. */
#ifndef SONDE_CLI_INFO_TABLE_H
#define SONDE_CLI_INFO_TABLE_H

#include <stdbool.h>

#include "base/status.h"

/* Whether the file begins as tables of sonde do. */
bool info_is_table(const char *path);
sonde_status info_describe_table(const char *path);

#endif
