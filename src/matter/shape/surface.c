#include "matter/shape/surface.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define MOST_TRIANGLES 300000000
#define JOINED 1e-6 /* of the size: corners closer than that are merged, if the surface is open otherwise */
#define NONE UINT32_MAX

/* Vertices by the cells of a grid that contain them, or by their exact bits if `cell` is 0. */
struct vertex_table {
	struct surface *surface;
	const double *low; /* origin of the grid */
	double cell;
	uint32_t *slots;
	size_t mask;
};

struct cell_key {
	int64_t k[3];
};

static struct cell_key key_of(const struct vertex_table *table, const double place[3], const int shift[3])
{
	struct cell_key key;

	for (int k = 0; k < 3; ++k) {
		double positive = place[k] + 0.0; /* -0 is 0 */
		if (table->cell > 0.0)
			key.k[k] = (int64_t)((place[k] - table->low[k]) / table->cell) + shift[k];
		else
			memcpy(&key.k[k], &positive, sizeof positive);
	}
	return key;
}

static size_t hash(const struct cell_key *key)
{
	uint64_t h = 0;

	for (int k = 0; k < 3; ++k) {
		h = (h ^ (uint64_t)key->k[k]) * UINT64_C(0x9e3779b97f4a7c15);
		h ^= h >> 29;
	}
	h *= UINT64_C(0xbf58476d1ce4e5b9);
	return (size_t)(h ^ (h >> 32));
}

static bool near(const double *a, const double *b, double distance)
{
	double x = a[0] - b[0], y = a[1] - b[1], z = a[2] - b[2];

	return x * x + y * y + z * z <= distance * distance;
}

/* The vertex at a position in one cell, or NONE; *slot is the place for a new one with this key. */
static uint32_t find(const struct vertex_table *table, const double place[3], const int shift[3], size_t *slot)
{
	static const int here[3] = {0, 0, 0};
	struct cell_key key = key_of(table, place, shift);

	for (*slot = hash(&key) & table->mask; table->slots[*slot] != NONE; *slot = (*slot + 1) & table->mask) {
		const double *vertex = &table->surface->vertices[3 * (size_t)table->slots[*slot]];
		struct cell_key other = key_of(table, vertex, here);
		if (memcmp(&key, &other, sizeof key) == 0 &&
		    (table->cell == 0.0 || near(vertex, place, 0.5 * table->cell)))
			return table->slots[*slot];
	}
	return NONE;
}

/* The vertex of a corner, a new one if necessary. */
static uint32_t vertex_of(struct vertex_table *table, const double corner[3])
{
	int step[3] = {0, 0, 0}, shift[3] = {0, 0, 0};
	size_t slot, other;
	uint32_t vertex = find(table, corner, shift, &slot);

	if (vertex == NONE && table->cell > 0.0) { /* the cells nearest to it, half a cell away */
		for (int k = 0; k < 3; ++k) {
			double cells = (corner[k] - table->low[k]) / table->cell;
			step[k] = cells - floor(cells) < 0.5 ? -1 : 1;
		}
		for (int n = 1; n < 8 && vertex == NONE; ++n) {
			for (int k = 0; k < 3; ++k)
				shift[k] = n >> k & 1 ? step[k] : 0;
			vertex = find(table, corner, shift, &other);
		}
	}
	if (vertex == NONE) {
		vertex = table->surface->vertex_count++;
		memcpy(&table->surface->vertices[3 * (size_t)vertex], corner, 3 * sizeof *corner);
		table->slots[slot] = vertex;
	}
	return vertex;
}

/* Makes vertices and triangles from corners. */
static sonde_status join(const double *corners, uint32_t count, const double low[3], double cell,
			 struct surface *surface)
{
	struct vertex_table table = {.surface = surface, .low = low, .cell = cell, .mask = 15};

	while (table.mask < 4 * (size_t)count) /* about count / 2 vertices usually, 3 count at most */
		table.mask = 2 * table.mask + 1;
	CHECK(memory_allocate(&table.slots, table.mask + 1, sizeof *table.slots, "vertices of a surface"));
	memset(table.slots, 0xff, (table.mask + 1) * sizeof *table.slots);
	surface->vertex_count = surface->triangle_count = 0;
	for (uint32_t n = 0; n < count; ++n) {
		uint32_t *triangle = &surface->triangles[3 * (size_t)surface->triangle_count];
		for (int k = 0; k < 3; ++k)
			triangle[k] = vertex_of(&table, &corners[9 * (size_t)n + 3 * (size_t)k]);
		/* a triangle that has collapsed to an edge runs there and back: without it the others are as closed as before */
		if (triangle[0] != triangle[1] && triangle[0] != triangle[2] && triangle[1] != triangle[2])
			++surface->triangle_count;
	}
	free(table.slots);
	return SONDE_OK;
}

/* Number of times an edge runs, low < high. */
struct edge {
	uint32_t low, high, runs;
	int32_t upwards; /* more often from low to high than back */
};

/* Edges without a partner. */
struct open_edges {
	int64_t count, turned; /* turned: those of them with another one in the same direction */
	uint32_t from, to;     /* of one */
};

static void count_edge(struct edge *edges, size_t mask, uint32_t from, uint32_t to)
{
	uint32_t low = from < to ? from : to, high = from < to ? to : from;
	struct cell_key key = {{low, high, 0}};
	size_t slot = hash(&key) & mask;

	while (edges[slot].runs > 0 && (edges[slot].low != low || edges[slot].high != high))
		slot = (slot + 1) & mask;
	edges[slot].low = low;
	edges[slot].high = high;
	++edges[slot].runs;
	edges[slot].upwards += from == low ? 1 : -1;
}

static sonde_status find_open_edges(const struct surface *surface, struct open_edges *open)
{
	struct edge *edges;
	size_t mask = 15;

	*open = (struct open_edges){.count = 0};
	while (mask < 4 * (size_t)surface->triangle_count)
		mask = 2 * mask + 1;
	CHECK(memory_allocate(&edges, mask + 1, sizeof *edges, "edges of a surface"));
	for (uint32_t n = 0; n < surface->triangle_count; ++n) {
		const uint32_t *triangle = &surface->triangles[3 * (size_t)n];
		for (int k = 0; k < 3; ++k)
			count_edge(edges, mask, triangle[k], triangle[(k + 1) % 3]);
	}
	for (size_t k = 0; k <= mask; ++k) {
		if (edges[k].upwards == 0)
			continue;
		if (open->count == 0) {
			open->from = edges[k].upwards > 0 ? edges[k].low : edges[k].high;
			open->to = edges[k].upwards > 0 ? edges[k].high : edges[k].low;
		}
		open->count += abs(edges[k].upwards);
		open->turned += edges[k].runs % 2 == 0 ? abs(edges[k].upwards) : 0;
	}
	free(edges);
	return SONDE_OK;
}

static sonde_status not_closed(const struct surface *surface, const struct open_edges *open)
{
	const double *a = &surface->vertices[3 * (size_t)open->from], *b = &surface->vertices[3 * (size_t)open->to];

	if (open->turned == open->count)
		return status_fail(SONDE_INVALID,
				   "the triangles of the surface are not consistently oriented: %lld edges have no "
				   "partner of opposite direction, one from (%g, %g, %g) to (%g, %g, %g)",
				   (long long)open->count, a[0], a[1], a[2], b[0], b[1], b[2]);
	return status_fail(SONDE_INVALID,
			   "the surface is not closed: %lld open edges, one from (%g, %g, %g) to (%g, %g, %g)",
			   (long long)open->count, a[0], a[1], a[2], b[0], b[1], b[2]);
}

/* Of the corners; returns their largest extent. */
static sonde_status check_corners(const double *corners, int64_t count, double low[3], double high[3])
{
	for (int k = 0; k < 3; ++k) {
		low[k] = INFINITY;
		high[k] = -INFINITY;
	}
	for (int64_t n = 0; n < 3 * count; ++n)
		for (int k = 0; k < 3; ++k) {
			double x = corners[3 * n + k];
			if (!(fabs(x) <= 1e60)) /* nor NaN */
				return status_fail(SONDE_INVALID,
						   "triangle %lld: %c = %g is not a finite number within 1e60",
						   (long long)(n / 3) + 1, "xyz"[k], x);
			low[k] = fmin(low[k], x);
			high[k] = fmax(high[k], x);
		}
	return SONDE_OK;
}

/* By Gauss's theorem, relative to the middle; reverses the surface if it is inside out. */
static sonde_status measure(struct surface *surface, const double low[3], const double high[3])
{
	double box = 1.0, sum = 0.0, off = 0.0;

	for (int k = 0; k < 3; ++k)
		box *= high[k] - low[k];
	for (uint32_t n = 0; n < surface->triangle_count; ++n) {
		double p[3][3];
		for (int c = 0; c < 3; ++c)
			for (int k = 0; k < 3; ++k)
				p[c][k] =
				    surface->vertices[3 * (size_t)surface->triangles[3 * (size_t)n + (size_t)c] +
						      (size_t)k] -
				    0.5 * (low[k] + high[k]);
		double part = p[0][0] * (p[1][1] * p[2][2] - p[1][2] * p[2][1]) +
			      p[0][1] * (p[1][2] * p[2][0] - p[1][0] * p[2][2]) +
			      p[0][2] * (p[1][0] * p[2][1] - p[1][1] * p[2][0]) - off;
		double next = sum + part; /* compensated */
		off = (next - sum) - part;
		sum = next;
	}
	surface->volume = fabs(sum) / 6.0;
	if (!(surface->volume > 1e-12 * box))
		return status_fail(SONDE_INVALID, "the surface encloses no volume");
	for (uint32_t n = 0; sum < 0.0 && n < surface->triangle_count; ++n) {
		uint32_t *triangle = &surface->triangles[3 * (size_t)n], second = triangle[1];
		triangle[1] = triangle[2];
		triangle[2] = second;
	}
	return SONDE_OK;
}

sonde_status surface_create(const double *corners, int64_t count, struct surface *surface)
{
	double low[3], high[3], size = 0.0;
	struct open_edges open;

	*surface = (struct surface){.vertices = NULL};
	if (count < 1)
		return status_fail(SONDE_INVALID, "the surface has no triangles");
	if (count > MOST_TRIANGLES)
		return status_fail(SONDE_INVALID, "the surface has more than %d triangles", MOST_TRIANGLES);
	CHECK(check_corners(corners, count, low, high));
	CHECK(memory_allocate(&surface->vertices, (size_t)count, 9 * sizeof *surface->vertices,
			      "vertices of a surface"));
	CHECK(memory_allocate(&surface->triangles, (size_t)count, 3 * sizeof *surface->triangles,
			      "triangles of a surface"));
	CHECK(join(corners, (uint32_t)count, low, 0.0, surface));
	CHECK(find_open_edges(surface, &open));
	for (int k = 0; k < 3; ++k)
		size = fmax(size, high[k] - low[k]);
	if (open.count > 0 && size > 0.0) {
		CHECK(join(corners, (uint32_t)count, low, 2.0 * JOINED * size, surface));
		CHECK(find_open_edges(surface, &open));
	}
	if (open.count > 0)
		return not_closed(surface, &open);
	return measure(surface, low, high);
}

void surface_free(struct surface *surface)
{
	free(surface->vertices);
	free(surface->triangles);
	*surface = (struct surface){.vertices = NULL};
}

/* Of each vertex, the sum over its triangles of n n^T (xx, xy, xz, yy, yz, zz) and of n, weighted by their angles
 * there. */
#define SUMS 9

static void add_normal(const double *here, const double *next, const double *behind, double *sums)
{
	double a[3], b[3], n[3], length = 0.0, dot = 0.0;

	for (int k = 0; k < 3; ++k) {
		a[k] = next[k] - here[k];
		b[k] = behind[k] - here[k];
		dot += a[k] * b[k];
	}
	for (int k = 0; k < 3; ++k) {
		n[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
		length += n[k] * n[k];
	}
	length = sqrt(length);
	if (!(length > 0.0))
		return;
	const double angle = atan2(length, dot);
	for (int k = 0; k < 3; ++k)
		n[k] /= length;
	sums[0] += angle * n[0] * n[0];
	sums[1] += angle * n[0] * n[1];
	sums[2] += angle * n[0] * n[2];
	sums[3] += angle * n[1] * n[1];
	sums[4] += angle * n[1] * n[2];
	sums[5] += angle * n[2] * n[2];
	for (int k = 0; k < 3; ++k)
		sums[6 + k] += angle * n[k];
}

/* The shortest d with n d = 1 for all n, by least squares: in directions that the normals leave open it is 0, due to
 * a small addition to the diagonal. */
static void shift_of(const double *sums, double d[3])
{
	const double more = 1e-4 * (sums[0] + sums[3] + sums[5]), xx = sums[0] + more, xy = sums[1], xz = sums[2],
		     yy = sums[3] + more, yz = sums[4], zz = sums[5] + more, *b = sums + 6;
	const double c[6] = {yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy,
			     xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy};
	const double determinant = xx * c[0] + xy * c[1] + xz * c[2];

	d[0] = (c[0] * b[0] + c[1] * b[1] + c[2] * b[2]) / determinant;
	d[1] = (c[1] * b[0] + c[3] * b[1] + c[4] * b[2]) / determinant;
	d[2] = (c[2] * b[0] + c[4] * b[1] + c[5] * b[2]) / determinant;
	for (int k = 0; k < 3; ++k)
		if (!isfinite(d[k]))
			d[k] = 0.0;
}

sonde_status surface_grow(struct surface *surface, double more)
{
	double *sums;

	CHECK(memory_allocate(&sums, SUMS * (size_t)surface->vertex_count, sizeof *sums, "a surface"));
	for (size_t t = 0; t < surface->triangle_count; ++t)
		for (size_t c = 0; c < 3; ++c) {
			const uint32_t *corners = &surface->triangles[3 * t];
			const uint32_t here = corners[c], next = corners[(c + 1) % 3], behind = corners[(c + 2) % 3];
			add_normal(&surface->vertices[3 * (size_t)here], &surface->vertices[3 * (size_t)next],
				   &surface->vertices[3 * (size_t)behind], sums + SUMS * (size_t)here);
		}
	for (size_t n = 0; n < surface->vertex_count; ++n) {
		double d[3];
		shift_of(sums + SUMS * n, d);
		for (size_t k = 0; k < 3; ++k)
			surface->vertices[3 * n + k] += more * d[k];
	}
	free(sums);
	return SONDE_OK;
}
