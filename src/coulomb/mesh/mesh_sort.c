/* Sorts charges and points of a mesh sum by cells. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "coulomb/charges.h"
#include "coulomb/mesh/mesh_run.h"
#include "device/device.h"

#define CELLS_OF_CUTOFF 3.0 /* along y and z; more along x, where a row of cells is contiguous in memory */
#define LONGEST_CELL 1.0    /* relative to the cut-off; and the shortest */
#define SHORTEST_CELL 0.125
#define PARALLEL_POINTS 50000 /* fewer are handled by one thread */

/* Edges of cells with `wanted` points each, if a cube of the cut-off has `in_cube`. */
static double cell_edge(const struct mesh_run *run, double wanted, double in_cube, double longest)
{
	double share = cbrt(wanted / fmax(in_cube, 1e-3));

	return run->smooth.cutoff * fmin(longest, fmax(SHORTEST_CELL, share));
}

sonde_status mesh_sort(struct mesh_run *run)
{
	const double *const of_charges[3] = {run->charges->x, run->charges->y, run->charges->z};
	const double *const of_points[3] = {run->targets->points, run->targets->points + 1, run->targets->points + 2};
	double edge = cell_edge(run, 1.0, run->choice.near_charges, LONGEST_CELL);
	double least = run->smooth.cutoff / CELLS_OF_CUTOFF;
	double edges[3] = {fmax(edge, 0.5 * least), fmax(edge, least), fmax(edge, least)};

	CHECK(mesh_cells_make(run->threads, of_charges, 1, run->charges->count, run->box.low, run->box.high, edges,
			      &run->sources));
	double wanted = run->groups ? MESH_TILE_OF_GPU : MESH_TILE_SIZE(run->plan->single);
	edge = cell_edge(run, wanted, run->choice.near_points, LONGEST_CELL);
	for (int k = 0; k < 3; ++k)
		edges[k] = edge;
	/* tiles of a GPU are determined by cells alone */
	if (run->groups)
		edges[0] /= MESH_CELLS_OF_TILE;
	return mesh_cells_make(run->threads, of_points, 3, (uint32_t)run->targets->count, run->box.low, run->box.high,
			       edges, &run->points);
}

/* Numbers to be sorted by cells: part k of item n from from[k][n step] to to[n each + k apart]. */
struct ordering {
	const struct mesh_cells *cells;
	const double **from;
	uint32_t parts;
	size_t step, each, apart;
	double *to;
};

static void order_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct ordering *ordering = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n)
		for (uint32_t k = 0; k < ordering->parts; ++k)
			ordering->to[(size_t)n * ordering->each + k * ordering->apart] =
			    ordering->from[k][ordering->cells->numbers[n] * ordering->step];
}

static sonde_status order_on_host(struct mesh_run *run, struct ordering *ordering, const char *what,
				  struct device_buffer *buffer)
{
	size_t numbers = (size_t)ordering->parts * ordering->cells->count;

	CHECK(memory_allocate(&ordering->to, numbers, sizeof(double), what));
	threads_for(run->threads, ordering->cells->count, PARALLEL_POINTS, order_some, ordering);
	sonde_status status = mesh_upload(run, ordering->to, numbers * sizeof(double), what, buffer);
	free(ordering->to);
	return status;
}

/* The device sorts the contents of `raw`, whose parts are `from_part` numbers apart, into this order. */
static sonde_status order_on_device(struct mesh_run *run, const struct ordering *ordering,
				    const struct device_buffer *raw, const struct device_buffer *numbers,
				    const char *what, struct device_buffer *buffer)
{
	uint32_t count = ordering->cells->count, parts = ordering->parts, from_step = (uint32_t)ordering->step,
		 from_part = from_step > 1 ? 1 : count, to_step = (uint32_t)ordering->each,
		 to_part = (uint32_t)ordering->apart;

	CHECK(device_allocate(run->device, (size_t)parts * count * sizeof(double), what, buffer));
	const struct device_argument arguments[] = {
	    DEVICE_ARGUMENT(numbers->memory), DEVICE_ARGUMENT(count),     DEVICE_ARGUMENT(parts),
	    DEVICE_ARGUMENT(raw->memory),     DEVICE_ARGUMENT(from_step), DEVICE_ARGUMENT(from_part),
	    DEVICE_ARGUMENT(buffer->memory),  DEVICE_ARGUMENT(to_step),   DEVICE_ARGUMENT(to_part)};
	return device_launch(run->device, &run->sort, (count + MESH_ITEMS - 1) / MESH_ITEMS, arguments, 9);
}

static sonde_status copy_charges(struct mesh_run *run)
{
	const struct charges *charges = run->charges;
	const double *from[3 + SETS_AT_ONCE] = {charges->x, charges->y, charges->z};
	uint32_t parts = 3 + charges->sets;
	struct ordering ordering = {&run->sources, from, parts, 1, parts, 1, NULL};
	struct device_buffer raw = {0}, numbers = {0};
	size_t bytes = charges->count * sizeof(double);
	sonde_status status;

	for (uint32_t s = 0; s < charges->sets; ++s)
		from[3 + s] = charges->q + (size_t)s * charges->count;
	if (!run->groups)
		return order_on_host(run, &ordering, "the charges", &run->charge_buffer);
	CHECK_GOTO(status, device_allocate(run->device, parts * bytes, "the charges", &raw), done);
	for (uint32_t k = 0; k < parts; ++k)
		CHECK_GOTO(status, device_write(run->device, &raw, k * bytes, from[k], bytes), done);
	CHECK_GOTO(status,
		   mesh_upload(run, run->sources.numbers, charges->count * sizeof(uint32_t), "the cells", &numbers),
		   done);
	CHECK_GOTO(status, order_on_device(run, &ordering, &raw, &numbers, "the charges", &run->charge_buffer), done);
	status = device_wait(run->device);
done:
	device_release(run->device, &raw);
	device_release(run->device, &numbers);
	return status;
}

static sonde_status copy_points(struct mesh_run *run)
{
	const double *points = run->targets->points, *from[3] = {points, points + 1, points + 2};
	size_t count = run->points.count;
	struct ordering ordering = {&run->points, from, 3, 3, 1, count, NULL};
	struct device_buffer raw = {0};

	if (!run->groups)
		return order_on_host(run, &ordering, "the points", &run->places);
	CHECK(mesh_upload(run, run->points.numbers, count * sizeof(uint32_t), "the points", &run->numbers));
	sonde_status status = mesh_upload(run, points, 3 * count * sizeof(double), "the points", &raw);
	if (status == SONDE_OK)
		status = order_on_device(run, &ordering, &raw, &run->numbers, "the points", &run->places);
	if (status == SONDE_OK)
		status = device_wait(run->device);
	device_release(run->device, &raw);
	return status;
}

sonde_status mesh_copy(struct mesh_run *run)
{
	const struct mesh_cells *cells = &run->sources;
	size_t cell_count = (size_t)cells->size[0] * cells->size[1] * cells->size[2];
	double frame[CELLS_NUMBERS];

	for (int k = 0; k < 3; ++k) {
		frame[CELLS_ORIGIN + k] = cells->origin[k];
		frame[CELLS_INVERSE + k] = 1.0 / cells->edges[k];
		frame[CELLS_EDGE + k] = cells->edges[k];
	}
	CHECK(copy_charges(run));
	CHECK(copy_points(run));
	CHECK(mesh_upload(run, frame, sizeof frame, "the cells", &run->cells));
	return mesh_upload(run, cells->starts, (cell_count + 1) * sizeof(uint32_t), "the cells", &run->starts);
}
