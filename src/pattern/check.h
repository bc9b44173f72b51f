/* The error of a pattern, by some pixels that are computed again by the reference: pattern_error() of pattern.h, and the same by all
 * ranks, which share these pixels, and during the sums of GPUs, which leave the processors idle. */
#ifndef SONDE_PATTERN_CHECK_H
#define SONDE_PATTERN_CHECK_H

#include "pattern/pattern.h"

struct pattern_check;

/* Begins before the sums; on CPUs the pixels are computed by pattern_check_end(). All ranks come to both. */
sonde_status pattern_check_begin(sonde_context *context, const struct pattern_plan *plan,
				 struct pattern_check **check);
/* `status`: of pattern_check_begin() and of the sums. Compares on rank 0, which has the values: the largest error of F, relative to
 * sqrt(sum |f|^2), and the number of pixels. Frees the check, also after a failure, of which it returns the status. */
sonde_status pattern_check_end(struct pattern_check **check, sonde_status status, const struct pattern_values *values,
			       double *largest, int64_t *checked);

#endif
