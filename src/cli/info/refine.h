/* Descriptions of the results of sonde refine. */
#ifndef SONDE_CLI_INFO_REFINE_H
#define SONDE_CLI_INFO_REFINE_H

#include <stdbool.h>

#include "io/containers/hdf5.h"
#include "run/report.h"

bool info_is_refine(struct hdf5_reader *reader);
sonde_status info_describe_refine(struct hdf5_reader *reader, struct report *report);

#endif
