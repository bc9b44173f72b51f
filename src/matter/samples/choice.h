/* The samples that the options of an engine choose: frames of a trajectory, structures of a list, sizes of a distribution. */
#ifndef SONDE_MATTER_SAMPLES_CHOICE_H
#define SONDE_MATTER_SAMPLES_CHOICE_H

#include "matter/samples/samples.h"

/* The options of these names, and the sample's file, or in its place a description (null: none). */
struct samples_choice {
	const char *path;
	const sonde_build_options *build;
	const char *frames, *topology;
	int64_t error_blocks;
};

/* Whether there are several samples, instead of one. */
bool samples_are_several(const struct samples_choice *choice);
/* Opens them. `counted`: the number of frames is to be exact. *samples is null after a failure. */
sonde_status samples_open(sonde_context *context, const struct samples_choice *choice, bool counted,
			  struct samples **samples);
/* Checks the option `error_blocks` for the mean of `count` samples, frames or others. */
sonde_status samples_check_blocks(int64_t error_blocks, bool frames, int64_t count);
/* Names the present sample in the message about it. */
sonde_status samples_prefix(const struct samples *samples, const struct sample *sample, sonde_status status);
/* The same for a frame by its number. */
sonde_status samples_prefix_frame(const struct samples *samples, int64_t frame, sonde_status status);

#endif
