/* Runs of many samples. */
#ifndef SONDE_PATTERN_RUN_H
#define SONDE_PATTERN_RUN_H

#include <stdbool.h>

#include "matter/samples/choice.h"
#include "sonde/pattern.h"

/* The samples of a request: of `path`, or of `build` if that is null. */
struct samples_choice pattern_samples_choice(const sonde_pattern_options *options, const char *path,
					     const sonde_build_options *build);
/* The mean over all samples. `output`: the file of the result, next to which there is a checkpoint from time to time, which is
 * to be removed when the result is written; null: none. The output of shots is complete, and need not be written. */
sonde_status pattern_run_samples(sonde_context *context, const sonde_pattern_options *options,
				 struct samples *samples, const char *output, bool overwrite,
				 sonde_pattern_result **result);
/* The same for one sample. */
sonde_status pattern_run_to(sonde_context *context, const sonde_atoms *atoms, const sonde_pattern_options *options,
			    const char *output, bool overwrite, sonde_pattern_result **result);

#endif
