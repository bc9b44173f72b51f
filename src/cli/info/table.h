/* What `sonde info` says of tables. */
#ifndef SONDE_CLI_INFO_TABLE_H
#define SONDE_CLI_INFO_TABLE_H

#include <stdbool.h>

#include "base/status.h"
#include "run/report.h"

/* Whether the file begins as tables of sonde do, or is another one by its name, and no XYZ file. */
bool info_is_table(const char *path);
sonde_status info_describe_table(const char *path, struct report *report);

#endif
