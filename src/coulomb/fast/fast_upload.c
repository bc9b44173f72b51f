/* What the fast sum keeps on a device for a whole run: its kernels, and the tree as they read it. */
#include <stdio.h>
#include <string.h>

#include "coulomb/fast/fast_device.h"
#include "coulomb/kernels/direct_layout.h"
#include "coulomb/kernels/kernels.h"

#define INTERPOLATE_ITEMS 128u /* work-items of block_interpolate */
#define UNBOUNDED UINT32_MAX

static const struct device_program *program_of(const struct fast_device *run)
{
	return run->tree->sets > 1 ? &coulomb_sets_program : &coulomb_program;
}

static sonde_status find_sums(struct fast_device *run, bool single, struct device_kernel *kernel)
{
	uint32_t screened = run->form, sets = run->tree->sets;
	const struct device_define defines[] = {
	    {"SINGLE", single ? 1 : 0}, {"FIELD", run->field ? 1 : 0}, {"SCREENED", screened}, {"SETS", sets}};
	uint32_t charges = NUMBERS_OF_ATOM(sets) * CHUNK * (single ? sizeof(float) : sizeof(double)) +
			   2 * FAST_SUM_ITEMS * sizeof(uint32_t);
	uint32_t shared =
	    FAST_SUM_ITEMS * BLOCK_VECTORS_GPU(sets, run->field) * fast_device_components(run) * sizeof(double);
	char name[40];

	if (fast_device_has_groups(run))
		return device_kernel(run->device, program_of(run), "block_sums", FAST_SUM_ITEMS, charges + shared,
				     defines, 4, kernel);
	snprintf(name, sizeof name, "block_sums_%d%d%u%u", single ? 1 : 0, run->field ? 1 : 0, screened, sets);
	return device_kernel(run->device, program_of(run), name, 1, 0, NULL, 0, kernel);
}

static uint32_t padded(uint32_t number)
{
	return (number + BLOCK_PADDING - 1) / BLOCK_PADDING * BLOCK_PADDING;
}

/* Size of local memory for the products of a block. */
static uint32_t scratch_numbers(const struct block_tree *tree, const uint32_t points[3])
{
	return tree->nodes[2] * (tree->nodes[1] + points[1]) * padded(points[0]);
}

static sonde_status find_interpolation(struct fast_device *run)
{
	const struct block_tree *tree = run->tree;
	uint32_t nodes = scratch_numbers(tree, tree->nodes), points = scratch_numbers(tree, tree->points);

	if (fast_device_has_groups(run))
		return device_kernel(run->device, program_of(run), "block_interpolate", INTERPOLATE_ITEMS,
				     (nodes > points ? nodes : points) * sizeof(double), NULL, 0, &run->interpolate);
	return device_kernel(run->device, program_of(run), "block_interpolate", 1, 0, NULL, 0, &run->interpolate);
}

/* Parameters of a level for the kernels. */
static void describe_level(const struct block_tree *tree, int number, uint32_t numbers[LEVEL_NUMBERS])
{
	const struct block_level *level = &tree->levels[number];

	numbers[LEVEL_BLOCKS_X] = level->blocks[0];
	numbers[LEVEL_BLOCKS_Y] = level->blocks[1];
	block_level_strides(tree, level, &numbers[LEVEL_CELL], &numbers[LEVEL_STEP_X]);
	for (int k = 0; k < 3; ++k) {
		numbers[LEVEL_POINTS_X + k] = tree->nodes[k];
		numbers[LEVEL_SIZE_X + k] = UNBOUNDED;
	}
	memcpy(numbers + LEVEL_ROWS, level->row_first, sizeof level->row_first);
	numbers[LEVEL_POINT_COUNT] = tree->node_count;
	numbers[LEVEL_PADDED] = tree->node_padded;
}

static void describe_frame(const struct fast_device *run, int number, double frame[FRAME_NUMBERS])
{
	const struct block_tree *tree = run->tree;
	double scale = (double)((uint64_t)1 << number);

	for (int c = 0; c < 3; ++c) {
		frame[FRAME_CENTER + c] = tree->origin[c];
		for (int k = 0; k < 3; ++k) {
			frame[FRAME_CENTER + c] += tree->flat[k] ? 0.0 : 0.5 * scale * tree->edges[k][c];
			frame[FRAME_STEPS + 3 * k + c] = scale * tree->edges[k][c];
		}
	}
	frame[FRAME_SCALE] = scale;
	frame[FRAME_SOFTENING] = run->softening;
	frame[FRAME_KAPPA] = run->kappa;
}

static sonde_status upload_level(struct fast_device *run, int number)
{
	const struct block_level *level = &run->tree->levels[number];
	struct fast_level *on = &run->levels[number];
	uint32_t numbers[LEVEL_NUMBERS];
	double frame[FRAME_NUMBERS];
	/* a level with given values has no charges */
	size_t cells = level->starts != NULL ? (size_t)level->cells[0] * level->cells[1] * level->cells[2] + 1 : 0;

	describe_level(run->tree, number, numbers);
	describe_frame(run, number, frame);
	CHECK(device_upload(run->device, level->charges,
			    (3 + run->tree->sets) * (size_t)level->charge_count * sizeof(double), "the charges",
			    &on->charges));
	CHECK(device_upload(run->device, level->starts, cells * sizeof(uint32_t), "the cells", &on->starts));
	CHECK(device_upload(run->device, level->rows, 2 * (size_t)level->row_first[8] * sizeof(uint32_t), "the rows",
			    &on->rows));
	CHECK(device_upload(run->device, numbers, sizeof numbers, "a level", &on->numbers));
	return device_upload(run->device, frame, sizeof frame, "a level", &on->frame);
}

/* Level 0 at the points of the grid, for the nearest charges. */
static sonde_status upload_points(struct fast_device *run)
{
	const struct block_tree *tree = run->tree;
	uint32_t numbers[LEVEL_NUMBERS];

	describe_level(tree, 0, numbers);
	for (int k = 0; k < 3; ++k) {
		numbers[LEVEL_POINTS_X + k] = tree->points[k];
		numbers[LEVEL_SIZE_X + k] = (uint32_t)run->targets->size[k];
	}
	numbers[LEVEL_POINT_COUNT] = tree->point_count;
	numbers[LEVEL_PADDED] = tree->point_padded;
	/* the same rows for all eight kinds: the end for one kind is the beginning for the next */
	for (int kind = 0; kind <= 8; ++kind)
		numbers[LEVEL_ROWS + kind] = (uint32_t)kind * tree->near_row_count;
	CHECK(device_upload(run->device, numbers, sizeof numbers, "a level", &run->near_numbers));
	size_t bytes = 2 * (size_t)tree->near_row_count * sizeof(uint32_t);
	CHECK(device_allocate(run->device, 8 * bytes + 8, "the rows", &run->near_rows));
	for (size_t kind = 0; kind < 8; ++kind)
		CHECK(device_write(run->device, &run->near_rows, kind * bytes, tree->near_rows, bytes));
	return SONDE_OK;
}

sonde_status fast_device_upload(struct fast_device *run)
{
	const struct block_tree *tree = run->tree;
	uint32_t halves = tree->other_half, points = 0;

	CHECK(find_sums(run, false, &run->careful));
	if (run->single)
		CHECK(find_sums(run, true, &run->sums));
	else
		run->sums = run->careful;
	CHECK(find_interpolation(run));
	if (fast_device_has_groups(run))
		CHECK(device_kernel(run->device, program_of(run), "sum_segments", FAST_SEGMENT_ITEMS, 0, NULL, 0,
				    &run->segments));
	for (int number = 0; number < tree->level_count; ++number)
		CHECK(upload_level(run, number));
	CHECK(upload_points(run));
	for (int k = 0; k < 3; ++k)
		points += tree->nodes[k] * padded(tree->points[k]);
	CHECK(device_upload(run->device, tree->node_offsets, 3 * (size_t)tree->node_padded * sizeof(double),
			    "the nodes", &run->node_offsets));
	CHECK(device_upload(run->device, tree->point_offsets, 3 * (size_t)tree->point_padded * sizeof(double),
			    "the nodes", &run->point_offsets));
	CHECK(device_upload(run->device, tree->to_halves, 2 * (size_t)halves * sizeof(double), "the nodes",
			    &run->to_halves));
	CHECK(device_upload(run->device, tree->to_points, (size_t)points * sizeof(double), "the nodes",
			    &run->to_points));
	CHECK(
	    device_allocate(run->device, INTERPOLATION_NUMBERS * sizeof(uint32_t), "the nodes", &run->halves_shape));
	CHECK(
	    device_allocate(run->device, INTERPOLATION_NUMBERS * sizeof(uint32_t), "the nodes", &run->points_shape));
	return device_allocate(run->device, sizeof(uint64_t), "a counter", &run->coincident);
}
