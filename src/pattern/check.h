/* The error of a pattern, by some pixels that are computed again, with phases and sums of about twice the precision: pattern_error() of pattern.h, and the same by all
 * ranks, which share these pixels, and during the sums of GPUs, which leave the processors idle. */
#ifndef SONDE_PATTERN_CHECK_H
#define SONDE_PATTERN_CHECK_H

#include "pattern/pattern.h"

struct pattern_check;

/* Before the sums, and after them, when pattern_check_end() computes the pixels unless they have been: all ranks come to both. */
sonde_status pattern_check_begin(sonde_context *context, const struct pattern_plan *plan,
				 struct pattern_check **check);
/* Begins to compute the pixels, if the devices that begin now are GPUs: not before, as preparing the atoms takes all threads. `check`
 * may be null. */
void pattern_check_start(struct pattern_check *check);
/* `status`: of pattern_check_begin() and of the sums. Compares on rank 0, which has the values: the largest error of F, relative to
 * sqrt(sum |f|^2), and the number of pixels. Frees the check, also after a failure, of which it returns the status. */
sonde_status pattern_check_end(struct pattern_check **check, sonde_status status, const struct pattern_values *values,
			       double *largest, int64_t *checked);

#endif
