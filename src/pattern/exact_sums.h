/* F at some points as pattern_reference() computes it, in a tenth of the time: kernels/pattern_exact.k, on the processors whatever the
 * devices are. */
#ifndef SONDE_PATTERN_EXACT_SUMS_H
#define SONDE_PATTERN_EXACT_SUMS_H

#include "pattern/pattern.h"

struct exact_point {
	double vector[3], q;
	double real, imaginary, squares; /* found: F, and sum |f|^2, */
	bool far;                        /* with phases that only the reference allows for */
};

/* The atoms of a sample are added in blocks that depend on their number alone: the bits are the same for any number of threads, which
 * share the blocks, and of each instruction set. Not complete if the context, which may be null, is stopped. */
sonde_status pattern_exact_sums(const sonde_context *context, const struct pattern_sample *sample, int threads,
				struct exact_point *points, int count);

#endif
