/* Means over the samples of a file or a description. */
#ifndef SONDE_DEBYE_MEAN_RUN_H
#define SONDE_DEBYE_MEAN_RUN_H

#include "debye/debye.h"
#include "matter/samples/choice.h"

/* The samples of a request: of `path`, or of `build` if that is null. */
struct samples_choice debye_samples_choice(const sonde_debye_options *options, const char *path,
					   const sonde_build_options *build);
/* The options of each sample. */
void debye_options_of_sample(const sonde_debye_options *options, sonde_debye_options *of_sample);
/* The mean over all samples. `output`: the file of the result, next to which there is a checkpoint from time to time, which is
 * to be removed when the result is written; null: none. */
sonde_status debye_run_samples(sonde_context *context, const sonde_debye_options *options, struct samples *samples,
			       const char *output, sonde_debye_result **result);

#endif
