/* Closed surfaces of triangles as shapes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "matter/shape/shape_bins.h"
#include "matter/shape/shape.h"
#include "matter/shape/shape_common.h"
#include "matter/shape/surface.h"
#include "io/mesh/stl.h"

#define MOST_BINS 4096 /* along each direction */

/* A surface, and its triangles in bins across x, y and z. */
struct mesh_bins {
	struct surface surface;
	struct bins bins[3]; /* [axis]: over axis + 1 and axis + 2, modulo 3 */
};

/* Where the plane through an edge and the line's direction is crossed: u and the position along the line. */
struct crossing {
	double u, height;
};

static struct crossing cross_edge(const double *a, const double *b, int axis, double v)
{
	int i = (axis + 1) % 3, j = (axis + 2) % 3;
	const double *low = a[j] > v ? b : a, *high = a[j] > v ? a : b;
	double fraction = edge_fraction(low[j], high[j], v);

	return (struct crossing){low[i] + (high[i] - low[i]) * fraction,
				 low[axis] + (high[axis] - low[axis]) * fraction};
}

/* Increase of the number of surrounding surfaces where a line along `axis` through (u, v) crosses a triangle: 1, -1,
 * or 0 where they do not meet.
 *
 * Seen along the line, two edges of a triangle, or none, have one end above v and the other not. The line meets the
 * triangle if one of them crosses v right of u and the other does not. So the sum over a surface is that of +-1 for
 * the crossings right of u, the sign being the edge's direction: each edge runs both ways and cancels exactly, also
 * with rounding, since its crossing does not depend on its direction. A closed surface is left as often as it is
 * entered; lines through edges and vertices meet the same triangles as lines slightly to the right of and above them. */
static int triangle_crosses(const struct surface *surface, uint32_t triangle, int axis, double u, double v,
			    double *height)
{
	int j = (axis + 2) % 3;
	const uint32_t *corners = &surface->triangles[3 * (size_t)triangle];
	const double *a = &surface->vertices[3 * (size_t)corners[0]], *b = &surface->vertices[3 * (size_t)corners[1]],
		     *c = &surface->vertices[3 * (size_t)corners[2]];
	bool a_above = a[j] > v, b_above = b[j] > v, c_above = c[j] > v;

	if (a_above == b_above && b_above == c_above)
		return 0;
	/* make `a` the one that is alone on its side */
	if (a_above == b_above) {
		const double *alone = c;
		c = b;
		b = a;
		a = alone;
		a_above = c_above;
	} else if (a_above == c_above) {
		const double *alone = b;
		b = c;
		c = a;
		a = alone;
		a_above = b_above;
	}
	struct crossing leaving = cross_edge(a, b, axis, v), coming = cross_edge(c, a, axis, v);
	bool leaving_right = leaving.u > u, coming_right = coming.u > u;
	if (leaving_right == coming_right)
		return 0;
	const struct crossing *left = leaving_right ? &coming : &leaving, *right = leaving_right ? &leaving : &coming;
	*height = left->height + (right->height - left->height) * ((u - left->u) / (right->u - left->u));
	/* counterclockwise triangles face along the axis: there the line leaves */
	return coming_right == a_above ? -1 : 1;
}

static int mesh_line(const struct shape *shape, int axis, const double point[3], struct interval *intervals, int most)
{
	const struct mesh_bins *mesh = shape->mesh;
	double u = point[(axis + 1) % 3], v = point[(axis + 2) % 3], height = 0.0;
	uint32_t count;
	const uint32_t *triangles = bins_at(&mesh->bins[axis], u, v, &count);
	int crossings = 0;

	for (uint32_t k = 0; k < count; ++k) {
		int sense = triangle_crosses(&mesh->surface, triangles[k], axis, u, v, &height);
		if (sense == 0)
			continue;
		if (crossings == most)
			return -1;
		height = fmin(fmax(height, shape->low[axis]), shape->high[axis]);
		intervals[crossings++] = (struct interval){height, sense};
	}
	return crossings_to_intervals(intervals, crossings);
}

static bool mesh_contains(const struct shape *shape, const double point[3])
{
	const struct mesh_bins *mesh = shape->mesh;
	uint32_t count;
	const uint32_t *triangles = bins_at(&mesh->bins[0], point[1], point[2], &count);
	double height = 0.0;
	int around = 0;

	for (uint32_t k = 0; k < count; ++k) {
		int sense = triangle_crosses(&mesh->surface, triangles[k], 0, point[1], point[2], &height);
		around += sense != 0 && height <= point[0] ? sense : 0;
	}
	return around != 0;
}

struct projection {
	const struct surface *surface;
	int axis;
};

static int outline_triangle(const void *user, uint32_t triangle, double corners[3][2])
{
	const struct projection *projection = user;
	const struct surface *surface = projection->surface;

	for (uint32_t c = 0; c < 3; ++c) {
		const double *vertex = &surface->vertices[3 * (size_t)surface->triangles[3 * (size_t)triangle + c]];
		corners[c][0] = vertex[(projection->axis + 1) % 3];
		corners[c][1] = vertex[(projection->axis + 2) % 3];
	}
	return 3;
}

static sonde_status sort_triangles(struct mesh_bins *mesh, struct shape *shape)
{
	for (int axis = 0; axis < 3; ++axis) {
		int i = (axis + 1) % 3, j = (axis + 2) % 3;
		const struct projection projection = {&mesh->surface, axis};
		double low[2] = {shape->low[i], shape->low[j]}, high[2] = {shape->high[i], shape->high[j]};
		double ratio = (high[0] - low[0]) / (high[1] - low[1]), number = 0.5 * mesh->surface.triangle_count;
		int counts[2] = {(int)fmin(sqrt(number * ratio), MOST_BINS),
				 (int)fmin(sqrt(number / ratio), MOST_BINS)};
		CHECK(bins_create(&mesh->bins[axis], counts, low, high, outline_triangle, &projection,
				  mesh->surface.triangle_count));
		if ((int)mesh->bins[axis].most > shape->room)
			shape->room = (int)mesh->bins[axis].most;
	}
	return SONDE_OK;
}

static void mesh_free(struct shape *shape)
{
	if (shape->mesh == NULL)
		return;
	surface_free(&shape->mesh->surface);
	for (int k = 0; k < 3; ++k)
		bins_free(&shape->mesh->bins[k]);
	free(shape->mesh);
}

/* A box around its middle. */
struct middle_box {
	const struct surface *surface;
	double middle[3], half[3];
};

/* Whether a triangle may meet it: neither their ranges nor their distances across the triangle are apart. */
static bool triangle_is_near(const void *user, uint32_t triangle)
{
	const struct middle_box *box = user;
	const uint32_t *corners = &box->surface->triangles[3 * (size_t)triangle];
	const double *a = &box->surface->vertices[3 * (size_t)corners[0]],
		     *b = &box->surface->vertices[3 * (size_t)corners[1]],
		     *c = &box->surface->vertices[3 * (size_t)corners[2]];
	double off = 0.0, reach = 0.0;

	for (int k = 0; k < 3; ++k)
		if (fmin(fmin(a[k], b[k]), c[k]) > box->middle[k] + box->half[k] ||
		    fmax(fmax(a[k], b[k]), c[k]) < box->middle[k] - box->half[k])
			return false;
	for (int k = 0; k < 3; ++k) {
		const int u = (k + 1) % 3, v = (k + 2) % 3;
		const double normal = (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
		off += normal * (box->middle[k] - a[k]);
		reach += fabs(normal) * box->half[k];
	}
	return !(fabs(off) > reach);
}

/* Triangles that bins of one axis lack, since they are seen from their edge, are in those of another one. */
static enum shape_side mesh_side(const struct shape *shape, const double low[3], const double high[3])
{
	struct middle_box box = {.surface = &shape->mesh->surface};
	double begin[3], end[3];

	for (int k = 0; k < 3; ++k) {
		const double margin = SHAPE_MARGIN * (shape->high[k] - shape->low[k]);
		box.middle[k] = 0.5 * (low[k] + high[k]);
		box.half[k] = 0.5 * (high[k] - low[k]) + margin;
		begin[k] = low[k] - margin;
		end[k] = high[k] + margin;
	}
	for (int axis = 0; axis < 3; ++axis) {
		const int u = (axis + 1) % 3, v = (axis + 2) % 3;
		if (bins_any_near(&shape->mesh->bins[axis], (const double[2]){begin[u], begin[v]},
				  (const double[2]){end[u], end[v]}, triangle_is_near, &box))
			return SHAPE_PERHAPS_ACROSS;
	}
	return mesh_contains(shape, box.middle) ? SHAPE_INSIDE : SHAPE_OUTSIDE;
}

static const struct shape_kind mesh_kind = {mesh_line, mesh_contains, mesh_free, mesh_side, NULL};

const struct surface *shape_surface(const struct shape *shape)
{
	return shape->kind == &mesh_kind ? &shape->mesh->surface : NULL;
}

/* Scales, shifts and enlarges the vertices; computes bounds and volume. */
static sonde_status place(struct surface *surface, double scale, const double shift[3], double more,
			  struct shape *shape)
{
	for (uint32_t n = 0; n < surface->vertex_count; ++n)
		for (uint32_t k = 0; k < 3; ++k) {
			double *x = &surface->vertices[3 * (size_t)n + k];
			*x = *x * scale + shift[k];
		}
	if (more != 0.0)
		CHECK(surface_grow(surface, more));
	for (uint32_t k = 0; k < 3; ++k) {
		shape->low[k] = INFINITY;
		shape->high[k] = -INFINITY;
		for (uint32_t n = 0; n < surface->vertex_count; ++n) {
			shape->low[k] = fmin(shape->low[k], surface->vertices[3 * (size_t)n + k]);
			shape->high[k] = fmax(shape->high[k], surface->vertices[3 * (size_t)n + k]);
		}
	}
	CHECK(shape_check_place("scaled and shifted, its lower corner's", shape->low));
	CHECK(shape_check_place("scaled and shifted, its upper corner's", shape->high));
	for (int k = 0; k < 3; ++k)
		CHECK(shape_check_size("scaled and shifted, its size", shape->high[k] - shape->low[k]));
	shape->volume = surface->volume * scale * scale * scale;
	return SONDE_OK;
}

static sonde_status create(const double *corners, int64_t count, double scale, const double shift[3], double more,
			   struct shape **result)
{
	struct shape *shape = NULL;
	sonde_status status;

	*result = NULL;
	CHECK(shape_check_size("scale", scale));
	CHECK(shape_check_place("shift", shift));
	CHECK(memory_allocate(&shape, 1, sizeof *shape, "a shape"));
	shape->kind = &mesh_kind;
	CHECK_GOTO(status, memory_allocate(&shape->mesh, 1, sizeof *shape->mesh, "a shape"), failed);
	CHECK_GOTO(status, surface_create(corners, count, &shape->mesh->surface), failed);
	CHECK_GOTO(status, place(&shape->mesh->surface, scale, shift, more, shape), failed);
	CHECK_GOTO(status, sort_triangles(shape->mesh, shape), failed);
	*result = shape;
	return SONDE_OK;
failed:
	shape_free(&shape);
	return status;
}

sonde_status shape_create_mesh(const double *corners, int64_t count, double scale, const double shift[3],
			       struct shape **shape)
{
	return create(corners, count, scale, shift, 0.0, shape);
}

sonde_status shape_create_stl(const char *path, double scale, const double shift[3], double more,
			      struct shape **shape)
{
	struct stl stl;

	*shape = NULL;
	CHECK(stl_read(path, &stl));
	sonde_status status = create(stl.corners, stl.count, scale, shift, more, shape);
	stl_free(&stl);
	return status == SONDE_OK ? SONDE_OK : status_prefix(status, "%s", path);
}
