/* Launches of the direct sum on one device: its atoms, part after part, at some pixels. */
#include <math.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "device/staged_copy.h"
#include "pattern/kernels/pattern_layout.h"
#include "pattern/resident/resident.h"
#include "pattern/sums_device.h"
#include "run/launches.h"

#define GROUPS_ENOUGH 3         /* with fewer groups of pixels, groups share the segments, too */
#define SPREAD_BYTES (64 << 20) /* of the sums of segments in a launch */
#define NUMBERS_OF_THREAD 4096
#define ATOMS_OF_THREAD 65536

static uint32_t segments_of(uint32_t tiles)
{
	return (tiles + SEGMENT_TILES - 1) / SEGMENT_TILES;
}

/* Atoms ------------------------------------------------------------------------------------------------------- */

struct rounding {
	const double *from;
	float *to;
};

static void round_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct rounding *rounding = state;

	(void)worker;
	for (int64_t k = first; k < end; ++k)
		rounding->to[k] = (float)rounding->from[k];
}

static sonde_status write_atoms(struct sums_device *run, uint32_t first, uint32_t count)
{
	const size_t numbers = 3 * TILE_ATOMS * (size_t)count;

	if (pattern_is_resident(&run->plan->sample))
		return pattern_resident_load(run->tiles, first, count, run->single, &run->atoms);
	struct rounding rounding = {.from = run->tiles->atoms + 3 * TILE_ATOMS * (size_t)first,
				    .to = run->host_singles};
	if (!run->single)
		return device_write_large(run->device, &run->atoms, 0, rounding.from, numbers * sizeof(double));
	threads_for(sums_device_threads(run), (int64_t)numbers, ATOMS_OF_THREAD, round_some, &rounding);
	return device_write_large(run->device, &run->atoms, 0, run->host_singles, numbers * sizeof(float));
}

sonde_status sums_device_load_tiles(struct sums_device *run, uint32_t first)
{
	const struct pattern_tiles *tiles = run->tiles;
	const uint32_t left = tiles->count - first, count = left < run->part_tiles ? left : run->part_tiles;

	if (run->end == first + count && run->first_tile == first)
		return SONDE_OK;
	run->end = 0;
	if (tiles->copies != NULL) {
		CHECK(copies_device_place(run, first, count));
		run->first_tile = first;
		run->end = first + count;
		return SONDE_OK;
	}
	CHECK(write_atoms(run, first, count));
	CHECK(device_write(run->device, &run->centers, 0, tiles->centers + 3 * (size_t)first,
			   3 * (size_t)count * sizeof(double)));
	CHECK(device_write(run->device, &run->classes, 0, tiles->tiles + 2 * (size_t)first,
			   2 * (size_t)count * sizeof(uint32_t)));
	run->first_tile = first;
	run->end = first + count;
	return SONDE_OK;
}

sonde_status sums_device_grow(struct sums_device *run, struct device_buffer *buffer, size_t numbers, const char *what)
{
	const size_t bytes = numbers * sizeof(double);

	if (buffer->bytes >= bytes)
		return SONDE_OK;
	device_release(run->device, buffer);
	return device_allocate(run->device, bytes, what, buffer);
}

/* Launches ---------------------------------------------------------------------------------------------------- */

/* Segments of atoms at the pixels in progress. A launch has one or more segments of all pixels. */
struct passage {
	struct pixel_range *range;
	uint32_t groups;       /* of pixels */
	uint32_t tiles;        /* on the device */
	uint32_t spread;       /* SPREAD_SEGMENTS: groups have one segment each, whose sums are added here */
	uint32_t most;         /* segments of a launch */
	uint32_t segments;     /* of the atoms on the device */
	uint32_t first, count; /* of the launch in progress, which begins with `first` */
	bool filled_next;
};

static uint32_t groups_left(void *user)
{
	const struct passage *passage = user;
	const uint64_t left = (uint64_t)(passage->segments - passage->first) * passage->groups;

	return left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
}

static sonde_status begin(void *user, int slot, uint32_t room, uint32_t *groups)
{
	struct passage *passage = user;
	struct sums_device *run = passage->range->run;
	const uint32_t fits = room / passage->groups, left = passage->segments - passage->first;

	(void)slot; /* one launch at a time */
	passage->count = fits > 1 ? fits : 1;
	passage->count = passage->count < passage->most ? passage->count : passage->most;
	passage->count = passage->count < left ? passage->count : left;
	const struct device_argument arguments[] = {
	    DEVICE_ARGUMENT(run->atoms.memory),      DEVICE_ARGUMENT(run->classes.memory),
	    DEVICE_ARGUMENT(passage->tiles),         DEVICE_ARGUMENT(run->centers.memory),
	    DEVICE_ARGUMENT(run->q.memory),          DEVICE_ARGUMENT(run->amplitudes.memory),
	    DEVICE_ARGUMENT(passage->range->stride), DEVICE_ARGUMENT(passage->first),
	    DEVICE_ARGUMENT(passage->count),         DEVICE_ARGUMENT(passage->spread),
	    DEVICE_ARGUMENT(run->sums.memory)};
	*groups = passage->groups * passage->count;
	CHECK(device_launch(run->device, &run->kernel, passage->spread != SPREAD_NONE ? *groups : passage->groups,
			    arguments, 11));
	if (passage->filled_next)
		return SONDE_OK;
	passage->filled_next = true;
	return sums_device_fill_next(passage->range);
}

/* In the order of the segments, as the kernel adds them. */
static void add_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct passage *passage = state;
	const size_t numbers = 2 * (size_t)passage->range->stride;
	const double *parts = passage->range->run->host_parts;
	double *sums = passage->range->run->host_sums;

	(void)worker;
	for (uint32_t s = 0; s < passage->count; ++s)
		for (int64_t k = first; k < end; ++k)
			sums[k] += parts[s * numbers + (size_t)k];
}

static sonde_status add_segments(struct passage *passage)
{
	struct sums_device *run = passage->range->run;
	const size_t numbers = 2 * (size_t)passage->range->stride;

	CHECK(device_read(run->device, &run->sums, 0, run->host_parts, numbers * passage->count * sizeof(double)));
	threads_for(sums_device_threads(run), (int64_t)numbers, NUMBERS_OF_THREAD, add_some, passage);
	return SONDE_OK;
}

static sonde_status end(void *user, int slot, uint32_t groups)
{
	struct passage *passage = user;
	(void)slot;
	(void)groups;
	if (passage->spread != SPREAD_NONE)
		CHECK(add_segments(passage));
	passage->first += passage->count;
	return SONDE_OK;
}

/* With few pixels, the segments are shared as well. */
static void choose_spread(struct passage *passage)
{
	const struct pixel_range *range = passage->range;
	const struct device *device = range->run->device;
	const double bytes = 16.0 * range->stride, memory = (double)device_properties(device)->memory,
		     fit = floor(fmin(SPREAD_BYTES, 0.25 * memory) / bytes);

	passage->groups = range->stride / range->run->pixels_of_group;
	const bool few = passage->groups < GROUPS_ENOUGH * device_workers(device);
	passage->spread = passage->segments > 1 && fit >= 2.0 && few ? SPREAD_SEGMENTS : SPREAD_NONE;
	passage->most = passage->spread != SPREAD_NONE ? (uint32_t)fmin(fit, passage->segments) : passage->segments;
}

/* Part after part of the atoms, in their order, at the pixels in progress. */
static sonde_status launch_parts(struct passage *passage)
{
	struct sums_device *run = passage->range->run;
	const struct launches launches = {.device = run->device,
					  .pace = &run->pace,
					  .count = 1,
					  .first_groups = SUMS_FIRST_GROUPS * device_workers(run->device),
					  .what = "pattern",
					  .user = passage,
					  .left = groups_left,
					  .begin = begin,
					  .end = end};

	for (uint32_t tile = 0; tile < run->tiles->count; tile += passage->tiles) {
		CHECK(sums_device_load_tiles(run, tile));
		passage->tiles = run->end - tile;
		passage->segments = segments_of(passage->tiles);
		passage->first = 0;
		CHECK(launches_run(run->context, &launches));
	}
	return SONDE_OK;
}

sonde_status sums_device_launch(struct pixel_range *range)
{
	struct sums_device *run = range->run;
	struct passage passage = {.range = range, .segments = segments_of(run->part_tiles)};
	const size_t numbers = 2 * (size_t)range->stride;

	choose_spread(&passage);
	CHECK(sums_device_grow(run, &run->sums, passage.spread != SPREAD_NONE ? passage.most * numbers : numbers,
			       "the sums"));
	if (passage.spread != SPREAD_NONE) {
		memset(run->host_sums, 0, numbers * sizeof(double));
		CHECK(memory_grow(&run->host_parts, &run->parts_capacity, passage.most * numbers, sizeof(double),
				  "the sums"));
		return launch_parts(&passage);
	}
	CHECK(device_clear(run->device, &run->sums, 0, numbers * sizeof(double)));
	CHECK(launch_parts(&passage));
	return device_read(run->device, &run->sums, 0, run->host_sums, numbers * sizeof(double));
}
