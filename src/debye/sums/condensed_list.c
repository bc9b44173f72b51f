#include "debye/sums/condensed_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "base/room.h"
#include "base/threads.h"
#include "debye/kernels/list_layout.h"
#include "device/kernel.h"
#include "device/kernel_math.h"

/* Largest q D of a window: interpolation of sin(q r) at LIST_NODES points of Chebyshev has an error of at most 4 times the
 * sum of |J_n(q D)| over n >= LIST_NODES, 4e-17 here. */
#define HALF_PHASE 7.5
/* A node costs as much as an entry, and each entry of a window about as much as LIST_NODES points of q. */
#define LEAST_ENTRIES 96
#define BLOCK_ENTRIES 16384 /* whatever the number of threads: windows end with a block */
#define MOST_WINDOWS (BLOCK_ENTRIES / LEAST_ENTRIES)

/* The windows of a block; entries between them stay as they are. */
struct list_block {
	uint32_t first, end; /* entries */
	uint32_t window_count, condensed;
	uint32_t first_window, place; /* of all windows, and of the entries of the condensed list */
	struct list_window {
		uint32_t first, end;
		double middle, half;
	} windows[MOST_WINDOWS];
};

struct condensing {
	const double *r, *weight_over_r;
	struct condensed_list *condensed;
	double most_width;
	uint32_t window_count;
	uint32_t *ranges; /* what the kernel needs to know of the windows, and what it finds */
	double *places, *nodes;
	double points[LIST_NODES], basis[LIST_NODES * LIST_NODES];
};

/* The longest window that begins with entry `first`. */
static struct list_window find_window(const struct condensing *condensing, uint32_t first, uint32_t end)
{
	double low = condensing->r[first], high = low;
	uint32_t k = first + 1;

	for (; k < end; ++k) {
		const double r = condensing->r[k], below = r < low ? r : low, above = r > high ? r : high;
		if (above - below > condensing->most_width)
			break;
		low = below;
		high = above;
	}
	return (struct list_window){first, k, 0.5 * (low + high), 0.5 * (high - low)};
}

static void find_windows(void *state, int64_t first, int64_t end, int worker)
{
	const struct condensing *condensing = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		struct list_block *block = &condensing->condensed->blocks[n];
		block->window_count = block->condensed = 0;
		for (uint32_t k = block->first; k < block->end;) {
			const struct list_window window = find_window(condensing, k, block->end);
			k = window.end;
			if (window.end - window.first < LEAST_ENTRIES)
				continue;
			block->windows[block->window_count++] = window;
			block->condensed += window.end - window.first;
		}
	}
}

/* Blocks in their order; returns the number of entries of the condensed list. */
static uint32_t place_blocks(struct condensing *condensing, int64_t blocks)
{
	uint32_t place = 0;

	condensing->window_count = 0;
	for (int64_t n = 0; n < blocks; ++n) {
		struct list_block *block = &condensing->condensed->blocks[n];
		block->first_window = condensing->window_count;
		block->place = place;
		condensing->window_count += block->window_count;
		place += block->end - block->first - block->condensed + block->window_count * LIST_NODES;
	}
	return place;
}

static void list_windows(const struct condensing *condensing, int64_t blocks)
{
	for (int64_t n = 0; n < blocks; ++n) {
		const struct list_block *block = &condensing->condensed->blocks[n];
		for (uint32_t k = 0; k < block->window_count; ++k) {
			const struct list_window *window = &block->windows[k];
			const size_t at = 2 * (size_t)(block->first_window + k);
			condensing->ranges[at] = window->first;
			condensing->ranges[at + 1] = window->end;
			condensing->places[at] = window->middle;
			condensing->places[at + 1] = window->half > 0.0 ? 1.0 / window->half : 0.0;
		}
	}
}

/* cos(k pi/(2 P)), by an angle up to pi, whose rounding is small. The cosine is that of kernel_math.h, since that of the C library
 * depends on the processor. */
static double cosine(uint32_t k)
{
	const uint32_t turn = 4 * LIST_NODES, rest = k % turn;
	lanes_f64 s, c;

	lanes_sincos(LANES_SPLAT((rest < turn - rest ? rest : turn - rest) * (PI / (2 * LIST_NODES))), &s, &c, 0);
	return LANES_FIRST(c);
}

/* T_n(x_p) = cos(n (p + 1/2) pi/P), times 2/P, or 1/P for n = 0. */
static void make_basis(struct condensing *condensing)
{
	for (uint32_t p = 0; p < LIST_NODES; ++p) {
		condensing->points[p] = cosine(2 * p + 1);
		for (uint32_t n = 0; n < LIST_NODES; ++n)
			condensing->basis[p * LIST_NODES + n] =
			    (n == 0 ? 1.0 : 2.0) / LIST_NODES * cosine(n * (2 * p + 1));
	}
}

struct node_buffers {
	struct device_buffer r, weights, ranges, places, basis, nodes;
};

static sonde_status upload(struct device *processor, const struct condensing *condensing, uint32_t count,
			   struct node_buffers *buffers)
{
	const size_t windows = condensing->window_count, list = ((size_t)count + LIST_PADDING) * sizeof(double);
	const char *const what = "the distances";

	CHECK(device_upload(processor, condensing->r, list, what, &buffers->r));
	CHECK(device_upload(processor, condensing->weight_over_r, list, what, &buffers->weights));
	CHECK(device_upload(processor, condensing->ranges, 2 * windows * sizeof(uint32_t), what, &buffers->ranges));
	CHECK(device_upload(processor, condensing->places, 2 * windows * sizeof(double), what, &buffers->places));
	CHECK(device_upload(processor, condensing->basis, sizeof condensing->basis, what, &buffers->basis));
	return device_allocate(processor, windows * LIST_NODES * sizeof(double), what, &buffers->nodes);
}

/* The weights of the nodes of all windows. */
static sonde_status find_nodes(struct device *processor, const struct condensing *condensing, uint32_t count)
{
	struct node_buffers buffers = {0};
	struct device_kernel kernel;

	CHECK(device_kernel(processor, &debye_program, "list_nodes", 1, 0, NULL, 0, &kernel));
	sonde_status status = upload(processor, condensing, count, &buffers);
	const struct device_argument arguments[] = {
	    DEVICE_ARGUMENT(buffers.r.memory),      DEVICE_ARGUMENT(buffers.weights.memory),
	    DEVICE_ARGUMENT(buffers.ranges.memory), DEVICE_ARGUMENT(buffers.places.memory),
	    DEVICE_ARGUMENT(buffers.basis.memory),  DEVICE_ARGUMENT(buffers.nodes.memory)};
	if (status == SONDE_OK)
		status = device_launch(processor, &kernel, condensing->window_count, arguments, 6);
	if (status == SONDE_OK)
		status = device_read(processor, &buffers.nodes, 0, condensing->nodes,
				     (size_t)condensing->window_count * LIST_NODES * sizeof(double));
	struct device_buffer *const all[] = {&buffers.r,      &buffers.weights, &buffers.ranges,
					     &buffers.places, &buffers.basis,   &buffers.nodes};
	for (size_t k = 0; k < sizeof all / sizeof *all; ++k)
		device_release(processor, all[k]);
	return status;
}

static void copy_entries(const struct condensing *condensing, uint32_t first, uint32_t end, uint32_t *place)
{
	const size_t bytes = (end - first) * sizeof(double);

	memcpy(condensing->condensed->own_r + *place, condensing->r + first, bytes);
	memcpy(condensing->condensed->own_weights + *place, condensing->weight_over_r + first, bytes);
	*place += end - first;
}

/* The entries of some blocks, and nodes in the place of their windows. */
static void fill_blocks(void *state, int64_t first, int64_t end, int worker)
{
	const struct condensing *condensing = state;
	const struct condensed_list *condensed = condensing->condensed;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const struct list_block *block = &condensed->blocks[n];
		uint32_t place = block->place, entry = block->first;
		for (uint32_t k = 0; k < block->window_count; ++k) {
			const struct list_window *window = &block->windows[k];
			copy_entries(condensing, entry, window->first, &place);
			for (uint32_t p = 0; p < LIST_NODES; ++p)
				condensed->own_r[place + p] = window->middle + window->half * condensing->points[p];
			memcpy(condensed->own_weights + place,
			       condensing->nodes + (size_t)(block->first_window + k) * LIST_NODES,
			       LIST_NODES * sizeof(double));
			place += LIST_NODES;
			entry = window->end;
		}
		copy_entries(condensing, entry, block->end, &place);
	}
}

static sonde_status allocate(struct condensing *condensing, uint32_t count)
{
	struct condensed_list *condensed = condensing->condensed;
	const size_t windows = condensing->window_count, needed = (size_t)count + LIST_PADDING;
	const char *const what = "the distances";

	CHECK(memory_allocate(&condensing->ranges, 2 * windows, sizeof *condensing->ranges, what));
	CHECK(memory_allocate(&condensing->places, 2 * windows, sizeof *condensing->places, what));
	CHECK(memory_allocate(&condensing->nodes, LIST_NODES * windows, sizeof *condensing->nodes, what));
	CHECK(room_make(&condensed->own_r, &condensed->r_capacity, needed, sizeof(double), what));
	CHECK(room_make(&condensed->own_weights, &condensed->weight_capacity, needed, sizeof(double), what));
	memset(condensed->own_r + count, 0, LIST_PADDING * sizeof(double));
	memset(condensed->own_weights + count, 0, LIST_PADDING * sizeof(double));
	return SONDE_OK;
}

/* The condensed list has `shorter` entries. */
static sonde_status condense(struct device *processor, int threads, uint32_t count, int64_t blocks, uint32_t shorter,
			     struct condensing *condensing)
{
	struct condensed_list *condensed = condensing->condensed;

	CHECK(allocate(condensing, shorter));
	list_windows(condensing, blocks);
	make_basis(condensing);
	CHECK(find_nodes(processor, condensing, count));
	threads_for(threads, blocks, 1, fill_blocks, condensing);
	condensed->r = condensed->own_r;
	condensed->weight_over_r = condensed->own_weights;
	condensed->count = shorter;
	return SONDE_OK;
}

sonde_status condensed_list_make(sonde_context *context, struct device *processor, const double *r,
				 const double *weight_over_r, uint32_t count, double q_last,
				 struct condensed_list *condensed)
{
	const int64_t blocks = ((int64_t)count + BLOCK_ENTRIES - 1) / BLOCK_ENTRIES;
	const int threads = context_threads(context);
	struct condensing condensing = {r, weight_over_r, condensed, .most_width = 2.0 * HALF_PHASE / q_last};

	condensed->r = r;
	condensed->weight_over_r = weight_over_r;
	condensed->count = count;
	if (count < LEAST_ENTRIES || !(q_last > 0.0))
		return SONDE_OK;
	CHECK(room_make(&condensed->blocks, &condensed->block_capacity, (size_t)blocks, sizeof *condensed->blocks,
			"the distances"));
	for (int64_t n = 0; n < blocks; ++n) {
		struct list_block *block = &condensed->blocks[n];
		block->first = (uint32_t)n * BLOCK_ENTRIES;
		block->end = count - block->first < BLOCK_ENTRIES ? count : block->first + BLOCK_ENTRIES;
	}
	threads_for(threads, blocks, 1, find_windows, &condensing);
	const uint32_t shorter = place_blocks(&condensing, blocks);
	sonde_status status = SONDE_OK;
	if (condensing.window_count > 0)
		status = condense(processor, threads, count, blocks, shorter, &condensing);
	free(condensing.ranges);
	free(condensing.places);
	free(condensing.nodes);
	return status;
}

void condensed_list_free(struct condensed_list *condensed)
{
	free(condensed->own_r);
	free(condensed->own_weights);
	free(condensed->blocks);
	*condensed = (struct condensed_list){0};
}
