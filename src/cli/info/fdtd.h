/* What sonde info says of a result of sonde fdtd. */
#ifndef SONDE_CLI_INFO_FDTD_H
#define SONDE_CLI_INFO_FDTD_H

#include "io/hdf5.h"

/* Prints cells, steps and monitors of the result in an open file. */
sonde_status info_describe_fdtd(struct hdf5_reader *reader);

#endif
