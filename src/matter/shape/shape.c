#include "matter/shape/shape_kinds.h"

#include <math.h>
#include <stdlib.h>

sonde_status shape_check_size(const char *what, double size)
{
	if (!isfinite(size) || size <= 0.0)
		return status_fail(SONDE_INVALID, "%s = %g: must be a finite number above 0", what, size);
	if (size < SHAPE_LEAST || size > SHAPE_MOST)
		return status_fail(SONDE_INVALID, "%s = %g: must lie between %g and %g", what, size, SHAPE_LEAST,
				   SHAPE_MOST);
	return SONDE_OK;
}

sonde_status shape_check_place(const char *what, const double place[3])
{
	for (int k = 0; k < 3; ++k)
		if (!(fabs(place[k]) <= SHAPE_MOST)) /* nor NaN */
			return status_fail(SONDE_INVALID, "%s %c = %g: must be a finite number within %g", what,
					   "xyz"[k], place[k], SHAPE_MOST);
	return SONDE_OK;
}

void shape_free(struct shape **shape)
{
	if (*shape == NULL)
		return;
	if ((*shape)->kind == SHAPE_PRISM)
		prism_free(&(*shape)->prism);
	if ((*shape)->kind == SHAPE_MESH)
		mesh_bins_free(&(*shape)->mesh);
	free(*shape);
	*shape = NULL;
}

int shape_room(const struct shape *shape)
{
	return shape->room;
}

/* Whether the line through a point along an axis, or the point itself with axis = -1, meets the box around a
 * shape. */
static bool meets_bounds(const struct shape *shape, int axis, const double point[3])
{
	for (int k = 0; k < 3; ++k)
		if (k != axis && !(point[k] >= shape->low[k] && point[k] < shape->high[k]))
			return false;
	return true;
}

int shape_line(const struct shape *shape, int axis, const double point[3], struct interval *intervals, int most)
{
	if (!meets_bounds(shape, axis, point))
		return 0;
	if (shape->kind == SHAPE_PRISM)
		return prism_line(shape, axis, point, intervals, most);
	if (shape->kind == SHAPE_MESH)
		return mesh_line(shape, axis, point, intervals, most);
	if (most < 1)
		return -1;
	return convex_line(shape, axis, point, intervals) ? 1 : 0;
}

bool shape_contains(const struct shape *shape, const double point[3])
{
	struct interval interval;

	if (!meets_bounds(shape, -1, point))
		return false;
	if (shape->kind == SHAPE_PRISM)
		return prism_contains(shape, point);
	if (shape->kind == SHAPE_MESH)
		return mesh_contains(shape, point);
	return convex_line(shape, 0, point, &interval) && point[0] >= interval.begin && point[0] < interval.end;
}

void shape_bounds(const struct shape *shape, double low[3], double high[3])
{
	for (int k = 0; k < 3; ++k) {
		low[k] = shape->low[k];
		high[k] = shape->high[k];
	}
}

double shape_volume(const struct shape *shape)
{
	return shape->volume;
}

static int compare_crossings(const void *a, const void *b)
{
	double one = ((const struct interval *)a)->begin, other = ((const struct interval *)b)->begin;

	return (one > other) - (one < other);
}

static void sort_crossings(struct interval *crossings, int count)
{
	enum { MANY = 32 };

	if (count > MANY) {
		qsort(crossings, (size_t)count, sizeof *crossings, compare_crossings);
		return;
	}
	for (int k = 1; k < count; ++k) {
		struct interval crossing = crossings[k];
		int to = k;
		for (; to > 0 && crossings[to - 1].begin > crossing.begin; --to)
			crossings[to] = crossings[to - 1];
		crossings[to] = crossing;
	}
}

int crossings_to_intervals(struct interval *crossings, int count)
{
	double around = 0.0, begin = 0.0;
	int made = 0; /* an interval needs two crossings: none is overwritten before it is read */

	sort_crossings(crossings, count);
	for (int k = 0; k < count; ++k) {
		double where = crossings[k].begin, before = around;
		around += crossings[k].end;
		if (before == 0.0)
			begin = where;
		if (around != 0.0 || before == 0.0 || !(begin < where))
			continue;
		if (made > 0 && crossings[made - 1].end == begin)
			crossings[made - 1].end = where;
		else
			crossings[made++] = (struct interval){begin, where};
	}
	return made;
}
