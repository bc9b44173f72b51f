/* The report of `sonde info` on a result file. */
#ifndef SONDE_COULOMB_DESCRIBE_H
#define SONDE_COULOMB_DESCRIBE_H

#include "io/containers/hdf5.h"
#include "run/report.h"

sonde_status coulomb_describe(struct hdf5_reader *reader, struct report *report);

#endif
