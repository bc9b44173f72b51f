#include "coulomb/fast/fast_device.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "device/device.h"
#include "run/context.h"
#include "run/launches.h"

#define GROUPS_WANTED 2048u /* work-groups per launch, so that all multiprocessors have work */
#define MOST_SEGMENTS 32u
#define PARALLEL_ROWS 256
#define BLOCKS_OF_GPU 8192u /* of a launch */
#define BLOCKS_OF_THREAD 16u
#define SECONDS_OF_LAUNCH 0.1 /* on a CPU; shorter launches are followed by larger ones */

static sonde_status grow(struct fast_device *run, struct device_buffer *buffer, size_t bytes, const char *what)
{
	if (buffer->bytes >= bytes)
		return SONDE_OK;
	device_release(run->device, buffer);
	return device_allocate(run->device, bytes, what, buffer);
}

static void describe_interpolation(const struct fast_device *run, const uint32_t points[3],
				   const uint32_t matrices[3], uint32_t other, uint32_t shape[INTERPOLATION_NUMBERS])
{
	memset(shape, 0, INTERPOLATION_NUMBERS * sizeof *shape);
	shape[INTERPOLATION_COMPONENTS] = fast_device_components(run);
	memcpy(shape + INTERPOLATION_NODES, run->tree->nodes, 3 * sizeof *shape);
	memcpy(shape + INTERPOLATION_POINTS, points, 3 * sizeof *shape);
	memcpy(shape + INTERPOLATION_MATRICES, matrices, 3 * sizeof *shape);
	shape[INTERPOLATION_OTHER] = other;
}

/* A list of blocks and the places of their parents' values. */
struct block_list {
	uint32_t *blocks, *parents, count;
};

static uint32_t count_range(const struct block_range *range)
{
	uint32_t count = 1;

	for (int k = 0; k < 3; ++k)
		count *= range->end[k] - range->first[k];
	return count;
}

static sonde_status upload_list(struct fast_device *run, const struct block_list *list)
{
	size_t bytes = list->count * sizeof(uint32_t);

	CHECK(grow(run, &run->blocks, bytes, "the blocks"));
	CHECK(grow(run, &run->parents, bytes, "the blocks"));
	CHECK(device_write(run->device, &run->blocks, 0, list->blocks, bytes));
	return device_write(run->device, &run->parents, 0, list->parents, bytes);
}

/* The blocks of a range, and the places of their parents among the blocks of `parents`. */
static sonde_status list_blocks(const struct block_tree *tree, int number, const struct block_range *range,
				const struct block_range *parents, struct block_list *list)
{
	const uint32_t *blocks = tree->levels[number].blocks;
	uint32_t count = count_range(range), n = 0;

	*list = (struct block_list){.count = count};
	CHECK(memory_allocate(&list->blocks, 2 * (size_t)count, sizeof *list->blocks, "the blocks"));
	list->parents = list->blocks + count;
	for (uint32_t z = range->first[2]; z < range->end[2]; ++z) {
		for (uint32_t y = range->first[1]; y < range->end[1]; ++y) {
			for (uint32_t x = range->first[0]; x < range->end[0]; ++x) {
				list->blocks[n] = (z * blocks[1] + y) * blocks[0] + x;
				if (parents != NULL)
					list->parents[n] =
					    ((z / 2 - parents->first[2]) * (parents->end[1] - parents->first[1]) +
					     (y / 2 - parents->first[1])) *
						(parents->end[0] - parents->first[0]) +
					    (x / 2 - parents->first[0]);
				++n;
			}
		}
	}
	return SONDE_OK;
}

static struct block_range all_blocks(const struct block_tree *tree, int number)
{
	struct block_range range = {{0, 0, 0}, {0, 0, 0}};

	memcpy(range.end, tree->levels[number].blocks, sizeof range.end);
	return range;
}

/* Sums over the charges in `rows` around the blocks of the uploaded list, into `to`. */
static sonde_status launch_sums(struct fast_device *run, const struct device_kernel *kernel, int number,
				bool at_points, uint32_t count, struct device_buffer *to)
{
	const struct fast_level *level = &run->levels[number];
	uint32_t points = at_points ? run->tree->point_count : run->tree->node_count,
		 components = fast_device_components(run);
	uint32_t tile = fast_device_has_groups(run) ? FAST_SUM_ITEMS * BLOCK_VECTORS_GPU(run->tree->sets, run->field)
						    : BLOCK_POINTS_CPU;
	uint32_t tiles = (points + tile - 1) / tile, segments = 1, first = 0;
	/* a limited number of blocks at a time, so that a cancellation takes effect and displays driven by the GPU
	 * do not freeze */
	/* on CPUs few at first: large launches delay a cancellation */
	uint32_t most = fast_device_has_groups(run) ? BLOCKS_OF_GPU : BLOCKS_OF_THREAD * device_workers(run->device),
		 each = fast_device_has_groups(run) ? most : device_workers(run->device);

	if (fast_device_has_groups(run) && !at_points && count * tiles < GROUPS_WANTED / 2)
		segments = GROUPS_WANTED / (count * tiles);
	segments = segments < MOST_SEGMENTS ? segments : MOST_SEGMENTS;
	size_t numbers = (size_t)count * points * components;
	CHECK(grow(run, to, numbers * segments * sizeof(double), "the values"));
	const struct device_argument arguments[] = {
	    DEVICE_ARGUMENT(level->charges.memory),
	    DEVICE_ARGUMENT(level->starts.memory),
	    {sizeof(void *), at_points ? &run->near_rows.memory : &level->rows.memory},
	    {sizeof(void *), at_points ? &run->near_numbers.memory : &level->numbers.memory},
	    DEVICE_ARGUMENT(level->frame.memory),
	    {sizeof(void *), at_points ? &run->point_offsets.memory : &run->node_offsets.memory},
	    DEVICE_ARGUMENT(run->blocks.memory),
	    DEVICE_ARGUMENT(count),
	    DEVICE_ARGUMENT(first),
	    DEVICE_ARGUMENT(segments),
	    DEVICE_ARGUMENT(to->memory),
	    DEVICE_ARGUMENT(run->coincident.memory),
	    DEVICE_ARGUMENT(run->flags.memory)};
	for (uint32_t now = 0; first < count; first += now) {
		double began = clock_seconds();
		now = count - first < each ? count - first : each;
		if (context_cancelled(run->context))
			return status_fail(SONDE_CANCELLED, "stopped on request at the fast sum");
		CHECK(device_launch(run->device, kernel, now * tiles * segments, arguments, 13));
		if (first + now == count)
			break;
		CHECK(device_wait(run->device));
		if (clock_seconds() - began < SECONDS_OF_LAUNCH && each < most)
			each *= 2;
	}
	if (segments == 1)
		return SONDE_OK;
	uint32_t sums = (uint32_t)numbers;
	const struct device_argument sum[] = {DEVICE_ARGUMENT(segments), DEVICE_ARGUMENT(sums),
					      DEVICE_ARGUMENT(to->memory)};
	return device_launch(run->device, &run->segments, (sums + FAST_SEGMENT_ITEMS - 1) / FAST_SEGMENT_ITEMS, sum,
			     3);
}

static sonde_status launch_interpolation(struct fast_device *run, const struct device_buffer *coarse, bool at_points,
					 uint32_t count, const struct device_buffer *own, struct device_buffer *fine)
{
	const struct device_argument arguments[] = {
	    DEVICE_ARGUMENT(coarse->memory),
	    DEVICE_ARGUMENT(run->parents.memory),
	    DEVICE_ARGUMENT(run->blocks.memory),
	    {sizeof(void *), at_points ? &run->points_shape.memory : &run->halves_shape.memory},
	    {sizeof(void *), at_points ? &run->to_points.memory : &run->to_halves.memory},
	    DEVICE_ARGUMENT(own->memory),
	    DEVICE_ARGUMENT(fine->memory)};

	return device_launch(run->device, &run->interpolate, count, arguments, 7);
}

/* The values at the nodes of a range of a level: due to its own charges and, except at the highest level,
 * interpolated from the parents. */
static sonde_status find_level(struct fast_device *run, int number, const struct block_range *range,
			       const struct block_range *parents)
{
	const struct block_tree *tree = run->tree;
	uint32_t shape[INTERPOLATION_NUMBERS];
	struct block_list list;
	bool highest = number == tree->level_count - 1;

	CHECK(list_blocks(tree, number, range, highest ? NULL : parents, &list));
	sonde_status status = upload_list(run, &list);
	free(list.blocks);
	CHECK(status);
	CHECK(grow(run, &run->flags, list.count * sizeof(uint32_t), "the flags"));
	struct fast_level *level = &run->levels[number];
	CHECK(grow(run, &level->values,
		   (size_t)list.count * tree->node_count * fast_device_components(run) * sizeof(double),
		   "the values"));
	if (highest && tree->highest != NULL)
		return device_write(run->device, &level->values, 0, tree->highest,
				    (size_t)tree->node_count * fast_device_components(run) * sizeof(double));
	if (highest)
		return launch_sums(run, &run->sums, number, false, list.count, &level->values);
	CHECK(launch_sums(run, &run->sums, number, false, list.count, &run->own));
	describe_interpolation(run, tree->nodes, tree->halves_at, tree->other_half, shape);
	shape[INTERPOLATION_BLOCKS] = tree->levels[number].blocks[0];
	shape[INTERPOLATION_BLOCKS + 1] = tree->levels[number].blocks[1];
	CHECK(device_write(run->device, &run->halves_shape, 0, shape, sizeof shape));
	return launch_interpolation(run, &run->levels[number + 1].values, false, list.count, &run->own,
				    &level->values);
}

static sonde_status find_whole_levels(struct fast_device *run)
{
	for (int number = run->tree->level_count - 1; number >= run->whole_level; --number) {
		struct block_range range = all_blocks(run->tree, number), parents = range;
		if (number + 1 < run->tree->level_count)
			parents = all_blocks(run->tree, number + 1);
		CHECK(find_level(run, number, &range, &parents));
	}
	return SONDE_OK;
}

sonde_status fast_device_prepare(const sonde_context *context, struct device *device, const struct block_tree *tree,
				 const struct targets *targets, const struct coulomb_plan *plan, int whole_level,
				 struct fast_device *run)
{
	struct device_timer timer;

	*run = (struct fast_device){.context = context,
				    .device = device,
				    .threads = context_threads(context),
				    .tree = tree,
				    .targets = targets,
				    .single = plan->single,
				    .field = plan->field,
				    .softening = plan->softening,
				    .form = plan->form,
				    .kappa = plan->kappa,
				    .whole_level = whole_level};
	sonde_status status = fast_device_upload(run);
	if (status == SONDE_OK) {
		status = device_timer_begin(device, &timer);
		if (status == SONDE_OK)
			status = find_whole_levels(run);
		status = device_timer_end(device, &timer, status, &run->seconds);
	}
	if (status != SONDE_OK)
		fast_device_release(run);
	return status;
}

void fast_device_release(struct fast_device *run)
{
	struct device_buffer *buffers[] = {
	    &run->near_rows, &run->near_numbers, &run->node_offsets, &run->point_offsets, &run->to_halves,
	    &run->to_points, &run->halves_shape, &run->points_shape, &run->blocks,        &run->parents,
	    &run->own,       &run->flags,        &run->coincident,   &run->values};

	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(run->device, buffers[k]);
	for (int number = 0; number < BLOCKS_MOST_LEVELS; ++number) {
		struct fast_level *level = &run->levels[number];
		device_release(run->device, &level->charges);
		device_release(run->device, &level->starts);
		device_release(run->device, &level->rows);
		device_release(run->device, &level->numbers);
		device_release(run->device, &level->frame);
		device_release(run->device, &level->values);
	}
	free(run->on_host);
	*run = (struct fast_device){0};
}

struct point_box fast_points_of(const struct block_tree *tree, const struct targets *targets, int whole_level,
				const struct block_range *range)
{
	struct point_box box;

	for (int k = 0; k < 3; ++k) {
		const uint32_t blocks = tree->levels[0].blocks[k];
		uint32_t begin = tree->flat[k] ? 0 : range->first[k] << whole_level,
			 end = tree->flat[k] ? 1 : range->end[k] << whole_level;
		end = end < blocks ? end : blocks;
		const int64_t beyond = (int64_t)end * tree->points[k];
		box.first[k] = (int64_t)begin * tree->points[k];
		box.size[k] = (beyond < targets->size[k] ? beyond : targets->size[k]) - box.first[k];
	}
	return box;
}

/* The points of listed blocks of level 0: the sums over the nearest charges, plus the interpolated values at the
 * nodes. */
static sonde_status find_points(struct fast_device *run, const struct device_kernel *kernel, uint32_t count)
{
	CHECK(launch_sums(run, kernel, 0, true, count, &run->own));
	return launch_interpolation(run, &run->levels[0].values, true, count, &run->own, &run->values);
}

/* Recomputes blocks flagged by float32 in float64. */
static sonde_status repeat_flagged(struct fast_device *run, const struct block_list *all)
{
	uint32_t *flags, count = 0;
	struct block_list list = {0};
	sonde_status status;

	CHECK(memory_allocate(&flags, 3 * (size_t)all->count, sizeof *flags, "the flags"));
	list.blocks = flags + all->count;
	list.parents = list.blocks + all->count;
	CHECK_GOTO(status, device_read(run->device, &run->flags, 0, flags, all->count * sizeof *flags), done);
	for (uint32_t n = 0; n < all->count; ++n) {
		if (flags[n] == 0)
			continue;
		list.blocks[count] = all->blocks[n];
		list.parents[count++] = all->parents[n];
	}
	list.count = count;
	if (count > 0) {
		CHECK_GOTO(status, upload_list(run, &list), done);
		CHECK_GOTO(status, find_points(run, &run->careful, count), done);
	}
done:
	free(flags);
	return status;
}

static sonde_status find_piece(struct fast_device *run, const struct block_range *range, const struct point_box *box)
{
	const struct block_tree *tree = run->tree;
	struct block_range ranges[BLOCKS_MOST_LEVELS];
	uint32_t shape[INTERPOLATION_NUMBERS];
	struct block_list list;
	size_t points = (size_t)box->size[0] * (size_t)box->size[1] * (size_t)box->size[2];
	sonde_status status;

	ranges[run->whole_level] = run->whole_level > 0 ? all_blocks(tree, run->whole_level) : *range;
	for (int number = run->whole_level - 1; number >= 0; --number) {
		for (int k = 0; k < 3; ++k) {
			uint32_t scale = (uint32_t)1 << (run->whole_level - number),
				 blocks = tree->levels[number].blocks[k];
			ranges[number].first[k] = tree->flat[k] ? 0 : range->first[k] * scale;
			ranges[number].end[k] = tree->flat[k] ? 1 : range->end[k] * scale;
			ranges[number].end[k] = ranges[number].end[k] < blocks ? ranges[number].end[k] : blocks;
		}
		CHECK(find_level(run, number, &ranges[number], &ranges[number + 1]));
	}
	CHECK(grow(run, &run->values, points * fast_device_components(run) * sizeof(double), "the values"));
	describe_interpolation(run, tree->points, tree->points_at, 0, shape);
	shape[INTERPOLATION_ON_GRID] = 1;
	for (int k = 0; k < 3; ++k) {
		shape[INTERPOLATION_FIRST + k] = (uint32_t)box->first[k];
		shape[INTERPOLATION_SIZE + k] = (uint32_t)box->size[k];
	}
	shape[INTERPOLATION_BLOCKS] = tree->levels[0].blocks[0];
	shape[INTERPOLATION_BLOCKS + 1] = tree->levels[0].blocks[1];
	CHECK(device_write(run->device, &run->points_shape, 0, shape, sizeof shape));
	/* the parent of a block of points is the same block of nodes, of the range or of all blocks */
	CHECK(list_blocks(tree, 0, &ranges[0], NULL, &list));
	for (uint32_t n = 0; n < list.count; ++n)
		list.parents[n] = run->whole_level > 0 ? n : list.blocks[n];
	CHECK_GOTO(status, upload_list(run, &list), done);
	CHECK_GOTO(status, device_clear(run->device, &run->flags, 0, list.count * sizeof(uint32_t)), done);
	CHECK_GOTO(status, find_points(run, &run->sums, list.count), done);
	if (run->single && run->softening == 0.0)
		CHECK_GOTO(status, repeat_flagged(run, &list), done);
done:
	free(list.blocks);
	return status;
}

struct placing {
	const struct fast_device *run;
	const struct point_box *box;
	const double *sums;
	struct values *values;
};

static void place_rows(void *state, int64_t first, int64_t end, int worker)
{
	const struct placing *placing = state;
	const struct fast_device *run = placing->run;
	const struct point_box *box = placing->box;
	struct values *values = placing->values;
	const double *sums = placing->sums;
	const int64_t *size = run->targets->size, count = box->size[0] * box->size[1] * box->size[2];
	const int64_t of_set = run->field ? 4 : 1;

	(void)worker;
	for (int64_t row = first; row < end; ++row) {
		int64_t y = box->first[1] + row % box->size[1], z = box->first[2] + row / box->size[1],
			to = (z * size[1] + y) * size[0] + box->first[0] - values->first;
		for (uint32_t s = 0; s < values->sets; ++s, to += values->stride) {
			const double *from = sums + s * of_set * count + row * box->size[0];
			for (int64_t i = 0; i < box->size[0]; ++i)
				values->potential[to + i] = values->factor * from[i];
			for (int64_t i = 0; values->field != NULL && i < box->size[0]; ++i)
				for (int k = 0; k < 3; ++k)
					values->field[3 * (to + i) + k] = values->factor * from[(1 + k) * count + i];
		}
	}
}

/* Copies the box to the grid. */
static void place(const struct fast_device *run, const struct point_box *box, const double *sums,
		  struct values *values)
{
	struct placing placing = {run, box, sums, values};

	threads_for(run->threads, box->size[1] * box->size[2], PARALLEL_ROWS, place_rows, &placing);
}

sonde_status fast_device_sum(struct fast_device *run, const struct block_range *range, struct values *values,
			     uint64_t *coincident)
{
	struct device_timer timer;
	uint64_t found = 0;
	double seconds = 0.0;

	struct point_box box = fast_points_of(run->tree, run->targets, run->whole_level, range);
	size_t numbers = (size_t)(box.size[0] * box.size[1] * box.size[2]) * fast_device_components(run);
	CHECK(memory_grow(&run->on_host, &run->on_host_capacity, numbers, sizeof *run->on_host, "the values"));
	CHECK(device_clear(run->device, &run->coincident, 0, sizeof found));
	sonde_status status = device_timer_begin(run->device, &timer);
	if (status == SONDE_OK)
		status = find_piece(run, range, &box);
	CHECK(device_timer_end(run->device, &timer, status, &seconds));
	CHECK(device_read(run->device, &run->values, 0, run->on_host, numbers * sizeof *run->on_host));
	CHECK(device_read(run->device, &run->coincident, 0, &found, sizeof found));
	run->seconds += seconds;
	*coincident += found;
	place(run, &box, run->on_host, values);
	return SONDE_OK;
}
