#include "matter/shape/prism_surface.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "matter/shape/shape_common.h"

/* A polygon from which ears are cut off: the remaining corners, in a ring. */
struct outline {
	const double *vertices; /* two numbers each */
	uint32_t *left, count;
	double sense; /* 1 or -1: counterclockwise or clockwise */
};

/* Twice the area of a triangle, above 0 if it has the polygon's orientation. */
static double turning(const struct outline *outline, uint32_t a, uint32_t b, uint32_t c)
{
	const double *p = outline->vertices + 2 * (size_t)a, *q = outline->vertices + 2 * (size_t)b,
		     *r = outline->vertices + 2 * (size_t)c;

	return outline->sense * ((q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]));
}

/* Whether the corner at a place of the ring is an ear: it is convex, and its triangle contains no other corner,
 * inside or on its edges. */
static bool is_ear(const struct outline *outline, uint32_t place)
{
	const uint32_t count = outline->count, before = outline->left[(place + count - 1) % count],
		       here = outline->left[place], next = outline->left[(place + 1) % count];

	if (!(turning(outline, before, here, next) > 0.0))
		return false;
	for (uint32_t n = 0; n < count; ++n) {
		const uint32_t other = outline->left[n];
		if (other != before && other != here && other != next &&
		    turning(outline, before, here, other) >= 0.0 && turning(outline, here, next, other) >= 0.0 &&
		    turning(outline, next, before, other) >= 0.0)
			return false;
	}
	return true;
}

/* Triangles of a polygon, three corners each, count - 2 of them, in its own orientation: Meisters, Am. Math. Mon. 82
 * (1975) 648. */
static sonde_status cut_ears(struct outline *outline, uint32_t *triangles)
{
	uint32_t made = 0;

	while (outline->count >= 3) {
		const uint32_t count = outline->count;
		uint32_t place = 0;
		while (place < count && !is_ear(outline, place))
			++place;
		if (place == count)
			return status_fail_option(SONDE_INVALID, "vertices",
						  "some are so close to a line that the polygon "
						  "cannot be divided into triangles");
		triangles[3 * made] = outline->left[(place + count - 1) % count];
		triangles[3 * made + 1] = outline->left[place];
		triangles[3 * made++ + 2] = outline->left[(place + 1) % count];
		for (uint32_t n = place; n + 1 < count; ++n)
			outline->left[n] = outline->left[n + 1];
		--outline->count;
	}
	return SONDE_OK;
}

/* Orientation of a prism: its axis, and the two axes of its polygon. */
struct place {
	int axis, plane[2];
	double ends[2];
	const double *vertices;
};

static void set_corner(const struct place *place, uint32_t vertex, int end, double *corner)
{
	corner[place->axis] = place->ends[end];
	corner[place->plane[0]] = place->vertices[2 * (size_t)vertex];
	corner[place->plane[1]] = place->vertices[2 * (size_t)vertex + 1];
}

/* Both ends, the first of which is reversed, and two triangles for each edge. */
static void fill_corners(const struct place *place, const uint32_t *triangles, uint32_t count, double *corners)
{
	for (uint32_t n = 0; n + 2 < count; ++n)
		for (uint32_t k = 0; k < 3; ++k) {
			set_corner(place, triangles[3 * n + 2 - k], 0, corners + 18 * (size_t)n + 3 * k);
			set_corner(place, triangles[3 * n + k], 1, corners + 18 * (size_t)n + 9 + 3 * k);
		}
	for (uint32_t n = 0; n < count; ++n) {
		const uint32_t next = (n + 1) % count, of[6] = {n, next, next, n, next, n};
		static const int ends[6] = {0, 0, 1, 0, 1, 1};
		for (int k = 0; k < 6; ++k)
			set_corner(place, of[k], ends[k], corners + 18 * (size_t)(count - 2 + n) + 3 * k);
	}
}

static double area_of(const double *vertices, uint32_t count)
{
	double twice = 0.0;

	for (uint32_t n = 0; n < count; ++n) {
		const double *a = vertices + 2 * (size_t)n, *b = vertices + 2 * (size_t)((n + 1) % count);
		twice += (a[0] - vertices[0]) * (b[1] - vertices[1]) - (a[1] - vertices[1]) * (b[0] - vertices[0]);
	}
	return 0.5 * twice;
}

sonde_status prism_surface(const struct shape *shape, struct surface *surface)
{
	struct outline outline = {.left = NULL};
	struct place place;
	uint32_t count, *triangles = NULL;
	double low[3], high[3], *corners = NULL;
	sonde_status status;

	*surface = (struct surface){0};
	place.vertices = shape_prism_outline(shape, &place.axis, &count);
	if (count > PRISM_SURFACE_MOST)
		return status_fail_option(SONDE_INVALID, "vertices", "%u are given, at most %d are possible here",
					  count, PRISM_SURFACE_MOST);
	place.plane[0] = place.axis == 0 ? 1 : 0;
	place.plane[1] = place.axis == 2 ? 1 : 2;
	shape_bounds(shape, low, high);
	place.ends[0] = low[place.axis];
	place.ends[1] = high[place.axis];
	CHECK_GOTO(status, memory_allocate(&outline.left, count, sizeof *outline.left, "a prism"), done);
	CHECK_GOTO(status, memory_allocate(&triangles, 3 * (size_t)count, sizeof *triangles, "a prism"), done);
	CHECK_GOTO(status, memory_allocate(&corners, 36 * (size_t)count, sizeof *corners, "a prism"), done);
	for (uint32_t n = 0; n < count; ++n)
		outline.left[n] = n;
	outline.vertices = place.vertices;
	outline.count = count;
	outline.sense = area_of(place.vertices, count) < 0.0 ? -1.0 : 1.0;
	CHECK_GOTO(status, cut_ears(&outline, triangles), done);
	fill_corners(&place, triangles, count, corners);
	status = surface_create(corners, 2 * (int64_t)(count - 2) + 2 * (int64_t)count, surface);
done:
	free(outline.left);
	free(triangles);
	free(corners);
	return status;
}
