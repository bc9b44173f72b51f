#include "coulomb/direct/direct_device.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "coulomb/charges.h"
#include "coulomb/kernels/direct_layout.h"
#include "coulomb/kernels/kernels.h"
#include "coulomb/periodic/ewald.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "device/device.h"
#include "run/context.h"
#include "run/launches.h"

#define POINT_ITEMS 128u /* work-items of direct_points */
#define GRID_ITEMS 128u  /* and of direct_grid */
#define SUM_ITEMS 256u
#define FORM_OF_EWALD 3u       /* the kernels' SCREENED for the near part of Ewald's sum */
#define MOST_LANES 8           /* arrays of points are padded by this many zeros */
#define GROUPS_PER_WORKER 32.0 /* a multiprocessor runs three at a time: few are idle at the end */
#define MOST_SEGMENTS 1024
#define PARALLEL_POINTS 50000 /* fewer are handled by one thread of the host */

static bool has_groups(const struct direct_device *run)
{
	const struct device_properties *has = device_properties(run->device);

	return has->gpu_kernels && has->most_work_items >= GRID_ITEMS;
}

static const struct device_program *program_of(const struct direct_device *run)
{
	return run->sets > 1 ? &coulomb_sets_program : &coulomb_program;
}

static sonde_status find_points_kernel(struct direct_device *run, bool single, struct device_kernel *kernel)
{
	uint32_t screened = run->ewald == NULL ? run->form : FORM_OF_EWALD;
	const struct device_define defines[] = {
	    {"SINGLE", single ? 1 : 0}, {"FIELD", run->field ? 1 : 0}, {"SCREENED", screened}, {"SETS", run->sets}};
	uint32_t local = NUMBERS_OF_ATOM(run->sets) * CHUNK * (single ? sizeof(float) : sizeof(double));
	char name[40];

	if (has_groups(run))
		return device_kernel(run->device, program_of(run), "direct_points", POINT_ITEMS, local, defines, 4,
				     kernel);
	snprintf(name, sizeof name, "direct_points_%d%d%u%u", single ? 1 : 0, run->field ? 1 : 0, screened,
		 run->sets);
	return device_kernel(run->device, program_of(run), name, 1, 0, NULL, 0, kernel);
}

static sonde_status upload(struct direct_device *run, const double *numbers, uint32_t each,
			   struct device_buffer *buffer)
{
	size_t bytes = (size_t)each * run->charges->count * sizeof *numbers;

	return device_upload(run->device, numbers, bytes, "the charges", buffer);
}

static sonde_status prepare_waves(struct direct_device *run)
{
	const struct device_define defines[] = {{"FIELD", run->field ? 1 : 0}};
	size_t bytes = 5 * (size_t)run->ewald->wave_count * sizeof(double);

	if (has_groups(run))
		CHECK(device_kernel(run->device, program_of(run), "ewald_waves", POINT_ITEMS, 0, defines, 1,
				    &run->waves_kernel));
	else
		CHECK(device_kernel(run->device, program_of(run), run->field ? "ewald_waves_1" : "ewald_waves_0", 1,
				    0, NULL, 0, &run->waves_kernel));
	return device_upload(run->device, run->ewald->waves, bytes, "the waves", &run->waves);
}

static sonde_status prepare(struct direct_device *run)
{
	const struct device_define defines[] = {{"FIELD", run->field ? 1 : 0}, {"SETS", run->sets}};
	/* charges, twice as many if their sets are separate, and a flag */
	uint32_t local = (run->sets > 1 ? 2 : 1) * 4 * CHUNK * sizeof(float) + 16;

	CHECK(find_points_kernel(run, false, &run->careful));
	if (run->single)
		CHECK(find_points_kernel(run, true, &run->points));
	else
		run->points = run->careful;
	if (has_groups(run)) {
		if (run->single)
			CHECK(device_kernel(run->device, program_of(run), "direct_grid", GRID_ITEMS, local, defines,
					    2, &run->grid));
		CHECK(device_kernel(run->device, program_of(run), "sum_segments", SUM_ITEMS, 0, NULL, 0,
				    &run->segments));
	}
	if (run->ewald != NULL)
		CHECK(prepare_waves(run));
	CHECK(upload(run, run->charges->x, 1, &run->x));
	CHECK(upload(run, run->charges->y, 1, &run->y));
	CHECK(upload(run, run->charges->z, 1, &run->z));
	CHECK(upload(run, run->charges->q, run->sets, &run->q));
	CHECK(device_allocate(run->device, 8 * sizeof(double), "the grid", &run->frame));
	return device_allocate(run->device, sizeof(uint64_t), "a counter", &run->coincident);
}

sonde_status direct_device_prepare(const sonde_context *context, struct device *device, const struct charges *charges,
				   const struct coulomb_plan *plan, struct direct_device *run)
{
	*run = (struct direct_device){.device = device,
				      .threads = context_threads(context),
				      .charges = charges,
				      .single = plan->single,
				      .field = plan->field,
				      .softening = plan->softening,
				      .form = plan->form,
				      .kappa = plan->ewald != NULL ? plan->ewald->alpha : plan->kappa,
				      .ewald = plan->ewald,
				      .lanes = device_properties(device)->lanes};
	if (plan->ewald != NULL)
		run->charges = &plan->ewald->images;
	run->sets = run->charges->sets;
	run->components = run->sets * (run->field ? 4 : 1);
	sonde_status status = prepare(run);
	if (status != SONDE_OK)
		direct_device_release(run);
	return status;
}

void direct_device_release(struct direct_device *run)
{
	struct device_buffer *buffers[] = {&run->x,      &run->y,          &run->z,    &run->q,
					   &run->px,     &run->py,         &run->pz,   &run->frame,
					   &run->values, &run->coincident, &run->waves};

	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(run->device, buffers[k]);
	free(run->on_host);
	*run = (struct direct_device){0};
}

static sonde_status grow(struct direct_device *run, struct device_buffer *buffer, size_t bytes, const char *what)
{
	if (buffer->bytes >= bytes)
		return SONDE_OK;
	device_release(run->device, buffer);
	return device_allocate(run->device, bytes, what, buffer);
}

/* Launches a kernel, waits for it, and adds its time. */
static sonde_status launch(struct direct_device *run, const struct device_kernel *kernel, uint32_t groups,
			   const struct device_argument *arguments, size_t count)
{
	struct device_timer timer;
	double seconds = 0.0;
	sonde_status status = device_timer_begin(run->device, &timer);

	if (status == SONDE_OK)
		status = device_launch(run->device, kernel, groups, arguments, count);
	status = device_timer_end(run->device, &timer, status, &seconds);
	run->seconds += seconds;
	return status;
}

/* Points in the layout of the kernel: three arrays in one allocation. */
struct point_arrays {
	double *x, *y, *z;
};

static sonde_status write_points(struct direct_device *run, const struct point_arrays *points, size_t count)
{
	size_t bytes = count * sizeof(double);

	CHECK(grow(run, &run->px, bytes, "the points"));
	CHECK(grow(run, &run->py, bytes, "the points"));
	CHECK(grow(run, &run->pz, bytes, "the points"));
	CHECK(device_write(run->device, &run->px, 0, points->x, bytes));
	CHECK(device_write(run->device, &run->py, 0, points->y, bytes));
	return device_write(run->device, &run->pz, 0, points->z, bytes);
}

/* Points per work-group. */
static uint32_t points_of_group(const struct direct_device *run, bool single)
{
	uint32_t vectors = POINT_VECTORS(run->sets, run->field);

	if (has_groups(run))
		return POINT_ITEMS * vectors;
	uint32_t lanes = device_properties(run->device)->lanes;
	return vectors * (single && lanes > 1 ? 2 * lanes : lanes);
}

/* Number of segments of the charges: enough for all multiprocessors, with values, `bytes` for each segment, that
 * fit into a quarter of the memory. */
static uint32_t charges_of_segment(const struct direct_device *run, double tiles, double bytes)
{
	uint32_t count = run->charges->count, chunks = (count + CHUNK - 1) / CHUNK;
	if (!has_groups(run))
		return chunks * CHUNK;
	double wanted = ceil(GROUPS_PER_WORKER * device_workers(run->device) / tiles);

	wanted = fmin(wanted, (double)device_properties(run->device)->memory / 4.0 / bytes);
	wanted = fmin(fmin(wanted, MOST_SEGMENTS), chunks);
	return wanted > 1.0 ? (chunks + (uint32_t)wanted - 1) / (uint32_t)wanted * CHUNK : chunks * CHUNK;
}

/* Adds up the sums of the segments. */
static sonde_status add_segments(struct direct_device *run, uint32_t segments, uint32_t numbers)
{
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(segments), DEVICE_ARGUMENT(numbers),
						    DEVICE_ARGUMENT(run->values.memory)};

	return launch(run, &run->segments, (numbers + SUM_ITEMS - 1) / SUM_ITEMS, arguments, 3);
}

/* Writes the sums at `count` points to `sums`, component by component. */
static sonde_status sum_points(struct direct_device *run, bool single, const struct point_arrays *points,
			       uint32_t count, double *sums)
{
	uint32_t group = points_of_group(run, single), groups = (count + group - 1) / group;
	uint32_t each = charges_of_segment(run, groups, 8.0 * (double)count * run->components),
		 segments = (run->charges->count + each - 1) / each, numbers = count * run->components;
	const struct device_kernel *kernel = single ? &run->points : &run->careful;
	uint32_t wave_count = run->ewald != NULL ? run->ewald->wave_count : 0;
	uint32_t padded = (count + run->lanes - 1) / run->lanes * run->lanes;

	CHECK(write_points(run, points, padded));
	CHECK(grow(run, &run->values, (size_t)numbers * segments * sizeof(double), "the values"));
	const struct device_argument arguments[] = {
	    DEVICE_ARGUMENT(run->x.memory),       DEVICE_ARGUMENT(run->y.memory),
	    DEVICE_ARGUMENT(run->z.memory),       DEVICE_ARGUMENT(run->q.memory),
	    DEVICE_ARGUMENT(run->charges->count), DEVICE_ARGUMENT(each),
	    DEVICE_ARGUMENT(run->px.memory),      DEVICE_ARGUMENT(run->py.memory),
	    DEVICE_ARGUMENT(run->pz.memory),      DEVICE_ARGUMENT(count),
	    DEVICE_ARGUMENT(run->softening),      DEVICE_ARGUMENT(run->kappa),
	    DEVICE_ARGUMENT(run->values.memory),  DEVICE_ARGUMENT(run->coincident.memory)};
	CHECK(launch(run, kernel, groups * segments, arguments, 14));
	if (segments > 1)
		CHECK(add_segments(run, segments, numbers));
	const struct device_argument waves[] = {DEVICE_ARGUMENT(run->px.memory),     DEVICE_ARGUMENT(run->py.memory),
						DEVICE_ARGUMENT(run->pz.memory),     DEVICE_ARGUMENT(count),
						DEVICE_ARGUMENT(run->waves.memory),  DEVICE_ARGUMENT(wave_count),
						DEVICE_ARGUMENT(run->values.memory), DEVICE_ARGUMENT(padded)};
	uint32_t together = has_groups(run) ? POINT_ITEMS : run->lanes;
	if (wave_count > 0)
		CHECK(launch(run, &run->waves_kernel, (count + together - 1) / together, waves, 8));
	return device_read(run->device, &run->values, 0, sums, (size_t)numbers * sizeof *sums);
}

/* The same for a range of an orthogonal grid, whole planes or rows of one. */
static sonde_status sum_grid(struct direct_device *run, const struct targets *targets,
			     const struct target_range *range, double *sums)
{
	int64_t row = targets->size[0], plane = row * targets->size[1], first_row = range->first % plane / row;
	bool planes = range->count >= plane;
	uint32_t size_x = (uint32_t)row, size_y = (uint32_t)(planes ? targets->size[1] : range->count / row);
	uint32_t plane_first = (uint32_t)(range->first / plane),
		 plane_count = planes ? (uint32_t)(range->count / plane) : 1;
	double frame[8] = {targets->origin[0],   targets->origin[1] + (double)first_row * targets->steps[1][1],
			   targets->origin[2],   targets->steps[0][0],
			   targets->steps[1][1], targets->steps[2][2],
			   run->softening,       0.0};
	uint32_t tile_x = ITEMS_X * GRID_X(run->sets, run->field),
		 tile_y = GRID_ITEMS / ITEMS_X * GRID_Y(run->sets, run->field), components = run->components;
	uint32_t tiles = (size_x + tile_x - 1) / tile_x * ((size_y + tile_y - 1) / tile_y) * plane_count;
	uint32_t each = charges_of_segment(run, tiles, 8.0 * (double)range->count * components),
		 segments = (run->charges->count + each - 1) / each;
	uint32_t numbers = (uint32_t)range->count * components;

	CHECK(grow(run, &run->values, (size_t)numbers * segments * sizeof(double), "the values"));
	CHECK(device_write(run->device, &run->frame, 0, frame, sizeof frame));
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->x.memory),
						    DEVICE_ARGUMENT(run->y.memory),
						    DEVICE_ARGUMENT(run->z.memory),
						    DEVICE_ARGUMENT(run->q.memory),
						    DEVICE_ARGUMENT(run->charges->count),
						    DEVICE_ARGUMENT(each),
						    DEVICE_ARGUMENT(run->frame.memory),
						    DEVICE_ARGUMENT(size_x),
						    DEVICE_ARGUMENT(size_y),
						    DEVICE_ARGUMENT(plane_first),
						    DEVICE_ARGUMENT(plane_count),
						    DEVICE_ARGUMENT(run->values.memory)};
	CHECK(launch(run, &run->grid, tiles * segments, arguments, 12));
	if (segments > 1)
		CHECK(add_segments(run, segments, numbers));
	return device_read(run->device, &run->values, 0, sums, (size_t)numbers * sizeof *sums);
}

static sonde_status allocate_points(size_t count, struct point_arrays *points)
{
	CHECK(memory_allocate(&points->x, 3 * (count + MOST_LANES), sizeof(double), "the points"));
	points->y = points->x + count + MOST_LANES;
	points->z = points->y + count + MOST_LANES;
	return SONDE_OK;
}

/* Points of a list (null: those from `first` on), and their sums. */
struct point_range {
	const struct direct_device *run;
	const struct targets *targets;
	const int64_t *numbers;
	int64_t first, count;
	struct point_arrays *points;
	const double *sums;
	struct values *values;
};

static int64_t number_of(const struct point_range *range, int64_t n)
{
	return range->numbers != NULL ? range->numbers[n] : range->first + n;
}

static void find_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct point_range *range = state;
	const struct direct_device *run = range->run;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		double point[3];
		targets_point(range->targets, number_of(range, n), point);
		if (run->ewald != NULL)
			cell_wrap(&run->ewald->cell, point);
		range->points->x[n] = point[0];
		range->points->y[n] = point[1];
		range->points->z[n] = point[2];
	}
}

static void find_points(const struct direct_device *run, const struct targets *targets, const int64_t *numbers,
			int64_t first, int64_t count, struct point_arrays *points)
{
	struct point_range range = {run, targets, numbers, first, count, points, NULL, NULL};

	threads_for(run->threads, count, PARALLEL_POINTS, find_some, &range);
}

static sonde_status sum_list(struct direct_device *run, bool single, const struct targets *targets,
			     const int64_t *numbers, int64_t first, int64_t count, double *sums)
{
	struct point_arrays points;

	CHECK(allocate_points((size_t)count, &points));
	find_points(run, targets, numbers, first, count, &points);
	sonde_status status = sum_points(run, single, &points, (uint32_t)count, sums);
	free(points.x);
	return status;
}

static void place_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct point_range *range = state;
	const struct direct_device *run = range->run;
	struct values *values = range->values;
	const int64_t count = range->count;
	bool slab = run->ewald != NULL && run->ewald->cell.slab;
	double background = run->ewald != NULL ? run->ewald->background : 0.0;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		int64_t index = number_of(range, n);
		double more[4] = {0.0, 0.0, 0.0, 0.0}, point[3];
		if (slab) {
			targets_point(range->targets, index, point);
			cell_slab_term(&run->ewald->cell, point, more);
		}
		for (uint32_t s = 0; s < values->sets; ++s) {
			const double *own =
			    range->sums + (size_t)s * (run->components / run->sets) * (size_t)count + n;
			int64_t to = s * values->stride + index - values->first;
			values->potential[to] = values->factor * (own[0] + (background + more[0]));
			for (int k = 0; values->field != NULL && k < 3; ++k)
				values->field[3 * to + k] = values->factor * (own[(1 + k) * count] + more[1 + k]);
		}
	}
}

static void place(const struct direct_device *run, const double *sums, const struct targets *targets, int64_t count,
		  const int64_t *numbers, int64_t first, struct values *values)
{
	struct point_range range = {run, targets, numbers, first, count, NULL, sums, values};

	threads_for(run->threads, count, PARALLEL_POINTS, place_some, &range);
}

/* Recomputes points that float32 left as NaN in float64. */
static sonde_status repeat_carefully(struct direct_device *run, const struct targets *targets,
				     const struct target_range *range, double *sums, struct values *values)
{
	int64_t *numbers, count = 0;

	for (int64_t n = range->first; n < range->first + range->count; ++n)
		count += !isfinite(values->potential[n - values->first]);
	if (count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&numbers, (size_t)count, sizeof *numbers, "the points"));
	count = 0;
	for (int64_t n = range->first; n < range->first + range->count; ++n)
		if (!isfinite(values->potential[n - values->first]))
			numbers[count++] = n;
	sonde_status status = sum_list(run, false, targets, numbers, 0, count, sums);
	if (status == SONDE_OK)
		place(run, sums, targets, count, numbers, 0, values);
	free(numbers);
	return status;
}

static sonde_status sum_range(struct direct_device *run, const struct targets *targets,
			      const struct target_range *range, double *sums, struct values *values)
{
	if (has_groups(run) && run->single && targets->is_orthogonal)
		CHECK(sum_grid(run, targets, range, sums));
	else
		CHECK(sum_list(run, run->single, targets, NULL, range->first, range->count, sums));
	place(run, sums, targets, range->count, NULL, range->first, values);
	return run->single ? repeat_carefully(run, targets, range, sums, values) : SONDE_OK;
}

sonde_status direct_device_sum(struct direct_device *run, const struct targets *targets,
			       const struct target_range *range, struct values *values, uint64_t *coincident)
{
	uint64_t found = 0;
	size_t numbers = (size_t)range->count * run->components;

	CHECK(memory_grow(&run->on_host, &run->on_host_capacity, numbers, sizeof *run->on_host, "the values"));
	sonde_status status = device_clear(run->device, &run->coincident, 0, sizeof found);
	if (status == SONDE_OK)
		status = sum_range(run, targets, range, run->on_host, values);
	if (status == SONDE_OK)
		status = device_read(run->device, &run->coincident, 0, &found, sizeof found);
	*coincident += found;
	return status;
}
