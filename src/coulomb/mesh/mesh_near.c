/* The near part of a mesh sum: tiles of points close together, with the charges within the cut-off of each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "coulomb/kernels/kernels.h"
#include "coulomb/mesh/mesh_run.h"
#include "device/device.h"
#include "run/context.h"

#define LONGEST_TILE 1.5      /* along x, in the cells of the points */
#define TILES_OF_THREAD 8192u /* per launch: a fraction of a second */
#define TILES_OF_GPU 16384u
#define TERMS_TOGETHER 4 /* kernels are made for multiples of this many terms of the smooth part */
#define PARALLEL_ROWS 64

static sonde_status find_kernel(struct mesh_run *run, bool single, struct device_kernel *kernel)
{
	const struct device_program *program = &coulomb_points_program;
	uint32_t sets = run->charges->sets, form = run->plan->form, field = run->plan->field ? 1 : 0,
		 terms = (uint32_t)(run->smooth.terms + TERMS_TOGETHER - 1) / TERMS_TOGETHER * TERMS_TOGETHER;
	const struct device_define defines[] = {{"SINGLE", single ? 1 : 0},
						{"FIELD", field},
						{"SCREENED", form},
						{"SETS", sets},
						{"TERMS", device_properties(run->device)->fixed_kernels ? 0 : terms}};
	uint32_t numbers = MESH_TILE_NUMBERS(single, sets, sets * (field ? 4 : 1)) + MESH_MOST_EVEN;
	uint32_t local = numbers * sizeof(double) + 2 * MESH_TILE_ITEMS * sizeof(uint32_t);
	char name[40];

	if (run->groups)
		return device_kernel(run->device, program, "mesh_tiles", MESH_TILE_ITEMS, local, defines, 5, kernel);
	snprintf(name, sizeof name, "mesh_near_%d%u%u%u", single ? 1 : 0, field, form, sets);
	return device_kernel(run->device, program, name, 1, 0, NULL, 0, kernel);
}

sonde_status mesh_near_kernels(struct mesh_run *run)
{
	CHECK(find_kernel(run, false, &run->careful));
	return find_kernel(run, run->plan->single, &run->near);
}

/* Tiles: first point and number of points, within a row of cells and not too long. With `doubtful` only of points
 * whose sums are NaN; without those whose near charges are summed by a part. */
struct tiling {
	const struct mesh_run *run;
	uint32_t most;
	bool doubtful;
	uint32_t *rows; /* tiles of each row of cells, then their starts */
	uint32_t *tiles;
};

static bool is_left_out(const struct tiling *tiling, uint32_t n)
{
	const struct mesh_run *run = tiling->run;

	return (tiling->doubtful && isfinite(run->sums[n])) || (run->elsewhere != NULL && run->elsewhere[n]);
}

/* The end of a tile that begins with point n, in cell *cell of a row that ends at `end`: by the positions of the
 * points, or by their cells. */
static uint32_t end_of_tile(const struct tiling *tiling, uint32_t n, uint32_t end)
{
	const struct mesh_cells *cells = &tiling->run->points;
	const double *points = tiling->run->targets->points;
	double low = points[3 * (size_t)cells->numbers[n]], high = low;
	uint32_t next = n + 1;

	for (; next < end && next - n < tiling->most && !is_left_out(tiling, next); ++next) {
		double x = points[3 * (size_t)cells->numbers[next]];
		low = fmin(low, x);
		high = fmax(high, x);
		if (high - low > LONGEST_TILE * cells->edges[0])
			break;
	}
	return next;
}

static uint32_t end_by_cells(const struct tiling *tiling, uint32_t n, const uint32_t *starts, uint32_t cells,
			     uint32_t *cell)
{
	while (starts[*cell + 1] <= n)
		++*cell;
	uint32_t last = *cell + (uint32_t)(LONGEST_TILE * MESH_CELLS_OF_TILE), next = n + 1,
		 end = starts[last < cells ? last : cells];

	end = end - n < tiling->most ? end : n + tiling->most;
	while (next < end && !is_left_out(tiling, next))
		++next;
	return next;
}

/* Returns the number of tiles of a row of cells, which are written to `tiles` unless this is null. */
static uint32_t tile_row(const struct tiling *tiling, int64_t row, uint32_t *tiles)
{
	const struct mesh_cells *cells = &tiling->run->points;
	const uint32_t *starts = cells->starts + (size_t)row * cells->size[0];
	uint32_t count = 0, cell = 0, end = starts[cells->size[0]];

	for (uint32_t n = starts[0], next; n < end; n = next) {
		next = n + 1;
		if (is_left_out(tiling, n))
			continue;
		next = tiling->run->groups ? end_by_cells(tiling, n, starts, cells->size[0], &cell)
					   : end_of_tile(tiling, n, end);
		if (tiles != NULL) {
			tiles[2 * (size_t)count] = n;
			tiles[2 * (size_t)count + 1] = next - n;
		}
		++count;
	}
	return count;
}

static void count_tiles(void *state, int64_t first, int64_t end, int worker)
{
	struct tiling *tiling = state;

	(void)worker;
	for (int64_t row = first; row < end; ++row)
		tiling->rows[row] = tile_row(tiling, row, NULL);
}

static void write_tiles(void *state, int64_t first, int64_t end, int worker)
{
	struct tiling *tiling = state;

	(void)worker;
	for (int64_t row = first; row < end; ++row)
		(void)tile_row(tiling, row, tiling->tiles + 2 * (size_t)tiling->rows[row]);
}

/* Makes the tiles and copies them to the device. */
static sonde_status make_tiles(struct mesh_run *run, bool single, bool doubtful, uint32_t *count)
{
	int64_t rows = (int64_t)run->points.size[1] * run->points.size[2];
	struct tiling tiling = {
	    .run = run, .most = run->groups ? MESH_TILE_OF_GPU : MESH_TILE_SIZE(single), .doubtful = doubtful};
	sonde_status status;

	*count = 0;
	CHECK_GOTO(status, memory_allocate(&tiling.rows, (size_t)rows, sizeof(uint32_t), "the points"), done);
	threads_for(run->threads, rows, PARALLEL_ROWS, count_tiles, &tiling);
	for (int64_t row = 0; row < rows; ++row) {
		uint32_t of_row = tiling.rows[row];
		tiling.rows[row] = *count;
		*count += of_row;
	}
	CHECK_GOTO(status, memory_allocate(&tiling.tiles, 2 * (size_t)*count + 1, sizeof(uint32_t), "the points"),
		   done);
	threads_for(run->threads, rows, PARALLEL_ROWS, write_tiles, &tiling);
	status = mesh_upload(run, tiling.tiles, 2 * (size_t)*count * sizeof(uint32_t), "the points", &run->tiles);
done:
	free(tiling.rows);
	free(tiling.tiles);
	return status;
}

static sonde_status launch(struct mesh_run *run, const struct device_kernel *kernel, uint32_t count)
{
	const uint32_t *size = run->sources.size;
	uint32_t first = 0, points = run->points.count,
		 most = run->groups ? TILES_OF_GPU : TILES_OF_THREAD * device_workers(run->device);
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
						    DEVICE_ARGUMENT(run->counters.memory)};

	for (uint32_t now; first < count; first += now) {
		now = count - first < most ? count - first : most;
		if (context_cancelled(run->context))
			return status_fail(SONDE_CANCELLED, "stopped on request at the fast sum");
		CHECK(device_launch(run->device, kernel, now, arguments, 13));
		CHECK(device_wait(run->device));
	}
	return SONDE_OK;
}

static sonde_status sum_tiles(struct mesh_run *run, bool doubtful)
{
	bool single = run->plan->single && !doubtful;
	uint32_t count;

	CHECK(make_tiles(run, single, doubtful, &count));
	if (count > 0)
		CHECK(launch(run, single ? &run->near : &run->careful, count));
	/* a GPU keeps them and adds the mesh part */
	if (count > 0 && !run->groups)
		return device_read(run->device, &run->values, 0, run->sums, run->values.bytes);
	return SONDE_OK;
}

/* Recomputes values that float32 left as NaN in float64. */
static sonde_status sum_doubtful(struct mesh_run *run)
{
	uint64_t counters[2];

	if (!run->groups)
		return sum_tiles(run, true);
	CHECK(device_read(run->device, &run->counters, 0, counters, sizeof counters));
	if (counters[1] == 0)
		return SONDE_OK;
	size_t count = run->points.count;
	CHECK(memory_allocate(&run->sums, count, sizeof(double), "the values"));
	CHECK(device_read(run->device, &run->values, 0, run->sums, count * sizeof(double)));
	return sum_tiles(run, true);
}

sonde_status mesh_near(struct mesh_run *run)
{
	CHECK(sum_tiles(run, false));
	return run->plan->single ? sum_doubtful(run) : SONDE_OK;
}
