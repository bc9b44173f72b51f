/* Means of intensities over orientations, samples, and their sums over independent copies. */
#ifndef SONDE_PATTERN_AVERAGE_AVERAGE_H
#define SONDE_PATTERN_AVERAGE_AVERAGE_H

#include "pattern/average/running_mean.h"

/* Whether the options of a single sample need a mean. */
bool average_is_needed(const sonde_pattern_options *options);
/* Checks the options of means. */
sonde_status average_check(const sonde_pattern_options *options);
/* Completes the plan for the patterns of all orientations of `samples` samples. */
sonde_status average_choose(sonde_context *context, int64_t samples, struct pattern_plan *plan);
/* For estimates: the cycles of the fast method for turned pictures, which are computed together and fill more of reciprocal space. */
sonde_status average_find_cycles(sonde_context *context, struct pattern_plan *plan);
/* `expected` samples of this kind; 0: unknown. The plan must outlive the average. Freed by average_free(), also after a failure. */
sonde_status average_begin(sonde_context *context, const struct pattern_plan *plan, enum average_kind kind,
			   int64_t expected, struct average *average);
/* Computes a sample and adds it. */
sonde_status average_add(struct average *average, const sonde_atoms *atoms, double weight);
/* Sets intensities, amplitudes, their errors, and numbers of samples of a result that has none. */
sonde_status average_deliver(struct average *average, sonde_pattern_result *result);
void average_free(struct average *average);
/* Bytes that the mean needs in addition to those of a plan. */
double average_bytes(const sonde_context *context, const struct pattern_plan *plan, const struct turns *turns,
		     enum average_kind kind, bool gpu);

#endif
