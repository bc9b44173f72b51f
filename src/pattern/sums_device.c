/* Amplitudes and intensities of some pixels by one device. */
#include "pattern/sums_device.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "pattern/kernels/pattern_layout.h"
#include "pattern/joint.h"
#include "run/launches.h"

#define WORK_ITEMS 128          /* as in kernels.def */
#define WORK_ITEMS_OF_SETS 64   /* in float64 */
#define GROUPS_ENOUGH 3         /* with fewer groups of pixels, groups share the segments, too */
#define FIRST_GROUPS 8          /* per worker, while the device's pace is unknown */
#define PART_OF_ATOMS 0.25      /* of the memory, for the atoms on the device at a time */
#define SPREAD_BYTES (64 << 20) /* of the sums of segments in a launch */
#define PIXELS_OF_THREAD 2048
#define NUMBERS_OF_THREAD 4096
#define ATOMS_OF_THREAD 65536

/* GPUs and OpenCL devices; the CPU's work-groups, and those of the emulated device, have one work-item. */
static bool has_groups(const struct device *device)
{
	const struct device_properties *has = device_properties(device);

	return has->gpu_kernels && has->most_work_items > 1;
}

static uint32_t segments_of(uint32_t tiles)
{
	return (tiles + SEGMENT_TILES - 1) / SEGMENT_TILES;
}

static int host_threads(const struct sums_device *run)
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
	const bool groups = has_groups(run->device);
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

/* Atoms that do not fit into a part of the memory take turns, in whole segments. */
static uint32_t choose_part(const struct sums_device *run)
{
	const double number = run->single ? sizeof(float) : sizeof(double),
		     segment = SEGMENT_TILES * (3.0 * TILE_ATOMS * number + 3.0 * sizeof(double) + 8.0),
		     fit = fmax(1.0, floor(PART_OF_ATOMS * (double)device_properties(run->device)->memory / segment));

	return fit < (double)segments_of(run->tiles->count) ? (uint32_t)fit * SEGMENT_TILES : run->tiles->count;
}

static sonde_status write_atoms(struct sums_device *run, uint32_t first, uint32_t count)
{
	const size_t numbers = 3 * TILE_ATOMS * (size_t)count;
	struct rounding rounding = {.from = run->tiles->atoms + 3 * TILE_ATOMS * (size_t)first,
				    .to = run->host_singles};

	if (!run->single)
		return device_write(run->device, &run->atoms, 0, rounding.from, numbers * sizeof(double));
	threads_for(host_threads(run), (int64_t)numbers, ATOMS_OF_THREAD, round_some, &rounding);
	return device_write(run->device, &run->atoms, 0, run->host_singles, numbers * sizeof(float));
}

/* Brings the tiles from `first` onto the device, a part of them. */
static sonde_status load_tiles(struct sums_device *run, uint32_t first)
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

static sonde_status prepare(struct sums_device *run)
{
	struct device *device = run->device;

	CHECK(find_kernel(run));
	const size_t part = run->part_tiles = choose_part(run), numbers = 3 * TILE_ATOMS * part;
	if (run->tiles->copies != NULL)
		CHECK(copies_device_prepare(run));
	else if (run->single)
		CHECK(memory_allocate(&run->host_singles, numbers, sizeof *run->host_singles, "the atoms"));
	CHECK(device_allocate(device, numbers * (run->single ? sizeof(float) : sizeof(double)), "the atoms",
			      &run->atoms));
	CHECK(device_allocate(device, 3 * part * sizeof(double), "the atoms", &run->centers));
	return device_allocate(device, 2 * part * sizeof(uint32_t), "the atoms", &run->classes);
}

sonde_status sums_device_prepare(sonde_context *context, struct device *device, const struct pattern_plan *plan,
				 const struct pattern_tiles *tiles, const struct pixel_sets *sets, bool single,
				 struct sums_device *run)
{
	*run = (struct sums_device){
	    .device = device, .context = context, .plan = plan, .tiles = tiles, .sets = sets, .single = single};
	const sonde_status status = prepare(run);
	if (status != SONDE_OK)
		sums_device_release(run);
	return status;
}

void sums_device_release(struct sums_device *run)
{
	struct device_buffer *buffers[] = {&run->atoms, &run->centers,    &run->classes,
					   &run->q,     &run->amplitudes, &run->sums};

	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(run->device, buffers[k]);
	copies_device_release(run);
	for (int k = 0; k < 2; ++k) {
		free(run->buffers[k].q);
		free(run->buffers[k].amplitudes);
		free(run->buffers[k].diffuse);
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
	return (double)FIRST_GROUPS * device_workers(device) *
	       (run->pixels_of_group > 0 ? run->pixels_of_group : WORK_ITEMS);
}

int64_t sums_device_most(const struct sums_device *run, const struct device *device, const struct pattern_plan *plan)
{
	const double bytes = 16.0 * plan->sample.class_count + 40.0,
		     memory = fmin(0.25 * (double)device_properties(device)->memory, has_groups(device) ? 1e9 : 1e8),
		     most = has_groups(device) ? fmin(most_of_launch(run, device), 1 << 20) : 1 << 14;

	return (int64_t)fmax(1.0, fmin(most, memory / bytes));
}

/* Pixels ------------------------------------------------------------------------------------------------------ */

/* Those of sets `first` to `first + count - 1`. */
struct pixel_range {
	struct sums_device *run;
	struct pixel_buffers *buffers;
	int64_t first, count;
	uint32_t stride;
	const struct pattern_values *values;
};

/* Where the kernel has vector v of a set: its PIXEL(v). */
static uint32_t place(const struct sums_device *run, uint32_t set, uint32_t v)
{
	const uint32_t items = run->items, vectors = (uint32_t)run->sets->pixels_of_set;

	return vectors == 1 ? set : (set / items * vectors + v) * items + set % items;
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
	for (int64_t set = first; set < end; ++set) {
		pixel_sets_get(run->sets, range->first + set, pixels, owned);
		for (uint32_t v = 0; v < (uint32_t)run->sets->pixels_of_set; ++v) {
			const uint32_t at = place(run, (uint32_t)set, v);
			double vector[3];
			const double q = pattern_pixel(&run->plan->pixels, pixels[v], vector);
			for (int k = 0; k < 3; ++k)
				range->buffers->q[k * (size_t)range->stride + at] = vector[k];
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
	for (int64_t set = first; set < end; ++set) {
		pixel_sets_get(run->sets, range->first + set, pixels, owned);
		for (uint32_t v = 0; v < (uint32_t)run->sets->pixels_of_set; ++v)
			if (owned[v])
				finish_pixel(range, pixels[v], place(run, (uint32_t)set, v));
	}
}

static sonde_status grow(struct sums_device *run, struct device_buffer *buffer, size_t numbers, const char *what)
{
	const size_t bytes = numbers * sizeof(double);

	if (buffer->bytes >= bytes)
		return SONDE_OK;
	device_release(run->device, buffer);
	return device_allocate(run->device, bytes, what, buffer);
}

static struct pixel_range range_of(struct sums_device *run, int buffers, int64_t first, int64_t count)
{
	const uint32_t group = run->sets_of_group;

	return (struct pixel_range){.run = run,
				    .buffers = &run->buffers[buffers],
				    .first = first,
				    .count = count,
				    .stride = ((uint32_t)count + group - 1) / group * run->pixels_of_group};
}

static size_t amplitude_rows(const struct sums_device *run)
{
	return 2 * (size_t)run->plan->sample.class_count;
}

/* It may have fewer sets than there is room for. */
static void clear_last_group(struct pixel_range *range)
{
	const size_t stride = range->stride, count = range->run->pixels_of_group, from = stride - count;

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
	CHECK(memory_grow(&buffers->q, &buffers->q_capacity, 3 * stride, sizeof(double), "the pixels"));
	CHECK(memory_grow(&buffers->amplitudes, &buffers->amplitudes_capacity, amplitude_rows(run) * stride,
			  sizeof(double), "the pixels"));
	CHECK(memory_grow(&buffers->diffuse, &buffers->diffuse_capacity, stride, sizeof(double), "the pixels"));
	clear_last_group(range);
	threads_for(host_threads(run), range->count, PIXELS_OF_THREAD / run->sets->pixels_of_set, fill_some, range);
	buffers->first = range->first;
	buffers->count = range->count;
	return SONDE_OK;
}

/* While a GPU computes the pixels of `range`: those that it takes next, if no other device takes them. */
static sonde_status fill_next(const struct pixel_range *range)
{
	struct sums_device *run = range->run;
	const int64_t first = range->first + range->count, left = run->sets->count - first,
		      count = left < range->count ? left : range->count;

	if (count <= 0 || run->guessed_wrong || !has_groups(run->device))
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

	CHECK(memory_grow(&run->host_sums, &run->sums_capacity, 2 * stride, sizeof(double), "the pixels"));
	CHECK(grow(run, &run->q, 3 * stride, "the pixels"));
	CHECK(grow(run, &run->amplitudes, rows * stride, "the pixels"));
	CHECK(device_write(run->device, &run->q, 0, range->buffers->q, 3 * stride * sizeof(double)));
	return device_write(run->device, &run->amplitudes, 0, range->buffers->amplitudes,
			    rows * stride * sizeof(double));
}

/* Launches ---------------------------------------------------------------------------------------------------- */

/* Segments of atoms at the pixels in progress. A launch has one or more segments of all pixels. */
struct passage {
	struct pixel_range *range;
	uint32_t groups;       /* of pixels */
	uint32_t tiles;        /* on the device */
	uint32_t spread;       /* not 0: groups have one segment each, whose sums are added here */
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
	CHECK(device_launch(run->device, &run->kernel, passage->spread != 0 ? *groups : passage->groups, arguments,
			    11));
	if (passage->filled_next)
		return SONDE_OK;
	passage->filled_next = true;
	return fill_next(passage->range);
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
	threads_for(host_threads(run), (int64_t)numbers, NUMBERS_OF_THREAD, add_some, passage);
	return SONDE_OK;
}

static sonde_status end(void *user, int slot, uint32_t groups)
{
	struct passage *passage = user;
	(void)slot;
	(void)groups;
	if (passage->spread != 0)
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
	passage->spread =
	    passage->segments > 1 && fit >= 2.0 && passage->groups < GROUPS_ENOUGH * device_workers(device);
	passage->most = passage->spread ? (uint32_t)fmin(fit, passage->segments) : passage->segments;
}

/* Part after part of the atoms, in their order, at the pixels in progress. */
static sonde_status launch_parts(struct passage *passage)
{
	struct sums_device *run = passage->range->run;
	const struct launches launches = {.device = run->device,
					  .pace = &run->pace,
					  .count = 1,
					  .first_groups = FIRST_GROUPS * device_workers(run->device),
					  .what = "pattern",
					  .user = passage,
					  .left = groups_left,
					  .begin = begin,
					  .end = end};

	for (uint32_t tile = 0; tile < run->tiles->count; tile += passage->tiles) {
		CHECK(load_tiles(run, tile));
		passage->tiles = run->end - tile;
		passage->segments = segments_of(passage->tiles);
		passage->first = 0;
		CHECK(launches_run(run->context, &launches));
	}
	return SONDE_OK;
}

static sonde_status launch(struct pixel_range *range)
{
	struct sums_device *run = range->run;
	struct passage passage = {.range = range, .segments = segments_of(run->part_tiles)};
	const size_t numbers = 2 * (size_t)range->stride;

	choose_spread(&passage);
	CHECK(grow(run, &run->sums, passage.spread ? passage.most * numbers : numbers, "the sums"));
	if (passage.spread != 0) {
		memset(run->host_sums, 0, numbers * sizeof(double));
		CHECK(memory_grow(&run->host_parts, &run->parts_capacity, passage.most * numbers, sizeof(double),
				  "the sums"));
		return launch_parts(&passage);
	}
	CHECK(device_clear(run->device, &run->sums, 0, numbers * sizeof(double)));
	CHECK(launch_parts(&passage));
	return device_read(run->device, &run->sums, 0, run->host_sums, numbers * sizeof(double));
}

sonde_status sums_device_run(struct sums_device *run, int64_t first, int64_t count,
			     const struct pattern_values *values)
{
	struct pixel_range range = range_of(run, run->in_progress, first, count);

	range.values = values;
	CHECK(fill_unless_filled(&range));
	CHECK(upload(&range));
	CHECK(launch(&range));
	threads_for(host_threads(run), count, PIXELS_OF_THREAD / run->sets->pixels_of_set, finish_some, &range);
	range.buffers->count = 0;
	run->in_progress = 1 - run->in_progress;
	return SONDE_OK;
}
