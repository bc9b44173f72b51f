#include "matter/build/cluster.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "matter/shape/polyhedron.h"

/* Icosahedron: A. L. Mackay, Acta Cryst. 15, 916 (1962) ----------------------------------------- */

#define EDGE_OF_CORNERS 1.0514622242382672 /* of an icosahedron with corners at distance 1: 4/sqrt(10 + 2 sqrt 5) */
#define WITHIN 1e-6                        /* of a layer, for rounded lengths */

/* The twelve corners at distance 1, in cyclic permutations of (0, +-1, +-golden ratio). */
static void find_corners(double corners[12][3])
{
	const double golden = 0.5 + sqrt(1.25), length = sqrt(1.0 + golden * golden);

	for (int n = 0; n < 12; ++n) {
		const int first = n / 4;
		corners[n][first] = 0.0;
		corners[n][(first + 1) % 3] = (n & 1 ? -1.0 : 1.0) / length;
		corners[n][(first + 2) % 3] = (n & 2 ? -golden : golden) / length;
	}
}

static bool are_neighbors(const double *a, const double *b)
{
	return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] > 0.4; /* the cosine is 1/sqrt 5 */
}

static void append_sum(const double *const corners[3], const double weights[3], uint16_t species, sonde_atoms *atoms)
{
	double position[3];

	for (int m = 0; m < 3; ++m)
		position[m] = weights[0] * corners[0][m] + weights[1] * corners[1][m] + weights[2] * corners[2][m];
	atoms_append(atoms, species, position);
}

/* The atoms of a shell within the face, the edge, or at the corner of these corners; equal ones count once. */
static void append_part(const double *const corners[3], int different, int64_t shell, double distance,
			uint16_t species, sonde_atoms *atoms)
{
	const double all = (double)shell;

	if (different == 1)
		append_sum(corners, (const double[3]){all * distance, 0.0, 0.0}, species, atoms);
	for (int64_t i = 1; i < shell && different == 2; ++i)
		append_sum(corners, (const double[3]){(all - (double)i) * distance, (double)i * distance, 0.0},
			   species, atoms);
	for (int64_t i = 1; i < shell && different == 3; ++i)
		for (int64_t j = 1; i + j < shell; ++j)
			append_sum(corners,
				   (const double[3]){(double)(shell - i - j) * distance, (double)i * distance,
						     (double)j * distance},
				   species, atoms);
}

static void append_shell(double corners[12][3], int64_t shell, double distance, uint16_t species, sonde_atoms *atoms)
{
	for (int a = 0; a < 12; ++a) {
		append_part((const double *const[3]){corners[a], corners[a], corners[a]}, 1, shell, distance, species,
			    atoms);
		for (int b = a + 1; b < 12; ++b) {
			if (!are_neighbors(corners[a], corners[b]))
				continue;
			append_part((const double *const[3]){corners[a], corners[b], corners[b]}, 2, shell, distance,
				    species, atoms);
			for (int c = b + 1; c < 12; ++c)
				if (are_neighbors(corners[a], corners[c]) && are_neighbors(corners[b], corners[c]))
					append_part((const double *const[3]){corners[a], corners[b], corners[c]}, 3,
						    shell, distance, species, atoms);
		}
	}
}

void cluster_icosahedron_faces(int64_t shells, double distance, const double axes[3][3], struct build_solid *solid)
{
	double corners[12][3];

	find_corners(corners);
	for (int a = 0; a < 12; ++a)
		for (int b = a + 1; b < 12; ++b)
			for (int c = b + 1; c < 12; ++c) {
				double sum[3], normal[3], length = 0.0;
				if (!are_neighbors(corners[a], corners[b]) ||
				    !are_neighbors(corners[a], corners[c]) || !are_neighbors(corners[b], corners[c]))
					continue;
				for (int m = 0; m < 3; ++m) {
					sum[m] = (corners[a][m] + corners[b][m] + corners[c][m]) / 3.0;
					length += sum[m] * sum[m];
				}
				for (int m = 0; m < 3; ++m)
					normal[m] = sum[0] * axes[0][m] + sum[1] * axes[1][m] + sum[2] * axes[2][m];
				/* layers are as far apart as the middle of a face of the first shell is from the center */
				polyhedron_add(&solid->faces, normal,
					       ((double)shells + 0.5) * distance * sqrt(length));
			}
	solid->inscribed = polyhedron_inscribed(&solid->faces);
	solid->cluster_edge = ((double)shells + 0.5) * distance * EDGE_OF_CORNERS;
}

int64_t cluster_icosahedron_within(double edge, double distance)
{
	return (int64_t)fmax(0.0, floor(edge / (EDGE_OF_CORNERS * distance) - 0.5 + WITHIN));
}

int64_t cluster_icosahedron_atoms(int64_t shells)
{
	return (10 * shells * shells * shells + 15 * shells * shells + 11 * shells + 3) / 3;
}

void cluster_icosahedron(int64_t shells, double distance, uint16_t species, sonde_atoms *atoms)
{
	double corners[12][3];

	find_corners(corners);
	atoms_append(atoms, species, (const double[3]){0.0, 0.0, 0.0});
	for (int64_t shell = 1; shell <= shells; ++shell)
		append_shell(corners, shell, distance, species, atoms);
}

/* Decahedron: S. Ino, J. Phys. Soc. Jpn. 27, 941 (1969); L. D. Marks, Philos. Mag. A 49, 81 (1984) --- */

struct decahedron {
	int64_t p, q, r;
	double distance;
	uint16_t species;
};

/* Rings are distance sqrt(3/4) apart on the lines to the corners, and layers of the faces at the ends meet the axis at its atoms;
 * these are p + q - 1, and a column in ring p - 1 has q. */
void cluster_decahedron_faces(int64_t p, int64_t q, double distance, const double axes[3][3],
			      struct build_solid *solid)
{
	struct polyhedron upright = {.count = 0};

	solid->cluster_radius = ((double)p - 0.5) * distance * sqrt(0.75);
	solid->cluster_height = ((double)q - 0.5) * distance;
	polyhedron_decahedron(solid->cluster_radius, solid->cluster_height, &upright);
	for (int n = 0; n < upright.count; ++n) {
		const double *given = upright.planes[n].normal;
		double normal[3];
		for (int m = 0; m < 3; ++m)
			normal[m] = given[0] * axes[0][m] + given[1] * axes[1][m] + given[2] * axes[2][m];
		polyhedron_add(&solid->faces, normal, upright.planes[n].distance);
	}
	solid->inscribed = polyhedron_inscribed(&solid->faces);
}

void cluster_decahedron_within(double radius, double height, double distance, int64_t *p, int64_t *q)
{
	*p = (int64_t)fmax(1.0, floor(radius / (distance * sqrt(0.75)) + 0.5 + WITHIN));
	*q = (int64_t)fmax(1.0, floor(height / distance + 0.5 + WITHIN));
}

/* The atoms of a column along the axis in ring n (0: the axis itself), n atoms shorter than the axis. */
static void append_column(const struct decahedron *shape, int64_t n, double x, double y, sonde_atoms *atoms)
{
	const int64_t count = shape->p + shape->q + 2 * shape->r - 1 - n;

	for (int64_t k = 0; k < count; ++k)
		atoms_append(atoms, shape->species,
			     (const double[3]){x, y, shape->distance * ((double)k - 0.5 * (double)(count - 1))});
}

/* The columns i u + j v, i + j = n, of a fifth between u and v: those on u belong to it, those on v to the next. Along
 * u columns are distance sqrt(3/4) apart, so that neighboring atoms on and next to the axis touch. Near the twin
 * planes of the last r rings columns are missing: the reentrant edges. */
static void append_ring(const struct decahedron *shape, int64_t n, int fifth, sonde_atoms *atoms)
{
	const double step = shape->distance * sqrt(0.75), angles[2] = {0.4 * PI * fifth, 0.4 * PI * (fifth + 1)};

	for (int64_t j = 0; j < n; ++j) {
		const double i = (double)(n - j);
		if (n - j >= shape->p + shape->r || j >= shape->p + shape->r)
			continue;
		append_column(shape, n, step * (i * cos(angles[0]) + (double)j * cos(angles[1])),
			      step * (i * sin(angles[0]) + (double)j * sin(angles[1])), atoms);
	}
}

int64_t cluster_decahedron_atoms(int64_t p, int64_t q, int64_t r)
{
	const int64_t height = p + q + 2 * r - 1, edge = p + r;
	int64_t count = height;

	for (int64_t n = 1; n < p + 2 * r && n < height; ++n) {
		const int64_t first = n - edge + 1 > 0 ? n - edge + 1 : 0, last = n - 1 < edge - 1 ? n - 1 : edge - 1;
		count += last >= first ? 5 * (last - first + 1) * (height - n) : 0;
	}
	return count;
}

void cluster_decahedron(int64_t p, int64_t q, int64_t r, double distance, uint16_t species, sonde_atoms *atoms)
{
	const struct decahedron shape = {p, q, r, distance, species};

	append_column(&shape, 0, 0.0, 0.0, atoms);
	for (int64_t n = 1; n < p + 2 * r && n < p + q + 2 * r - 1; ++n)
		for (int fifth = 0; fifth < 5; ++fifth)
			append_ring(&shape, n, fifth, atoms);
}
