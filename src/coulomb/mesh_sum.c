/* The mesh sum of a list of points, on the CPU. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "coulomb/direct_layout.h"
#include "coulomb/mesh.h"

#define CELLS_OF_CUTOFF 3.0 /* along y and z; a few more along x, where rows of cells are one stretch of charges */
#define LONGEST_CELL 1.0    /* of the cut-off, and shortest */
#define SHORTEST_CELL 0.125
#define LONGEST_TILE 1.5    /* along x, in the cells of the points */
#define TILES_AT_ONCE 8192u /* of a thread: a fraction of a second */
#define COLOURS 4u
#define FRAME_NUMBERS (MESH_WINDOW + (MESH_MOST_DEGREE + 1) * MESH_MOST_WIDTH)

struct mesh_run {
	sonde_context *context;
	struct device *device;
	const struct charges *charges;
	const struct targets *targets;
	const struct coulomb_plan *plan;
	const struct mesh_order *order;
	struct mesh_choice choice;
	struct mesh_smooth smooth;
	struct mesh_box box;
	struct mesh_cells sources, points;
	struct mesh_transform transform;
	struct device_kernel spread, interpolate, near, careful;
	struct device_buffer charge_buffer, starts, cells, near_frame, frame, places, tiles, pencils, values, far,
	    coincident;
	double *sums, *of_mesh; /* of the points as they are sorted */
	struct stage stage;
	double seconds;
};

#define STEPS 3.0 /* of a set of charges: to the mesh, convolution, to the points; and one more for near charges */

static uint32_t components_of(const struct mesh_run *run)
{
	return run->plan->field ? 4 : 1;
}

static sonde_status upload(struct mesh_run *run, const void *from, size_t bytes, const char *what,
			   struct device_buffer *buffer)
{
	device_release(run->device, buffer);
	CHECK(device_allocate(run->device, bytes > 0 ? bytes : 8, what, buffer));
	return bytes > 0 ? device_write(run->device, buffer, 0, from, bytes) : SONDE_OK;
}

static sonde_status find_near(struct mesh_run *run, bool single, struct device_kernel *kernel)
{
	char name[40];

	snprintf(name, sizeof name, "mesh_near_%d%d%u%u", single ? 1 : 0, run->plan->field ? 1 : 0,
		 (uint32_t)run->plan->form, run->charges->sets);
	return device_kernel(run->device, run->charges->sets > 1 ? &coulomb_sets_program : &coulomb_program, name, 1,
			     0, NULL, 0, kernel);
}

/* Edges of cells that hold `wanted` of points of which `in_cube` are in a cube of the cut-off. */
static double cell_edge(const struct mesh_run *run, double wanted, double in_cube, double longest)
{
	double share = cbrt(wanted / fmax(in_cube, 1e-3));

	return run->smooth.cutoff * fmin(longest, fmax(SHORTEST_CELL, share));
}

static sonde_status sort(struct mesh_run *run)
{
	const double *const of_charges[3] = {run->charges->x, run->charges->y, run->charges->z};
	const double *const of_points[3] = {run->targets->points, run->targets->points + 1, run->targets->points + 2};
	double edge = cell_edge(run, 1.0, run->choice.near_charges, LONGEST_CELL);
	double least = run->smooth.cutoff / CELLS_OF_CUTOFF;
	double edges[3] = {fmax(edge, 0.5 * least), fmax(edge, least), fmax(edge, least)};

	CHECK(mesh_cells_make(of_charges, 1, run->charges->count, run->box.low, run->box.high, edges, &run->sources));
	edge = cell_edge(run, MESH_TILE_SIZE(run->plan->single), run->choice.near_points, LONGEST_CELL);
	for (int k = 0; k < 3; ++k)
		edges[k] = edge;
	return mesh_cells_make(of_points, 3, (uint32_t)run->targets->count, run->box.low, run->box.high, edges,
			       &run->points);
}

static sonde_status upload_charges(struct mesh_run *run)
{
	const struct mesh_cells *cells = &run->sources;
	const struct charges *charges = run->charges;
	uint32_t sets = charges->sets, each = 3 + sets;
	size_t numbers = (size_t)each * charges->count,
	       cell_count = (size_t)cells->size[0] * cells->size[1] * cells->size[2];
	double *sorted, frame[CELLS_NUMBERS];

	CHECK(memory_allocate(&sorted, numbers, sizeof *sorted, "the charges"));
#pragma omp parallel for num_threads(context_threads(run->context))
	for (uint32_t n = 0; n < charges->count; ++n) {
		uint32_t j = cells->numbers[n];
		double *to = sorted + (size_t)each * n;
		to[0] = charges->x[j];
		to[1] = charges->y[j];
		to[2] = charges->z[j];
		for (uint32_t s = 0; s < sets; ++s)
			to[3 + s] = charges->q[(size_t)s * charges->count + j];
	}
	sonde_status status = upload(run, sorted, numbers * sizeof *sorted, "the charges", &run->charge_buffer);
	free(sorted);
	CHECK(status);
	for (int k = 0; k < 3; ++k) {
		frame[CELLS_ORIGIN + k] = cells->origin[k];
		frame[CELLS_INVERSE + k] = 1.0 / cells->edges[k];
		frame[CELLS_EDGE + k] = cells->edges[k];
	}
	CHECK(upload(run, frame, sizeof frame, "the cells", &run->cells));
	return upload(run, cells->starts, (cell_count + 1) * sizeof(uint32_t), "the cells", &run->starts);
}

static sonde_status upload_points(struct mesh_run *run)
{
	size_t count = run->points.count;
	double *sorted;

	CHECK(memory_allocate(&sorted, 3 * count, sizeof *sorted, "the points"));
#pragma omp parallel for num_threads(context_threads(run->context))
	for (size_t n = 0; n < count; ++n)
		for (size_t k = 0; k < 3; ++k)
			sorted[k * count + n] = run->targets->points[3 * (size_t)run->points.numbers[n] + k];
	sonde_status status = upload(run, sorted, 3 * count * sizeof *sorted, "the points", &run->places);
	free(sorted);
	return status;
}

static sonde_status upload_frames(struct mesh_run *run, const struct mesh_window *window)
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
	CHECK(upload(run, near, sizeof near, "the smooth part", &run->near_frame));
	return upload(run, frame, sizeof frame, "the window", &run->frame);
}

static sonde_status prepare(struct mesh_run *run)
{
	struct mesh_window window;
	uint32_t nodes[3];

	CHECK(device_kernel(run->device, &coulomb_program, "mesh_spread", 1, 0, NULL, 0, &run->spread));
	CHECK(device_kernel(run->device, &coulomb_program, "mesh_interpolate", 1, 0, NULL, 0, &run->interpolate));
	CHECK(find_near(run, false, &run->careful));
	CHECK(find_near(run, run->plan->single, &run->near));
	mesh_find_box(run->charges, run->targets, &run->box);
	mesh_window_make(run->order, &window);
	mesh_smooth_make(run->plan, run->order, run->choice.cutoff, &run->smooth);
	for (int k = 0; k < 3; ++k)
		nodes[k] =
		    (uint32_t)((run->box.high[k] - run->box.low[k]) / run->choice.step) + run->order->width + 2;
	CHECK(mesh_transform_make(run->device, run->plan, run->order, &run->smooth, &window, nodes, run->choice.step,
				  &run->transform));
	CHECK(upload_frames(run, &window));
	CHECK(sort(run));
	CHECK(upload_charges(run));
	CHECK(upload_points(run));
	size_t numbers = (size_t)run->points.count * components_of(run);
	CHECK(
	    device_allocate(run->device, numbers * run->charges->sets * sizeof(double), "the values", &run->values));
	CHECK(device_allocate(run->device, numbers * sizeof(double), "the values", &run->far));
	CHECK(memory_allocate(&run->sums, numbers * run->charges->sets, sizeof(double), "the values"));
	CHECK(memory_allocate(&run->of_mesh, numbers, sizeof(double), "the values"));
	return device_allocate(run->device, sizeof(uint64_t), "a counter", &run->coincident);
}

/* Pencils of cells in four colours: those of one colour share no mesh points. */
static sonde_status spread(struct mesh_run *run, uint32_t set)
{
	const uint32_t *size = run->sources.size;
	double reach = (run->order->width + 1.0) * run->choice.step;
	uint32_t across = (uint32_t)fmax(1.0, ceil(reach / fmin(run->sources.edges[1], run->sources.edges[2])));
	uint32_t along_y = (size[1] + across - 1) / across, along_z = (size[2] + across - 1) / across, *list,
		 sets = run->charges->sets;
	sonde_status status = SONDE_OK;

	CHECK(device_clear(run->device, &run->transform.mesh, 0, run->transform.mesh.bytes));
	CHECK(memory_allocate(&list, (size_t)along_y * along_z, sizeof *list, "the pencils"));
	for (uint32_t colour = 0; colour < COLOURS && status == SONDE_OK; ++colour) {
		uint32_t count = 0;
		for (uint32_t z = colour / 2; z < along_z; z += 2)
			for (uint32_t y = colour % 2; y < along_y; y += 2)
				list[count++] = z * along_y + y;
		if (count == 0)
			continue;
		CHECK_GOTO(status, device_wait(run->device), done);
		CHECK_GOTO(status, upload(run, list, count * sizeof *list, "the pencils", &run->pencils), done);
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
							    DEVICE_ARGUMENT(run->transform.nodes[1]),
							    DEVICE_ARGUMENT(run->transform.mesh.memory)};
		status = device_launch(run->device, &run->spread, count, arguments, 13);
	}
done:
	free(list);
	return status;
}

/* What the mesh has of a set, added to the sums. */
static sonde_status add_far(struct mesh_run *run, uint32_t set)
{
	uint32_t count = run->points.count, components = components_of(run), field = run->plan->field ? 1 : 0;
	size_t numbers = (size_t)count * components;
	double *sums = run->sums + set * numbers;

	CHECK(spread(run, set));
	CHECK(stage_advance(&run->stage, STEPS * set + 2.0));
	CHECK(mesh_transform_run(&run->transform));
	CHECK(stage_advance(&run->stage, STEPS * set + 3.0));
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->places.memory),
						    DEVICE_ARGUMENT(count),
						    DEVICE_ARGUMENT(run->frame.memory),
						    DEVICE_ARGUMENT(run->transform.row),
						    DEVICE_ARGUMENT(run->transform.nodes[1]),
						    DEVICE_ARGUMENT(run->transform.mesh.memory),
						    DEVICE_ARGUMENT(field),
						    DEVICE_ARGUMENT(run->far.memory)};
	CHECK(device_launch(run->device, &run->interpolate, (count + INTERPOLATE_POINTS - 1) / INTERPOLATE_POINTS,
			    arguments, 8));
	CHECK(device_read(run->device, &run->far, 0, run->of_mesh, numbers * sizeof(double)));
#pragma omp parallel for num_threads(context_threads(run->context))
	for (size_t n = 0; n < numbers; ++n)
		sums[n] += run->of_mesh[n];
	return stage_advance(&run->stage, STEPS * set + 4.0);
}

/* Tiles: first point and number of points, within a row of cells and not too long. With `doubtful` only of points whose
 * sums are none. Returns how many; writes them where `tiles` is not null. */
static uint32_t list_tiles(const struct mesh_run *run, uint32_t most, bool doubtful, uint32_t *tiles)
{
	const struct mesh_cells *cells = &run->points;
	uint32_t count = 0, rows = cells->size[1] * cells->size[2];

	for (uint32_t row = 0; row < rows; ++row) {
		const uint32_t *starts = cells->starts + (size_t)row * cells->size[0];
		uint32_t end = starts[cells->size[0]];
		for (uint32_t n = starts[0], next; n < end; n = next) {
			double x = run->targets->points[3 * (size_t)cells->numbers[n]], low = x, high = x;
			next = n + 1;
			if (doubtful && isfinite(run->sums[n]))
				continue;
			while (next < end && next - n < most && !(doubtful && isfinite(run->sums[next]))) {
				x = run->targets->points[3 * (size_t)cells->numbers[next]];
				low = fmin(low, x);
				high = fmax(high, x);
				if (high - low > LONGEST_TILE * cells->edges[0])
					break;
				++next;
			}
			if (tiles != NULL) {
				tiles[2 * (size_t)count] = n;
				tiles[2 * (size_t)count + 1] = next - n;
			}
			++count;
		}
	}
	return count;
}

static sonde_status launch_near(struct mesh_run *run, const struct device_kernel *kernel, uint32_t count)
{
	const uint32_t *size = run->sources.size;
	uint32_t first = 0, points = run->points.count, most = TILES_AT_ONCE * device_workers(run->device);
	const struct device_argument arguments[] = {DEVICE_ARGUMENT(run->charge_buffer.memory),
						    DEVICE_ARGUMENT(run->starts.memory),
						    DEVICE_ARGUMENT(size[0]),
						    DEVICE_ARGUMENT(size[1]),
						    DEVICE_ARGUMENT(size[2]),
						    DEVICE_ARGUMENT(run->cells.memory),
						    DEVICE_ARGUMENT(run->near_frame.memory),
						    DEVICE_ARGUMENT(run->places.memory),
						    DEVICE_ARGUMENT(points),
						    DEVICE_ARGUMENT(run->tiles.memory),
						    DEVICE_ARGUMENT(first),
						    DEVICE_ARGUMENT(run->values.memory),
						    DEVICE_ARGUMENT(run->coincident.memory)};

	for (uint32_t now; first < count; first += now) {
		now = count - first < most ? count - first : most;
		if (context_cancelled(run->context))
			return status_fail(SONDE_CANCELLED, "stopped on request at the fast sum");
		CHECK(device_launch(run->device, kernel, now, arguments, 13));
		CHECK(device_wait(run->device));
	}
	return SONDE_OK;
}

/* What near charges are, to the sums. */
static sonde_status sum_near(struct mesh_run *run, bool doubtful)
{
	bool single = run->plan->single && !doubtful;
	uint32_t most = MESH_TILE_SIZE(single), count = list_tiles(run, most, doubtful, NULL), *tiles;

	if (count == 0)
		return SONDE_OK;
	CHECK(memory_allocate(&tiles, 2 * (size_t)count, sizeof *tiles, "the points"));
	(void)list_tiles(run, most, doubtful, tiles);
	sonde_status status = upload(run, tiles, 2 * (size_t)count * sizeof *tiles, "the points", &run->tiles);
	free(tiles);
	if (status == SONDE_OK)
		status = launch_near(run, single ? &run->near : &run->careful, count);
	if (status == SONDE_OK)
		status = device_read(run->device, &run->values, 0, run->sums, run->values.bytes);
	return status;
}

static void place(const struct mesh_run *run, struct values *values)
{
	size_t count = run->points.count, components = components_of(run);

#pragma omp parallel for num_threads(context_threads(run->context))
	for (size_t n = 0; n < count; ++n) {
		for (uint32_t s = 0; s < values->sets; ++s) {
			const double *own = run->sums + s * components * count + n;
			int64_t to = s * values->stride + run->points.numbers[n] - values->first;
			values->potential[to] = values->factor * own[0];
			for (size_t k = 0; values->field != NULL && k < 3; ++k)
				values->field[3 * to + (int64_t)k] = values->factor * own[(1 + k) * count];
		}
	}
}

static sonde_status sum(struct mesh_run *run, struct values *values, uint64_t *coincident)
{
	uint64_t found = 0;

	CHECK(prepare(run));
	CHECK(sum_near(run, false));
	if (run->plan->single)
		CHECK(sum_near(run, true));
	CHECK(stage_advance(&run->stage, 1.0));
	for (uint32_t s = 0; s < values->sets; ++s)
		CHECK(add_far(run, s));
	place(run, values);
	CHECK(device_read(run->device, &run->coincident, 0, &found, sizeof found));
	*coincident += found;
	return SONDE_OK;
}

static void release(struct mesh_run *run)
{
	struct device_buffer *buffers[] = {&run->charge_buffer, &run->starts, &run->cells,     &run->near_frame,
					   &run->frame,         &run->places, &run->tiles,     &run->pencils,
					   &run->values,        &run->far,    &run->coincident};

	mesh_transform_free(&run->transform);
	mesh_cells_free(&run->sources);
	mesh_cells_free(&run->points);
	for (size_t k = 0; k < sizeof buffers / sizeof *buffers; ++k)
		device_release(run->device, buffers[k]);
	free(run->sums);
	free(run->of_mesh);
}

sonde_status mesh_sum(sonde_context *context, const struct charges *charges, const struct targets *targets,
		      const struct coulomb_plan *plan, struct values *values, uint64_t *coincident, double *seconds)
{
	struct device_event began = {0}, ended = {0};
	struct mesh_run *run;
	struct device *device;

	CHECK(context_device(context, &device));
	CHECK(memory_allocate(&run, 1, sizeof *run, "the fast sum"));
	*run = (struct mesh_run){.context = context,
				 .device = device,
				 .charges = charges,
				 .targets = targets,
				 .plan = plan,
				 .order = &mesh_orders[plan->order],
				 .choice = *plan->mesh};
	stage_begin(&run->stage, context, "points (fast)", "steps", STEPS * values->sets + 1.0);
	sonde_status status = device_event_record(device, &began);
	if (status == SONDE_OK)
		status = sum(run, values, coincident);
	if (status == SONDE_OK)
		status = device_event_record(device, &ended);
	if (status == SONDE_OK)
		status = device_event_elapsed(device, &began, &ended, seconds);
	device_event_release(device, &began);
	device_event_release(device, &ended);
	release(run);
	free(run);
	return status;
}
