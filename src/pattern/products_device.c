/* Products of matrices (products.h) on one device. */
#include <math.h>

#include "pattern/kernels/pattern_layout.h"
#include "pattern/kernels/products_layout.h"
#include "pattern/products.h"
#include "pattern/sums_device.h"
#include "run/launches.h"

#define TASKS 512.0 /* of a large picture, blocks of points with a segment each: enough for the largest GPUs */
#define PARTS_BYTES (256 << 20) /* of the sums of segments in a launch */

sonde_status products_prepare(struct sums_device *run)
{
	const bool groups = sums_device_has_groups(run->device);

	run->items = 1;
	run->pixels_of_group = 2 * (groups ? PRODUCT_ROWS * PRODUCT_COLUMNS : PLANE_ROWS * PLANE_COLUMNS);
	run->sets_of_group = run->pixels_of_group / (uint32_t)run->sets->pixels_of_set;
	if (!groups)
		return device_kernel(run->device, &pattern_program, "pattern_planes", 1, 0, NULL, 0, &run->kernel);
	CHECK(device_kernel(run->device, &pattern_program, "pattern_products", PRODUCT_ITEMS, PRODUCT_LOCAL_BYTES,
			    NULL, 0, &run->kernel));
	return device_kernel(run->device, &pattern_program, "pattern_segments", PRODUCT_ITEMS, 0, NULL, 0,
			     &run->resample);
}

/* Tiles of a segment: the same for all devices of a run, and a divisor of SEGMENT_TILES, of which atoms take turns. */
static uint32_t segment_tiles(const struct sums_device *run)
{
	const double blocks = products_operations(&run->plan->pixels) / (8.0 * PRODUCT_ROWS * PRODUCT_COLUMNS),
		     most = blocks * run->tiles->count / TASKS;
	uint32_t tiles = 1;

	if (!sums_device_has_groups(run->device))
		return SEGMENT_TILES;
	while (tiles < SEGMENT_TILES && 2.0 * tiles <= most)
		tiles *= 2;
	return tiles;
}

/* From row to row: the same for all columns. */
static void find_step(const struct pattern_pixels *pixels, double step[3])
{
	const int axis = products_axis(pixels);
	int64_t last = pixels->sizes[axis] - 1;
	double from[3], to[3];

	for (int inner = axis + 1; inner < pixels->axis_count; ++inner)
		last *= pixels->sizes[inner];
	(void)pattern_pixel(pixels, 0, from);
	(void)pattern_pixel(pixels, last, to);
	for (int k = 0; k < 3; ++k)
		step[k] = (to[k] - from[k]) / (double)(pixels->sizes[axis] - 1);
}

/* Segments of the tiles at all points of a range. */
struct multiplication {
	struct pixel_range *range;
	double step[3];        /* from row to row */
	uint32_t blocks;       /* of points */
	uint32_t tiles;        /* on the device, */
	uint32_t each;         /* those of a segment, */
	uint32_t segments;     /* and their number */
	uint32_t most;         /* segments of a launch */
	uint32_t first, count; /* of the launch in progress, which begins with `first` */
	bool on_cpu, filled_next;
};

static uint32_t groups_left(void *user)
{
	const struct multiplication *all = user;
	const uint64_t left = (uint64_t)(all->segments - all->first) * all->blocks;

	return left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
}

static sonde_status multiply(const struct multiplication *all)
{
	const struct pixel_range *range = all->range;
	const struct sums_device *run = range->run;
	const uint32_t points = (uint32_t)run->sets->points;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->atoms.memory),
						    DEVICE_ARGUMENT(run->classes.memory),
						    DEVICE_ARGUMENT(all->tiles),
						    DEVICE_ARGUMENT(run->centers.memory),
						    DEVICE_ARGUMENT(run->q.memory),
						    DEVICE_ARGUMENT(run->amplitudes.memory),
						    DEVICE_ARGUMENT(range->columns),
						    DEVICE_ARGUMENT(range->stride),
						    DEVICE_ARGUMENT(points),
						    DEVICE_ARGUMENT(all->step[0]),
						    DEVICE_ARGUMENT(all->step[1]),
						    DEVICE_ARGUMENT(all->step[2]),
						    DEVICE_ARGUMENT(all->each),
						    DEVICE_ARGUMENT(all->first),
						    DEVICE_ARGUMENT(run->node_sums.memory)};

	return device_launch(run->device, &run->kernel, all->blocks * all->count, arguments, 15);
}

static sonde_status multiply_on_cpu(const struct multiplication *all)
{
	const struct pixel_range *range = all->range;
	const struct sums_device *run = range->run;
	const uint32_t points = (uint32_t)run->sets->points, first = all->first * all->each,
		       end = first + all->count * all->each, last = end < all->tiles ? end : all->tiles;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->atoms.memory),
						    DEVICE_ARGUMENT(run->classes.memory),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(last),
						    DEVICE_ARGUMENT(run->centers.memory),
						    DEVICE_ARGUMENT(run->q.memory),
						    DEVICE_ARGUMENT(run->amplitudes.memory),
						    DEVICE_ARGUMENT(range->columns),
						    DEVICE_ARGUMENT(range->stride),
						    DEVICE_ARGUMENT(points),
						    DEVICE_ARGUMENT(all->step[0]),
						    DEVICE_ARGUMENT(all->step[1]),
						    DEVICE_ARGUMENT(all->step[2]),
						    DEVICE_ARGUMENT(run->sums.memory)};

	return device_launch(run->device, &run->kernel, all->blocks, arguments, 14);
}

static sonde_status add(const struct multiplication *all)
{
	const struct sums_device *run = all->range->run;
	const uint32_t numbers = 2 * all->range->stride;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->node_sums.memory),
						    DEVICE_ARGUMENT(all->count), DEVICE_ARGUMENT(numbers),
						    DEVICE_ARGUMENT(run->sums.memory)};

	return device_launch(run->device, &run->resample, (numbers + PRODUCT_ITEMS - 1) / PRODUCT_ITEMS, arguments,
			     4);
}

static sonde_status begin(void *user, int slot, uint32_t room, uint32_t *groups)
{
	struct multiplication *all = user;
	const uint32_t fits = room / all->blocks, left = all->segments - all->first;

	(void)slot; /* one launch at a time */
	all->count = fits > 1 ? fits : 1;
	all->count = all->count < all->most ? all->count : all->most;
	all->count = all->count < left ? all->count : left;
	*groups = all->blocks * all->count;
	if (all->on_cpu)
		return multiply_on_cpu(all);
	CHECK(multiply(all));
	CHECK(add(all));
	if (all->filled_next)
		return SONDE_OK;
	all->filled_next = true;
	return sums_device_fill_next(all->range);
}

static sonde_status end(void *user, int slot, uint32_t groups)
{
	struct multiplication *all = user;

	(void)slot;
	(void)groups;
	all->first += all->count;
	return SONDE_OK;
}

/* Part after part of the atoms, in their order. */
static sonde_status launch_parts(struct multiplication *all)
{
	struct sums_device *run = all->range->run;
	const struct launches launches = {.device = run->device,
					  .pace = &run->pace,
					  .count = 1,
					  .first_groups = SUMS_FIRST_GROUPS * device_workers(run->device),
					  .what = "pattern",
					  .user = all,
					  .left = groups_left,
					  .begin = begin,
					  .end = end};

	for (uint32_t tile = 0; tile < run->tiles->count; tile += all->tiles) {
		CHECK(sums_device_load_tiles(run, tile));
		all->tiles = run->end - tile;
		all->segments = (all->tiles + all->each - 1) / all->each;
		all->first = 0;
		CHECK(launches_run(run->context, &launches));
	}
	return SONDE_OK;
}

static uint32_t blocks_of_range(const struct pixel_range *range, uint32_t rows, uint32_t columns)
{
	const uint32_t distances = ((uint32_t)range->run->sets->points + 1) / 2;

	return (distances + rows - 1) / rows * ((range->columns + columns - 1) / columns);
}

/* Segments whose sums have room; those of a CPU are added at once. */
static double segments_at_once(const struct sums_device *run, uint32_t each, double bytes)
{
	const double allowed = fmin(PARTS_BYTES, 0.25 * (double)device_properties(run->device)->memory);

	return fmin(fmax(1.0, floor(allowed / bytes)), ceil((double)run->part_tiles / each));
}

sonde_status products_launch(struct pixel_range *range)
{
	struct sums_device *run = range->run;
	const bool on_cpu = !sums_device_has_groups(run->device);
	const size_t numbers = 2 * (size_t)range->stride, bytes = numbers * sizeof(double);
	const uint32_t each = segment_tiles(run);
	const double fit = segments_at_once(run, each, (double)bytes);
	struct multiplication all = {.range = range,
				     .blocks = on_cpu ? blocks_of_range(range, PLANE_ROWS, PLANE_COLUMNS)
						      : blocks_of_range(range, PRODUCT_ROWS, PRODUCT_COLUMNS),
				     .each = each,
				     .most = (uint32_t)fit,
				     .on_cpu = on_cpu};

	find_step(&run->plan->pixels, all.step);
	CHECK(sums_device_grow(run, &run->sums, numbers, "the sums"));
	if (!on_cpu)
		CHECK(sums_device_grow(run, &run->node_sums, (size_t)fit * numbers, "the sums"));
	CHECK(device_clear(run->device, &run->sums, 0, bytes));
	CHECK(launch_parts(&all));
	return device_read(run->device, &run->sums, 0, run->host_sums, bytes);
}
