/* Samples that are not cut from a lattice: numbers of atoms, distances, and invalid options. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "unit/builder.h"

#define CIRCLE 3.14159265358979323846

static sonde_build_options defaults(void)
{
	sonde_build_options options;

	sonde_build_options_init(&options);
	return options;
}

static double distance(const sonde_atoms *atoms, int64_t i, int64_t j)
{
	double square = 0.0;

	for (int k = 0; k < 3; ++k) {
		double d = atoms->positions[3 * i + k] - atoms->positions[3 * j + k];
		if (atoms->periodic[k])
			d -= atoms->lattice[4 * k] * round(d / atoms->lattice[4 * k]);
		square += d * d;
	}
	return sqrt(square);
}

/* Distances of the atoms within `reach` of atom i, in increasing order, at most `most`; their number. */
static int neighbors(const sonde_atoms *atoms, int64_t i, double reach, double *found, int most)
{
	int count = 0;

	for (int64_t j = 0; j < atoms->count; ++j) {
		const double d = distance(atoms, i, j);
		if (j == i || d > reach)
			continue;
		assert_true(count < most);
		int place = count++;
		for (; place > 0 && found[place - 1] > d; --place)
			found[place] = found[place - 1];
		found[place] = d;
	}
	return count;
}

/* Every atom has three neighbors, at distances from `least` to `most`. */
static void assert_three_bonds(const sonde_atoms *atoms, double least, double most, double reach)
{
	for (int64_t i = 0; i < atoms->count; ++i) {
		double found[8];
		assert_int_equal(neighbors(atoms, i, reach, found, 8), 3);
		assert_true(found[0] >= least && found[2] <= most);
	}
}

/* Five-membered rings: closed walks a b c d e over bonds, of which each ring has ten. */
static int count_pentagons(const sonde_atoms *atoms, double reach)
{
	int64_t(*next)[3] = calloc((size_t)atoms->count, sizeof *next);
	int walks = 0;

	for (int64_t i = 0; i < atoms->count; ++i)
		for (int64_t j = 0, found = 0; j < atoms->count && found < 3; ++j)
			if (j != i && distance(atoms, i, j) < reach)
				next[i][found++] = j;
	for (int64_t a = 0; a < atoms->count; ++a)
		for (int path = 0; path < 243; ++path) {
			const int64_t b = next[a][path % 3], c = next[b][path / 3 % 3], d = next[c][path / 9 % 3],
				      e = next[d][path / 27 % 3];
			walks += next[e][path / 81] == a && c != a && d != b && e != c && e != b && d != a;
		}
	free(next);
	return walks / 10;
}

/* Every closed cage of pentagons and hexagons has twelve pentagons (Euler). */
static void assert_cage(const sonde_build_options *options, int64_t count)
{
	sonde_atoms *atoms = build(options);

	if (atoms->count != count)
		fail_msg("%s%s: %lld atoms instead of %lld", options->nanotube, options->fullerene,
			 (long long)atoms->count, (long long)count);
	assert_three_bonds(atoms, 1.3, 1.55, 1.85);
	assert_int_equal(count_pentagons(atoms, 1.85), 12);
	sonde_atoms_free(&atoms);
}

static void test_capped_tubes(void **unused)
{
	/* 20 T atoms of the fullerene, and 4 S/g of each cell */
	static const struct {
		const char *tube;
		int64_t caps, cell;
	} tubes[] = {{"5,5", 60, 20},   {"9,0", 60, 36},   {"0,9", 60, 36},    {"10,10", 240, 40}, {"10,0", 80, 40},
		     {"5,0", 20, 20},   {"3,3", 20, 12},   {"6,6", 80, 24},    {"9,9", 180, 36},   {"15,15", 540, 60},
		     {"12,3", 140, 84}, {"3,12", 140, 84}, {"10,5", 140, 140}, {"5,10", 140, 140}, {"18,0", 240, 72}};

	(void)unused;
	for (size_t n = 0; n < COUNT(tubes); ++n) {
		sonde_build_options options = defaults();
		strcpy(options.nanotube, tubes[n].tube);
		options.caps = 1;
		for (options.cells = 1; options.cells < 4; options.cells += 2)
			assert_cage(&options, tubes[n].caps + options.cells * tubes[n].cell);
	}
}

/* The direction of bonds around and along a tube, times 6, which is the same for both sublattices: cosine and sine of the
 * mean over atoms near z = 0. */
static void bond_directions(const sonde_atoms *atoms, double mean[2])
{
	mean[0] = mean[1] = 0.0;
	for (int64_t i = 0; i < atoms->count; ++i)
		for (int64_t j = 0; j < atoms->count; ++j) {
			const double *a = atoms->positions + 3 * i, *b = atoms->positions + 3 * j;
			if (j == i || fabs(a[2]) > 3.0 || distance(atoms, i, j) > 1.6)
				continue;
			const double turn = atan2(a[0] * b[1] - a[1] * b[0], a[0] * b[0] + a[1] * b[1]),
				     angle = atan2(b[2] - a[2], turn * hypot(a[0], a[1]));
			mean[0] += cos(6.0 * angle);
			mean[1] += sin(6.0 * angle);
		}
	const double length = hypot(mean[0], mean[1]);
	mean[0] /= length;
	mean[1] /= length;
}

/* Capped and open tubes have the same handedness, and far from the caps the same radius. */
static void test_capped_tubes_are_as_open_ones(void **unused)
{
	static const char *const tubes[] = {"12,3", "3,12", "10,5", "10,10", "9,0"};

	(void)unused;
	for (size_t n = 0; n < COUNT(tubes); ++n) {
		sonde_build_options options = defaults();
		double open[2], capped[2];
		strcpy(options.nanotube, tubes[n]);
		options.length = 80.0;
		sonde_atoms *atoms = build(&options);
		bond_directions(atoms, open);
		const double radius = hypot(atoms->positions[0], atoms->positions[1]);
		sonde_atoms_free(&atoms);
		options.caps = 1;
		atoms = build(&options);
		bond_directions(atoms, capped);
		double longest = 0.0;
		for (int64_t i = 0; i < atoms->count; ++i) {
			const double *r = atoms->positions + 3 * i;
			if (fabs(r[2]) < 3.0)
				assert_close(hypot(r[0], r[1]), radius, 1e-12, "radius");
			longest = fmax(longest, fabs(r[2]));
		}
		assert_within(2.0 * longest, 80.0, 3.0, "length");
		assert_within(capped[0], open[0], 1e-9, "direction of bonds");
		assert_within(capped[1], open[1], 1e-9, "direction of bonds");
		sonde_atoms_free(&atoms);
	}
}

static void test_elongated_fullerenes(void **unused)
{
	(void)unused;
	for (int64_t count = 70; count <= 130; count += 10) {
		sonde_build_options options = defaults();
		snprintf(options.fullerene, sizeof options.fullerene, "C%lld", (long long)count);
		if (count != 80)
			assert_cage(&options, count);
	}
}

/* Distances of C60 with bonds of 1.45 and 1.40 Angstrom, and their numbers, computed by another program. */
static void test_distances_of_c60(void **unused)
{
	static const double distances[] = {1.3999999976, 1.4499999979, 2.3461492813, 2.4682990058, 2.8499999956,
					   3.5747762750, 3.6914653510, 4.1123625155, 4.5070435839, 4.6113968600,
					   4.8339922425, 5.1961492849, 5.3946702692, 5.4821534493, 5.7841095164,
					   6.0613968607, 6.1309398129, 6.4996114086, 6.6539423161, 6.6979871589,
					   6.9472979165, 6.9575461440, 7.0970027716};
	static const int numbers[] = {30, 60,  60,  120, 60,  120, 60,  120, 120, 60, 60, 60,
				      60, 120, 120, 60,  120, 60,  120, 60,  60,  30, 30};
	sonde_build_options options = defaults();
	int found[23] = {0};

	(void)unused;
	strcpy(options.fullerene, "C60");
	sonde_atoms *atoms = build(&options);
	assert_true(atoms->count == 60);
	for (int64_t i = 0; i < 60; ++i) {
		for (int64_t j = 0; j < i; ++j) {
			int shell = 0;
			while (shell < 23 && fabs(distances[shell] - distance(atoms, i, j)) > 2e-8)
				++shell;
			assert_true(shell < 23);
			++found[shell];
		}
	}
	for (int k = 0; k < 23; ++k)
		assert_int_equal(found[k], numbers[k]);
	sonde_atoms_free(&atoms);
}

/* An icosahedral fullerene has 20 (h^2 + h k + k^2) atoms with three bonds; on a sphere or on flat faces. */
static void test_fullerenes(void **unused)
{
	static const struct {
		const char *name;
		int64_t atoms;
	} cases[] = {{"1,0", 20},  {"C20", 20},   {"C80", 80},   {"2,1", 140},
		     {"1,2", 140}, {"C180", 180}, {"C240", 240}, {"3,2", 380}};

	(void)unused;
	for (size_t k = 0; k < COUNT(cases); ++k) {
		for (int form = 0; form < 2; ++form) {
			sonde_build_options options = defaults();
			const bool dodecahedron = cases[k].atoms == 20;
			strcpy(options.fullerene, cases[k].name);
			options.form = form;
			sonde_atoms *atoms = build(&options);
			assert_true(atoms->count == cases[k].atoms);
			/* flat faces keep bonds, except those that the edges fold */
			if (dodecahedron)
				assert_three_bonds(atoms, 1.42 - 1e-9, 1.42 + 1e-9, 1.9);
			else if (form == SONDE_BUILD_FORM_ICOSAHEDRON)
				assert_three_bonds(atoms, 0.8 * 1.42, 1.42 + 1e-9, 1.9);
			else
				assert_three_bonds(atoms, 0.8 * 1.42, 1.2 * 1.42, 1.9);
			for (int64_t i = 0; i < atoms->count && form == SONDE_BUILD_FORM_SPHERE; ++i) {
				const double *r = atoms->positions + 3 * i, *first = atoms->positions;
				assert_close(r[0] * r[0] + r[1] * r[1] + r[2] * r[2],
					     first[0] * first[0] + first[1] * first[1] + first[2] * first[2], 1e-12,
					     "radius");
			}
			sonde_atoms_free(&atoms);
		}
	}
}

static int64_t divisor(int64_t a, int64_t b)
{
	int64_t found = 1;

	for (int64_t d = 1; d <= a || d <= b; ++d)
		if (a % d == 0 && b % d == 0)
			found = d;
	return found;
}

static int compare(const void *left, const void *right)
{
	const double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

/* The bonds of a sheet at 30, 150 and 270 degrees from a1, rolled up: each is a chord around the tube and a rise along it. */
static void rolled_bonds(int64_t n, int64_t m, double bond, double radius, double bonds[3])
{
	const double chiral = acos((double)(2 * n + m) / (2.0 * sqrt((double)(n * n + n * m + m * m))));

	for (int k = 0; k < 3; ++k) {
		const double angle = CIRCLE / 6.0 + 2.0 * CIRCLE / 3.0 * k - chiral;
		const double chord = 2.0 * radius * sin(0.5 * bond * cos(angle) / radius);
		bonds[k] = hypot(chord, bond * sin(angle));
	}
	qsort(bonds, 3, sizeof *bonds, compare);
}

static void test_nanotubes(void **unused)
{
	static const int64_t cases[][3] = {{5, 5, 4}, {9, 0, 3}, {0, 7, 3}, {6, 3, 2},
					   {4, 2, 2}, {7, 1, 1}, {3, 8, 1}};

	(void)unused;
	for (size_t k = 0; k < COUNT(cases); ++k) {
		const int64_t n = cases[k][0], m = cases[k][1], cells = cases[k][2], s = n * n + n * m + m * m;
		const double bond = 1.45, radius = sqrt(3.0 * (double)s) * bond / (2.0 * CIRCLE);
		sonde_build_options options = defaults();
		double bonds[3], found[8];
		snprintf(options.nanotube, sizeof options.nanotube, "%d,%d", (int)n, (int)m);
		strcpy(options.species, "B,N");
		options.bond = bond;
		options.cells = cells;
		options.periodic = 1;
		sonde_atoms *atoms = build(&options);
		assert_true(atoms->count == cells * 4 * s / divisor(2 * n + m, 2 * m + n));
		assert_true(atoms->species[0].atoms == atoms->species[1].atoms);
		assert_true(!atoms->periodic[0] && !atoms->periodic[1] && atoms->periodic[2]);
		rolled_bonds(n, m, bond, radius, bonds);
		for (int64_t i = 0; i < atoms->count; ++i) {
			assert_close(hypot(atoms->positions[3 * i], atoms->positions[3 * i + 1]), radius, 1e-12,
				     "radius");
			assert_int_equal(neighbors(atoms, i, 1.25 * bond, found, 8), 3);
			for (int b = 0; b < 3; ++b)
				assert_close(found[b], bonds[b], 1e-9, "bond");
		}
		/* those of an atom are of the other species */
		for (int64_t i = 0; i < atoms->count; ++i)
			for (int64_t j = 0; j < i; ++j)
				assert_true(distance(atoms, i, j) > 1.25 * bond ||
					    atoms->species_of[i] != atoms->species_of[j]);
		sonde_atoms_free(&atoms);
	}
}

/* An armchair tube has 4 n atoms per sqrt(3) bonds, in rings at every half of that. */
static void test_length_and_walls_of_nanotubes(void **unused)
{
	sonde_build_options options = defaults();

	(void)unused;
	strcpy(options.nanotube, "5,5/10,10");
	options.bond = 1 / sqrt(3.0);
	options.length = 10;
	sonde_atoms *atoms = build(&options);
	assert_true(atoms->count == 21 * 10 + 21 * 20);
	sonde_atoms_free(&atoms);
	options.length = 0;
	options.cells = 3;
	atoms = build(&options);
	assert_true(atoms->count == 3 * 20 + 3 * 40);
	assert_false(atoms->has_lattice);
	sonde_atoms_free(&atoms);
}

static void test_torus(void **unused)
{
	const double r = 3 * 1.42 * 5 / (2 * CIRCLE), ring = 60 * sqrt(3.0) * 1.42 / (2 * CIRCLE);
	sonde_build_options options = defaults();

	(void)unused;
	options.torus = (sonde_vector){5, 5, 60};
	sonde_atoms *atoms = build(&options);
	assert_true(atoms->count == 60 * 20);
	for (int64_t i = 0; i < atoms->count; ++i) {
		const double *at = atoms->positions + 3 * i;
		assert_close(hypot(hypot(at[0], at[1]) - ring, at[2]), r, 1e-12, "radius of the tube");
	}
	assert_three_bonds(atoms, 1.42 * (1 - r / ring) * 0.98, 1.42 * (1 + r / ring), 1.9);
	sonde_atoms_free(&atoms);
}

/* n^2 hexagons per sixth: benzene, coronene, circumcoronene ... have 6 n^2 atoms. */
static void test_hexagonal_flakes(void **unused)
{
	(void)unused;
	for (int n = 1; n <= 6; ++n) {
		sonde_build_options options = defaults();
		snprintf(options.graphene, sizeof options.graphene, "hexagon=%.6f",
			 (1.5 * n - 0.5 + 0.01) * 1.42 / sqrt(0.75));
		sonde_atoms *atoms = build(&options);
		assert_true(atoms->count == 6 * n * n);
		for (int64_t i = 0; i < atoms->count; ++i) {
			double found[8];
			const double *r = atoms->positions + 3 * i;
			const int count = neighbors(atoms, i, 1.6, found, 8);
			assert_true(count == 2 || count == 3);
			assert_true(count == 3 || hypot(r[0], r[1]) > 1.42 * (1.5 * n - 0.5) - 0.01);
			for (int k = 0; k < count; ++k)
				assert_close(found[k], 1.42, 1e-12, "bond");
		}
		sonde_atoms_free(&atoms);
	}
}

/* Atoms of layer `upper` straight above one of layer `lower`, which have `count` atoms each. */
static int64_t above(const sonde_atoms *atoms, int64_t count, int64_t lower, int64_t upper)
{
	int64_t found = 0;

	for (int64_t i = upper * count; i < (upper + 1) * count; ++i) {
		for (int64_t j = lower * count; j < (lower + 1) * count; ++j) {
			double d[2];
			for (int k = 0; k < 2; ++k) {
				d[k] = atoms->positions[3 * i + k] - atoms->positions[3 * j + k];
				d[k] -= atoms->lattice[4 * k] * round(d[k] / atoms->lattice[4 * k]);
			}
			found += hypot(d[0], d[1]) < 1e-6;
		}
	}
	return found;
}

static void test_layers_of_graphene(void **unused)
{
	static const int64_t expected[3][3] = {
	    {48, 48, 48}, {24, 48, 24}, {24, 24, 24}}; /* of layers 0 1, 0 2, 1 2 */

	(void)unused;
	for (int stacking = 0; stacking < 3; ++stacking) {
		for (int edge = 0; edge < 2; ++edge) {
			sonde_build_options options = defaults();
			strcpy(options.graphene, "cells=4,3");
			options.layers = 3;
			options.edge = edge;
			options.stacking = stacking;
			options.periodic = 1;
			sonde_atoms *atoms = build(&options);
			assert_true(atoms->count == 3 * 48);
			assert_three_bonds(atoms, 1.42 - 1e-9, 1.42 + 1e-9, 2.0);
			assert_within(atoms->positions[3 * 48 + 2], 3.354, 1e-12, "second layer");
			assert_true(above(atoms, 48, 0, 1) == expected[stacking][0]);
			assert_true(above(atoms, 48, 0, 2) == expected[stacking][1]);
			assert_true(above(atoms, 48, 1, 2) == expected[stacking][2]);
			assert_close(atoms->lattice[edge == SONDE_BUILD_EDGE_ZIGZAG ? 0 : 4],
				     (edge == SONDE_BUILD_EDGE_ZIGZAG ? 4 : 3) * sqrt(3.0) * 1.42, 1e-12, "cell");
			sonde_atoms_free(&atoms);
		}
	}
}

/* Area times 2 atoms per hexagon, within the share of the edge; and edges of the wanted kind. */
static void test_disks_and_rectangles(void **unused)
{
	const double per_atom = 0.75 * sqrt(3.0) * 1.42 * 1.42;
	sonde_build_options options = defaults();

	(void)unused;
	strcpy(options.graphene, "disk=60");
	sonde_atoms *atoms = build(&options);
	assert_close((double)atoms->count, CIRCLE * 3600 / per_atom, 0.01, "atoms in a disk");
	sonde_atoms_free(&atoms);
	for (int edge = 0; edge < 2; ++edge) {
		double width = 0;
		strcpy(options.graphene, "rectangle=80,40");
		options.edge = edge;
		atoms = build(&options);
		assert_close((double)atoms->count, 3200 / per_atom, 0.04, "atoms in a rectangle");
		for (int64_t i = 0; i < atoms->count; ++i) {
			const double *r = atoms->positions + 3 * i;
			assert_true(fabs(r[0]) <= 40.0001 && fabs(r[1]) <= 20.0001 && r[2] == 0.0);
			width = fmax(width, r[0]);
		}
		/* columns along x lie at halves of sqrt(3) b for zigzag rows */
		const double column = width / (1.42 * (edge == SONDE_BUILD_EDGE_ZIGZAG ? sqrt(0.75) : 0.5));
		assert_within(column, round(column), 1e-9, "the outermost column");
		sonde_atoms_free(&atoms);
	}
}

static void test_packings_have_no_overlap(void **unused)
{
	static const double least[2][2] = {{2.2, 2.5}, {2.5, 2.8}};
	sonde_build_options options = defaults();
	double *first = NULL;

	(void)unused;
	strcpy(options.packing, "Cu=150,Zr=200");
	strcpy(options.distance, "Cu:Cu=2.2,Cu:Zr=2.5,Zr:Zr=2.8");
	options.density = 7;
	for (int threads = 1; threads <= 5; threads += threads == 1 ? 1 : 3) {
		assert_status(SONDE_OK, sonde_context_set_threads(build_context, threads));
		sonde_atoms *atoms = build(&options);
		const size_t size = 3 * (size_t)atoms->count * sizeof(double);
		assert_true(atoms->count == 350 && atoms->species[0].atoms == 150 && atoms->species[1].atoms == 200);
		for (int64_t i = 0; i < 350; ++i)
			for (int64_t j = 0; j < i; ++j)
				assert_true(distance(atoms, i, j) >=
					    least[atoms->species_of[i]][atoms->species_of[j]]);
		/* Cu 63.546, Zr 91.224; 1 amu = 1.66054e-24 g */
		assert_close((150 * 63.546 + 200 * 91.224) * 1.66054 / pow(atoms->lattice[0], 3), 7.0, 1e-4,
			     "density");
		if (first == NULL) {
			first = malloc(size);
			assert_non_null(first);
			memcpy(first, atoms->positions, size);
		}
		assert_memory_equal(first, atoms->positions, size);
		sonde_atoms_free(&atoms);
	}
	options.seed = 2;
	sonde_atoms *atoms = build(&options);
	assert_true(memcmp(first, atoms->positions, 3 * 350 * sizeof(double)) != 0);
	sonde_atoms_free(&atoms);
	free(first);
}

/* Few cells along an edge, long boxes, and distances of 0. */
static void test_small_and_flat_packings(void **unused)
{
	static const sonde_vector boxes[] = {{6.5, 6.5, 6.5}, {40, 7, 9.5}, {6.4, 30, 12}};

	(void)unused;
	for (size_t k = 0; k < COUNT(boxes); ++k) {
		sonde_build_options options = defaults();
		const int64_t count = (int64_t)(boxes[k].x * boxes[k].y * boxes[k].z * 0.025);
		snprintf(options.packing, sizeof options.packing, "Ar=%d,He=9", (int)count);
		strcpy(options.distance, "Ar:Ar=3,Ar:He=2,He:He=0");
		options.box = boxes[k];
		sonde_atoms *atoms = build(&options);
		assert_true(atoms->count == count + 9 && atoms->periodic[0] && atoms->periodic[2]);
		for (int64_t i = 0; i < atoms->count; ++i)
			for (int64_t j = 0; j < i; ++j)
				assert_true(distance(atoms, i, j) >= (i < count ? 3 : j < count ? 2 : 0));
		sonde_atoms_free(&atoms);
	}
}

#define assert_refused(words, ...)                                                       \
	do {                                                                             \
		sonde_build_options options = defaults();                                \
		sonde_atoms *atoms;                                                      \
		__VA_ARGS__;                                                             \
		assert_invalid(words, sonde_build_run(build_context, &options, &atoms)); \
		assert_null(atoms);                                                      \
	} while (0)

static void test_what_is_refused(void **unused)
{
	(void)unused;
	assert_refused("not a fullerene of 36 atoms", strcpy(options.fullerene, "C36"));
	assert_refused("at most 1", strcpy(options.fullerene, "C20"), strcpy(options.species, "B,N"));
	assert_refused("both numbers are 0", strcpy(options.nanotube, "0,0"), options.cells = 1);
	assert_refused("two whole numbers", strcpy(options.nanotube, "5,5/"), options.cells = 1);
	assert_refused("one of length, cells", strcpy(options.nanotube, "5,5"));
	assert_refused("one of length, cells", strcpy(options.nanotube, "5,5"), options.cells = 1,
		       options.length = 9);
	assert_refused("whole unit cells", strcpy(options.nanotube, "5,5"), options.periodic = 1, options.length = 9);
	assert_refused("different lengths", strcpy(options.nanotube, "5,5/9,0"), options.cells = 1);
	assert_refused("not an option of a nanotube", strcpy(options.nanotube, "5,5"), options.cells = 1,
		       options.sphere = 4);
	assert_refused("more than one sample", strcpy(options.nanotube, "5,5"), strcpy(options.fullerene, "C20"));
	assert_refused("give more cells", options.torus = (sonde_vector){9, 9, 3});
	assert_refused("must be integers", options.torus = (sonde_vector){9, 9.5, 30});
	assert_refused("'blob=3' is not one of", strcpy(options.graphene, "blob=3"));
	assert_refused("rectangle has 2 numbers, not 1", strcpy(options.graphene, "rectangle=3"));
	assert_refused("no atom", strcpy(options.graphene, "disk=0.5"));
	assert_refused("whole cells", strcpy(options.graphene, "disk=5"), options.periodic = 1);
	assert_refused("only graphene has this option", options = structure(SONDE_BUILD_CELL_FCC, "Au", 4),
		       options.sphere = 9, options.layers = 2);
	assert_refused("too large", strcpy(options.graphene, "disk=1e6"));
	assert_refused("least distance is missing", strcpy(options.packing, "Ar=9"), options.number_density = 0.01);
	assert_refused("that of Cu:Zr is missing", strcpy(options.packing, "Cu=9,Zr=9"),
		       options.number_density = 0.01, strcpy(options.distance, "Cu:Cu=2,Zr:Zr=2"));
	assert_refused("one of box", strcpy(options.packing, "Ar=9"), strcpy(options.distance, "2"));
	assert_refused("edge of 5", strcpy(options.packing, "Ar=1"), strcpy(options.distance, "3"),
		       options.number_density = 0.008);
	/* spheres cannot fill more than 0.74 of space: 0.0387 per Angstrom^3 is 0.74 for 3.32 */
	assert_refused("of the wanted density", strcpy(options.packing, "Ar=100"), strcpy(options.distance, "3.4"),
		       options.number_density = 0.0387, options.tries = 200);
}

/* Bodies of other engines are cut from a lattice. */
static void test_samples_without_a_known_solid(void **unused)
{
	sonde_build_options options = defaults();
	struct build_solid solid;

	(void)unused;
	strcpy(options.fullerene, "C60");
	assert_invalid("only samples cut from a lattice", build_solid_of(&options, &solid));
	options = structure(SONDE_BUILD_CELL_FCC, "Au", 4);
	options.sphere = 9;
	strcpy(options.vacancies, "0.1");
	assert_status(SONDE_OK, build_solid_of(&options, &solid));
	strcpy(options.strain, "0.1");
	assert_invalid("only samples cut from a lattice", build_solid_of(&options, &solid));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_distances_of_c60),
	    cmocka_unit_test(test_capped_tubes),
	    cmocka_unit_test(test_capped_tubes_are_as_open_ones),
	    cmocka_unit_test(test_elongated_fullerenes),
	    cmocka_unit_test(test_fullerenes),
	    cmocka_unit_test(test_nanotubes),
	    cmocka_unit_test(test_length_and_walls_of_nanotubes),
	    cmocka_unit_test(test_torus),
	    cmocka_unit_test(test_hexagonal_flakes),
	    cmocka_unit_test(test_layers_of_graphene),
	    cmocka_unit_test(test_disks_and_rectangles),
	    cmocka_unit_test(test_packings_have_no_overlap),
	    cmocka_unit_test(test_small_and_flat_packings),
	    cmocka_unit_test(test_what_is_refused),
	    cmocka_unit_test(test_samples_without_a_known_solid),
	};

	return cmocka_run_group_tests(tests, open_context, close_context);
}
