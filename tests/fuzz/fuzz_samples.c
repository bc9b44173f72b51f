/* Lists of samples, ranges of frames, distributions of sizes, and text trajectories, of which skipping and reading must agree. The
 * first byte chooses. */
#include "fuzz/fuzz.h"

#include <math.h>

#include "matter/atoms/atoms.h"
#include "matter/build/size_distribution.h"
#include "matter/files/frame_range.h"
#include "matter/samples/sample_list.h"
#include "matter/files/trajectory.h"

static void check(sonde_status status)
{
	REQUIRE(status == SONDE_OK || status == SONDE_INVALID);
	if (status != SONDE_OK)
		REQUIRE_MESSAGE();
}

static void try_list(const uint8_t *data, size_t size)
{
	struct sample_list list = {0};
	const sonde_status status = sample_list_read(memory_file(data, size), &list);

	check(status);
	REQUIRE(status != SONDE_OK || list.count > 0);
	for (size_t k = 0; k < list.count && status == SONDE_OK; ++k)
		REQUIRE(list.samples[k].weight > 0.0 && isfinite(list.samples[k].weight));
	sample_list_free(&list);
}

static void try_range(const char *text)
{
	struct frame_range range;
	int64_t first, frames;
	sonde_status status = frame_range_parse(text, &range);

	if (status == SONDE_OK)
		status = frame_range_resolve(&range, 1000, &first, &frames);
	check(status);
	REQUIRE(status != SONDE_OK || (first >= 0 && frames > 0 && first + (frames - 1) * range.step < 1000));
}

static void try_distribution(const char *text)
{
	double factors[SIZE_DISTRIBUTION_MOST_POINTS], weights[SIZE_DISTRIBUTION_MOST_POINTS], sum = 0.0;
	struct size_distribution distribution;
	sonde_status status = size_distribution_parse(text, &distribution);

	if (status == SONDE_OK)
		status = size_distribution_points(&distribution, factors, weights);
	check(status);
	for (int k = 0; status == SONDE_OK && k < distribution.points; ++k) {
		REQUIRE(factors[k] > 0.0 && isfinite(factors[k]) && weights[k] >= 0.0);
		sum += weights[k];
	}
	REQUIRE(status != SONDE_OK || fabs(sum - 1.0) < 1e-9);
}

/* A frame that can be read can be skipped. */
static void try_trajectory(const char *path)
{
	struct trajectory *trajectory;
	const sonde_atoms *frame;
	int64_t read = 0, skipped = 0;

	sonde_status status = trajectory_open(NULL, path, NULL, &trajectory);
	while (status == SONDE_OK) {
		status = trajectory_next(trajectory, &frame);
		if (status != SONDE_OK || frame == NULL)
			break;
		++read;
		for (int64_t k = 0; k < 3 * frame->count; ++k)
			REQUIRE(fabs(frame->positions[k]) <= 1e7);
	}
	check(status);
	trajectory_close(&trajectory);
	if (status != SONDE_OK)
		return;
	REQUIRE(trajectory_open(NULL, path, NULL, &trajectory) == SONDE_OK);
	REQUIRE(trajectory_skip(trajectory, INT64_MAX, &skipped) == SONDE_OK);
	REQUIRE(read == skipped);
	trajectory_close(&trajectory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size < 1 || size > 1 << 16)
		return 0;
	char *text = as_string(data + 1, size - 1);
	if (data[0] % 4 == 0)
		try_list(data + 1, size - 1);
	else if (data[0] % 4 == 1)
		try_range(text);
	else if (data[0] % 4 == 2)
		try_distribution(text);
	else
		try_trajectory(memory_file(data + 1, size - 1));
	free(text);
	return 0;
}
