/* Report of `sonde info` on a result file. */
#ifndef SONDE_FDTD_DESCRIBE_H
#define SONDE_FDTD_DESCRIBE_H

#include "io/containers/hdf5.h"
#include "run/report.h"

sonde_status fdtd_describe(struct hdf5_reader *reader, struct report *report);
/* The same for a file left by a stopped run, for which fdtd_checkpoint_is_one() is true. */
sonde_status fdtd_describe_checkpoint(const char *path, struct report *report);

#endif
