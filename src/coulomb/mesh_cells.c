/* Points sorted into cells. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "coulomb/mesh.h"

#define CELLS_OF_POINT 4.0 /* at most, beside LEAST_CELLS */
#define LEAST_CELLS 1e5
#define MOST_OF_EDGE 4096.0
#define LARGER 1.2

static uint32_t cell_along(double place, uint32_t cells)
{
	/* as mesh_near.k has it */
	return place <= 0.0 ? 0 : place >= (double)cells ? cells - 1 : (uint32_t)place;
}

/* Edges that do not make too many cells. */
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

sonde_status mesh_cells_make(const double *const coordinates[3], size_t stride, uint32_t count, const double low[3],
			     const double high[3], const double edges[3], struct mesh_cells *cells)
{
	uint32_t *places = NULL;
	sonde_status status;

	*cells = (struct mesh_cells){.count = count, .origin = {low[0], low[1], low[2]}};
	find_sizes(count, low, high, edges, cells);
	size_t all = (size_t)cells->size[0] * cells->size[1] * cells->size[2];
	CHECK_GOTO(status, memory_allocate(&cells->starts, all + 2, sizeof(uint32_t), "the cells"), done);
	CHECK_GOTO(status, memory_allocate(&cells->numbers, (size_t)count + 1, sizeof(uint32_t), "the cells"), done);
	CHECK_GOTO(status, memory_allocate(&places, (size_t)count + 1, sizeof(uint32_t), "the cells"), done);
	for (uint32_t n = 0; n < count; ++n) {
		uint32_t cell = 0;
		for (int k = 2; k >= 0; --k)
			cell = cell * cells->size[k] +
			       cell_along((coordinates[k][n * stride] - low[k]) / cells->edges[k], cells->size[k]);
		places[n] = cell;
		++cells->starts[cell + 2];
	}
	for (size_t c = 2; c < all + 2; ++c)
		cells->starts[c] += cells->starts[c - 1];
	/* starts[c + 1] goes from the beginning of cell c to its end, which is where the next one begins */
	for (uint32_t n = 0; n < count; ++n)
		cells->numbers[cells->starts[places[n] + 1]++] = n;
done:
	free(places);
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
