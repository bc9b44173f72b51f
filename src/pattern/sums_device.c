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

#define WORK_ITEMS 128
#define GROUPS_OF_WORKER 8      /* with fewer groups of pixels, groups share the segments, too */
#define FIRST_GROUPS 8          /* per worker, while the device's pace is unknown */
#define PART_OF_ATOMS 0.25      /* of the memory, for the atoms on the device at a time */
#define SPREAD_BYTES (64 << 20) /* of the sums of segments in a launch */
#define PIXELS_OF_THREAD 256

/* GPUs and OpenCL devices; the CPU's work-groups, and those of the emulated device, have one work-item. */
static bool has_groups(const struct device *device)
{
	const struct device_properties *has = device_properties(device);

	return has->gpu_kernels && has->most_work_items > 1;
}

static uint32_t work_items_of(const struct device *device)
{
	const uint32_t most = device_properties(device)->most_work_items;

	return most < WORK_ITEMS ? most : WORK_ITEMS;
}

static uint32_t segments_of(uint32_t tiles)
{
	return (tiles + SEGMENT_TILES - 1) / SEGMENT_TILES;
}

/* Preparation ------------------------------------------------------------------------------------------------ */

static sonde_status find_kernel(struct sums_device *run)
{
	const struct device_properties *has = device_properties(run->device);
	const struct device_define defines[] = {{"SINGLE", run->single}};
	const bool groups = has_groups(run->device);
	const uint32_t vectors = PIXEL_VECTORS(run->single, groups),
		       number = run->single ? (uint32_t)sizeof(float) : (uint32_t)sizeof(double);

	if (!groups) {
		const uint32_t lanes = run->single && has->lanes > 1 ? 2 * has->lanes : has->lanes;
		run->work_items = 1;
		run->pixels_of_group = vectors * lanes;
		return device_kernel(run->device, &pattern_program, run->single ? "pattern_sums_1" : "pattern_sums_0",
				     1, 0, NULL, 0, &run->kernel);
	}
	run->work_items = work_items_of(run->device);
	run->pixels_of_group = vectors * run->work_items;
	return device_kernel(run->device, &pattern_program, "pattern_sums", run->work_items, 4 * TILE_ATOMS * number,
			     defines, 1, &run->kernel);
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
	const double *from = run->tiles->atoms + 3 * TILE_ATOMS * (size_t)first;

	if (!run->single)
		return device_write(run->device, &run->atoms, 0, from, numbers * sizeof *from);
	for (size_t k = 0; k < numbers; ++k)
		run->host_singles[k] = (float)from[k];
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
	if (run->single)
		CHECK(memory_allocate(&run->host_singles, numbers, sizeof *run->host_singles, "the atoms"));
	CHECK(device_allocate(device, numbers * (run->single ? sizeof(float) : sizeof(double)), "the atoms",
			      &run->atoms));
	CHECK(device_allocate(device, 3 * part * sizeof(double), "the atoms", &run->centers));
	return device_allocate(device, 2 * part * sizeof(uint32_t), "the atoms", &run->classes);
}

sonde_status sums_device_prepare(sonde_context *context, struct device *device, const struct pattern_plan *plan,
				 const struct pattern_tiles *tiles, bool single, struct sums_device *run)
{
	*run = (struct sums_device){
	    .device = device, .context = context, .plan = plan, .tiles = tiles, .single = single};
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
	free(run->host_singles);
	free(run->host_q);
	free(run->host_amplitudes);
	free(run->host_sums);
	free(run->host_parts);
	free(run->diffuse);
	*run = (struct sums_device){.device = NULL};
}

/* A launch has one segment of all pixels at least, which must not take longer than the limit of a launch. */
static double most_of_launch(const struct sums_device *run, const struct device *device, bool single)
{
	const double groups =
	    run->pace.groups > 0.0 ? run->pace.groups : (double)FIRST_GROUPS * device_workers(device);

	return groups * PIXEL_VECTORS(single, true) * work_items_of(device);
}

int64_t sums_device_most(const struct sums_device *run, const struct device *device, const struct pattern_plan *plan)
{
	const bool single = plan->options.precision == SONDE_PATTERN_PRECISION_FLOAT32;
	const double bytes = 16.0 * plan->sample.class_count + 40.0,
		     memory = fmin(0.25 * (double)device_properties(device)->memory, has_groups(device) ? 1e9 : 1e8),
		     most = has_groups(device) ? fmin(most_of_launch(run, device, single), 1 << 20) : 1 << 14;

	return (int64_t)fmax(1.0, fmin(most, memory / bytes));
}

/* Pixels ------------------------------------------------------------------------------------------------------ */

/* The pixels in progress, and their host's part: vectors, amplitudes of classes, diffuse intensities. */
struct pixel_range {
	struct sums_device *run;
	int64_t first, count;
	uint32_t stride;
	const struct pattern_values *values;
};

static void fill_amplitudes(struct pixel_range *range, int64_t n, const double vector[3], double q)
{
	const struct pattern_sample *sample = &range->run->plan->sample;
	double *amplitudes = range->run->host_amplitudes, sum = 0.0;

	for (int c = 0; c < sample->class_count; ++c) {
		double *to = amplitudes + 2 * (size_t)c * range->stride + n;
		sum += (double)sample->view.species[c].atoms *
		       pattern_class_amplitude(&sample->classes[c], vector, q, to, to + range->stride);
	}
	range->run->diffuse[n] = sum;
}

/* On circles of a picture, most pixels have the q of the one before. */
static void copy_amplitudes(struct pixel_range *range, int64_t n)
{
	double *amplitudes = range->run->host_amplitudes + n;

	for (int row = 0; row < 2 * range->run->plan->sample.class_count; ++row, amplitudes += range->stride)
		*amplitudes = amplitudes[-1];
	range->run->diffuse[n] = range->run->diffuse[n - 1];
}

static void fill_some(void *state, int64_t first, int64_t end, int worker)
{
	struct pixel_range *range = state;
	double before = -1.0;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		double vector[3];
		const double q = pattern_pixel(&range->run->plan->pixels, range->first + n, vector);
		for (int k = 0; k < 3; ++k)
			range->run->host_q[k * (size_t)range->stride + n] = vector[k];
		if (q == before && !range->run->plan->sample.anisotropic)
			copy_amplitudes(range, n);
		else
			fill_amplitudes(range, n, vector, q);
		before = q;
	}
}

/* F with the phase of the sample's center at the origin, and I. */
static void finish_some(void *state, int64_t first, int64_t end, int worker)
{
	struct pixel_range *range = state;
	const struct pattern_plan *plan = range->run->plan;
	const double *sums = range->run->host_sums;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const double real = sums[n], imaginary = sums[range->stride + n];
		double vector[3], joint = 0.0;
		if (plan->sample.joint_count > 0) {
			(void)pattern_pixel(&plan->pixels, range->first + n, vector);
			joint = pattern_joint_intensity(&plan->sample, vector, range->run->host_amplitudes + n,
							range->stride);
		}
		range->values->intensity[range->first + n] =
		    real * real + imaginary * imaginary + range->run->diffuse[n] + joint;
		range->values->real[range->first + n] = real;
		range->values->imaginary[range->first + n] = imaginary;
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

static int host_threads(const struct sums_device *run)
{
	return run->context != NULL ? context_threads(run->context) : 1;
}

static sonde_status fill(struct pixel_range *range)
{
	struct sums_device *run = range->run;
	const size_t stride = range->stride, rows = 2 * (size_t)run->plan->sample.class_count;

	CHECK(memory_grow(&run->host_q, &run->q_capacity, 3 * stride, sizeof(double), "the pixels"));
	CHECK(memory_grow(&run->host_amplitudes, &run->amplitudes_capacity, rows * stride, sizeof(double),
			  "the pixels"));
	CHECK(memory_grow(&run->host_sums, &run->sums_capacity, 2 * stride, sizeof(double), "the pixels"));
	CHECK(memory_grow(&run->diffuse, &run->diffuse_capacity, stride, sizeof(double), "the pixels"));
	memset(run->host_q, 0, 3 * stride * sizeof(double));
	memset(run->host_amplitudes, 0, rows * stride * sizeof(double));
	memset(run->host_sums, 0, 2 * stride * sizeof(double));
	threads_for(host_threads(run), range->count, PIXELS_OF_THREAD, fill_some, range);
	CHECK(grow(run, &run->q, 3 * stride, "the pixels"));
	CHECK(grow(run, &run->amplitudes, rows * stride, "the pixels"));
	CHECK(device_write(run->device, &run->q, 0, run->host_q, 3 * stride * sizeof(double)));
	return device_write(run->device, &run->amplitudes, 0, run->host_amplitudes, rows * stride * sizeof(double));
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
	return device_launch(run->device, &run->kernel, passage->spread != 0 ? *groups : passage->groups, arguments,
			     11);
}

/* In the order of the segments, as the kernel adds them. */
static sonde_status add_segments(const struct passage *passage)
{
	struct sums_device *run = passage->range->run;
	const size_t numbers = 2 * (size_t)passage->range->stride;

	CHECK(device_read(run->device, &run->sums, 0, run->host_parts, numbers * passage->count * sizeof(double)));
	for (uint32_t s = 0; s < passage->count; ++s)
		for (size_t k = 0; k < numbers; ++k)
			run->host_sums[k] += run->host_parts[s * numbers + k];
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
	    passage->segments > 1 && fit >= 2.0 && passage->groups < GROUPS_OF_WORKER * device_workers(device);
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
	const uint32_t group = run->pixels_of_group;
	struct pixel_range range = {.run = run,
				    .first = first,
				    .count = count,
				    .stride = ((uint32_t)count + group - 1) / group * group,
				    .values = values};

	CHECK(fill(&range));
	CHECK(launch(&range));
	threads_for(host_threads(run), count, PIXELS_OF_THREAD, finish_some, &range);
	return SONDE_OK;
}
