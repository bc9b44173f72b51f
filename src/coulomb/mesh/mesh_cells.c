/* Points sorted into cells. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "coulomb/mesh/mesh.h"

#define CELLS_OF_POINT 4.0 /* upper limit, in addition to LEAST_CELLS */
#define LEAST_CELLS 1e5
#define MOST_OF_EDGE 4096.0
#define LARGER 1.2
#define PARTS 32        /* of the points, counted separately */
#define BUCKETS 512u    /* ranges of cells, sorted separately */
#define ONE_PART 20000u /* fewer points are one part */

static uint32_t cell_along(double place, uint32_t cells)
{
	/* as in mesh_near.k */
	return place <= 0.0 ? 0 : place >= (double)cells ? cells - 1 : (uint32_t)place;
}

/* Increases the edges until the number of cells is acceptable. */
static void find_sizes(uint32_t count, const double low[3], const double high[3], const double edges[3],
		       struct mesh_cells *cells)
{
	double scale = 1.0, all, widest;

	do {
		all = 1.0;
		widest = 0.0;
		for (int k = 0; k < 3; ++k) {
			double extent = high[k] - low[k], along = floor(extent / (scale * edges[k])) + 1.0;
			cells->edges[k] = scale * edges[k];
			cells->size[k] = (uint32_t)fmin(along, MOST_OF_EDGE + 1.0);
			all *= along;
			widest = fmax(widest, along);
		}
		scale *= LARGER;
	} while (all > fmax(LEAST_CELLS, CELLS_OF_POINT * count) || widest > MOST_OF_EDGE);
}

/* A sort in two steps, first by ranges of cells and then within each, both stable: the
 * result is that of a sort in one step, independent of parts and buckets. */
struct sorting {
	struct mesh_cells *cells;
	const double *const *coordinates;
	size_t stride, cell_count;
	uint32_t parts, buckets, cells_of_bucket;
	uint32_t *places, *order;    /* cell of each point; points by bucket */
	uint32_t (*counts)[BUCKETS]; /* of each part in each bucket, then their starts */
	uint32_t begins[BUCKETS + 1];
};

static uint32_t begin_of_part(const struct sorting *sorting, int64_t part)
{
	return (uint32_t)((int64_t)sorting->cells->count * part / sorting->parts);
}

static void find_places(void *state, int64_t first, int64_t end, int worker)
{
	struct sorting *sorting = state;
	const struct mesh_cells *cells = sorting->cells;

	(void)worker;
	for (int64_t part = first; part < end; ++part) {
		for (uint32_t n = begin_of_part(sorting, part); n < begin_of_part(sorting, part + 1); ++n) {
			uint32_t cell = 0;
			for (int k = 2; k >= 0; --k) {
				double along = (sorting->coordinates[k][n * sorting->stride] - cells->origin[k]) /
					       cells->edges[k];
				cell = cell * cells->size[k] + cell_along(along, cells->size[k]);
			}
			sorting->places[n] = cell;
			++sorting->counts[part][cell / sorting->cells_of_bucket];
		}
	}
}

/* Converts counts to starts: bucket by bucket, and part by part in each. */
static void add_counts(struct sorting *sorting)
{
	uint32_t sum = 0;

	for (uint32_t bucket = 0; bucket < sorting->buckets; ++bucket) {
		sorting->begins[bucket] = sum;
		for (uint32_t part = 0; part < sorting->parts; ++part) {
			uint32_t count = sorting->counts[part][bucket];
			sorting->counts[part][bucket] = sum;
			sum += count;
		}
	}
	sorting->begins[sorting->buckets] = sum;
}

static void fill_buckets(void *state, int64_t first, int64_t end, int worker)
{
	struct sorting *sorting = state;

	(void)worker;
	for (int64_t part = first; part < end; ++part)
		for (uint32_t n = begin_of_part(sorting, part); n < begin_of_part(sorting, part + 1); ++n)
			sorting->order[sorting->counts[part][sorting->places[n] / sorting->cells_of_bucket]++] = n;
}

static void sort_buckets(void *state, int64_t first, int64_t end, int worker)
{
	struct sorting *sorting = state;
	uint32_t *starts = sorting->cells->starts;

	(void)worker;
	for (int64_t bucket = first; bucket < end; ++bucket) {
		uint32_t begin = sorting->begins[bucket], after = sorting->begins[bucket + 1], sum = begin;
		size_t first_cell = (size_t)bucket * sorting->cells_of_bucket,
		       last = first_cell + sorting->cells_of_bucket,
		       end_cell = last < sorting->cell_count ? last : sorting->cell_count;
		for (uint32_t n = begin; n < after; ++n)
			++starts[sorting->places[sorting->order[n]]];
		for (size_t c = first_cell; c < end_cell; ++c) {
			uint32_t count = starts[c];
			starts[c] = sum;
			sum += count;
		}
		for (uint32_t n = begin; n < after; ++n)
			sorting->cells->numbers[starts[sorting->places[sorting->order[n]]]++] = sorting->order[n];
		/* each has become the end of its cell, the start of the next one */
		for (size_t c = end_cell; c-- > first_cell;)
			starts[c] = c > first_cell ? starts[c - 1] : begin;
	}
}

static sonde_status sort(int threads, struct sorting *sorting)
{
	struct mesh_cells *cells = sorting->cells;
	bool one = cells->count < ONE_PART;
	sonde_status status;

	sorting->parts = one ? 1 : PARTS;
	sorting->cells_of_bucket =
	    one ? (uint32_t)sorting->cell_count : (uint32_t)(sorting->cell_count / BUCKETS) + 1;
	sorting->buckets =
	    (uint32_t)((sorting->cell_count + sorting->cells_of_bucket - 1) / sorting->cells_of_bucket);
	CHECK_GOTO(status, memory_allocate(&sorting->places, cells->count, sizeof(uint32_t), "the cells"), done);
	CHECK_GOTO(status, memory_allocate(&sorting->order, cells->count, sizeof(uint32_t), "the cells"), done);
	CHECK_GOTO(status, memory_allocate(&sorting->counts, sorting->parts, sizeof *sorting->counts, "the cells"),
		   done);
	threads_for(threads, sorting->parts, 1, find_places, sorting);
	add_counts(sorting);
	threads_for(threads, sorting->parts, 1, fill_buckets, sorting);
	threads_for(threads, sorting->buckets, 1, sort_buckets, sorting);
	cells->starts[sorting->cell_count] = cells->count;
done:
	free(sorting->places);
	free(sorting->order);
	free(sorting->counts);
	return status;
}

sonde_status mesh_cells_make(int threads, const double *const coordinates[3], size_t stride, uint32_t count,
			     const double low[3], const double high[3], const double edges[3],
			     struct mesh_cells *cells)
{
	struct sorting sorting = {.cells = cells, .coordinates = coordinates, .stride = stride};
	sonde_status status;

	*cells = (struct mesh_cells){.count = count, .origin = {low[0], low[1], low[2]}};
	find_sizes(count, low, high, edges, cells);
	sorting.cell_count = (size_t)cells->size[0] * cells->size[1] * cells->size[2];
	CHECK_GOTO(status, memory_allocate(&cells->starts, sorting.cell_count + 1, sizeof(uint32_t), "the cells"),
		   done);
	CHECK_GOTO(status, memory_allocate(&cells->numbers, (size_t)count + 1, sizeof(uint32_t), "the cells"), done);
	status = sort(threads, &sorting);
done:
	if (status != SONDE_OK)
		mesh_cells_free(cells);
	return status;
}

void mesh_cells_free(struct mesh_cells *cells)
{
	free(cells->starts);
	free(cells->numbers);
	*cells = (struct mesh_cells){0};
}
