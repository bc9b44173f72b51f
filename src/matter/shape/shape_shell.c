/* Hollow bodies: a shape without the inside of another. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/shape/interval.h"
#include "matter/shape/prism_surface.h"
#include "matter/shape/shape.h"
#include "matter/shape/shape_common.h"

struct shell {
	struct shape *outer, *inner;
};

/* Writes `intervals` without `hollows` to `left`, and returns their number, at most count + hollow_count; all are sorted. */
static int intervals_without(const struct interval *intervals, int count, const struct interval *hollows,
			     int hollow_count, struct interval *left)
{
	int made = 0, h = 0;

	for (int n = 0; n < count; ++n) {
		double begin = intervals[n].begin;
		while (h > 0 && hollows[h - 1].end > begin)
			--h;
		for (; h < hollow_count && hollows[h].begin < intervals[n].end; ++h) {
			if (hollows[h].begin > begin)
				left[made++] = (struct interval){begin, hollows[h].begin};
			begin = fmax(begin, hollows[h].end);
		}
		if (begin < intervals[n].end)
			left[made++] = (struct interval){begin, intervals[n].end};
	}
	return made;
}

/* The intervals of the outer shape, those of the hollow, and the rest, which is moved to the front. */
static int line(const struct shape *shape, int axis, const double point[3], struct interval *intervals, int most)
{
	const struct shell *shell = shape->shell;
	const int count = shape_line(shell->outer, axis, point, intervals, most);

	if (count <= 0)
		return count;
	const int hollows = shape_line(shell->inner, axis, point, intervals + count, most - count);
	if (hollows <= 0)
		return hollows < 0 ? hollows : count;
	if (most < 2 * (count + hollows))
		return -1;
	struct interval *left = intervals + count + hollows;
	const int made = intervals_without(intervals, count, intervals + count, hollows, left);
	memmove(intervals, left, (size_t)made * sizeof *left);
	return made;
}

static bool contains(const struct shape *shape, const double point[3])
{
	return shape_contains(shape->shell->outer, point) && !shape_contains(shape->shell->inner, point);
}

static void release(struct shape *shape)
{
	if (shape->shell == NULL)
		return;
	shape_free(&shape->shell->outer);
	shape_free(&shape->shell->inner);
	free(shape->shell);
}

static enum shape_side side(const struct shape *shape, const double low[3], const double high[3])
{
	const enum shape_side of_outer = shape_side_of_box(shape->shell->outer, low, high),
			      of_inner = shape_side_of_box(shape->shell->inner, low, high);

	if (of_outer == SHAPE_OUTSIDE || of_inner == SHAPE_INSIDE)
		return SHAPE_OUTSIDE;
	return of_inner == SHAPE_OUTSIDE ? of_outer : SHAPE_PERHAPS_ACROSS;
}

static const struct shape_kind shell_kind = {line, contains, release, side, NULL};

sonde_status shape_create_shell(struct shape **outer, struct shape **inner, double volume, struct shape **result)
{
	struct shape *shape = NULL;
	sonde_status status = memory_allocate(&shape, 1, sizeof *shape, "a shape");

	*result = NULL;
	if (status == SONDE_OK) {
		shape->kind = &shell_kind;
		status = memory_allocate(&shape->shell, 1, sizeof *shape->shell, "a shape");
	}
	if (status == SONDE_OK) {
		*shape->shell = (struct shell){*outer, *inner};
		*outer = *inner = NULL;
		shape_bounds(shape->shell->outer, shape->low, shape->high);
		shape->room = 2 * (shape_room(shape->shell->outer) + shape_room(shape->shell->inner));
		shape->volume = volume;
		*result = shape;
		return SONDE_OK;
	}
	shape_free(&shape);
	shape_free(outer);
	shape_free(inner);
	return status;
}

const struct shape *shape_outer(const struct shape *shape, const struct shape **inner)
{
	const bool shell = shape->kind == &shell_kind;

	*inner = shell ? shape->shell->inner : NULL;
	return shell ? shape->shell->outer : shape;
}

/* Surfaces ------------------------------------------------------------------------------------------- */

/* Appends the triangles of one part, in the opposite sense if it is hollow. */
static sonde_status add_surface(const struct surface *surface, bool hollow, double **corners, size_t *capacity,
				int64_t *count)
{
	CHECK(memory_grow(corners, capacity, 9 * ((size_t)*count + surface->triangle_count), sizeof **corners,
			  "a surface"));
	for (size_t n = 0; n < surface->triangle_count; ++n, ++*count)
		for (size_t k = 0; k < 3; ++k)
			memcpy(*corners + 9 * (size_t)*count + 3 * (hollow ? 2 - k : k),
			       surface->vertices + 3 * (size_t)surface->triangles[3 * n + k], 3 * sizeof **corners);
	return SONDE_OK;
}

static sonde_status add_part(const struct shape *part, bool hollow, double **corners, size_t *capacity,
			     int64_t *count)
{
	struct surface made = {0};
	const struct surface *surface = shape_surface(part);
	sonde_status status = surface == NULL ? prism_surface(part, &made) : SONDE_OK;

	if (status == SONDE_OK)
		status = add_surface(surface != NULL ? surface : &made, hollow, corners, capacity, count);
	surface_free(&made);
	return status;
}

/* Whether all points of a surface are visible from the center about which the hollow is scaled: the hollow then lies within. */
static bool is_star_shaped(const struct shape *outer, const struct shape *inner, const double *corners, int64_t count)
{
	double center[3];

	for (int k = 0; k < 3; ++k) {
		const double part = (inner->high[k] - inner->low[k]) / (outer->high[k] - outer->low[k]);
		center[k] = (inner->low[k] - part * outer->low[k]) / (1.0 - part);
	}
	for (int64_t n = 0; n < count; ++n) {
		const double *corner = corners + 9 * n;
		double r[3][3];
		for (int k = 0; k < 9; ++k)
			r[k / 3][k % 3] = corner[k] - center[k % 3];
		if (!(r[0][0] * (r[1][1] * r[2][2] - r[1][2] * r[2][1]) +
			  r[0][1] * (r[1][2] * r[2][0] - r[1][0] * r[2][2]) +
			  r[0][2] * (r[1][0] * r[2][1] - r[1][1] * r[2][0]) >
		      0.0))
			return false;
	}
	return true;
}

sonde_status shape_make_surface(const struct shape *shape, struct surface *surface)
{
	const struct shape *inner, *outer = shape_outer(shape, &inner);
	double *corners = NULL;
	size_t capacity = 0;
	int64_t count = 0;

	*surface = (struct surface){0};
	sonde_status status = add_part(outer, false, &corners, &capacity, &count);
	if (status == SONDE_OK && inner != NULL && !is_star_shaped(outer, inner, corners, count))
		status =
		    status_fail_option(SONDE_INVALID, "hollow",
				       "not possible here for a body with a surface that is not all visible from "
				       "its center");
	if (status == SONDE_OK && inner != NULL)
		status = add_part(inner, true, &corners, &capacity, &count);
	if (status == SONDE_OK)
		status = surface_create(corners, count, surface);
	free(corners);
	return status;
}
