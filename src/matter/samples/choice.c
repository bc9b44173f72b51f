#include "matter/samples/choice.h"

#include "base/status.h"
#include "matter/build/size_distribution.h"

bool samples_are_several(const struct samples_choice *choice)
{
	if (choice->path == NULL)
		return choice->build != NULL && build_has_sizes(choice->build);
	return choice->frames[0] != '\0' || choice->topology[0] != '\0' || samples_is_list(choice->path) ||
	       samples_is_bare(choice->path);
}

static sonde_status check_frames(const struct samples_choice *choice, const char *what)
{
	const char *given = choice->frames[0] != '\0'     ? "frames"
			    : choice->topology[0] != '\0' ? "topology"
			    : choice->error_blocks > 0    ? "error_blocks"
							  : NULL;

	return given == NULL
		   ? SONDE_OK
		   : status_fail_option(SONDE_INVALID, given, "is for a trajectory, and the sample is %s", what);
}

sonde_status samples_open(sonde_context *context, const struct samples_choice *choice, bool counted,
			  struct samples **samples)
{
	*samples = NULL;
	if (choice->path == NULL) {
		CHECK(check_frames(choice, "a distribution of sizes"));
		return samples_open_sizes(context, choice->build, samples);
	}
	if (samples_is_list(choice->path)) {
		CHECK(check_frames(choice, "a list of structures"));
		return samples_open_list(context, choice->path, samples);
	}
	return samples_open_trajectory(context, choice->path, choice->frames, choice->topology,
				       counted || choice->error_blocks > 0, samples);
}

sonde_status samples_check_blocks(int64_t error_blocks, bool frames, int64_t count)
{
	if (error_blocks == 0)
		return SONDE_OK;
	if (!frames)
		return status_fail_option(SONDE_INVALID, "error_blocks",
					  "is for frames of a trajectory; components of a mixture have no standard "
					  "errors");
	if (error_blocks < 2)
		return status_fail_option(SONDE_INVALID, "error_blocks",
					  "a standard error needs at least 2 blocks; 0 means that each frame is "
					  "independent");
	if (count < error_blocks)
		return status_fail_option(SONDE_INVALID, "error_blocks",
					  "%lld blocks of %lld frames are too many: each needs at least one frame",
					  (long long)error_blocks, (long long)count);
	return SONDE_OK;
}

sonde_status samples_prefix_frame(const struct samples *samples, int64_t frame, sonde_status status)
{
	return status == SONDE_INVALID
		   ? status_prefix(status, "%s: frame %lld", samples_source(samples), (long long)frame)
		   : status;
}

sonde_status samples_prefix(const struct samples *samples, const struct sample *sample, sonde_status status)
{
	if (samples_are_frames(samples))
		return samples_prefix_frame(samples, samples_frame(samples), status);
	if (status != SONDE_INVALID)
		return status;
	return status_prefix(status, "%s", sample->name);
}
