/* Errors of the numbers of a result at all its points, which follow from a small table and the numbers themselves: files have the
 * table only. */
#ifndef SONDE_PATTERN_ERRORS_POINT_ERRORS_H
#define SONDE_PATTERN_ERRORS_POINT_ERRORS_H

#include "io/containers/hdf5.h"
#include "sonde/pattern.h"

/* Adds /pattern/data/I_errors, unless the result has standard errors, F_errors, I_diffuse_errors, F_parts_errors, and counts_errors, of
 * the numbers that the result has, to a file that is described in memory; `sizes`: of the array I. */
sonde_status point_errors_add(struct hdf5_writer *writer, const sonde_pattern_result *result, const int64_t *sizes,
			      int rank);

#endif
