/* The steps of a sum by one mesh; those of its parts are in mesh_sum.c. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "coulomb/charges.h"
#include "coulomb/kernels/kernels.h"
#include "coulomb/mesh/mesh_run.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "device/device.h"
#include "run/context.h"

#define COLORS 4u
#define FRAME_NUMBERS (MESH_WINDOW + (MESH_MOST_DEGREE + 1) * MESH_MOST_WIDTH)
#define PARALLEL_POINTS 50000 /* fewer are handled by one thread */

static sonde_status advance(struct mesh_run *run, double steps)
{
	return run->reports ? stage_advance(&run->stage, steps) : SONDE_OK;
}

/* Frames of the smooth part and of the window. */
static sonde_status upload_frames(struct mesh_run *run, const struct mesh_window *window,
				  const struct mesh_shape *extent)
{
	double near[NEAR_NUMBERS] = {0.0}, frame[FRAME_NUMBERS] = {0.0}, cutoff = run->smooth.cutoff;

	near[NEAR_CUTOFF] = cutoff;
	near[NEAR_SCALE] = 4.0 / (cutoff * cutoff);
	near[NEAR_SOFTENING] = run->plan->softening;
	near[NEAR_KAPPA] = run->plan->kappa;
	near[NEAR_TERMS] = run->smooth.terms;
	memcpy(near + NEAR_EVEN, run->smooth.even, sizeof run->smooth.even);
	for (int k = 0; k < 3; ++k)
		frame[MESH_ORIGIN + k] = run->box.low[k] - 0.5 * run->order->width * run->choice.step;
	frame[MESH_INVERSE] = 1.0 / run->choice.step;
	frame[MESH_WIDTH] = run->order->width;
	frame[MESH_DEGREE] = window->degree;
	memcpy(frame + MESH_WINDOW, window->rows, sizeof window->rows);
	CHECK(mesh_upload(run, near, sizeof near, "the smooth part", &run->near_frame));
	CHECK(mesh_upload(run, frame, sizeof frame, "the window", &run->frame));
	for (int k = 0; k < 3; ++k)
		frame[MESH_ORIGIN + k] += extent->first[k] * run->choice.step;
	return mesh_upload(run, frame, sizeof frame, "the window", &run->back_frame);
}

static sonde_status find_kernels(struct mesh_run *run)
{
	const struct device_program *program = &coulomb_points_program;
	struct device *device = run->device;
	uint32_t window = device_properties(device)->fixed_kernels ? 0 : run->order->width,
		 local = 3 * MESH_BRICK * (MESH_GATHER_ITEMS + 1) * sizeof(double) +
			 2 * MESH_GATHER_ITEMS * sizeof(uint32_t);
	const struct device_define defines[] = {{"WINDOW", window}, {"FIELD", run->plan->field ? 1 : 0}};

	CHECK(mesh_near_kernels(run));
	if (!run->groups) {
		CHECK(device_kernel(device, program, "mesh_spread", 1, 0, NULL, 0, &run->spread));
		return device_kernel(device, program, "mesh_interpolate", 1, 0, NULL, 0, &run->interpolate);
	}
	CHECK(device_kernel(device, program, "mesh_sort", MESH_ITEMS, 0, NULL, 0, &run->sort));
	CHECK(device_kernel(device, program, "mesh_gather", MESH_GATHER_ITEMS, local, defines, 1, &run->spread));
	return device_kernel(device, program, "mesh_read", MESH_ITEMS, 0, defines, 2, &run->interpolate);
}

static sonde_status make_mesh(struct mesh_run *run)
{
	const struct mesh_window *window = mesh_pool_window(run->pool);
	const double cutoff = run->choice.cutoff, outer = run->choice.outer;
	struct mesh_shape extent;
	struct mesh_smooth above;
	struct mesh_tools tools;

	mesh_extent(run->order, run->boxes, run->choice.step, outer, &extent);
	CHECK(find_kernels(run));
	if (mesh_pool_take(run->pool, &extent, cutoff, outer, &tools)) {
		run->smooth = tools.smooth;
		run->transform = tools.transform;
		return upload_frames(run, window, &extent);
	}
	mesh_pool_smooth(run->pool, run->plan, cutoff, &run->smooth);
	if (outer > 0.0)
		mesh_pool_smooth(run->pool, run->plan, outer, &above);
	CHECK(upload_frames(run, window, &extent));
	return mesh_transform_make(run->device, run->threads, run->plan, run->order, &run->smooth,
				   outer > 0.0 ? &above : NULL, &run->near_frame, window, &extent, run->choice.step,
				   &run->transform);
}

static sonde_status prepare(struct mesh_run *run)
{
	size_t bytes = (size_t)run->targets->count * mesh_components(run) * sizeof(double),
	       all = bytes * run->charges->sets;

	mesh_find_boxes(run->threads, run->charges, run->targets, run->boxes);
	run->box = mesh_box_of_both(run->boxes);
	CHECK(make_mesh(run));
	CHECK(device_allocate(run->device, all, "the values", &run->values));
	CHECK(device_allocate(run->device, bytes, "the values", &run->far));
	CHECK(device_allocate(run->device, 2 * sizeof(uint64_t), "a counter", &run->counters));
	if (!run->groups) {
		CHECK(memory_allocate(&run->sums, all, 1, "the values"));
		CHECK(memory_allocate(&run->of_mesh, bytes, 1, "the values"));
	}
	CHECK(mesh_clock(run, MESH_PREPARE));
	CHECK(mesh_sort(run));
	CHECK(mesh_clock(run, MESH_SORT));
	CHECK(mesh_copy(run));
	return mesh_clock(run, MESH_COPY);
}

/* Spreads charges brick by brick, on GPUs. */
static sonde_status spread_bricks(struct mesh_run *run, uint32_t set)
{
	const struct mesh_transform *transform = &run->transform;
	const uint32_t *size = run->sources.size, *nodes = transform->extent.nodes;
	uint32_t sets = run->charges->sets, bricks = transform->row / MESH_BRICK;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->charge_buffer.memory),
						    DEVICE_ARGUMENT(sets),
						    DEVICE_ARGUMENT(set),
						    DEVICE_ARGUMENT(run->starts.memory),
						    DEVICE_ARGUMENT(size[0]),
						    DEVICE_ARGUMENT(size[1]),
						    DEVICE_ARGUMENT(size[2]),
						    DEVICE_ARGUMENT(run->cells.memory),
						    DEVICE_ARGUMENT(run->frame.memory),
						    DEVICE_ARGUMENT(transform->row),
						    DEVICE_ARGUMENT(nodes[1]),
						    DEVICE_ARGUMENT(nodes[2]),
						    DEVICE_ARGUMENT(transform->mesh.memory)};

	for (int k = 1; k < 3; ++k)
		bricks *= (nodes[k] + MESH_BRICK - 1) / MESH_BRICK;
	return device_launch(run->device, &run->spread, bricks, arguments, 13);
}

/* Spreads charges by pencils of cells in four colors: pencils of one color share no mesh points. */
static sonde_status spread_pencils(struct mesh_run *run, uint32_t set)
{
	const uint32_t *size = run->sources.size;
	double reach = (run->order->width + 1.0) * run->choice.step;
	uint32_t across = (uint32_t)fmax(1.0, ceil(reach / fmin(run->sources.edges[1], run->sources.edges[2])));
	uint32_t along_y = (size[1] + across - 1) / across, along_z = (size[2] + across - 1) / across, *list,
		 sets = run->charges->sets;
	sonde_status status = SONDE_OK;

	CHECK(device_clear(run->device, &run->transform.mesh, 0, run->transform.mesh.bytes));
	CHECK(memory_allocate(&list, (size_t)along_y * along_z, sizeof *list, "the pencils"));
	for (uint32_t color = 0; color < COLORS && status == SONDE_OK; ++color) {
		uint32_t count = 0;
		for (uint32_t z = color / 2; z < along_z; z += 2)
			for (uint32_t y = color % 2; y < along_y; y += 2)
				list[count++] = z * along_y + y;
		if (count == 0)
			continue;
		CHECK_GOTO(status, device_wait(run->device), done);
		CHECK_GOTO(status, mesh_upload(run, list, count * sizeof *list, "the pencils", &run->pencils), done);
		const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->charge_buffer.memory),
							    DEVICE_ARGUMENT(sets),
							    DEVICE_ARGUMENT(set),
							    DEVICE_ARGUMENT(run->starts.memory),
							    DEVICE_ARGUMENT(size[0]),
							    DEVICE_ARGUMENT(size[1]),
							    DEVICE_ARGUMENT(size[2]),
							    DEVICE_ARGUMENT(across),
							    DEVICE_ARGUMENT(run->pencils.memory),
							    DEVICE_ARGUMENT(run->frame.memory),
							    DEVICE_ARGUMENT(run->transform.row),
							    DEVICE_ARGUMENT(run->transform.extent.nodes[1]),
							    DEVICE_ARGUMENT(run->transform.mesh.memory)};
		status = device_launch(run->device, &run->spread, count, arguments, 13);
	}
done:
	free(list);
	return status;
}

/* Work on the host, divided among threads. */
struct adding {
	const struct mesh_run *run;
	double *sums;
	struct values *values;
};

static void add_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct adding *adding = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n)
		adding->sums[n] += adding->run->of_mesh[n];
}

/* Interpolates the mesh at the points and adds the values to the sums on the host. */
static sonde_status interpolate(struct mesh_run *run, uint32_t set)
{
	uint32_t count = run->points.count, field = run->plan->field ? 1 : 0;
	size_t numbers = (size_t)count * mesh_components(run);
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->places.memory),
						    DEVICE_ARGUMENT(count),
						    DEVICE_ARGUMENT(run->back_frame.memory),
						    DEVICE_ARGUMENT(run->transform.back_row),
						    DEVICE_ARGUMENT(run->transform.extent.wanted[1]),
						    DEVICE_ARGUMENT(run->transform.mesh.memory),
						    DEVICE_ARGUMENT(field),
						    DEVICE_ARGUMENT(run->far.memory)};
	struct adding adding = {run, run->sums + set * numbers, NULL};

	CHECK(device_launch(run->device, &run->interpolate, (count + INTERPOLATE_POINTS - 1) / INTERPOLATE_POINTS,
			    arguments, 8));
	CHECK(device_read(run->device, &run->far, 0, run->of_mesh, numbers * sizeof(double)));
	threads_for(run->threads, (int64_t)numbers, PARALLEL_POINTS, add_some, &adding);
	return SONDE_OK;
}

/* Reads the sums of a set from a GPU into the result: the GPU adds the parts and orders the points. */
static sonde_status read_set(struct mesh_run *run, uint32_t set, struct values *values)
{
	uint32_t count = run->points.count;
	size_t bytes = count * sizeof(double);
	int64_t to = set * values->stride - values->first;
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->places.memory),
						    DEVICE_ARGUMENT(count),
						    DEVICE_ARGUMENT(run->back_frame.memory),
						    DEVICE_ARGUMENT(run->transform.back_row),
						    DEVICE_ARGUMENT(run->transform.extent.wanted[1]),
						    DEVICE_ARGUMENT(run->transform.mesh.memory),
						    DEVICE_ARGUMENT(run->values.memory),
						    DEVICE_ARGUMENT(set),
						    DEVICE_ARGUMENT(run->numbers.memory),
						    DEVICE_ARGUMENT(values->factor),
						    DEVICE_ARGUMENT(run->far.memory)};

	CHECK(device_launch(run->device, &run->interpolate, (count + MESH_ITEMS - 1) / MESH_ITEMS, arguments, 11));
	CHECK(device_read(run->device, &run->far, 0, values->potential + to, bytes));
	if (values->field == NULL)
		return SONDE_OK;
	return device_read(run->device, &run->far, bytes, values->field + 3 * to, 3 * bytes);
}

/* Adds the mesh part of a set to the near part. */
static sonde_status add_far(struct mesh_run *run, uint32_t set, struct values *values)
{
	CHECK(run->groups ? spread_bricks(run, set) : spread_pencils(run, set));
	CHECK(mesh_clock(run, MESH_SPREAD));
	CHECK(advance(run, MESH_STEPS * set + 2.0));
	CHECK(mesh_transform_run(&run->transform));
	CHECK(mesh_clock(run, MESH_CONVOLVE));
	CHECK(advance(run, MESH_STEPS * set + 3.0));
	CHECK(run->groups ? read_set(run, set, values) : interpolate(run, set));
	CHECK(mesh_clock(run, MESH_READ));
	return advance(run, MESH_STEPS * set + 4.0);
}

static void place_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct adding *adding = state;
	const struct mesh_run *run = adding->run;
	struct values *values = adding->values;
	size_t count = run->points.count, components = mesh_components(run);

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		for (uint32_t s = 0; s < values->sets; ++s) {
			const double *own = run->sums + s * components * count + n;
			int64_t to = s * values->stride + run->points.numbers[n] - values->first;
			values->potential[to] = values->factor * own[0];
			for (size_t k = 0; values->field != NULL && k < 3; ++k)
				values->field[3 * to + (int64_t)k] = values->factor * own[(1 + k) * count];
		}
	}
}

sonde_status mesh_steps_sum(struct mesh_run *run, struct values *values)
{
	struct adding adding = {run, NULL, values};

	CHECK(prepare(run));
	if (run->choice.parts && !run->groups)
		CHECK(mesh_parts_make(run));
	CHECK(mesh_clock(run, MESH_SORT));
	CHECK(mesh_near(run));
	CHECK(mesh_clock(run, MESH_NEAR));
	CHECK(advance(run, 1.0));
	for (uint32_t s = 0; s < values->sets; ++s)
		CHECK(add_far(run, s, values));
	if (!run->groups)
		threads_for(run->threads, run->points.count, PARALLEL_POINTS, place_some, &adding);
	CHECK(mesh_clock(run, MESH_READ));
	CHECK(device_read(run->device, &run->counters, 0, &run->coincident, sizeof run->coincident));
	return SONDE_OK;
}

void mesh_steps_release(struct mesh_run *run)
{
	struct device_buffer *buffers[] = {&run->charge_buffer, &run->starts,     &run->cells,  &run->near_frame,
					   &run->frame,         &run->back_frame, &run->places, &run->numbers,
					   &run->tiles,         &run->pencils,    &run->values, &run->far,
					   &run->counters};
	struct mesh_tools tools = {run->choice.cutoff, run->choice.outer, run->smooth, run->transform};

	mesh_pool_give(run->pool, &tools);
	mesh_cells_free(&run->sources);
	mesh_cells_free(&run->points);
	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(run->device, buffers[k]);
	free(run->sums);
	free(run->of_mesh);
	free(run->elsewhere);
}
