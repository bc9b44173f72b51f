/* Masks as pictures of the European Synchrotron's data format: a header of "key = value ;" in braces, padded to whole blocks
 * of 512 bytes, and rows of numbers. */
#ifndef SONDE_PATTERN_DETECTOR_EDF_H
#define SONDE_PATTERN_DETECTOR_EDF_H

#include <stdint.h>

#include "base/status.h"

/* masked[rows][columns] = 1 where the number is not 0. */
sonde_status edf_read_mask(const char *path, int64_t rows, int64_t columns, unsigned char *masked);

#endif
