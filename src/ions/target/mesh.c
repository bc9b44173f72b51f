/* Surfaces of triangles in the form of the kernels: see kernels/body_mesh.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ions/target/target.h"

#define NM_PER_ANGSTROM 0.1
#define MOST_CUBES 4194304.0
#define CUBES_OF_TRIANGLE 4.0
#define MOST_ALONG 1024.0
#define MARGIN 1e-3 /* margin of the grid on each side, in cubes */
#define REACH 1e-6  /* by which triangles are extended, in cubes */
#define MOST_NUMBERS ((size_t)1 << 28)

/* Grid of cubes around the corners: a few cubes per triangle, unless the body is flat. */
static sonde_status make_grid(const double *corners, size_t count, struct ions_body *body)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, widest = 0.0,
	       volume = 1.0;

	for (size_t n = 0; n < 3 * count; ++n)
		for (int k = 0; k < 3; ++k) {
			low[k] = fmin(low[k], corners[3 * n + (size_t)k]);
			high[k] = fmax(high[k], corners[3 * n + (size_t)k]);
		}
	for (int k = 0; k < 3; ++k)
		widest = fmax(widest, high[k] - low[k]);
	for (int k = 0; k < 3; ++k)
		volume *= fmax(high[k] - low[k], 1e-2 * widest);
	body->cell = fmax(cbrt(volume / fmin(CUBES_OF_TRIANGLE * (double)count, MOST_CUBES)), widest / MOST_ALONG);
	for (int k = 0; k < 3; ++k) {
		body->cells[k] = (uint32_t)ceil((high[k] - low[k]) / body->cell + 2.0 * MARGIN);
		body->first[k] = 0.5 * (low[k] + high[k]) - 0.5 * body->cell * (double)body->cells[k];
	}
	return SONDE_OK;
}

/* The cubes that intersect a triangle's bounds. */
static void bounds_of(const struct ions_body *body, const double *corners, uint32_t first[3], uint32_t last[3])
{
	for (int k = 0; k < 3; ++k) {
		const double a = corners[k], b = corners[3 + k], c = corners[6 + k];
		const double low = (fmin(fmin(a, b), c) - body->first[k]) / body->cell - REACH,
			     high = (fmax(fmax(a, b), c) - body->first[k]) / body->cell + REACH,
			     most = (double)body->cells[k] - 1.0;
		first[k] = (uint32_t)fmin(fmax(floor(low), 0.0), most);
		last[k] = (uint32_t)fmin(fmax(floor(high), 0.0), most);
	}
}

/* Whether the plane of a triangle intersects a cube. */
static bool plane_meets(const struct ions_body *body, const double *corners, const uint32_t at[3])
{
	double one[3], other[3], normal[3], height = 0.0, reach = 0.0;

	for (int k = 0; k < 3; ++k) {
		one[k] = corners[3 + k] - corners[k];
		other[k] = corners[6 + k] - corners[k];
	}
	for (int k = 0; k < 3; ++k) {
		const int u = (k + 1) % 3, v = (k + 2) % 3;
		normal[k] = one[u] * other[v] - one[v] * other[u];
		height += normal[k] * (body->first[k] + ((double)at[k] + 0.5) * body->cell - corners[k]);
		reach += fabs(normal[k]) * (0.5 + REACH) * body->cell;
	}
	return fabs(height) <= reach * (1.0 + 1e-9);
}

/* Counts, or, if `items` is not null, lists the triangles that intersect each cube; heads[cube + 1] are the
 * counts, then the positions of the next entry. */
static void visit_cubes(const struct ions_body *body, const double *corners, size_t count, uint32_t *heads,
			uint32_t *items)
{
	uint32_t first[3], last[3], at[3];

	for (size_t n = 0; n < count; ++n) {
		const double *triangle = corners + 9 * n;
		bounds_of(body, triangle, first, last);
		for (at[2] = first[2]; at[2] <= last[2]; ++at[2])
			for (at[1] = first[1]; at[1] <= last[1]; ++at[1])
				for (at[0] = first[0]; at[0] <= last[0]; ++at[0]) {
					const size_t cube =
					    ((size_t)at[2] * body->cells[1] + at[1]) * body->cells[0] + at[0];
					if (!plane_meets(body, triangle, at))
						continue;
					if (items != NULL)
						items[heads[cube]] = (uint32_t)n;
					++heads[items != NULL ? cube : cube + 1];
				}
	}
}

static void copy_corners(const struct surface *surface, double *corners)
{
	for (size_t n = 0; n < 3 * (size_t)surface->triangle_count; ++n)
		for (size_t k = 0; k < 3; ++k)
			corners[3 * n + k] =
			    NM_PER_ANGSTROM * surface->vertices[3 * (size_t)surface->triangles[n] + k];
}

/* 2 V/S, nm: the thickness of flat bodies, and less than the radius of round ones. */
static double thickness_of(const struct surface *surface, const double *corners)
{
	double area = 0.0, volume = 0.0;

	for (size_t n = 0; n < surface->triangle_count; ++n) {
		const double *a = corners + 9 * n, *b = a + 3, *c = a + 6;
		double square = 0.0;
		for (int k = 0; k < 3; ++k) {
			const int u = (k + 1) % 3, v = (k + 2) % 3;
			const double normal = (b[u] - a[u]) * (c[v] - a[v]) - (b[v] - a[v]) * (c[u] - a[u]);
			square += normal * normal;
			volume += normal * (a[k] - corners[k]) / 6.0;
		}
		area += 0.5 * sqrt(square);
	}
	return 2.0 * volume / area;
}

/* Converts counts to starts of the triangles after the heads, relative to these. */
static sonde_status make_lists(const double *corners, size_t count, struct ions_body *body, uint32_t **lists,
			       size_t *words)
{
	const size_t cubes = (size_t)body->cells[0] * body->cells[1] * body->cells[2];
	uint32_t *heads, *all;

	CHECK(memory_allocate(&heads, cubes + 2, sizeof *heads, "a mesh"));
	visit_cubes(body, corners, count, heads, NULL);
	heads[0] = (uint32_t)(cubes + 1);
	size_t items = 0;
	for (size_t n = 0; n < cubes; ++n) {
		items += heads[n + 1];
		heads[n + 1] += heads[n];
	}
	*words = cubes + 1 + items;
	sonde_status status = *words < 2 * MOST_NUMBERS ? memory_allocate(&all, *words + 1, sizeof *all, "a mesh")
							: status_fail(SONDE_RESOURCE, "too many triangles");
	if (status == SONDE_OK) {
		memcpy(all, heads, (cubes + 1) * sizeof *all);
		visit_cubes(body, corners, count, heads, all);
		*lists = all;
	}
	free(heads);
	return status;
}

sonde_status target_add_mesh(const struct surface *surface, struct ions_body *body, struct target *target)
{
	const size_t count = surface->triangle_count, first = target->mesh_numbers;
	uint32_t *lists = NULL;
	size_t words = 0;

	body->shape = BODY_MESH;
	CHECK(memory_grow(&target->meshes, &target->mesh_capacity, first + 9 * count, sizeof(double), "a mesh"));
	double *corners = target->meshes + first;
	copy_corners(surface, corners);
	CHECK(make_grid(corners, count, body));
	for (int k = 0; k < 3; ++k)
		body->size[k] = 0.5 * thickness_of(surface, corners);
	CHECK(make_lists(corners, count, body, &lists, &words));
	const size_t numbers = (words + 1) / 2;
	sonde_status status = first + 9 * count + numbers < MOST_NUMBERS
				  ? memory_grow(&target->meshes, &target->mesh_capacity, first + 9 * count + numbers,
						sizeof(double), "a mesh")
				  : status_fail(SONDE_RESOURCE, "too many triangles");
	if (status == SONDE_OK) {
		body->triangles = (uint32_t)first;
		body->lists = (uint32_t)(2 * (first + 9 * count));
		memcpy(target->meshes + first + 9 * count, lists, numbers * sizeof(double));
		target->mesh_numbers = first + 9 * count + numbers;
	}
	free(lists);
	return status;
}
