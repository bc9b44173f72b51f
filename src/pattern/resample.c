/* The direct sum on one device by nodes (nodes.h): sums over tiles at the nodes of an axis, and from these the amplitudes at its points. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "pattern/kernels/pattern_layout.h"
#include "pattern/sums_device.h"
#include "run/launches.h"

#define WORK_ITEMS 64              /* as in kernels.def */
#define BYTES_OF_LAUNCH (64 << 20) /* of the sums at nodes */
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
	       together * (uint32_t)run->nodes->count * number_bytes(run);
}

static sonde_status find_kernel(struct sums_device *run)
{
	const struct device_properties *has = device_properties(run->device);
	const struct device_define defines[] = {{"SINGLE", run->single}};
	uint32_t items = WORK_ITEMS;

	if (!sums_device_has_groups(run->device)) {
		run->resample_columns = run->single && has->lanes > 1 ? 2 * has->lanes : has->lanes;
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

static sonde_status write_weights(struct sums_device *run)
{
	const size_t numbers = (size_t)run->nodes->points * (size_t)run->nodes->count;
	float *singles = NULL;

	CHECK(device_allocate(run->device, numbers * number_bytes(run), "the nodes", &run->weights));
	if (!run->single)
		return device_write(run->device, &run->weights, 0, run->nodes->weights, numbers * sizeof(double));
	CHECK(memory_allocate(&singles, numbers, sizeof *singles, "the nodes"));
	for (size_t k = 0; k < numbers; ++k)
		singles[k] = (float)run->nodes->weights[k];
	const sonde_status status = device_write(run->device, &run->weights, 0, singles, numbers * sizeof *singles);
	free(singles);
	return status;
}

/* Points of work-groups: of one window each. */
static sonde_status write_blocks(struct sums_device *run)
{
	const struct pixel_nodes *nodes = run->nodes;
	const int64_t size = RESAMPLED_BLOCK(run->single, sums_device_has_groups(run->device));
	uint32_t *blocks, count = 0;

	CHECK(memory_allocate(&blocks, 3 * (size_t)(nodes->points / size + nodes->windows + 1), sizeof *blocks,
			      "the nodes"));
	for (int window = 0; window < nodes->windows; ++window)
		for (int64_t p = nodes->begins[window], end = nodes->begins[window + 1]; p < end;
		     p += size, ++count) {
			blocks[3 * (size_t)count] = (uint32_t)p;
			blocks[3 * (size_t)count + 1] = (uint32_t)(p + size < end ? p + size : end);
			blocks[3 * (size_t)count + 2] = (uint32_t)(window * nodes->count);
		}
	run->block_count = count;
	sonde_status status =
	    device_allocate(run->device, 3 * (size_t)count * sizeof *blocks, "the nodes", &run->blocks);
	if (status == SONDE_OK)
		status = device_write(run->device, &run->blocks, 0, blocks, 3 * (size_t)count * sizeof *blocks);
	free(blocks);
	return status;
}

sonde_status resample_prepare(struct sums_device *run)
{
	CHECK(find_kernel(run));
	CHECK(write_weights(run));
	return write_blocks(run);
}

/* Pixels ------------------------------------------------------------------------------------------------------ */

void resample_divide(struct pixel_range *range)
{
	const struct sums_device *run = range->run;
	const uint32_t of_set = (uint32_t)run->sets->pixels_of_set, group = run->sets_of_group,
		       together = RESAMPLED_COLUMNS / of_set, sets = (uint32_t)(range->count / run->sets->points);

	range->sets_of_row = (sets + together - 1) / together * together;
	range->columns = range->sets_of_row * of_set;
	range->stride = (uint32_t)run->sets->points * range->columns;
	range->node_stride =
	    ((uint32_t)run->nodes->rows * range->sets_of_row + group - 1) / group * run->pixels_of_group;
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
			      row = column / of_row * nodes->rows + set / range->sets_of_row;
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

sonde_status resample_fill(struct pixel_range *range)
{
	struct sums_device *run = range->run;
	struct pixel_buffers *buffers = range->buffers;
	const size_t stride = range->node_stride, room = run->pixels_of_group;

	CHECK(memory_grow(&buffers->node_q, &buffers->node_q_capacity, 3 * stride, sizeof(double), "the nodes"));
	for (size_t k = 0; k < 3; ++k)
		memset(buffers->node_q + (k + 1) * stride - room, 0, room * sizeof(double));
	threads_for(sums_device_threads(run), run->nodes->rows * (int64_t)range->sets_of_row, SETS_OF_THREAD,
		    fill_some, range);
	return SONDE_OK;
}

/* Launches ---------------------------------------------------------------------------------------------------- */

/* Tiles of atoms at all nodes of the range: a launch has one or more, and is followed by that of their interpolation. */
struct resampling {
	struct pixel_range *range;
	uint32_t groups;       /* of nodes */
	uint32_t tiles;        /* on the device */
	uint32_t most;         /* of a launch */
	uint32_t first, count; /* of the launch in progress, which begins with `first` */
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

static sonde_status interpolate(const struct resampling *resampling)
{
	const struct pixel_range *range = resampling->range;
	const struct sums_device *run = range->run;
	const uint32_t nodes = (uint32_t)run->nodes->count,
		       parts = (range->columns + run->resample_columns - 1) / run->resample_columns;
	const struct device_argument arguments[] = {
	    DEVICE_ARGUMENT(run->node_sums.memory),  DEVICE_ARGUMENT(run->weights.memory),
	    DEVICE_ARGUMENT(run->blocks.memory),     DEVICE_ARGUMENT(run->classes.memory),
	    DEVICE_ARGUMENT(run->centers.memory),    DEVICE_ARGUMENT(run->q.memory),
	    DEVICE_ARGUMENT(run->amplitudes.memory), DEVICE_ARGUMENT(nodes),
	    DEVICE_ARGUMENT(range->node_stride),     DEVICE_ARGUMENT(range->columns),
	    DEVICE_ARGUMENT(range->stride),          DEVICE_ARGUMENT(run->block_count),
	    DEVICE_ARGUMENT(resampling->first),      DEVICE_ARGUMENT(resampling->count),
	    DEVICE_ARGUMENT(run->sums.memory)};

	return device_launch(run->device, &run->resample, parts * run->block_count, arguments, 15);
}

static sonde_status begin(void *user, int slot, uint32_t room, uint32_t *groups)
{
	struct resampling *resampling = user;
	const uint32_t fits = room / resampling->groups, left = resampling->tiles - resampling->first;

	(void)slot; /* one launch at a time */
	resampling->count = fits > 1 ? fits : 1;
	resampling->count = resampling->count < resampling->most ? resampling->count : resampling->most;
	resampling->count = resampling->count < left ? resampling->count : left;
	*groups = resampling->groups * resampling->count;
	CHECK(sum_at_nodes(resampling));
	CHECK(interpolate(resampling));
	if (resampling->filled_next)
		return SONDE_OK;
	resampling->filled_next = true;
	return sums_device_fill_next(resampling->range);
}

static sonde_status end(void *user, int slot, uint32_t groups)
{
	struct resampling *resampling = user;

	(void)slot;
	(void)groups;
	resampling->first += resampling->count;
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
	const double of_tile = 2.0 * range->node_stride * number_bytes(run),
		     allowed = fmin(BYTES_OF_LAUNCH, 0.25 * (double)device_properties(run->device)->memory),
		     fit = fmin(fmax(1.0, floor(allowed / of_tile)), run->part_tiles);
	struct resampling resampling = {
	    .range = range, .groups = range->node_stride / run->pixels_of_group, .most = (uint32_t)fit};

	CHECK(sums_device_grow(run, &run->sums, numbers, "the sums"));
	CHECK(sums_device_grow(run, &run->node_q, vectors, "the nodes"));
	CHECK(sums_device_grow(run, &run->node_sums, (size_t)ceil(fit * of_tile / sizeof(double)), "the nodes"));
	CHECK(device_write(run->device, &run->node_q, 0, range->buffers->node_q, vectors * sizeof(double)));
	CHECK(device_clear(run->device, &run->sums, 0, numbers * sizeof(double)));
	CHECK(launch_parts(&resampling));
	return device_read(run->device, &run->sums, 0, run->host_sums, numbers * sizeof(double));
}
