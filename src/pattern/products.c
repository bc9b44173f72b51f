#include "pattern/products.h"

#include <math.h>

#include "pattern/kernels/pattern_layout.h"
#include "pattern/kernels/products_layout.h"

/* An H100: terms per second of whole blocks, and of lines without nodes; multiply-adds for nodes; [float32] */
#define RATE 1.0e13
static const double lines_rate[] = {1.4e12, 3.2e12}, nodes_rate[] = {3e12, 7e12};
/* Cycles of a core with AVX2: multiply-adds of an atom at a point, and its wave of a column */
#define TERM_CYCLES 0.28
#define WAVE_CYCLES 4.0
#define LEAST_TILE 32.0 /* atoms of a tile on average: else classes change too often */

/* Blocks of points with rows along an axis, which are numbered from its middle. */
static double blocks_along(const struct pattern_pixels *pixels, int axis)
{
	const double rows = (double)pixels->sizes[axis], columns = (double)pixels->count / rows;

	return ceil(0.5 * rows / PRODUCT_ROWS) * ceil(columns / PRODUCT_COLUMNS);
}

double products_operations(const struct pattern_pixels *pixels)
{
	return blocks_along(pixels, products_axis(pixels)) * 8.0 * PRODUCT_ROWS * PRODUCT_COLUMNS;
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

double products_cycles(const struct pattern_pixels *pixels)
{
	const double points = (double)pixels->sizes[products_axis(pixels)];

	return TERM_CYCLES + WAVE_CYCLES / fmin(points, 2.0 * PLANE_ROWS);
}

bool products_run_on(const struct device *device)
{
	const struct device_properties *has = device_properties(device);

	if (!has->gpu_kernels)
		return true;
	return !has->fixed_kernels && has->most_work_items >= PRODUCT_ITEMS &&
	       has->local_memory >= PRODUCT_LOCAL_BYTES;
}

/* Atoms of a tile. */
static double tile_atoms(const struct pattern_sample *sample)
{
	double tiles = 0.0;

	for (int c = 0; c < sample->class_count; ++c)
		tiles += ceil((double)sample->view.species[c].atoms / TILE_ATOMS);
	return (double)sample->view.count / tiles;
}

/* Whether they take less time than sines, cosines, and nodes. */
static bool are_faster(const struct pattern_plan *plan, bool gpu)
{
	const bool single = plan->options.precision == SONDE_PATTERN_PRECISION_FLOAT32;
	const double points = (double)plan->pixels.count, atoms = tile_atoms(&plan->sample);
	struct pixel_division division;

	pixel_division_expect(plan, single, &division);
	if (!gpu)
		return products_cycles(&plan->pixels) < division.sums + division.interpolation;
	double each = 1.0 / lines_rate[single];
	if (division.along.axis >= 0)
		each = pixel_division_part(&division) / lines_rate[single] +
		       pixel_division_interpolated(&division) / division.atoms / nodes_rate[single];
	/* in a tile, atoms fill up the last chunk */
	const double waste = ceil(atoms / PRODUCT_CHUNK) * PRODUCT_CHUNK / atoms;
	return waste * products_operations(&plan->pixels) / (4.0 * RATE) < points * each;
}

/* Whether all devices are CPUs, or all of them GPUs with units for products. */
static sonde_status are_alike(sonde_context *context, bool *cpus, bool *gpus)
{
	struct device **devices;
	int count;

	*cpus = *gpus = true;
	CHECK(context_devices(context, &devices, &count));
	for (int k = 0; k < count; ++k) {
		if (devices[k] == NULL)
			continue;
		const struct device_properties *has = device_properties(devices[k]);
		*cpus &= !has->gpu_kernels;
		*gpus &= has->matrix_f64 && products_run_on(devices[k]);
	}
	return SONDE_OK;
}

/* Turned samples have other vectors, of all their orientations. */
static bool is_turned(const sonde_pattern_options *options)
{
	return options->orientation[0] != '\0' || options->orientations[0] != '\0' || options->shots > 0;
}

static bool are_possible(const struct pattern_plan *plan)
{
	return !is_turned(&plan->options) && plan->sample.copies.count == 0 && products_axis(&plan->pixels) >= 0 &&
	       tile_atoms(&plan->sample) >= LEAST_TILE;
}

double products_least_cycles(const struct pattern_plan *plan, double otherwise)
{
	return are_possible(plan) ? fmin(products_cycles(&plan->pixels), otherwise) : otherwise;
}

sonde_status products_choose(sonde_context *context, struct pattern_plan *plan)
{
	bool cpus, gpus;

	plan->products = false;
	if (plan->fast.chosen || !are_possible(plan))
		return SONDE_OK;
	CHECK(are_alike(context, &cpus, &gpus));
	plan->products = (cpus || gpus) && are_faster(plan, gpus && !cpus);
	return SONDE_OK;
}

void products_make_sets(const struct pattern_pixels *pixels, struct pixel_sets *sets)
{
	const int axis = products_axis(pixels);
	struct pixel_sets beside;

	pixel_sets_beside(pixels, axis, false, 0.0, &beside);
	pixel_sets_by_columns(&beside, pixels, axis, sets);
}
