/* Descriptions of the results of sonde match. */
#ifndef SONDE_CLI_INFO_MATCH_H
#define SONDE_CLI_INFO_MATCH_H

#include <stdbool.h>

#include "io/containers/hdf5.h"
#include "run/report.h"

bool info_is_match(struct hdf5_reader *reader);
sonde_status info_describe_match(struct hdf5_reader *reader, struct report *report);

#endif
