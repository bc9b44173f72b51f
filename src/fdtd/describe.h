/* What `sonde info` reports of a file of results. */
#ifndef SONDE_FDTD_DESCRIBE_H
#define SONDE_FDTD_DESCRIBE_H

#include "io/hdf5.h"
#include "run/report.h"

sonde_status fdtd_describe(struct hdf5_reader *reader, struct report *report);
/* The same of what a stopped run has left: a file for which fdtd_checkpoint_is_one() is true. */
sonde_status fdtd_describe_checkpoint(const char *path, struct report *report);

#endif
