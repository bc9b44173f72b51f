/* The report of `sonde info` on a result file. */
#ifndef SONDE_IONS_DESCRIBE_H
#define SONDE_IONS_DESCRIBE_H

#include "io/containers/hdf5.h"
#include "run/report.h"

sonde_status ions_describe(struct hdf5_reader *reader, struct report *report);
/* The same for the checkpoint of a stopped run, which is also an HDF5 file. */
bool ions_is_checkpoint(struct hdf5_reader *reader);
sonde_status ions_describe_checkpoint(struct hdf5_reader *reader, const char *path, struct report *report);

#endif
