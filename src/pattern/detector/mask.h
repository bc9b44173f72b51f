/* Pixels of a detector that do not count: a mask from a file, and those behind a beam stop. */
#ifndef SONDE_PATTERN_DETECTOR_MASK_H
#define SONDE_PATTERN_DETECTOR_MASK_H

#include <stdbool.h>

#include "pattern/detector/geometry.h"

/* One byte for each pixel, row by row, not 0 if it is masked; to be freed. Null if there is neither a mask nor a stop. */
sonde_status detector_find_masked(const sonde_pattern_options *options, const struct detector_geometry *detector,
				  unsigned char **masked);
/* Whether a file of this name is HDF5. */
bool mask_has_datasets(const char *path);
/* A mask file of any known kind into masked[rows][columns]; `dataset` is for HDF5. */
sonde_status mask_read(const char *path, const char *dataset, int64_t rows, int64_t columns, unsigned char *masked);

#endif
