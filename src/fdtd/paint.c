#include "fdtd/paint.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* The nodes of an axis whose middle, `shift` cells on, is in an interval. */
static void nodes_of(const struct paint_frame *frame, int axis, double shift, int last,
		     const struct interval *interval, int *begin, int *end)
{
	const double from = (interval->begin - frame->origin[axis]) / frame->spacing[axis] - shift,
		     to = (interval->end - frame->origin[axis]) / frame->spacing[axis] - shift;

	*begin = from <= 0.0 ? 0 : from > last ? last + 1 : (int)ceil(from);
	*end = to <= 0.0 ? 0 : to > last ? last + 1 : (int)ceil(to);
}

/* One component: where its middles are beside the nodes, in cells. */
static sonde_status paint_component(const struct fdtd_grid *grid, const struct paint_frame *frame,
				    const struct shape *shape, uint16_t number, const double shift[3],
				    uint16_t *numbers)
{
	const int room = shape_room(shape), *cells = grid->cells;
	double low[3], high[3];
	int first[2], end[2], failed = 0;

	shape_bounds(shape, low, high);
	for (int a = 0; a < 2; ++a) {
		/* all nodes that may be in it, and one for rounding */
		const struct interval whole = {low[a] - frame->spacing[a], high[a] + frame->spacing[a]};
		nodes_of(frame, a, shift[a], cells[a], &whole, &first[a], &end[a]);
	}
#pragma omp parallel
	{
		struct interval *intervals = calloc((size_t)room, sizeof *intervals);
		if (intervals == NULL) {
#pragma omp atomic write
			failed = 1;
		}
#pragma omp for schedule(dynamic, 8)
		for (int i = first[0]; i < end[0]; ++i)
			for (int j = first[1]; j < end[1] && intervals != NULL; ++j) {
				const double point[3] = {frame->origin[0] + (i + shift[0]) * frame->spacing[0],
							 frame->origin[1] + (j + shift[1]) * frame->spacing[1],
							 frame->origin[2]};
				uint16_t *row = numbers + media_at(grid, i, j, 0);
				int count = shape_line(shape, 2, point, intervals, room);
				for (int n = 0; n < count; ++n) {
					int begin, behind;
					nodes_of(frame, 2, shift[2], cells[2], &intervals[n], &begin, &behind);
					for (int k = begin; k < behind; ++k)
						row[k] = number;
				}
			}
		free(intervals);
	}
	return failed ? status_fail(SONDE_RESOURCE, "not enough memory to paint a body") : SONDE_OK;
}

sonde_status paint_shape(const struct fdtd_grid *grid, const struct paint_frame *frame, const struct shape *shape,
			 uint16_t number, struct media *media)
{
	for (int a = 0; a < 3; ++a) {
		double edge[3] = {0.0, 0.0, 0.0}, face[3] = {0.5, 0.5, 0.5};
		edge[a] = 0.5;
		face[a] = 0.0;
		if (media->edges[a] != NULL)
			CHECK(paint_component(grid, frame, shape, number, edge, media->edges[a]));
		if (media->faces[a] != NULL)
			CHECK(paint_component(grid, frame, shape, number, face, media->faces[a]));
	}
	return SONDE_OK;
}
