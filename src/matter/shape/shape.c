#include "matter/shape/shape.h"

#include <stdlib.h>

#include "matter/shape/shape_common.h"

void shape_free(struct shape **shape)
{
	if (*shape == NULL)
		return;
	if ((*shape)->kind != NULL && (*shape)->kind->free != NULL)
		(*shape)->kind->free(*shape);
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
	return meets_bounds(shape, axis, point) ? shape->kind->line(shape, axis, point, intervals, most) : 0;
}

void shape_lines(const struct shape *shape, int axis, int count, const double *u, const double *v,
		 struct interval *intervals)
{
	double point[3] = {0.0};

	if (shape->kind->lines != NULL) {
		shape->kind->lines(shape, axis, count, u, v, intervals);
		return;
	}
	for (int n = 0; n < count; ++n) {
		point[(axis + 1) % 3] = u[n];
		point[(axis + 2) % 3] = v[n];
		if (shape_line(shape, axis, point, &intervals[n], 1) != 1)
			intervals[n] = (struct interval){0.0, 0.0};
	}
}

bool shape_contains(const struct shape *shape, const double point[3])
{
	return meets_bounds(shape, -1, point) && shape->kind->contains(shape, point);
}

enum shape_side shape_side_of_box(const struct shape *shape, const double low[3], const double high[3])
{
	for (int k = 0; k < 3; ++k)
		if (high[k] < shape->low[k] || low[k] > shape->high[k])
			return SHAPE_OUTSIDE;
	return shape->kind->side != NULL ? shape->kind->side(shape, low, high) : SHAPE_PERHAPS_ACROSS;
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
