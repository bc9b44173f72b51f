/* The direct sum on one device by nodes (nodes.h): sums over tiles at the nodes of an axis, and from these the amplitudes at its points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/room.h"
#include "base/threads.h"
#include "pattern/kernels/pattern_layout.h"
#include "pattern/sums_device.h"
#include "run/launches.h"

#define WORK_ITEMS 64              /* as in kernels.def */
#define BYTES_OF_LAUNCH (64 << 20) /* of the sums at nodes */
#define MOST_TURNS 16 /* of such a part of the tiles one after the other, before the host waits for them */
#define SETS_OF_THREAD 256

static uint32_t number_bytes(const struct sums_device *run)
{
	return run->single ? (uint32_t)sizeof(float) : (uint32_t)sizeof(double);
}

/* Preparation ------------------------------------------------------------------------------------------------ */

/* Sums at the points of each work-item, and weights. */
static uint32_t local_bytes(const struct sums_device *run, uint32_t items)
{
	const uint32_t together = RESAMPLED(run->single, true);

	return 2 * together * items * (uint32_t)sizeof(double) +
	       together * (uint32_t)run->nodes->along.count * number_bytes(run);
}

static uint32_t lanes_of(const struct sums_device *run)
{
	const struct device_properties *has = device_properties(run->device);

	return run->single && has->lanes > 1 ? 2 * has->lanes : has->lanes;
}

static sonde_status find_between(struct sums_device *run)
{
	const struct device_properties *has = device_properties(run->device);
	const struct device_define defines[] = {{"SINGLE", run->single}};

	if (!sums_device_has_groups(run->device)) {
		run->between_rows = lanes_of(run);
		return device_kernel(run->device, &pattern_program,
				     run->single ? "pattern_between_1" : "pattern_between_0", 1, 0, NULL, 0,
				     &run->between);
	}
	run->between_rows = WORK_ITEMS < has->most_work_items ? WORK_ITEMS : has->most_work_items;
	return device_kernel(run->device, &pattern_program, "pattern_between", run->between_rows, 0, defines, 1,
			     &run->between);
}

static sonde_status find_kernel(struct sums_device *run)
{
	const struct device_properties *has = device_properties(run->device);
	const struct device_define defines[] = {{"SINGLE", run->single}};
	uint32_t items = WORK_ITEMS;

	if (run->nodes->across.axis >= 0)
		CHECK(find_between(run));
	if (!sums_device_has_groups(run->device)) {
		run->resample_columns = lanes_of(run);
		return device_kernel(run->device, &pattern_program,
				     run->single ? "pattern_resample_1" : "pattern_resample_0", 1, 0, NULL, 0,
				     &run->resample);
	}
	while (items > 1 && (items > has->most_work_items || local_bytes(run, items) > has->local_memory))
		items /= 2;
	run->resample_columns = items;
	return device_kernel(run->device, &pattern_program, "pattern_resample", items, local_bytes(run, items),
			     defines, 1, &run->resample);
}

static sonde_status write_weights(struct sums_device *run, const struct axis_nodes *nodes,
				  struct device_buffer *weights)
{
	const size_t numbers = (size_t)nodes->points * (size_t)nodes->count;
	float *singles = NULL;

	CHECK(device_allocate(run->device, numbers * number_bytes(run), "the nodes", weights));
	if (!run->single)
		return device_write(run->device, weights, 0, nodes->weights, numbers * sizeof(double));
	CHECK(memory_allocate(&singles, numbers, sizeof *singles, "the nodes"));
	for (size_t k = 0; k < numbers; ++k)
		singles[k] = (float)nodes->weights[k];
	const sonde_status status = device_write(run->device, weights, 0, singles, numbers * sizeof *singles);
	free(singles);
	return status;
}

/* Blocks of points first to end - 1 of an axis, numbered from `first` on, in work-groups of one window each; nodes are numbered from those
 * of the window of the first point on; the last window has those beyond the axis. *count of them. */
static sonde_status write_blocks(struct sums_device *run, const struct axis_nodes *nodes, int64_t first, int64_t end,
				 struct device_buffer *to, uint32_t *count)
{
	const int64_t size = RESAMPLED_BLOCK(run->single, sums_device_has_groups(run->device));
	const size_t most = (size_t)((end - first) / size + nodes->windows + 1);
	uint32_t *blocks, number = 0, passed = 0;

	CHECK(memory_allocate(&blocks, 3 * most, sizeof *blocks, "the nodes"));
	for (int window = 0; window < nodes->windows; ++window) {
		const bool is_last = window + 1 == nodes->windows;
		const int64_t begin = nodes->begins[window], after = is_last ? end : nodes->begins[window + 1],
			      last = after < end ? after : end;
		if (after <= first)
			continue;
		for (int64_t p = begin > first ? begin : first; p < last; p += size, ++number) {
			blocks[3 * (size_t)number] = (uint32_t)(p - first);
			blocks[3 * (size_t)number + 1] = (uint32_t)((p + size < last ? p + size : last) - first);
			blocks[3 * (size_t)number + 2] = passed;
		}
		passed += (uint32_t)nodes->count;
	}
	*count = number;
	sonde_status status =
	    sums_device_grow(run, to, (3 * most * sizeof *blocks + 7) / sizeof(double), "the nodes");
	if (status == SONDE_OK)
		status = device_write(run->device, to, 0, blocks, 3 * (size_t)number * sizeof *blocks);
	free(blocks);
	return status;
}

sonde_status resample_prepare(struct sums_device *run)
{
	const struct axis_nodes *along = &run->nodes->along, *across = &run->nodes->across;

	CHECK(find_kernel(run));
	CHECK(write_weights(run, along, &run->weights));
	if (across->axis >= 0)
		CHECK(write_weights(run, across, &run->across_weights));
	return write_blocks(run, along, 0, along->points, &run->blocks, &run->block_count);
}

/* Pixels ------------------------------------------------------------------------------------------------------ */

static int64_t first_column(const struct pixel_range *range)
{
	return range->first / range->run->sets->points;
}

static int64_t last_column(const struct pixel_range *range)
{
	return first_column(range) + range->count / range->run->sets->points - 1;
}

/* Windows of the columns of a range; rows of nodes are padded to SIMD registers. */
static void divide_across(struct pixel_range *range)
{
	const struct axis_nodes *along = &range->run->nodes->along, *across = &range->run->nodes->across;
	int first = 0, last;

	while (across->begins[first + 1] <= first_column(range))
		++first;
	last = first;
	while (across->begins[last + 1] <= last_column(range))
		++last;
	range->first_window = (uint32_t)first;
	range->window_count = (uint32_t)(last - first + 1);
	range->node_rows = ((uint32_t)along->rows + RESAMPLED_COLUMNS - 1) / RESAMPLED_COLUMNS * RESAMPLED_COLUMNS;
}

void resample_divide(struct pixel_range *range)
{
	const struct sums_device *run = range->run;
	const uint32_t of_set = (uint32_t)run->sets->pixels_of_set, group = run->sets_of_group,
		       together = RESAMPLED_COLUMNS / of_set, sets = (uint32_t)(range->count / run->sets->points);

	range->sets_of_row = (sets + together - 1) / together * together;
	range->columns = range->sets_of_row * of_set;
	range->stride = (uint32_t)run->sets->points * range->columns;
	const uint32_t rows = (uint32_t)run->nodes->along.rows;
	uint32_t nodes = rows * range->sets_of_row;
	if (run->nodes->across.axis >= 0) {
		divide_across(range);
		range->between_stride = rows * range->columns;
		nodes = range->node_rows * range->window_count * (uint32_t)run->nodes->across.count;
	}
	range->node_stride = (nodes + group - 1) / group * run->pixels_of_group;
}

/* Sets of nodes, [node][set of its row]; those beyond the last one of a row repeat it. */
static void fill_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct pixel_range *range = state;
	const struct sums_device *run = range->run;
	const struct pixel_nodes *nodes = run->nodes;
	const int64_t of_row = run->sets->of_row, begin = range->first / run->sets->points,
		      last = begin + range->count / run->sets->points - 1;
	int64_t pixels[MOST_SET_PIXELS] = {0};
	bool owned[MOST_SET_PIXELS];

	(void)worker;
	for (int64_t set = first; set < end; ++set) {
		const int64_t own = begin + set % range->sets_of_row, column = own < last ? own : last,
			      row = column / of_row * nodes->along.rows + set / range->sets_of_row;
		pixel_sets_get(&nodes->sets, row * of_row + column % of_row, pixels, owned);
		for (uint32_t v = 0; v < (uint32_t)nodes->sets.pixels_of_set; ++v) {
			const uint32_t at = sums_device_place(run, (uint32_t)set, v);
			double vector[3];
			(void)pattern_pixel(&nodes->pixels, pixels[v], vector);
			for (int k = 0; k < 3; ++k)
				range->buffers->node_q[k * (size_t)range->node_stride + at] = vector[k];
		}
	}
}

/* Nodes of both axes, [across][along]; those beyond the last one along repeat it. */
static void fill_both(void *state, int64_t first, int64_t end, int worker)
{
	const struct pixel_range *range = state;
	const struct pixel_nodes *nodes = range->run->nodes;
	const int64_t before = (int64_t)range->first_window * nodes->across.count, last = nodes->along.rows - 1;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const int64_t own = n % range->node_rows, row = own < last ? own : last;
		double vector[3];
		(void)pattern_pixel(&nodes->pixels, row * nodes->across.rows + before + n / range->node_rows, vector);
		for (int k = 0; k < 3; ++k)
			range->buffers->node_q[k * (size_t)range->node_stride + (size_t)n] = vector[k];
	}
}

sonde_status resample_fill(struct pixel_range *range)
{
	struct sums_device *run = range->run;
	struct pixel_buffers *buffers = range->buffers;
	const size_t stride = range->node_stride, room = run->pixels_of_group;

	CHECK(room_make(&buffers->node_q, &buffers->node_q_capacity, 3 * stride, sizeof(double), "the nodes"));
	for (size_t k = 0; k < 3; ++k)
		memset(buffers->node_q + (k + 1) * stride - room, 0, room * sizeof(double));
	const struct axis_nodes *along = &run->nodes->along, *across = &run->nodes->across;
	if (across->axis >= 0)
		threads_for(sums_device_threads(run), (int64_t)range->node_rows * range->window_count * across->count,
			    SETS_OF_THREAD, fill_both, range);
	else
		threads_for(sums_device_threads(run), along->rows * (int64_t)range->sets_of_row, SETS_OF_THREAD,
			    fill_some, range);
	return SONDE_OK;
}

/* Launches ---------------------------------------------------------------------------------------------------- */

/* Tiles of atoms at all nodes of the range: a launch has one or more, and is followed by that of their interpolation; some of these
 * turns are launched together. */
struct resampling {
	struct pixel_range *range;
	uint32_t groups;       /* of nodes */
	uint32_t tiles;        /* on the device */
	uint32_t most;         /* of a turn */
	uint32_t blocks;       /* of points across */
	uint32_t first, count; /* of the turn to be launched: those before have been */
	bool filled_next;
};

static uint32_t groups_left(void *user)
{
	const struct resampling *resampling = user;
	const uint64_t left = (uint64_t)(resampling->tiles - resampling->first) * resampling->groups;

	return left < UINT32_MAX ? (uint32_t)left : UINT32_MAX;
}

static sonde_status sum_at_nodes(const struct resampling *resampling)
{
	const struct sums_device *run = resampling->range->run;
	const uint32_t spread = SPREAD_TILES;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->atoms.memory),
						    DEVICE_ARGUMENT(run->classes.memory),
						    DEVICE_ARGUMENT(resampling->tiles),
						    DEVICE_ARGUMENT(run->centers.memory),
						    DEVICE_ARGUMENT(run->node_q.memory),
						    DEVICE_ARGUMENT(run->amplitudes.memory),
						    DEVICE_ARGUMENT(resampling->range->node_stride),
						    DEVICE_ARGUMENT(resampling->first),
						    DEVICE_ARGUMENT(resampling->count),
						    DEVICE_ARGUMENT(spread),
						    DEVICE_ARGUMENT(run->node_sums.memory)};

	return device_launch(run->device, &run->kernel, resampling->groups * resampling->count, arguments, 11);
}

/* Across, of nodes of both axes. */
static sonde_status interpolate_across(const struct resampling *resampling)
{
	const struct pixel_range *range = resampling->range;
	const struct sums_device *run = range->run;
	const struct axis_nodes *across = &run->nodes->across;
	const uint32_t nodes = (uint32_t)across->count, rows = (uint32_t)run->nodes->along.rows,
		       parts = (rows + run->between_rows - 1) / run->between_rows,
		       first_point = (uint32_t)first_column(range), last_point = (uint32_t)last_column(range);
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->node_sums.memory),
						    DEVICE_ARGUMENT(run->across_weights.memory),
						    DEVICE_ARGUMENT(run->across_blocks.memory),
						    DEVICE_ARGUMENT(nodes),
						    DEVICE_ARGUMENT(range->node_rows),
						    DEVICE_ARGUMENT(rows),
						    DEVICE_ARGUMENT(range->node_stride),
						    DEVICE_ARGUMENT(range->columns),
						    DEVICE_ARGUMENT(range->between_stride),
						    DEVICE_ARGUMENT(resampling->blocks),
						    DEVICE_ARGUMENT(parts),
						    DEVICE_ARGUMENT(first_point),
						    DEVICE_ARGUMENT(last_point),
						    DEVICE_ARGUMENT(run->between_sums.memory)};

	return device_launch(run->device, &run->between, parts * resampling->blocks * resampling->count, arguments,
			     14);
}

static sonde_status interpolate(const struct resampling *resampling)
{
	const struct pixel_range *range = resampling->range;
	const struct sums_device *run = range->run;
	const uint32_t nodes = (uint32_t)run->nodes->along.count,
		       parts = (range->columns + run->resample_columns - 1) / run->resample_columns;
	const bool both = run->nodes->across.axis >= 0;
	const struct device_buffer *sums = both ? &run->between_sums : &run->node_sums;
	const uint32_t stride = both ? range->between_stride : range->node_stride;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(sums->memory),
						    DEVICE_ARGUMENT(run->weights.memory),
						    DEVICE_ARGUMENT(run->blocks.memory),
						    DEVICE_ARGUMENT(run->classes.memory),
						    DEVICE_ARGUMENT(run->centers.memory),
						    DEVICE_ARGUMENT(run->q.memory),
						    DEVICE_ARGUMENT(run->amplitudes.memory),
						    DEVICE_ARGUMENT(nodes),
						    DEVICE_ARGUMENT(stride),
						    DEVICE_ARGUMENT(range->columns),
						    DEVICE_ARGUMENT(range->stride),
						    DEVICE_ARGUMENT(run->block_count),
						    DEVICE_ARGUMENT(resampling->first),
						    DEVICE_ARGUMENT(resampling->count),
						    DEVICE_ARGUMENT(run->sums.memory)};

	return device_launch(run->device, &run->resample, parts * run->block_count, arguments, 15);
}

static sonde_status launch_turn(struct resampling *resampling, uint32_t count)
{
	resampling->count = count < resampling->most ? count : resampling->most;
	CHECK(sum_at_nodes(resampling));
	if (resampling->range->run->nodes->across.axis >= 0)
		CHECK(interpolate_across(resampling));
	CHECK(interpolate(resampling));
	resampling->first += resampling->count;
	return SONDE_OK;
}

static sonde_status begin(void *user, int slot, uint32_t room, uint32_t *groups)
{
	struct resampling *resampling = user;
	const uint32_t fits = room / resampling->groups, left = resampling->tiles - resampling->first,
		       begun = resampling->first;

	(void)slot; /* one launch at a time */
	uint32_t count = fits > 1 ? fits : 1;
	count = count < left ? count : left;
	for (int turn = 0; turn < MOST_TURNS && resampling->first - begun < count; ++turn)
		CHECK(launch_turn(resampling, count - (resampling->first - begun)));
	*groups = resampling->groups * (resampling->first - begun);
	if (resampling->filled_next)
		return SONDE_OK;
	resampling->filled_next = true;
	return sums_device_fill_next(resampling->range);
}

static sonde_status end(void *user, int slot, uint32_t groups)
{
	(void)user;
	(void)slot;
	(void)groups;
	return SONDE_OK;
}

/* Part after part of the atoms, in their order. */
static sonde_status launch_parts(struct resampling *resampling)
{
	struct sums_device *run = resampling->range->run;
	const struct launches launches = {.device = run->device,
					  .pace = &run->pace,
					  .count = 1,
					  .first_groups = SUMS_FIRST_GROUPS * device_workers(run->device),
					  .what = "pattern",
					  .user = resampling,
					  .left = groups_left,
					  .begin = begin,
					  .end = end};

	for (uint32_t tile = 0; tile < run->tiles->count; tile += resampling->tiles) {
		CHECK(sums_device_load_tiles(run, tile));
		resampling->tiles = run->end - tile;
		resampling->first = 0;
		CHECK(launches_run(run->context, &launches));
	}
	return SONDE_OK;
}

sonde_status resample_launch(struct pixel_range *range)
{
	struct sums_device *run = range->run;
	const size_t numbers = 2 * (size_t)range->stride, vectors = 3 * (size_t)range->node_stride;
	const bool both = run->nodes->across.axis >= 0;
	const double of_tile = 2.0 * fmax(range->node_stride, both ? range->between_stride : 0.0) * number_bytes(run),
		     allowed = fmin(BYTES_OF_LAUNCH, 0.25 * (double)device_properties(run->device)->memory),
		     fit = fmin(fmax(1.0, floor(allowed / of_tile)), run->part_tiles);
	struct resampling resampling = {
	    .range = range, .groups = range->node_stride / run->pixels_of_group, .most = (uint32_t)fit};

	CHECK(sums_device_grow(run, &run->sums, numbers, "the sums"));
	CHECK(sums_device_grow(run, &run->node_q, vectors, "the nodes"));
	CHECK(sums_device_grow(run, &run->node_sums, (size_t)ceil(fit * of_tile / sizeof(double)), "the nodes"));
	if (both) {
		const int64_t first = first_column(range);
		CHECK(sums_device_grow(run, &run->between_sums, (size_t)ceil(fit * of_tile / sizeof(double)),
				       "the nodes"));
		CHECK(write_blocks(run, &run->nodes->across, first, first + range->columns, &run->across_blocks,
				   &resampling.blocks));
	}
	CHECK(device_write(run->device, &run->node_q, 0, range->buffers->node_q, vectors * sizeof(double)));
	CHECK(device_clear(run->device, &run->sums, 0, numbers * sizeof(double)));
	CHECK(launch_parts(&resampling));
	return device_read(run->device, &run->sums, 0, run->host_sums, numbers * sizeof(double));
}
