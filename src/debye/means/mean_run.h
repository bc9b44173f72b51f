/* Means over the samples of a file or a description. */
#ifndef SONDE_DEBYE_MEAN_RUN_H
#define SONDE_DEBYE_MEAN_RUN_H

#include "debye/debye.h"
#include "matter/samples/samples.h"
#include "sonde/build.h"

/* Whether a request is about several samples. `build`: null if there is a file. */
bool debye_has_samples(const sonde_debye_options *options, const char *path, const sonde_build_options *build);
/* Opens the samples of `path`, or of `build` if that is null. `counted`: their number is to be exact. */
sonde_status debye_open_samples(sonde_context *context, const sonde_debye_options *options, const char *path,
				const sonde_build_options *build, bool counted, struct samples **samples);
/* The options of each sample. */
void debye_options_of_sample(const sonde_debye_options *options, sonde_debye_options *of_sample);
/* The mean over all samples. `output`: the file of the result, next to which there is a checkpoint from time to time, which is
 * to be removed when the result is written; null: none. */
sonde_status debye_run_samples(sonde_context *context, const sonde_debye_options *options, struct samples *samples,
			       const char *output, sonde_debye_result **result);

#endif
