/* sonde info of what a stopped run has left beside the name of its result. */
#ifndef SONDE_CLI_INFO_CHECKPOINT_H
#define SONDE_CLI_INFO_CHECKPOINT_H

#include <stdbool.h>

#include "base/status.h"
#include "io/hdf5.h"

/* Of ions, an HDF5 file. */
bool info_is_ions_checkpoint(struct hdf5_reader *reader);
sonde_status info_describe_ions_checkpoint(struct hdf5_reader *reader, const char *path);

/* Of Maxwell's equations. */
sonde_status info_describe_fdtd_checkpoint(const char *path);

#endif
