#include "matter/crystal/site_grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Boxes are at least as wide as the distance, so that only the adjacent ones matter, and there are about as many as sites. */
static void choose_boxes(const struct unit_cell *cell, double distance, struct site_grid *grid)
{
	const double most = ceil(cbrt((double)cell->site_count));

	for (int k = 0; k < 3; ++k) {
		const double width = distance * unit_cell_reciprocal_length(cell, k);
		grid->boxes[k] = (int64_t)fmax(1.0, fmin(most, floor(0.999 / width)));
	}
}

static int64_t box_along(const struct site_grid *grid, int k, double fraction)
{
	const int64_t box = (int64_t)(fraction * (double)grid->boxes[k]);

	return box < 0 ? 0 : box < grid->boxes[k] ? box : grid->boxes[k] - 1;
}

static int64_t box_of(const struct site_grid *grid, const double position[3])
{
	return (box_along(grid, 0, position[0]) * grid->boxes[1] + box_along(grid, 1, position[1])) * grid->boxes[2] +
	       box_along(grid, 2, position[2]);
}

sonde_status site_grid_make(const struct unit_cell *cell, double distance, struct site_grid *grid)
{
	*grid = (struct site_grid){.first = NULL};
	choose_boxes(cell, distance, grid);
	const int64_t boxes = grid->boxes[0] * grid->boxes[1] * grid->boxes[2];
	CHECK(memory_allocate(&grid->first, (size_t)boxes + 2, sizeof *grid->first, "the sites of the unit cell"));
	CHECK(memory_allocate(&grid->sites, (size_t)cell->site_count, sizeof *grid->sites,
			      "the sites of the unit cell"));
	/* first[b + 2] counts the sites of box b, then first[b + 1] is where its next site is put */
	for (int64_t s = 0; s < cell->site_count; ++s)
		++grid->first[box_of(grid, cell->sites[s].position) + 2];
	for (int64_t b = 2; b < boxes + 2; ++b)
		grid->first[b] += grid->first[b - 1];
	for (int64_t s = 0; s < cell->site_count; ++s)
		grid->sites[grid->first[box_of(grid, cell->sites[s].position) + 1]++] = s;
	return SONDE_OK;
}

void site_grid_free(struct site_grid *grid)
{
	free(grid->first);
	free(grid->sites);
	*grid = (struct site_grid){.first = NULL};
}

/* The box in the cell of one that may be beyond a face. */
static int64_t wrapped(const struct site_walk *walk, int k)
{
	const int64_t boxes = walk->grid->boxes[k];

	return (walk->box[k] + boxes) % boxes;
}

static void enter_box(struct site_walk *walk)
{
	const struct site_grid *grid = walk->grid;
	const int64_t box =
	    (wrapped(walk, 0) * grid->boxes[1] + wrapped(walk, 1)) * grid->boxes[2] + wrapped(walk, 2);

	walk->next = grid->first[box];
	walk->end = grid->first[box + 1];
}

/* Of fewer than three boxes along an edge, each is visited once. */
struct site_walk site_walk_begin(const struct site_grid *grid, const double position[3])
{
	struct site_walk walk = {.grid = grid};

	for (int k = 0; k < 3; ++k) {
		const int64_t box = box_along(grid, k, position[k]);
		walk.low[k] = grid->boxes[k] < 3 ? 0 : box - 1;
		walk.high[k] = grid->boxes[k] < 3 ? grid->boxes[k] - 1 : box + 1;
		walk.box[k] = walk.low[k];
	}
	enter_box(&walk);
	return walk;
}

int64_t site_walk_next(struct site_walk *walk)
{
	while (walk->next == walk->end) {
		int k = 2;
		while (k >= 0 && walk->box[k] == walk->high[k]) {
			walk->box[k] = walk->low[k];
			--k;
		}
		if (k < 0) {
			memcpy(walk->high, walk->low, sizeof walk->high); /* and again -1 from now on */
			return -1;
		}
		++walk->box[k];
		enter_box(walk);
	}
	return walk->grid->sites[walk->next++];
}
