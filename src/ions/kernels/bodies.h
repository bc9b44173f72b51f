/* The region of an atom: layers across x, replaced by voxels, and bodies, of which a later one replaces all
 * earlier ones. */
#ifndef SONDE_IONS_BODIES_H
#define SONDE_IONS_BODIES_H

#include "ions/kernels/body_mesh.h"

/* A vector along a body's own axes, in units of half its size. */
DEVICE_FUNCTION void along_body(const GLOBAL struct ions_body *body, f64 x, f64 y, f64 z, f64 own[3])
{
	for (u32 k = 0; k < 3u; ++k)
		own[k] = (body->turned != 0u
			      ? body->axes[3u * k] * x + body->axes[3u * k + 1u] * y + body->axes[3u * k + 2u] * z
			  : k == 0u ? x
			  : k == 1u ? y
				    : z) /
			 body->size[k];
}

/* From these coordinates to those in units of the hollow. */
DEVICE_FUNCTION void along_hollow(const GLOBAL struct ions_body *body, f64 own[3])
{
	for (u32 k = 0; k < 3u; ++k)
		own[k] = own[k] * body->hollow[k];
}

/* Whether a point is inside the form of a body, with its surface. */
DEVICE_FUNCTION u32 form_contains(const GLOBAL struct ions_body *body, const f64 own[3])
{
	const f64 a = own[0], b = own[1], c = own[2];

	if (body->shape == BODY_BOX)
		return a >= -1.0 && a <= 1.0 && b >= -1.0 && b <= 1.0 && c >= -1.0 && c <= 1.0 ? 1u : 0u;
	if (body->shape == BODY_ELLIPSOID)
		return a * a + b * b + c * c <= 1.0 ? 1u : 0u;
	if (body->shape == BODY_CONE) {
		const f64 radius = body->radius + body->growth * c;
		return c >= -1.0 && c <= 1.0 && a * a + b * b <= radius * radius ? 1u : 0u;
	}
	const f64 along = body->shape == BODY_CYLINDER_X ? a : body->shape == BODY_CYLINDER_Y ? b : c;
	return along >= -1.0 && along <= 1.0 && a * a + b * b + c * c - along * along <= 1.0 ? 1u : 0u;
}

DEVICE_FUNCTION u32 body_contains(const GLOBAL struct ions_body *body, f64 x, f64 y, f64 z)
{
	f64 own[3];

	along_body(body, x - body->center[0], y - body->center[1], z - body->center[2], own);
	if (form_contains(body, own) == 0u)
		return 0u;
	if (body->is_hollow == 0u)
		return 1u;
	along_hollow(body, own);
	return form_contains(body, own) != 0u ? 0u : 1u;
}

/* The fractions of a flight at which it enters and leaves a circle or a sphere of radius 1: from^2 + 2 t from by +
 * t^2 by^2 = 1. */
DEVICE_FUNCTION void cut_round(f64 square, f64 product, f64 by, f64 *first, f64 *last)
{
	const f64 root_square = product * product - by * (square - 1.0);

	if (by < 1e-300 || root_square < 0.0) {
		*first = by < 1e-300 && square <= 1.0 ? -1e300 : 1e300;
		*last = by < 1e-300 && square <= 1.0 ? 1e300 : -1e300;
		return;
	}
	const f64 root = sqrt(root_square);
	*first = (-product - root) / by;
	*last = (-product + root) / by;
}

/* Restricts the interval from *first to *last of a flight, which is between the ends of a cone, to the inside of
 * the cone, where
 *     |across + t by|^2 - (radius + t widening)^2 = inner + 2 t product + t^2 square < 0.
 * This is one interval, since the frustum of a cone is convex: for square < 0 the flight passes from one half of
 * the double cone to the other, one of which lies beyond the tip. */
DEVICE_FUNCTION void cut_cone(f64 square, f64 product, f64 inner, f64 *first, f64 *last)
{
	f64 root_square = product * product - square * inner;

	if (square < 0.0)
		root_square = root_square > 0.0 ? root_square : 0.0;
	/* along the lateral surface, or outside the cone */
	if (root_square < 0.0 || (square == 0.0 && product == 0.0)) {
		*last = root_square < 0.0 || inner > 0.0 ? -1e300 : *last;
		return;
	}
	const f64 root = sqrt(root_square), sum = product < 0.0 ? root - product : -root - product;
	if (square == 0.0) { /* a single point, -inner/(2 product) */
		const f64 only = inner / sum;
		if (product > 0.0)
			*last = only < *last ? only : *last;
		else
			*first = only > *first ? only : *first;
		return;
	}
	const f64 one = sum / square, other = sum != 0.0 ? inner / sum : one, low = one < other ? one : other,
		  high = one < other ? other : one;
	if (square > 0.0) {
		*first = low > *first ? low : *first;
		*last = high < *last ? high : *last;
		return;
	}
	const f64 before = (low < *last ? low : *last) - *first, after = *last - (high > *first ? high : *first);
	if (before > after)
		*last = low < *last ? low : *last;
	else
		*first = high > *first ? high : *first;
}

/* Fractions of a flight by `by` from `from` at which it enters and leaves the form of a body; none if first > last. */
DEVICE_FUNCTION void cut_form(const GLOBAL struct ions_body *body, const f64 from[3], const f64 by[3], f64 *first,
			      f64 *last)
{
	const u32 shape = body->shape, has_x = shape != BODY_CYLINDER_X ? 1u : 0u,
		  has_y = shape != BODY_CYLINDER_Y ? 1u : 0u,
		  has_z = shape != BODY_CYLINDER_Z && shape != BODY_CONE ? 1u : 0u;
	f64 begin, end;

	const f64 x = from[0], y = from[1], z = from[2], dx = by[0], dy = by[1], dz = by[2];
	const f64 square = (has_x != 0u ? x * x : 0.0) + (has_y != 0u ? y * y : 0.0) + (has_z != 0u ? z * z : 0.0);
	const f64 product =
	    (has_x != 0u ? x * dx : 0.0) + (has_y != 0u ? y * dy : 0.0) + (has_z != 0u ? z * dz : 0.0);
	const f64 length =
	    (has_x != 0u ? dx * dx : 0.0) + (has_y != 0u ? dy * dy : 0.0) + (has_z != 0u ? dz * dz : 0.0);
	*first = -1e300;
	*last = 1e300;
	if (shape != BODY_BOX && shape != BODY_CONE)
		cut_round(square, product, length, first, last);
	for (u32 k = 0; k < 3u; ++k) {
		if (shape != BODY_BOX && shape != BODY_CYLINDER_X + k && !(shape == BODY_CONE && k == 2u))
			continue;
		cut_slab(k == 0u ? x : k == 1u ? y : z, k == 0u ? dx : k == 1u ? dy : dz, &begin, &end);
		*first = begin > *first ? begin : *first;
		*last = end < *last ? end : *last;
	}
	if (shape == BODY_CONE && *first <= *last) {
		const f64 radius = body->radius + body->growth * z, widening = body->growth * dz;
		cut_cone(length - widening * widening, product - radius * widening, square - radius * radius, first,
			 last);
	}
}

/* Fraction of the flight at which it leaves a body from inside, or enters it from outside; above 1 if it does not. *hollow:
 * through the surface of its hollow. Outside of a body are also the points in its hollow. */
DEVICE_FUNCTION f64 cross_body(const GLOBAL struct ions_body *body, const struct flights *f, const u32 h,
			       const u32 inside, u32 *hollow)
{
	f64 from[3], by[3], first, last, enter = 2.0, leave = -1.0;

	*hollow = 0u;
	along_body(body, f->x[h] - body->center[0], f->y[h] - body->center[1], f->z[h] - body->center[2], from);
	along_body(body, f->next_x[h] - f->x[h], f->next_y[h] - f->y[h], f->next_z[h] - f->z[h], by);
	cut_form(body, from, by, &first, &last);
	if (body->is_hollow != 0u) {
		along_hollow(body, from);
		along_hollow(body, by);
		cut_form(body, from, by, &enter, &leave);
	}
	if (inside != 0u) {
		*hollow = enter <= leave && enter >= 0.0 && enter < last ? 1u : 0u;
		return *hollow != 0u ? enter : last;
	}
	if (!(first <= last))
		return 2.0;
	if (!(enter <= leave))
		return first >= 0.0 ? first : 2.0;
	/* through the outer surface, unless that is open there, as at the ends of a tube; or out of the hollow */
	if (first >= 0.0 && !(enter <= first && first < leave))
		return first;
	*hollow = 1u;
	return leave >= 0.0 && leave > first && leave < last ? leave : 2.0;
}

/* Normal of the surface of a body, or of its hollow, at a point on it. */
DEVICE_FUNCTION void normal_of_body(const GLOBAL struct ions_body *body, const u32 hollow, f64 x, f64 y, f64 z,
				    struct met_surface *surface)
{
	f64 own[3];

	along_body(body, x - body->center[0], y - body->center[1], z - body->center[2], own);
	if (hollow != 0u)
		along_hollow(body, own);
	const f64 a = own[0], b = own[1], c = own[2];
	const u32 shape = body->shape;
	const f64 far_a = a < 0.0 ? -a : a, far_b = b < 0.0 ? -b : b, far_c = c < 0.0 ? -c : c;
	const f64 along = shape == BODY_CYLINDER_X ? far_a : shape == BODY_CYLINDER_Y ? far_b : far_c;
	const f64 aside = a * a + b * b + c * c - along * along;
	/* the flat end of a cylinder, or its lateral surface */
	u32 flat = shape != BODY_BOX && shape != BODY_ELLIPSOID && along * along > aside ? 1u : 0u;
	f64 n[3];

	n[0] = a / body->size[0];
	n[1] = b / body->size[1];
	n[2] = c / body->size[2];
	if (shape == BODY_BOX) {
		n[0] = far_a >= far_b && far_a >= far_c ? a : 0.0;
		n[1] = n[0] == 0.0 && far_b >= far_c ? b : 0.0;
		n[2] = n[0] == 0.0 && n[1] == 0.0 ? c : 0.0;
	} else if (shape == BODY_CONE) {
		const f64 radius = body->radius + body->growth * c, off = sqrt(aside) - radius, over = far_c - 1.0;
		flat = (over < 0.0 ? -over : over) < (off < 0.0 ? -off : off) ? 1u : 0u;
		n[0] = flat != 0u ? 0.0 : n[0];
		n[1] = flat != 0u ? 0.0 : n[1];
		n[2] = flat != 0u ? c : -body->growth * radius / body->size[2];
	} else if (shape != BODY_ELLIPSOID) {
		for (u32 k = 0; k < 3u; ++k)
			if ((shape == BODY_CYLINDER_X + k) != (flat != 0u))
				n[k] = 0.0;
	}
	for (u32 k = 0; k < 3u && hollow != 0u; ++k)
		n[k] = n[k] * body->hollow[k];
	if (body->turned != 0u) {
		for (u32 k = 0; k < 3u; ++k)
			own[k] = n[0] * body->axes[k] + n[1] * body->axes[3u + k] + n[2] * body->axes[6u + k];
		for (u32 k = 0; k < 3u; ++k)
			n[k] = own[k];
	}
	const f64 length = sqrt(n[0] * n[0] + n[1] * n[1] + n[2] * n[2]), over = length > 0.0 ? 1.0 / length : 0.0;
	surface->normal_x = (f32)(n[0] * over);
	surface->normal_y = (f32)(n[1] * over);
	surface->normal_z = (f32)(n[2] * over);
}

/* The last body that contains a position, else the voxel, else the layer; *out: none of these. Regions are
 * numbered starting with layers. */
DEVICE_FUNCTION u32 region_at(const struct run *run, f64 x, f64 y, f64 z, u32 *out)
{
	const u32 layers = run->job->layers;
	u32 layer = 0;

	*out = 0u;
	for (u32 b = run->job->bodies; b > 0u; --b)
		if ((run->bodies[b - 1u].shape == BODY_MESH ? mesh_contains(run, run->bodies + (b - 1u), x, y, z)
							    : body_contains(run->bodies + (b - 1u), x, y, z)) != 0u)
			return layers + b - 1u;
	const u32 voxel =
	    voxel_region(run, voxel_along(run->job, 0, x), voxel_along(run->job, 1, y), voxel_along(run->job, 2, z));
	if (voxel < run->job->regions)
		return voxel;
	while (layer + 1u < layers && x >= run->layers[layer].end)
		++layer;
	*out = x < run->layers[0].begin || x >= run->layers[layers - 1u].end ? 1u : 0u;
	return layer;
}

/* The first surface met by a flight among layers, voxels and bodies. */
DEVICE_FUNCTION struct met_surface next_surface(const struct run *run, const struct flights *f, const u32 h)
{
	const GLOBAL struct ions_job *const job = run->job;
	const u32 region = f->layer[h], layers = job->layers,
		  in_body = region >= layers && region < layers + job->bodies ? 1u : 0u;
	const f64 dx = f->next_x[h] - f->x[h];
	struct met_surface surface;
	f64 part;
	u32 body = job->bodies; /* body of the surface; job->bodies: one with a known normal */
	u32 hollow = 0u, of_hollow;

	surface.part = 2.0;
	surface.normal_x = dx < 0.0 ? -1.0f : 1.0f;
	surface.normal_y = surface.normal_z = 0.0f;
	surface.region = region;
	surface.out = 0u;
	if (region < layers) {
		const GLOBAL struct ions_layer_numbers *const layer = run->layers + region;
		if (f->next_x[h] < layer->begin || f->next_x[h] >= layer->end)
			surface.part = ((f->next_x[h] < layer->begin ? layer->begin : layer->end) - f->x[h]) / dx;
	} else if (in_body != 0u && run->bodies[region - layers].shape == BODY_MESH) {
		(void)meet_mesh(run, run->bodies + (region - layers), f, h, 1u, &surface);
	} else if (in_body != 0u) {
		part = cross_body(run->bodies + (region - layers), f, h, 1u, &of_hollow);
		if (part < surface.part) {
			surface.part = part;
			body = region - layers;
			hollow = of_hollow;
		}
	}
	if (job->voxel_materials != 0u && in_body == 0u)
		meet_voxels(run, f, h, &surface);
	/* bodies that replace this one */
	for (u32 b = in_body == 0u ? 0u : region - layers + 1u; b < job->bodies; ++b) {
		if (run->bodies[b].shape == BODY_MESH) {
			body = meet_mesh(run, run->bodies + b, f, h, 0u, &surface) != 0u ? job->bodies : body;
			continue;
		}
		part = cross_body(run->bodies + b, f, h, 0u, &of_hollow);
		if (part < surface.part) {
			surface.part = part;
			body = b;
			hollow = of_hollow;
		}
	}
	if (surface.part >= 1.0)
		return surface;
	surface.part = surface.part < 0.0 ? 0.0 : surface.part;
	const f64 dy = f->next_y[h] - f->y[h], dz = f->next_z[h] - f->z[h];
	const f64 x = f->x[h] + dx * surface.part, y = f->y[h] + dy * surface.part, z = f->z[h] + dz * surface.part;
	if (body < job->bodies) {
		normal_of_body(run->bodies + body, hollow, x, y, z, &surface);
		const f64 along =
		    (f64)surface.normal_x * dx + (f64)surface.normal_y * dy + (f64)surface.normal_z * dz;
		surface.normal_x = along < 0.0 ? -surface.normal_x : surface.normal_x;
		surface.normal_y = along < 0.0 ? -surface.normal_y : surface.normal_y;
		surface.normal_z = along < 0.0 ? -surface.normal_z : surface.normal_z;
	}
	const f64 behind = NUDGE / (f64)f->length[h];
	surface.region = region_at(run, x + behind * dx, y + behind * dy, z + behind * dz, &surface.out);
	return surface;
}

/* The same for layers only. */
DEVICE_FUNCTION struct met_surface next_wall(const struct run *run, const struct flights *f, const u32 h)
{
	const u32 layer = f->layer[h], forward = f->next_x[h] > f->x[h] ? 1u : 0u;
	const GLOBAL struct ions_layer_numbers *const numbers = run->layers + layer;
	struct met_surface surface;

	surface.part = 2.0;
	surface.normal_x = forward != 0u ? 1.0f : -1.0f;
	surface.normal_y = surface.normal_z = 0.0f;
	surface.region = layer;
	surface.out = 0u;
	if (f->next_x[h] >= numbers->begin && f->next_x[h] < numbers->end)
		return surface;
	const f64 wall = f->next_x[h] < numbers->begin ? numbers->begin : numbers->end;
	const f64 part = (wall - f->x[h]) / (f->next_x[h] - f->x[h]);
	surface.part = part < 0.0 ? 0.0 : part < 1.0 ? part : 0.9999999999;
	surface.out = forward != 0u ? (layer + 1u == run->job->layers ? 1u : 0u) : (layer == 0u ? 1u : 0u);
	surface.region = surface.out != 0u ? layer : forward != 0u ? layer + 1u : layer - 1u;
	return surface;
}

/* Remaining part of the first flight beyond a rough surface: the flight started at a random distance before it.
 * Negative for exponential flights: minus the position in a flight, as a fraction of its mean length, if within
 * the least length. */
DEVICE_FUNCTION f32 rest_at_surface(const struct run *run, u32 word)
{
	const f32 u = random_uniform(word);

	(void)run;
	return EXPONENTIAL ? -u : u;
}

/* Remaining fraction of the least length of an exponential flight of this length. */
DEVICE_FUNCTION f32 rest_of_least(const struct run *run, const struct flights *f, const u32 h)
{
	const GLOBAL struct ions_flight *const flight = run->flights + f->row[h];
	const f32 first = -f->rest[h];

	if (first > 0.0f && first < flight->least) {
		const f32 rest = first - f->length[h] * exact_reciprocal(flight->length);
		return rest > 1e-6f ? -rest : -1e-6f;
	}
	const f32 before = f->rest[h] > 0.0f ? f->rest[h] : 1.0f,
		  after = before - f->length[h] * exact_reciprocal(flight->length * flight->least);

	return after > 1e-6f ? after : 1e-6f;
}

/* Cuts a flight at a surface: its remaining fraction continues beyond. */
DEVICE_FUNCTION void cut_at_surface(const struct run *run, struct flights *f, const u32 h,
				    const struct met_surface *surface)
{
	const f64 part = surface->part;
	const f32 before = f->rest[h] > 0.0f ? f->rest[h] : 1.0f, after = before * (1.0f - (f32)part);
	const u32 vacuum = run->layers[f->layer[h]].count == 0u ? 1u : 0u;

	f->length[h] = (f32)((f64)f->length[h] * part);
	f->next_x[h] = f->x[h] + (f->next_x[h] - f->x[h]) * part;
	f->next_y[h] = f->y[h] + (f->next_y[h] - f->y[h]) * part;
	f->next_z[h] = f->z[h] + (f->next_z[h] - f->z[h]) * part;
	f->collides[h] = 0u;
	/* beyond vacuum the surface is rough, as at the start of ions */
	if (vacuum != 0u)
		f->rest[h] = rest_at_surface(run, f->word[3][h]);
	else
		f->rest[h] = EXPONENTIAL ? rest_of_least(run, f, h) : after > 1e-6f ? after : 1e-6f;
}

#endif
