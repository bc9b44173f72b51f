/* Icosahedral fullerenes. A triangle with the edge h a1 + k a2 of the lattice of hexagons is a face of an icosahedron: T = h^2 + h k +
 * k^2 atoms per face, centers of the lattice's small triangles (D. L. D. Caspar and A. Klug, Cold Spring Harb. Symp. Quant. Biol. 27,
 * 1 (1962); M. Goldberg, Tohoku Math. J. 43, 104 (1937)). */
#include "matter/generate/generate_parts.h"

#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/text.h"

#define LARGEST_INDEX 1000
#define LARGEST_TUBE 1000000 /* atoms of a fullerene that is not icosahedral */
#define GOLDEN 1.61803398874989484820
#define USUAL_SINGLE_BOND 1.45 /* Angstrom, of C60, around pentagons */

struct icosahedron {
	double vertex[12][3]; /* edge 2, center 0 */
	int face[20][3];      /* counterclockwise from outside */
};

static double squared_distance(const double *a, const double *b)
{
	double sum = 0.0;

	for (int k = 0; k < 3; ++k)
		sum += (a[k] - b[k]) * (a[k] - b[k]);
	return sum;
}

static bool adjacent(const struct icosahedron *solid, int a, int b)
{
	return a != b && squared_distance(solid->vertex[a], solid->vertex[b]) < 5.0; /* 4, or at least 4 GOLDEN^2 */
}

static bool outward(const struct icosahedron *solid, int a, int b, int c)
{
	const double *u = solid->vertex[a], *v = solid->vertex[b], *w = solid->vertex[c];

	return u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) +
		   u[2] * (v[0] * w[1] - v[1] * w[0]) >
	       0.0;
}

static void make_icosahedron(struct icosahedron *solid)
{
	int faces = 0;

	for (int n = 0; n < 12; ++n) {
		const int axis = n / 4;
		solid->vertex[n][axis] = 0.0;
		solid->vertex[n][(axis + 1) % 3] = n & 1 ? -1.0 : 1.0;
		solid->vertex[n][(axis + 2) % 3] = n & 2 ? -GOLDEN : GOLDEN;
	}
	for (int a = 0; a < 12; ++a)
		for (int b = a + 1; b < 12; ++b)
			for (int c = a + 1; c < 12; ++c)
				if (c != b && adjacent(solid, a, b) && adjacent(solid, b, c) &&
				    adjacent(solid, c, a) && outward(solid, a, b, c))
					memcpy(solid->face[faces++], (int[]){a, b, c}, sizeof solid->face[0]);
}

/* The indices with the smaller k. */
static bool find_indices(int64_t atoms, int64_t index[2])
{
	for (index[1] = 0; index[1] <= LARGEST_INDEX; ++index[1])
		for (index[0] = index[1]; index[0] <= LARGEST_INDEX; ++index[0])
			if (20 * (index[0] * index[0] + index[0] * index[1] + index[1] * index[1]) == atoms &&
			    atoms > 0)
				return true;
	return false;
}

/* "C70", "C90", ...: rings between the halves of C60, where there is not an icosahedral fullerene of this number; else 0. */
static int64_t read_rings(const char *text)
{
	int64_t atoms, index[2];

	if (text[0] != 'C' || !text_parse_integer(text + 1, text + strlen(text), &atoms) || atoms < 70 ||
	    atoms > LARGEST_TUBE || atoms % 10 != 0 || find_indices(atoms, index))
		return 0;
	return (atoms - 30) / 10;
}

/* "C240", the fullerene with this number of atoms and the smaller k, or "h,k". */
static sonde_status read_indices(const char *text, int64_t index[2])
{
	const char *end = text + strlen(text);
	int64_t atoms;

	if (text[0] != 'C' || !text_parse_integer(text + 1, end, &atoms))
		return generate_indices("fullerene", text, end, LARGEST_INDEX, index);
	if (find_indices(atoms, index))
		return SONDE_OK;
	return status_fail_option(SONDE_INVALID, "fullerene",
				  "there is not a fullerene of %lld atoms here: icosahedral ones have 20 (h^2 + h k "
				  "+ k^2), C20, C60, C80, C140, "
				  "C180, C240 ...; longer ones with halves of C60 have a multiple of 10, from C70 on",
				  (long long)atoms);
}

/* Truncated icosahedron: each edge, two single bonds and a double bond long, has an atom a single bond from both of its ends. */
static void append_c60(const struct icosahedron *solid, double single, double twofold, uint16_t species,
		       sonde_atoms *atoms)
{
	const double edge = 2.0 * single + twofold, scale = 0.5 * edge, part = single / edge;

	for (int a = 0; a < 12; ++a) {
		for (int b = 0; b < 12; ++b) {
			double position[3];
			for (int k = 0; k < 3; ++k)
				position[k] =
				    scale * ((1.0 - part) * solid->vertex[a][k] + part * solid->vertex[b][k]);
			if (adjacent(solid, a, b))
				atoms_append(atoms, species, position);
		}
	}
}

/* An edge belongs to the face in which it leads from the vertex of lower number to the other. */
static bool belongs_to_face(const int face[3], const int64_t weight[3])
{
	for (int k = 0; k < 3; ++k) {
		if (weight[k] < 0)
			return false;
		if (weight[k] == 0 && face[(k + 1) % 3] > face[(k + 2) % 3])
			return false;
	}
	return true;
}

/* The atom at (x a1 + y a2)/3 of a face; `radius` 0 leaves it on the face, whose vertices are scaled by `scale`. */
static void append_in_face(const struct icosahedron *solid, const int face[3], const int64_t index[2], int64_t x,
			   int64_t y, double radius, double scale, uint16_t species, sonde_atoms *atoms)
{
	const int64_t h = index[0], k = index[1], whole = 3 * (h * h + h * k + k * k);
	const int64_t second = x * (h + k) + y * k, third = h * y - k * x;
	const int64_t weight[3] = {whole - second - third, second, third};
	double position[3] = {0, 0, 0}, length = 0.0;

	if (!belongs_to_face(face, weight))
		return;
	for (int m = 0; m < 3; ++m) {
		for (int c = 0; c < 3; ++c)
			position[m] += (double)weight[c] / (double)whole * solid->vertex[face[c]][m];
		length += position[m] * position[m];
	}
	for (int m = 0; m < 3; ++m)
		position[m] *= radius > 0.0 ? radius / sqrt(length) : scale;
	atoms_append(atoms, species, position);
}

/* Radius of the sphere: of C20, a dodecahedron, with equal bonds; else that with 3 sqrt(3)/4 b^2 per atom, as graphene. */
static double radius_of(int64_t triangles, double bond)
{
	return triangles == 1 ? sqrt(0.75) * GOLDEN * bond
			      : bond * sqrt(20.0 * (double)triangles * 0.75 * sqrt(3.0) / (4.0 * PI));
}

sonde_status generate_fullerene(sonde_context *context, const sonde_build_options *options, const uint16_t species[2],
				sonde_atoms *atoms)
{
	struct icosahedron solid;
	struct stage stage;
	int64_t index[2];

	const int64_t rings = read_rings(options->fullerene);
	if (rings > 0)
		return generate_capped_c60(context, rings, generate_bond(options), species[0], atoms);
	CHECK(read_indices(options->fullerene, index));
	make_icosahedron(&solid);
	const int64_t h = index[0], k = index[1], triangles = h * h + h * k + k * k;
	CHECK(generate_reserve(context, 20.0 * (double)triangles, atoms));
	if (triangles == 3) {
		append_c60(&solid, options->bond != 0.0 ? options->bond : USUAL_SINGLE_BOND, options->double_bond,
			   species[0], atoms);
		return SONDE_OK;
	}
	const bool flat = options->form == SONDE_BUILD_FORM_ICOSAHEDRON && triangles > 1;
	const double bond = generate_bond(options), radius = flat ? 0.0 : radius_of(triangles, bond);
	stage_begin(&stage, context, "build", "faces", 20.0);
	for (int f = 0; f < 20; ++f) {
		for (int64_t i = -k; i <= h; ++i) {
			for (int64_t j = 0; j <= h + k; ++j) {
				for (int up = 1; up <= 2; ++up)
					append_in_face(&solid, solid.face[f], index, 3 * i + up, 3 * j + up, radius,
						       0.5 * sqrt(3.0 * (double)triangles) * bond, species[0], atoms);
			}
		}
		CHECK(stage_advance(&stage, (double)(f + 1)));
	}
	return SONDE_OK;
}
