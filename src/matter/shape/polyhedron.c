#include "matter/shape/polyhedron.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/vectors.h"

#define MOST_CORNERS (POLYHEDRON_FACES + 8)
#define FAR 1e4      /* a corner this many times as far away as the farthest plane: the polyhedron is not closed */
#define SLIVER 1e-12 /* a face of a smaller area, relative to the squared distance of the nearest plane, is none */

bool polyhedron_add(struct polyhedron *polyhedron, const double normal[3], double distance)
{
	const double length = sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);

	if (polyhedron->count == POLYHEDRON_FACES)
		return false;
	struct polyhedron_plane *plane = &polyhedron->planes[polyhedron->count++];
	for (int k = 0; k < 3; ++k)
		plane->normal[k] = normal[k] / length;
	plane->distance = distance;
	return true;
}

/* The regular polyhedra ---------------------------------------------------------------------- */

static void add_cube(double distance, struct polyhedron *polyhedron)
{
	for (int k = 0; k < 6; ++k) {
		double normal[3] = {0.0, 0.0, 0.0};
		normal[k / 2] = k % 2 == 0 ? 1.0 : -1.0;
		polyhedron_add(polyhedron, normal, distance);
	}
}

static void add_octahedron(double distance, struct polyhedron *polyhedron)
{
	for (int k = 0; k < 8; ++k)
		polyhedron_add(polyhedron,
			       (const double[3]){k & 4 ? -1.0 : 1.0, k & 2 ? -1.0 : 1.0, k & 1 ? -1.0 : 1.0},
			       distance);
}

/* Distances of the faces from the center: H. S. M. Coxeter, Regular Polytopes, table I, and the corners of the
 * Archimedean solids, e.g. of the cuboctahedron (0, +-1, +-1) edge / sqrt 2. */
void polyhedron_octahedron(double edge, struct polyhedron *polyhedron)
{
	add_octahedron(edge / sqrt(6.0), polyhedron);
}

void polyhedron_cuboctahedron(double edge, struct polyhedron *polyhedron)
{
	add_cube(edge * sqrt(0.5), polyhedron);
	add_octahedron(edge * sqrt(2.0 / 3.0), polyhedron);
}

void polyhedron_truncated_octahedron(double edge, struct polyhedron *polyhedron)
{
	add_cube(edge * sqrt(2.0), polyhedron);
	add_octahedron(edge * sqrt(1.5), polyhedron);
}

void polyhedron_tetrahedron(double edge, struct polyhedron *polyhedron)
{
	static const double normals[4][3] = {{1, 1, 1}, {1, -1, -1}, {-1, 1, -1}, {-1, -1, 1}};

	for (int k = 0; k < 4; ++k)
		polyhedron_add(polyhedron, normals[k], edge * sqrt(6.0) / 12.0);
}

void polyhedron_rhombic_dodecahedron(double edge, struct polyhedron *polyhedron)
{
	for (int k = 0; k < 12; ++k) {
		double normal[3] = {0.0, 0.0, 0.0};
		normal[k % 3] = k / 3 & 1 ? -1.0 : 1.0;
		normal[(k + 1) % 3] = k / 3 & 2 ? -1.0 : 1.0;
		polyhedron_add(polyhedron, normal, edge * sqrt(2.0 / 3.0));
	}
}

void polyhedron_truncated_cube(double edge, struct polyhedron *polyhedron)
{
	add_cube(edge * 0.5 * (1.0 + sqrt(2.0)), polyhedron);
	add_octahedron(edge * (3.0 + 2.0 * sqrt(2.0)) / sqrt(12.0), polyhedron);
}

void polyhedron_hexagonal_prism(double edge, double height, struct polyhedron *polyhedron)
{
	const double half = sqrt(0.75);

	for (int k = 0; k < 6; ++k) {
		const double along_x[6] = {half, 0.0, -half, -half, 0.0, half},
			     along_y[6] = {0.5, 1.0, 0.5, -0.5, -1.0, -0.5};
		polyhedron_add(polyhedron, (const double[3]){along_x[k], along_y[k], 0.0}, edge * half);
	}
	polyhedron_add(polyhedron, (const double[3]){0.0, 0.0, 1.0}, 0.5 * height);
	polyhedron_add(polyhedron, (const double[3]){0.0, 0.0, -1.0}, 0.5 * height);
}

/* Faces -------------------------------------------------------------------------------------- */

struct face {
	int count;
	double corner[MOST_CORNERS][3];
};

static double nearest_plane(const struct polyhedron *polyhedron)
{
	double nearest = INFINITY;

	for (int n = 0; n < polyhedron->count; ++n)
		nearest = fmin(nearest, polyhedron->planes[n].distance);
	return nearest;
}

/* A large square on the plane, counterclockwise. */
static void begin_face(const struct polyhedron_plane *plane, double half, struct face *face)
{
	const double *normal = plane->normal;
	double u[3], v[3];
	int least = 0;

	for (int k = 1; k < 3; ++k)
		if (fabs(normal[k]) < fabs(normal[least]))
			least = k;
	vector_cross(normal, (const double[3]){least == 0, least == 1, least == 2}, u);
	const double length = sqrt(vector_dot(u, u));
	for (int k = 0; k < 3; ++k)
		u[k] /= length;
	vector_cross(normal, u, v);
	face->count = 4;
	for (int n = 0; n < 4; ++n)
		for (int k = 0; k < 3; ++k)
			face->corner[n][k] = normal[k] * plane->distance + half * (n == 0 || n == 3 ? u[k] : -u[k]) +
					     half * (n < 2 ? v[k] : -v[k]);
}

/* Removes the part of a face outside a plane (I. E. Sutherland, G. W. Hodgman, Commun. ACM 17, 32 (1974)). */
static void clip_face(const struct polyhedron_plane *plane, struct face *face)
{
	struct face clipped = {.count = 0};

	for (int n = 0; n < face->count; ++n) {
		const double *a = face->corner[n], *b = face->corner[(n + 1) % face->count];
		const double above_a = vector_dot(plane->normal, a) - plane->distance,
			     above_b = vector_dot(plane->normal, b) - plane->distance;
		if (above_a <= 0.0 && clipped.count < MOST_CORNERS)
			memcpy(clipped.corner[clipped.count++], a, sizeof clipped.corner[0]);
		if ((above_a <= 0.0) != (above_b <= 0.0) && clipped.count < MOST_CORNERS) {
			const double part = above_a / (above_a - above_b);
			for (int k = 0; k < 3; ++k)
				clipped.corner[clipped.count][k] = a[k] + (b[k] - a[k]) * part;
			++clipped.count;
		}
	}
	memcpy(face, &clipped, sizeof clipped);
}

static double face_area(const struct face *face, const double normal[3])
{
	double area = 0.0, product[3];

	for (int n = 0; n < face->count; ++n) {
		vector_cross(face->corner[n], face->corner[(n + 1) % face->count], product);
		area += 0.5 * vector_dot(product, normal);
	}
	return area;
}

/* The face on plane `number`, if it lies within `reach`; false if there is none. */
static bool find_face(const struct polyhedron *polyhedron, int number, double reach, struct face *face)
{
	const struct polyhedron_plane *plane = &polyhedron->planes[number];
	const double nearest = nearest_plane(polyhedron);

	begin_face(plane, reach, face);
	for (int n = 0; n < polyhedron->count && face->count > 0; ++n) {
		const struct polyhedron_plane *other = &polyhedron->planes[n];
		const bool same = 1.0 - vector_dot(other->normal, plane->normal) < 1e-12;
		/* of equal planes the first one has the face */
		if (same && (other->distance < plane->distance * (1.0 - 1e-12) ||
			     (n < number && other->distance <= plane->distance * (1.0 + 1e-12))))
			return false;
		if (!same)
			clip_face(other, face);
	}
	return face->count >= 3 && face_area(face, plane->normal) > SLIVER * nearest * nearest;
}

/* A distance that all corners are within, little more than is needed, since rounding of corners is proportional to it;
 * INFINITY if the polyhedron is not closed. */
static double find_reach(const struct polyhedron *polyhedron)
{
	double most = 0.0, farthest = 0.0;
	struct face face;

	for (int n = 0; n < polyhedron->count; ++n)
		most = fmax(most, polyhedron->planes[n].distance);
	for (int n = 0; n < polyhedron->count; ++n)
		if (find_face(polyhedron, n, 10.0 * FAR * most, &face))
			for (int c = 0; c < 3 * face.count; ++c)
				farthest = fmax(farthest, fabs(face.corner[c / 3][c % 3]));
	return farthest > 0.0 && farthest < FAR * most ? 2.0 * farthest : INFINITY;
}

double polyhedron_inscribed(const struct polyhedron *polyhedron)
{
	/* a little less, for rounding */
	return polyhedron->count > 0 ? nearest_plane(polyhedron) * (1.0 - 1e-6) : 0.0;
}

double polyhedron_measure(const struct polyhedron *polyhedron, double low[3], double high[3])
{
	const double reach = find_reach(polyhedron);
	double volume = 0.0;
	struct face face;

	if (!isfinite(reach))
		return INFINITY;

	for (int k = 0; k < 3 && low != NULL; ++k) {
		low[k] = INFINITY;
		high[k] = -INFINITY;
	}
	for (int n = 0; n < polyhedron->count; ++n) {
		if (!find_face(polyhedron, n, reach, &face))
			continue;
		volume += polyhedron->planes[n].distance * face_area(&face, polyhedron->planes[n].normal) / 3.0;
		for (int c = 0; c < 3 * face.count; ++c) {
			const double x = face.corner[c / 3][c % 3];
			if (low != NULL) {
				low[c % 3] = fmin(low[c % 3], x);
				high[c % 3] = fmax(high[c % 3], x);
			}
		}
	}
	return volume;
}

void polyhedron_reduce(struct polyhedron *polyhedron)
{
	const double reach = find_reach(polyhedron);
	bool kept[POLYHEDRON_FACES];
	struct face face;
	int count = 0;

	for (int n = 0; n < polyhedron->count; ++n)
		kept[n] = find_face(polyhedron, n, reach, &face);
	for (int n = 0; n < polyhedron->count; ++n)
		if (kept[n])
			polyhedron->planes[count++] = polyhedron->planes[n];
	polyhedron->count = count;
}

sonde_status polyhedron_triangles(const struct polyhedron *polyhedron, double **triangles, int64_t *count)
{
	const double reach = find_reach(polyhedron);
	size_t capacity = 0;
	struct face face;

	*triangles = NULL;
	*count = 0;
	for (int n = 0; n < polyhedron->count; ++n) {
		if (!find_face(polyhedron, n, reach, &face))
			continue;
		const size_t needed = 9 * ((size_t)*count + (size_t)face.count);
		CHECK(memory_grow(triangles, &capacity, needed, sizeof **triangles, "the faces of a polyhedron"));
		for (int c = 1; c + 1 < face.count; ++c) {
			double *corners = *triangles + 9 * (*count)++;
			memcpy(corners, face.corner[0], sizeof face.corner[0]);
			memcpy(corners + 3, face.corner[c], sizeof face.corner[0]);
			memcpy(corners + 6, face.corner[c + 1], sizeof face.corner[0]);
		}
	}
	return SONDE_OK;
}
