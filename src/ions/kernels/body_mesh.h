/* Bodies of triangles: closed surfaces, with triangles looked up by the cubes of a grid that they intersect.
 *
 * A triangle's corners are relative to the start of the flight, so that the results of two triangles for a common
 * edge differ only in sign (the products are identical, and no compiler may fuse them): a flight through a common
 * edge meets at least one of them, and a line used for counting meets exactly one. */
#ifndef SONDE_IONS_BODY_MESH_H
#define SONDE_IONS_BODY_MESH_H

#include "ions/kernels/voxels.h"

/* A triangle's corners relative to a point. */
struct seen_triangle {
	f64 a[3], b[3], c[3];
};

DEVICE_FUNCTION struct seen_triangle seen_from(const GLOBAL f64 *corners, const f64 place[3])
{
	struct seen_triangle triangle;

	for (u32 k = 0; k < 3u; ++k) {
		triangle.a[k] = corners[k] - place[k];
		triangle.b[k] = corners[3u + k] - place[k];
		triangle.c[k] = corners[6u + k] - place[k];
	}
	return triangle;
}

/* along . (a x b), exactly the negative of that with a and b exchanged. */
DEVICE_FUNCTION f64 edge_volume(const f64 along[3], const f64 a[3], const f64 b[3])
{
	return along[0] * (a[1] * b[2] - a[2] * b[1]) + along[1] * (a[2] * b[0] - a[0] * b[2]) +
	       along[2] * (a[0] * b[1] - a[1] * b[0]);
}

/* (b - a) x (c - a), the outward normal. */
DEVICE_FUNCTION void triangle_normal(const struct seen_triangle *triangle, f64 normal[3])
{
	f64 one[3], other[3];

	for (u32 k = 0; k < 3u; ++k) {
		one[k] = triangle->b[k] - triangle->a[k];
		other[k] = triangle->c[k] - triangle->a[k];
	}
	normal[0] = one[1] * other[2] - one[2] * other[1];
	normal[1] = one[2] * other[0] - one[0] * other[2];
	normal[2] = one[0] * other[1] - one[1] * other[0];
}

/* Where a flight by `by` crosses a triangle outward (outwards: 1) or inward (0), as a fraction of the flight; 2 if it
 * does not. */
DEVICE_FUNCTION f64 cross_triangle(const struct seen_triangle *triangle, const f64 by[3], const u32 outwards,
				   f64 normal[3])
{
	const f64 sign = outwards != 0u ? 1.0 : -1.0, u = sign * edge_volume(by, triangle->b, triangle->c),
		  v = sign * edge_volume(by, triangle->c, triangle->a),
		  w = sign * edge_volume(by, triangle->a, triangle->b);

	normal[0] = normal[1] = normal[2] = 0.0;
	if (u < 0.0 || v < 0.0 || w < 0.0)
		return 2.0;
	triangle_normal(triangle, normal);
	const f64 slope = normal[0] * by[0] + normal[1] * by[1] + normal[2] * by[2];
	if (!(sign * slope > 0.0))
		return 2.0;
	return (normal[0] * triangle->a[0] + normal[1] * triangle->a[1] + normal[2] * triangle->a[2]) / slope;
}

/* The cube along an axis that contains a point, clamped to the first and last one. */
DEVICE_FUNCTION int cube_along(const GLOBAL struct ions_body *body, const u32 axis, f64 place)
{
	const f64 number = (place - body->first[axis]) / body->cell;
	const int last = (int)body->cells[axis] - 1;

	return number >= 0.0 ? (number < (f64)last ? (int)number : last) : 0;
}

/* The start of a cube's triangles in the lists. */
DEVICE_FUNCTION const GLOBAL u32 *cube_list(const GLOBAL struct ions_body *body, const GLOBAL u32 *lists,
					    const int at[3])
{
	return lists + (((u32)at[2] * body->cells[1] + (u32)at[1]) * body->cells[0] + (u32)at[0]);
}

/* Where a flight leaves a mesh from inside, or enters one from outside, if before the nearest surface so far: then
 * returns 1. */
DEVICE_FUNCTION u32 meet_mesh(const struct run *run, const GLOBAL struct ions_body *body, const struct flights *f,
			      const u32 h, const u32 inside, struct met_surface *surface)
{
	const GLOBAL f64 *const triangles = run->meshes + body->triangles;
	const GLOBAL u32 *const lists = (const GLOBAL u32 *)(const GLOBAL void *)run->meshes + body->lists;
	/* a point on a surface may be beyond it by rounding */
	const f64 least = -0.5 * NUDGE / (f64)f->length[h];
	f64 from[3], by[3], normal[3], begin = least, end = surface->part < 1.0 ? surface->part : 1.0, first, last;
	int at[3];
	u32 met = 0u;

	from[0] = f->x[h];
	from[1] = f->y[h];
	from[2] = f->z[h];
	by[0] = f->next_x[h] - f->x[h];
	by[1] = f->next_y[h] - f->y[h];
	by[2] = f->next_z[h] - f->z[h];
	for (u32 k = 0; k < 3u; ++k) {
		const f64 size = 0.5 * body->cell * (f64)body->cells[k];
		cut_slab((from[k] - body->first[k] - size) / size, by[k] / size, &first, &last);
		begin = first > begin ? first : begin;
		end = last < end ? last : end;
	}
	if (!(begin <= end))
		return 0u;
	for (u32 k = 0; k < 3u; ++k)
		at[k] = cube_along(body, k, from[k] + begin * by[k]);
	for (;;) {
		const GLOBAL u32 *const list = cube_list(body, lists, at);
		f64 leave = 2.0;
		u32 face = 0u;
		for (u32 n = list[0]; n < list[1]; ++n) {
			const struct seen_triangle triangle = seen_from(triangles + 9u * lists[n], from);
			const f64 part = cross_triangle(&triangle, by, inside, normal);
			if (!(part >= least && part < surface->part && part < 1.0))
				continue;
			const f64 over = (inside != 0u ? 1.0 : -1.0) /
					 sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
			surface->part = part;
			surface->normal_x = (f32)(over * normal[0]);
			surface->normal_y = (f32)(over * normal[1]);
			surface->normal_z = (f32)(over * normal[2]);
			met = 1u;
		}
		for (u32 k = 0; k < 3u; ++k) {
			const f64 wall = body->first[k] + (f64)(at[k] + (by[k] > 0.0 ? 1 : 0)) * body->cell;
			const f64 part = by[k] != 0.0 ? (wall - from[k]) / by[k] : 2.0;
			face = part < leave ? k : face;
			leave = part < leave ? part : leave;
		}
		/* triangles extend beyond their cubes: one in the next cube cannot be nearer */
		if (leave >= end || surface->part < leave)
			return met;
		at[face] += by[face] > 0.0 ? 1 : -1;
		if (at[face] < 0 || at[face] >= (int)body->cells[face])
			return met;
	}
}

/* Whether the line along x through the point meets a triangle: whether the part of its outline to the right of the
 * point has an odd number of edges. An edge includes its lower end, but not its upper one. */
DEVICE_FUNCTION u32 edge_is_right(const f64 a[3], const f64 b[3])
{
	const f64 across = a[1] * b[2] - a[2] * b[1];

	if ((a[2] > 0.0) == (b[2] > 0.0))
		return 0u;
	return (b[2] > 0.0 ? across > 0.0 : across < 0.0) ? 1u : 0u;
}

/* Whether a point is inside: along x from it, more surfaces are left than entered. */
DEVICE_FUNCTION u32 mesh_contains(const struct run *run, const GLOBAL struct ions_body *body, f64 x, f64 y, f64 z)
{
	const GLOBAL f64 *const triangles = run->meshes + body->triangles;
	const GLOBAL u32 *const lists = (const GLOBAL u32 *)(const GLOBAL void *)run->meshes + body->lists;
	f64 place[3], normal[3];
	int at[3], around = 0;

	place[0] = x;
	place[1] = y;
	place[2] = z;
	for (u32 k = 0; k < 3u; ++k) {
		if (!(place[k] >= body->first[k] && place[k] <= body->first[k] + body->cell * (f64)body->cells[k]))
			return 0u;
		at[k] = cube_along(body, k, place[k]);
	}
	for (; at[0] < (int)body->cells[0]; ++at[0]) {
		const GLOBAL u32 *const list = cube_list(body, lists, at);
		for (u32 n = list[0]; n < list[1]; ++n) {
			const struct seen_triangle triangle = seen_from(triangles + 9u * lists[n], place);
			if (((edge_is_right(triangle.a, triangle.b) + edge_is_right(triangle.b, triangle.c) +
			      edge_is_right(triangle.c, triangle.a)) &
			     1u) == 0u)
				continue;
			triangle_normal(&triangle, normal);
			if (normal[0] == 0.0)
				continue;
			const f64 ahead =
			    triangle.a[0] + (normal[1] * triangle.a[1] + normal[2] * triangle.a[2]) / normal[0];
			/* counted in only one of the cubes that the triangle intersects */
			if (ahead > 0.0 && cube_along(body, 0, x + ahead) == at[0])
				around += normal[0] > 0.0 ? 1 : -1;
		}
	}
	return around != 0 ? 1u : 0u;
}

#endif
