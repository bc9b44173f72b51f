#include "pattern/products.h"

#include <math.h>

#include "pattern/kernels/pattern_layout.h"
#include "pattern/kernels/products_layout.h"
#include "run/launches.h"

#define TASKS \
	512.0 /* of a large picture, blocks of points with a segment of the tiles each: enough for the largest devices */
#define PARTS_BYTES (256 << 20) /* of the sums of segments in a launch */
/* An H100: terms per second of whole blocks, and of lines without nodes; multiply-adds for nodes */
#define RATE 1.2e13
#define LINES_RATE 1.4e12
#define NODES_RATE 3e12
#define LEAST_TILE \
	128.0 /* atoms of a tile on average: else the chunks of atoms are not full, and classes change often */

/* The choice ---------------------------------------------------------------------------------------------------- */

/* Blocks of points with rows along an axis, which are numbered from its middle. */
static double blocks_along(const struct pattern_pixels *pixels, int axis)
{
	const double rows = (double)pixels->sizes[axis], columns = (double)pixels->count / rows;

	return ceil(0.5 * rows / PRODUCT_ROWS) * ceil(columns / PRODUCT_COLUMNS);
}

static double blocks_of(const struct pattern_pixels *pixels)
{
	return blocks_along(pixels, products_axis(pixels));
}

double products_operations(const struct pattern_pixels *pixels)
{
	return blocks_of(pixels) * 8.0 * PRODUCT_ROWS * PRODUCT_COLUMNS;
}

/* Adjacent columns are those of a line along one of the next axes. */
static bool has_lines_after(const struct pattern_pixels *pixels, int axis)
{
	while (++axis < pixels->axis_count)
		if (pixels->sizes[axis] >= (int64_t)PRODUCT_RUN)
			return true;
	return false;
}

int products_axis(const struct pattern_pixels *pixels)
{
	int best = -1;

	if (pixels->geometry != SONDE_PATTERN_BOX || pixels->rotations != NULL)
		return -1;
	for (int axis = 0; axis < pixels->axis_count; ++axis)
		if (pixels->sizes[axis] > 1 && has_lines_after(pixels, axis) &&
		    (best < 0 || blocks_along(pixels, axis) < blocks_along(pixels, best)))
			best = axis;
	return best;
}

bool products_run_on(const struct device *device)
{
	const struct device_properties *has = device_properties(device);

	return sums_device_has_groups(device) && has->most_work_items >= PRODUCT_ITEMS &&
	       has->local_memory >= PRODUCT_LOCAL_BYTES;
}

/* Seconds for each atom. */
static double seconds_otherwise(const struct pattern_plan *plan)
{
	const double points = (double)plan->pixels.count;
	struct pixel_division division;

	pixel_division_expect(plan, false, &division);
	if (division.axis < 0)
		return points / LINES_RATE;
	return points * ((double)(division.windows * division.nodes) / (double)division.points / LINES_RATE +
			 division.nodes / division.atoms / NODES_RATE);
}

static bool are_fast(const struct pattern_plan *plan)
{
	const struct pattern_sample *sample = &plan->sample;
	double tiles = 0.0;

	for (int c = 0; c < sample->class_count; ++c)
		tiles += ceil((double)sample->view.species[c].atoms / TILE_ATOMS);
	return (double)sample->view.count > LEAST_TILE * tiles &&
	       products_operations(&plan->pixels) / (4.0 * RATE) < seconds_otherwise(plan);
}

sonde_status products_choose(sonde_context *context, struct pattern_plan *plan)
{
	struct device **devices;
	int count;

	plan->products = !plan->fast.chosen && plan->options.precision == SONDE_PATTERN_PRECISION_FLOAT64 &&
			 plan->sample.copies.count == 0 && products_axis(&plan->pixels) >= 0 && are_fast(plan);
	if (!plan->products)
		return SONDE_OK;
	CHECK(context_devices(context, &devices, &count));
	for (int k = 0; k < count; ++k)
		plan->products &=
		    devices[k] == NULL || (device_properties(devices[k])->matrix_f64 && products_run_on(devices[k]));
	return SONDE_OK;
}

void products_make_sets(const struct pattern_pixels *pixels, struct pixel_sets *sets)
{
	const int axis = products_axis(pixels);
	struct pixel_sets beside;

	pixel_sets_beside(pixels, axis, false, 0.0, &beside);
	pixel_sets_by_columns(&beside, pixels, axis, sets);
}

/* On one device ------------------------------------------------------------------------------------------------- */

sonde_status products_prepare(struct sums_device *run)
{
	run->items = PRODUCT_ITEMS;
	run->pixels_of_group = 2 * PRODUCT_ROWS * PRODUCT_COLUMNS;
	run->sets_of_group = run->pixels_of_group / (uint32_t)run->sets->pixels_of_set;
	CHECK(device_kernel(run->device, &pattern_program, "pattern_products", PRODUCT_ITEMS, PRODUCT_LOCAL_BYTES,
			    NULL, 0, &run->kernel));
	return device_kernel(run->device, &pattern_program, "pattern_segments", PRODUCT_ITEMS, 0, NULL, 0,
			     &run->resample);
}

/* Tiles of a segment: the same for all devices, and a divisor of SEGMENT_TILES, of which atoms take turns. */
static uint32_t segment_tiles(const struct sums_device *run)
{
	const double most = blocks_of(&run->plan->pixels) * run->tiles->count / TASKS;
	uint32_t tiles = 1;

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
	bool filled_next;
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

sonde_status products_launch(struct pixel_range *range)
{
	struct sums_device *run = range->run;
	const size_t numbers = 2 * (size_t)range->stride;
	const uint32_t rows = ((uint32_t)run->sets->points + 1) / 2, each = segment_tiles(run);
	const double bytes = (double)numbers * sizeof(double),
		     allowed = fmin(PARTS_BYTES, 0.25 * (double)device_properties(run->device)->memory),
		     fit = fmin(fmax(1.0, floor(allowed / bytes)), ceil((double)run->part_tiles / each));
	struct multiplication all = {.range = range,
				     .blocks = (rows + PRODUCT_ROWS - 1) / PRODUCT_ROWS *
					       ((range->columns + PRODUCT_COLUMNS - 1) / PRODUCT_COLUMNS),
				     .each = each,
				     .most = (uint32_t)fit};

	find_step(&run->plan->pixels, all.step);
	CHECK(sums_device_grow(run, &run->sums, numbers, "the sums"));
	CHECK(sums_device_grow(run, &run->node_sums, (size_t)fit * numbers, "the sums"));
	CHECK(device_clear(run->device, &run->sums, 0, numbers * sizeof(double)));
	CHECK(launch_parts(&all));
	return device_read(run->device, &run->sums, 0, run->host_sums, numbers * sizeof(double));
}
