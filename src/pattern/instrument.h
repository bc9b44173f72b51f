/* The instrument of a picture of a detector in NeXus files. */
#ifndef SONDE_PATTERN_INSTRUMENT_H
#define SONDE_PATTERN_INSTRUMENT_H

#include "io/containers/hdf5.h"
#include "sonde/pattern.h"

/* Writes /pattern/instrument, an NXinstrument with an NXbeam and an NXdetector, whose data are links to those of the result, which
 * are there already. */
sonde_status instrument_write(struct hdf5_writer *writer, const sonde_pattern_result *result);

#endif
