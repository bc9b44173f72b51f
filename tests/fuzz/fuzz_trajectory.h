/* Binary trajectories: all frames, of which every second one is skipped in a second reading. */
#ifndef TESTS_FUZZ_FUZZ_TRAJECTORY_H
#define TESTS_FUZZ_FUZZ_TRAJECTORY_H

#include "fuzz/fuzz.h"

#include <math.h>

#include "io/trajectory/trajectory_format.h"

#define MOST_FRAMES 100000 /* of an input of half a megabyte */

static sonde_status read_next(const struct trajectory_format *format, void *file, bool *ended)
{
	const double *positions, *lattice;

	CHECK(format->next(file, &positions, &lattice));
	*ended = positions == NULL;
	for (int64_t k = 0; !*ended && k < 3 * format->atoms(file); ++k)
		REQUIRE(fabs(positions[k]) <= TRAJECTORY_LARGEST_COORDINATE);
	for (int k = 0; lattice != NULL && k < 9; ++k)
		REQUIRE(fabs(lattice[k]) <= TRAJECTORY_LARGEST_COORDINATE);
	return SONDE_OK;
}

static sonde_status read_all(const struct trajectory_format *format, void *file, bool skip)
{
	bool ended = false;

	REQUIRE(format->atoms(file) > 0);
	for (int64_t frames = 0; !ended; ++frames) {
		REQUIRE(frames < MOST_FRAMES);
		CHECK(skip && frames % 2 == 0 ? format->skip(file, &ended) : read_next(format, file, &ended));
	}
	return SONDE_OK;
}

static int fuzz_trajectory(const struct trajectory_format *format, const uint8_t *data, size_t size)
{
	if (size == 0 || size > 1 << 19)
		return 0;
	for (int skip = 0; skip < 2; ++skip) {
		void *file = NULL;
		sonde_status status = format->open(memory_file(data, size), &file);
		REQUIRE((status == SONDE_OK) == (file != NULL));
		if (status == SONDE_OK)
			status = read_all(format, file, skip);
		if (status != SONDE_OK) {
			REQUIRE(status == SONDE_INVALID);
			REQUIRE_MESSAGE();
		}
		format->close(&file);
		REQUIRE(file == NULL);
	}
	return 0;
}

#endif
