/* `sonde info` of tables. */
#ifndef SONDE_CLI_INFO_TABLE_H
#define SONDE_CLI_INFO_TABLE_H

#include <stdbool.h>

#include "base/status.h"
#include "run/report.h"

/* Whether the file begins like a table of sonde, or is another table by its name, and not an XYZ file. */
bool info_is_table(const char *path);
sonde_status info_describe_table(const char *path, struct report *report);

#endif
