/* Runs of many samples. */
#ifndef SONDE_PATTERN_RUN_H
#define SONDE_PATTERN_RUN_H

#include "matter/samples/choice.h"
#include "sonde/pattern.h"

/* The samples of a request: of `path`, or of `build` if that is null. */
struct samples_choice pattern_samples_choice(const sonde_pattern_options *options, const char *path,
					     const sonde_build_options *build);
/* The mean over all samples. */
sonde_status pattern_run_samples(sonde_context *context, const sonde_pattern_options *options,
				 struct samples *samples, sonde_pattern_result **result);

#endif
