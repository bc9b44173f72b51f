/* Amplitudes and intensities of some pixels by one device. */
#include "pattern/sums_device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/room.h"
#include "base/threads.h"
#include "pattern/kernels/pattern_layout.h"
#include "pattern/joint.h"
#include "pattern/resident/resident.h"

#define WORK_ITEMS 128        /* as in kernels.def */
#define WORK_ITEMS_OF_SETS 64 /* in float64 */
#define PART_OF_ATOMS 0.25    /* of the memory, for the atoms on the device at a time */
#define PIXELS_OF_THREAD 2048
#define FIRST_PIXELS 4096 /* per worker, while the device's pace is unknown: a segment of them takes milliseconds */

/* GPUs and OpenCL devices; the CPU's work-groups, and those of the emulated device, have one work-item. */
bool sums_device_has_groups(const struct device *device)
{
	const struct device_properties *has = device_properties(device);

	return has->gpu_kernels && has->most_work_items > 1;
}

int sums_device_threads(const struct sums_device *run)
{
	return run->context != NULL ? context_threads(run->context) : 1;
}

/* Preparation ------------------------------------------------------------------------------------------------ */

/* The atoms of a tile, or its sums, and the sums of a segment. */
static uint32_t local_bytes(const struct sums_device *run, uint32_t vectors, uint32_t items)
{
	const uint32_t number = run->single ? (uint32_t)sizeof(float) : (uint32_t)sizeof(double);

	return NEAR_NUMBERS(vectors, items) * number + 2 * vectors * items * (uint32_t)sizeof(double);
}

/* Work-items of a group: as in kernels.def, or what the device has room for. */
static uint32_t choose_items(const struct sums_device *run, uint32_t vectors)
{
	const struct device_properties *has = device_properties(run->device);
	const int arrangement = run->sets->arrangement;
	uint32_t items = arrangement >= ARRANGED_LONG_LINES || (!run->single && arrangement != ARRANGED_LIST)
			     ? WORK_ITEMS_OF_SETS
			     : WORK_ITEMS;

	while (items > 1 && (items > has->most_work_items || local_bytes(run, vectors, items) > has->local_memory))
		items /= 2;
	return items;
}

static sonde_status find_kernel(struct sums_device *run)
{
	const struct device_properties *has = device_properties(run->device);
	const int arrangement = run->sets->arrangement;
	const struct device_define defines[] = {{"SINGLE", run->single}, {"ARRANGEMENT", arrangement}};
	static const char *const names[][2] = {
	    [ARRANGED_LIST] = {"pattern_sums_0", "pattern_sums_1"},
	    [ARRANGED_PAIRS] = {"pattern_pairs_0", "pattern_pairs_1"},
	    [ARRANGED_LINES] = {"pattern_lines_0", "pattern_lines_1"},
	    [ARRANGED_LONG_LINES] = {"pattern_long_lines_0", "pattern_long_lines_1"},
	    [ARRANGED_LONG_PAIRS] = {"pattern_long_pairs_0", "pattern_long_pairs_1"}};
	const bool groups = sums_device_has_groups(run->device);
	const uint32_t vectors = PIXEL_VECTORS(arrangement, run->single, groups);

	if (groups)
		run->items = choose_items(run, vectors);
	else
		run->items = run->single && has->lanes > 1 ? 2 * has->lanes : has->lanes;
	run->pixels_of_group = vectors * run->items;
	run->sets_of_group = run->pixels_of_group / (uint32_t)run->sets->pixels_of_set;
	if (!groups)
		return device_kernel(run->device, &pattern_program, names[arrangement][run->single], 1, 0, NULL, 0,
				     &run->kernel);
	return device_kernel(run->device, &pattern_program, "pattern_sums", run->items,
			     local_bytes(run, vectors, run->items), defines, 2, &run->kernel);
}

sonde_status sums_device_test(struct device *device)
{
	const struct pixel_sets list = {.pixels_of_set = 1};
	struct sums_device run = {.device = device, .sets = &list};

	return find_kernel(&run);
}

/* Atoms that do not fit into a part of the memory take turns, in whole segments. */
static uint32_t choose_part(const struct sums_device *run)
{
	const double number = run->single ? sizeof(float) : sizeof(double),
		     segment = SEGMENT_TILES * (3.0 * TILE_ATOMS * number + 3.0 * sizeof(double) + 8.0),
		     fit = fmax(1.0, floor(PART_OF_ATOMS * (double)device_properties(run->device)->memory / segment));

	return fit < ceil((double)run->tiles->count / SEGMENT_TILES) ? (uint32_t)fit * SEGMENT_TILES
								     : run->tiles->count;
}

static sonde_status prepare(struct sums_device *run)
{
	struct device *device = run->device;
	const struct pattern_resident *resident = &run->plan->sample.resident;

	if (resident->device != NULL && resident->device != device)
		return status_fail(SONDE_INTERNAL, "the atoms are in the memory of another device");
	CHECK(products_used(run) ? products_prepare(run) : find_kernel(run));
	const size_t part = run->part_tiles = choose_part(run), numbers = 3 * TILE_ATOMS * part;
	if (run->tiles->copies != NULL)
		CHECK(copies_device_prepare(run));
	else if (run->single && !pattern_is_resident(&run->plan->sample))
		CHECK(memory_allocate(&run->host_singles, numbers, sizeof *run->host_singles, "the atoms"));
	CHECK(device_allocate(device, numbers * (run->single ? sizeof(float) : sizeof(double)), "the atoms",
			      &run->atoms));
	CHECK(device_allocate(device, 3 * part * sizeof(double), "the atoms", &run->centers));
	CHECK(device_allocate(device, 2 * part * sizeof(uint32_t), "the atoms", &run->classes));
	return run->nodes->along.axis >= 0 ? resample_prepare(run) : SONDE_OK;
}

sonde_status sums_device_prepare(sonde_context *context, struct device *device, const struct pattern_plan *plan,
				 const struct pattern_tiles *tiles, const struct pixel_sets *sets,
				 const struct pixel_nodes *nodes, bool single, struct sums_device *run)
{
	*run = (struct sums_device){.device = device,
				    .context = context,
				    .plan = plan,
				    .tiles = tiles,
				    .sets = sets,
				    .nodes = nodes,
				    .single = single};
	const sonde_status status = prepare(run);
	if (status != SONDE_OK)
		sums_device_release(run);
	return status;
}

void sums_device_release(struct sums_device *run)
{
	struct device_buffer *buffers[] = {
	    &run->atoms,         &run->centers,        &run->classes,     &run->q,      &run->amplitudes,
	    &run->sums,          &run->weights,        &run->blocks,      &run->node_q, &run->node_sums,
	    &run->across_blocks, &run->across_weights, &run->between_sums};

	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(run->device, buffers[k]);
	copies_device_release(run);
	for (int k = 0; k < 2; ++k) {
		free(run->buffers[k].q);
		free(run->buffers[k].amplitudes);
		free(run->buffers[k].diffuse);
		free(run->buffers[k].node_q);
	}
	free(run->host_singles);
	free(run->host_sums);
	free(run->host_parts);
	*run = (struct sums_device){.device = NULL};
}

/* A launch has one segment of all pixels at least, which must not take longer than the limit of a launch. */
static double most_of_launch(const struct sums_device *run, const struct device *device)
{
	if (run->pace.groups > 0.0)
		return run->pace.groups * run->pixels_of_group;
	return (double)FIRST_PIXELS * device_workers(device);
}

int64_t sums_device_most(const struct sums_device *run, const struct device *device, const struct pattern_plan *plan)
{
	const double bytes = 16.0 * plan->sample.class_count + 40.0,
		     memory = fmin(0.25 * (double)device_properties(device)->memory,
				   sums_device_has_groups(device) ? 1e9 : 1e8),
		     on_cpu = run->sets == NULL || run->sets->points == 0 ? 1 << 14
			      : products_used(run)                        ? 1 << 18
			      : run->nodes->across.axis >= 0              ? 1 << 20
									  : 1 << 16,
		     most = sums_device_has_groups(device) ? fmin(most_of_launch(run, device), 1 << 20) : on_cpu;

	return (int64_t)fmax(1.0, fmin(most, memory / bytes));
}

/* Pixels ------------------------------------------------------------------------------------------------------ */

uint32_t sums_device_place(const struct sums_device *run, uint32_t set, uint32_t v)
{
	const uint32_t items = run->items, vectors = (uint32_t)run->sets->pixels_of_set;

	return vectors == 1 ? set : (set / items * vectors + v) * items + set % items;
}

/* Number in a row of vector v of a set. */
static uint32_t place(const struct pixel_range *range, uint32_t set, uint32_t v)
{
	const struct pixel_sets *sets = range->run->sets;

	if (sets->points == 0)
		return sums_device_place(range->run, set, v);
	const uint32_t points = (uint32_t)sets->points;
	return set % points * range->columns + set / points * (uint32_t)sets->pixels_of_set + v;
}

/* The next set whose pixels are found: those of the same circle one after the other. */
static int64_t in_turn(const struct pixel_range *range, int64_t k)
{
	const int64_t points = range->run->sets->points;

	if (points == 0)
		return k;
	const int64_t columns = range->count / points;
	return k % columns * points + k / columns;
}

static void fill_amplitudes(struct pixel_range *range, uint32_t at, const double vector[3], double q)
{
	const struct pattern_sample *sample = &range->run->plan->sample;
	double *amplitudes = range->buffers->amplitudes, sum = 0.0;

	for (int c = 0; c < sample->class_count; ++c) {
		double *to = amplitudes + 2 * (size_t)c * range->stride + at;
		sum += (double)sample->view.species[c].atoms *
		       pattern_class_amplitude(&sample->classes[c], vector, q, to, to + range->stride);
	}
	range->buffers->diffuse[at] = sum;
}

static void copy_amplitudes(struct pixel_range *range, uint32_t from, uint32_t to)
{
	double *amplitudes = range->buffers->amplitudes;

	for (int row = 0; row < 2 * range->run->plan->sample.class_count; ++row, amplitudes += range->stride)
		amplitudes[to] = amplitudes[from];
	range->buffers->diffuse[to] = range->buffers->diffuse[from];
}

/* On circles of a picture, most pixels have the q of the one before in their set, or in the set before. */
static void fill_some(void *state, int64_t first, int64_t end, int worker)
{
	struct pixel_range *range = state;
	const struct sums_device *run = range->run;
	const bool copies = !run->plan->sample.anisotropic;
	double before[MOST_SET_PIXELS];
	uint32_t filled[MOST_SET_PIXELS] = {0};
	int64_t pixels[MOST_SET_PIXELS] = {0};
	bool owned[MOST_SET_PIXELS];

	(void)worker;
	for (uint32_t v = 0; v < MOST_SET_PIXELS; ++v)
		before[v] = -1.0;
	for (int64_t k = first; k < end; ++k) {
		const int64_t set = in_turn(range, k);
		pixel_sets_get(run->sets, range->first + set, pixels, owned);
		for (uint32_t v = 0; v < (uint32_t)run->sets->pixels_of_set; ++v) {
			const uint32_t at = place(range, (uint32_t)set, v);
			double vector[3];
			const double q = pattern_pixel(&run->plan->pixels, pixels[v], vector);
			for (int c = 0; c < 3; ++c)
				range->buffers->q[c * (size_t)range->stride + at] = vector[c];
			if (copies && q == before[v])
				copy_amplitudes(range, filled[v], at);
			else if (copies && v > 0 && q == before[v - 1])
				copy_amplitudes(range, filled[v - 1], at);
			else
				fill_amplitudes(range, at, vector, q);
			before[v] = q;
			filled[v] = at;
		}
	}
}

/* F with the phase of the sample's center at the origin, and I. */
static void finish_pixel(const struct pixel_range *range, int64_t pixel, uint32_t at)
{
	const struct pattern_plan *plan = range->run->plan;
	const double real = range->run->host_sums[at], imaginary = range->run->host_sums[range->stride + at];
	double vector[3], joint = 0.0;

	if (plan->sample.joint_count > 0) {
		(void)pattern_pixel(&plan->pixels, pixel, vector);
		joint =
		    pattern_joint_intensity(&plan->sample, vector, range->buffers->amplitudes + at, range->stride);
	}
	range->values->intensity[pixel] = real * real + imaginary * imaginary + range->buffers->diffuse[at] + joint;
	range->values->real[pixel] = real;
	range->values->imaginary[pixel] = imaginary;
}

static void finish_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct pixel_range *range = state;
	const struct sums_device *run = range->run;
	int64_t pixels[MOST_SET_PIXELS] = {0};
	bool owned[MOST_SET_PIXELS];

	(void)worker;
	for (int64_t k = first; k < end; ++k) {
		const int64_t set = in_turn(range, k);
		pixel_sets_get(run->sets, range->first + set, pixels, owned);
		for (uint32_t v = 0; v < (uint32_t)run->sets->pixels_of_set; ++v)
			if (owned[v])
				finish_pixel(range, pixels[v], place(range, (uint32_t)set, v));
	}
}

static struct pixel_range range_of(struct sums_device *run, int buffers, int64_t first, int64_t count)
{
	const uint32_t group = run->sets_of_group;
	struct pixel_range range = {.run = run, .buffers = &run->buffers[buffers], .first = first, .count = count};

	if (run->sets->points > 0)
		resample_divide(&range);
	else
		range.stride = ((uint32_t)count + group - 1) / group * run->pixels_of_group;
	return range;
}

static size_t amplitude_rows(const struct sums_device *run)
{
	return 2 * (size_t)run->plan->sample.class_count;
}

/* The last group may have fewer sets than there is room for; each point, fewer columns. */
static void clear_room(struct pixel_range *range)
{
	const struct pixel_sets *sets = range->run->sets;
	const bool points = sets->points > 0;
	const size_t stride = range->stride, count = points ? stride : range->run->pixels_of_group,
		     from = stride - count;

	/* threads touch the memory of large pictures first */
	if (points && (int64_t)range->sets_of_row * sets->points == range->count)
		return;
	for (size_t k = 0; k < 3; ++k)
		memset(range->buffers->q + k * stride + from, 0, count * sizeof(double));
	for (size_t row = 0; row < amplitude_rows(range->run); ++row)
		memset(range->buffers->amplitudes + row * stride + from, 0, count * sizeof(double));
}

static sonde_status fill(struct pixel_range *range)
{
	struct sums_device *run = range->run;
	struct pixel_buffers *buffers = range->buffers;
	const size_t stride = range->stride;

	buffers->count = 0;
	CHECK(room_make(&buffers->q, &buffers->q_capacity, 3 * stride, sizeof(double), "the pixels"));
	CHECK(room_make(&buffers->amplitudes, &buffers->amplitudes_capacity, amplitude_rows(run) * stride,
			sizeof(double), "the pixels"));
	CHECK(room_make(&buffers->diffuse, &buffers->diffuse_capacity, stride, sizeof(double), "the pixels"));
	clear_room(range);
	threads_for(sums_device_threads(run), range->count, PIXELS_OF_THREAD / run->sets->pixels_of_set, fill_some,
		    range);
	if (run->nodes->along.axis >= 0)
		CHECK(resample_fill(range));
	buffers->first = range->first;
	buffers->count = range->count;
	return SONDE_OK;
}

sonde_status sums_device_fill_next(const struct pixel_range *range)
{
	struct sums_device *run = range->run;
	const int64_t first = range->first + range->count, left = run->sets->count - first,
		      count = left < range->count ? left : range->count;

	if (count <= 0 || run->guessed_wrong || !sums_device_has_groups(run->device))
		return SONDE_OK;
	struct pixel_range next = range_of(run, 1 - run->in_progress, first, count);
	return fill(&next);
}

static sonde_status fill_unless_filled(struct pixel_range *range)
{
	const struct pixel_buffers *filled = range->buffers;

	if (filled->count == range->count && filled->first == range->first)
		return SONDE_OK;
	range->run->guessed_wrong = range->run->guessed_wrong || filled->count > 0;
	return fill(range);
}

static sonde_status upload(struct pixel_range *range)
{
	struct sums_device *run = range->run;
	const size_t stride = range->stride, rows = amplitude_rows(run);

	CHECK(room_make(&run->host_sums, &run->sums_capacity, 2 * stride, sizeof(double), "the pixels"));
	CHECK(sums_device_grow(run, &run->q, 3 * stride, "the pixels"));
	CHECK(sums_device_grow(run, &run->amplitudes, rows * stride, "the pixels"));
	CHECK(device_write(run->device, &run->q, 0, range->buffers->q, 3 * stride * sizeof(double)));
	return device_write(run->device, &run->amplitudes, 0, range->buffers->amplitudes,
			    rows * stride * sizeof(double));
}

sonde_status sums_device_run(struct sums_device *run, int64_t first, int64_t count,
			     const struct pattern_values *values)
{
	struct pixel_range range = range_of(run, run->in_progress, first, count);

	range.values = values;
	CHECK(fill_unless_filled(&range));
	CHECK(upload(&range));
	CHECK(products_used(run)      ? products_launch(&range)
	      : run->sets->points > 0 ? resample_launch(&range)
				      : sums_device_launch(&range));
	threads_for(sums_device_threads(run), count, PIXELS_OF_THREAD / run->sets->pixels_of_set, finish_some,
		    &range);
	range.buffers->count = 0;
	run->in_progress = 1 - run->in_progress;
	return SONDE_OK;
}
