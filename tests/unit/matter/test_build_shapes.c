/* Shapes of build: numbers of atoms against closed forms and counts by hand, volumes, orientations, supercells. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "matter/shape/polyhedron.h"
#include "unit/builder.h"

#define A 4.0
#define NEIGHBORS (A * 0.70710678118654752440) /* nearest distance of fcc */
#define VOLUME_OF_ATOM (A * A * A / 4.0)

static sonde_build_options gold(void)
{
	return structure(SONDE_BUILD_CELL_FCC, "Au", A);
}

static int64_t count_atoms(const sonde_build_options *options)
{
	sonde_atoms *atoms = build(options);
	const int64_t count = sonde_atoms_count(atoms);

	sonde_atoms_free(&atoms);
	return count;
}

static void assert_count(const char *what, int64_t n, const sonde_build_options *options, int64_t expected)
{
	const int64_t count = count_atoms(options);

	if (count != expected)
		fail_msg("%s %lld: %lld atoms instead of %lld", what, (long long)n, (long long)count,
			 (long long)expected);
}

/* The least distance of two atoms. */
static double least_distance(const sonde_atoms *atoms)
{
	const double *r = sonde_atoms_positions(atoms);
	double least = INFINITY;

	for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i)
		for (int64_t j = 0; j < i; ++j)
			least = fmin(least, pow(r[3 * i] - r[3 * j], 2) + pow(r[3 * i + 1] - r[3 * j + 1], 2) +
						pow(r[3 * i + 2] - r[3 * j + 2], 2));
	return sqrt(least);
}

/* Closed forms of fcc polyhedra with n atoms on an edge: J. H. Conway, N. J. A. Sloane, Proc. R. Soc. A 453, 2369
 * (1997). */
static void test_magic_numbers_of_polyhedra(void **unused)
{
	(void)unused;
	for (int64_t n = 2; n < 9; ++n) {
		const double edge = (double)(n - 1) * NEIGHBORS, odd = n % 2 == 0 ? 0.5 : 0.0;
		const int64_t shells = n - 1;
		sonde_build_options options = gold();
		options.octahedron = edge;
		options.center.x = odd; /* an octahedral hole */
		assert_count("octahedron", n, &options, n * (2 * n * n + 1) / 3);
		options = gold();
		options.cuboctahedron = edge;
		assert_count("cuboctahedron", n, &options,
			     (10 * shells * shells * shells + 15 * shells * shells + 11 * shells + 3) / 3);
		options = gold();
		options.tetrahedron = edge;
		const double quarter = (double)((n - 1) % 4) * 0.25;
		options.center = (sonde_vector){quarter, quarter, quarter};
		assert_count("tetrahedron", n, &options, n * (n + 1) * (n + 2) / 6);
		/* an octahedron with 3 n - 2 atoms on its edge without its six pyramids of n - 1 layers, 1 + 4 + 9 ... */
		options = gold();
		options.truncated_octahedron = edge;
		options.center.x = odd;
		assert_count("truncated octahedron", n, &options, 16 * n * n * n - 33 * n * n + 24 * n - 6);
	}
}

static void test_polyhedra_by_hand(void **unused)
{
	sonde_build_options options = structure(SONDE_BUILD_CELL_SC, "Po", 1);

	(void)unused;
	/* corners (+-1, +-1, +-1) and (+-2, 0, 0), edge sqrt 3: |x| + |y| <= 2 and so on, 1 + 6 + 12 + 8 + 6 points */
	options.rhombic_dodecahedron = sqrt(3.0);
	assert_count("rhombic dodecahedron", 1, &options, 33);
	options.rhombic_dodecahedron = 0;
	/* a cube of 3^3 points without its corners: |x| <= 1 and |x| + |y| + |z| <= 1 + sqrt 2 */
	options.truncated_cube = 2.0 / (1.0 + sqrt(2.0));
	assert_count("truncated cube", 1, &options, 19);
	options = structure(SONDE_BUILD_CELL_HCP, "Mg", 3);
	options.c = 5;
	/* of both layers of hcp: 1 + 6 + 12 atoms with z = 0; with z = c/2 those of which six are around a hole */
	options.hexagonal_prism = (sonde_vector){6, 1, 0};
	assert_count("hexagonal prism", 2, &options, 19);
}

static void test_multiply_twinned_clusters(void **unused)
{
	static const int64_t icosahedra[] = {13, 55, 147, 309, 561, 923};
	/* pentagonal bipyramids (5 n^3 + n)/6; Ino's with the numbers of icosahedra; Marks' of 75, 101, 146, 192 */
	static const struct {
		double p, q, r;
		int64_t atoms;
	} decahedra[] = {{2, 1, 0, 7},  {3, 1, 0, 23},  {4, 1, 0, 54},  {2, 2, 0, 13},  {3, 3, 0, 55}, {4, 4, 0, 147},
			 {2, 2, 1, 75}, {2, 3, 1, 101}, {3, 2, 1, 146}, {3, 3, 1, 192}, {1, 1, 0, 1},  {1, 1, 1, 18}};

	(void)unused;
	for (size_t n = 0; n < COUNT(icosahedra); ++n) {
		sonde_build_options options = gold();
		options.icosahedron = (int64_t)n + 1;
		assert_count("icosahedron", options.icosahedron, &options, icosahedra[n]);
	}
	for (size_t n = 0; n < COUNT(decahedra); ++n) {
		sonde_build_options options = gold();
		options.decahedron = (sonde_vector){decahedra[n].p, decahedra[n].q, decahedra[n].r};
		assert_count("decahedron", (int64_t)n, &options, decahedra[n].atoms);
	}
}

static void test_neighbors_in_clusters(void **unused)
{
	sonde_build_options options = gold();

	(void)unused;
	options.icosahedron = 3;
	sonde_atoms *atoms = build(&options);
	assert_close(least_distance(atoms), NEIGHBORS, 1e-12, "icosahedron: from shell to shell");
	sonde_atoms_free(&atoms);
	options.icosahedron = 0;
	options.decahedron = (sonde_vector){2, 2, 1};
	options.orient[0] = '\0';
	atoms = build(&options);
	assert_close(least_distance(atoms), NEIGHBORS, 1e-12, "decahedron: on the axis");
	sonde_atoms_free(&atoms);
}

/* Atoms times their volume, within the share of a layer of half an atom at the surface. */
static void assert_volume(const char *what, const sonde_build_options *options, double volume, double area)
{
	const double found = (double)count_atoms(options) * VOLUME_OF_ATOM;

	if (!(fabs(found - volume) < 0.25 * area))
		fail_msg("%s: %g instead of %g, surface %g", what, found, volume, area);
}

static void test_volumes(void **unused)
{
	const double pi = 3.14159265358979323846;
	sonde_build_options options = gold();

	(void)unused;
	options.center = (sonde_vector){0.13, 0.29, 0.41};
	options.ellipsoid = (sonde_vector){20, 30, 40};
	assert_volume("ellipsoid", &options, 4.0 / 3.0 * pi * 24000, 4.0 * pi * 900);
	strcpy(options.orient, "x-y-z:10,20,30");
	assert_volume("ellipsoid, turned", &options, 4.0 / 3.0 * pi * 24000, 4.0 * pi * 900);
	options.hollow = 0.5;
	assert_volume("hollow ellipsoid", &options, 7.0 / 6.0 * pi * 24000, 5.0 * pi * 900);
	options.ellipsoid = (sonde_vector){0};
	options.hollow = 0;
	options.cone = (sonde_vector){40, 0, 50};
	assert_volume("cone", &options, pi / 3.0 * 80000, pi * 40 * (40 + 64));
	options.cone = (sonde_vector){10, 40, 50};
	assert_volume("frustum", &options, pi / 3.0 * 50 * (100 + 400 + 1600), pi * 50 * (40 + 60));
	options.cone = (sonde_vector){0};
	options.hexagonal_prism = (sonde_vector){25, 40, 0};
	assert_volume("prism", &options, 1.5 * sqrt(3.0) * 625 * 40, 2 * 1624 + 6000);
	options.hexagonal_prism = (sonde_vector){0};
	strcpy(options.wulff, "111:1.0,100:1.15,110:1.2");
	options.wulff_radius = 30;
	assert_volume("wulff", &options, 4.0 / 3.0 * pi * 27000, 4.2 * pi * 900);
}

static struct build_solid solid_of(const sonde_build_options *options)
{
	struct build_solid solid;

	assert_status(SONDE_OK, build_solid_of(options, &solid));
	return solid;
}

/* Volumes of the solids with edge 2: H. S. M. Coxeter's and Archimedes' closed forms. */
static void test_volumes_of_polyhedra(void **unused)
{
	sonde_build_options options = gold();

	(void)unused;
	const struct {
		double *edge, volume;
	} solids[] = {{&options.octahedron, sqrt(2.0) / 3.0},
		      {&options.cuboctahedron, 5.0 * sqrt(2.0) / 3.0},
		      {&options.truncated_octahedron, 8.0 * sqrt(2.0)},
		      {&options.tetrahedron, sqrt(2.0) / 12.0},
		      {&options.rhombic_dodecahedron, 16.0 * sqrt(3.0) / 9.0},
		      {&options.truncated_cube, 7.0 + 14.0 * sqrt(2.0) / 3.0}};
	for (size_t k = 0; k < COUNT(solids); ++k) {
		*solids[k].edge = 2.0;
		const struct build_solid solid = solid_of(&options);
		assert_close(polyhedron_measure(&solid.faces, NULL, NULL), 8.0 * solids[k].volume, 1e-12, "volume");
		*solids[k].edge = 0.0;
	}
}

static void assert_faces(const struct build_solid *solid, double x, double y, double z, int count, double distance)
{
	const double length = sqrt(x * x + y * y + z * z);
	int found = 0;

	for (int n = 0; n < solid->faces.count; ++n) {
		double sorted[3], *u = sorted;
		for (int k = 0; k < 3; ++k)
			u[k] = fabs(solid->faces.planes[n].normal[k]) * length;
		if (fabs(u[0] + u[1] + u[2] - x - y - z) > 1e-9 || fabs(fmax(u[0], fmax(u[1], u[2])) - x) > 1e-9)
			continue;
		assert_close(solid->faces.planes[n].distance, distance, 1e-12, "distance of a face");
		++found;
	}
	assert_int_equal(found, count);
}

/* Distances are proportional to energies, and the volume is that of the sphere. */
static void test_wulff(void **unused)
{
	const double pi = 3.14159265358979323846;
	sonde_build_options options = gold();

	(void)unused;
	options.wulff_radius = 10;
	strcpy(options.wulff, "111:1.0,100:1.15,110:1.2");
	struct build_solid solid = solid_of(&options);
	assert_int_equal(solid.faces.count, 26);
	assert_close(polyhedron_measure(&solid.faces, NULL, NULL), 4000.0 / 3.0 * pi, 1e-12, "volume");
	const double unit = solid.faces.planes[0].distance;
	assert_faces(&solid, 1, 1, 1, 8, unit);
	assert_faces(&solid, 1, 0, 0, 6, 1.15 * unit);
	assert_faces(&solid, 1, 1, 0, 12, 1.2 * unit);
	/* faces of a high energy are absent: an octahedron, V = 4 sqrt 3 d^3 */
	strcpy(options.wulff, "1 1 1:2, 1 0 0:9");
	solid = solid_of(&options);
	assert_int_equal(solid.faces.count, 8);
	assert_close(solid.faces.planes[3].distance, 10.0 * cbrt(pi / (3.0 * sqrt(3.0))), 1e-12, "octahedron");
	strcpy(options.wulff, "321:1");
	assert_int_equal(solid_of(&options).faces.count, 48);
	/* a hexagonal prism: V = 2 sqrt 3 d^2 h, with h = 2 * 2 d; three and four indices */
	options = structure(SONDE_BUILD_CELL_HCP, "Mg", 3);
	options.wulff_radius = 10;
	strcpy(options.wulff, "10-10:1,0001:2");
	solid = solid_of(&options);
	assert_int_equal(solid.faces.count, 8);
	assert_close(solid.faces.planes[0].distance, cbrt(4000.0 * pi / (3.0 * 8.0 * sqrt(3.0))), 1e-12, "prism");
	strcpy(options.wulff, "100:1,001:2");
	assert_close(solid_of(&options).faces.planes[0].distance, solid.faces.planes[0].distance, 1e-12,
		     "three indices");
	strcpy(options.wulff, "10-11:1");
	assert_int_equal(solid_of(&options).faces.count, 12);
}

/* A family of faces turns with the lattice: the same atoms of the same crystal. */
static void test_wulff_turns_with_the_lattice(void **unused)
{
	sonde_build_options options = gold();

	(void)unused;
	options.wulff_radius = 15;
	strcpy(options.wulff, "111:1.0,100:1.15");
	const int64_t count = count_atoms(&options);
	strcpy(options.orient, "z-x-z:20,33,-71");
	assert_count("turned", 1, &options, count);
	strcpy(options.orient, "hkl:1,2,3");
	assert_count("turned", 2, &options, count);
}

static void assert_edges(const sonde_build_options *options, const double expected[9])
{
	sonde_atoms *atoms = build(options);

	for (int k = 0; k < 9; ++k)
		assert_within(sonde_atoms_cell(atoms)[k], expected[k], 1e-12, "edge");
	sonde_atoms_free(&atoms);
}

/* Rotations done by hand, of the edges of one cell with a = 1. */
static void test_orientations(void **unused)
{
	sonde_build_options options = structure(SONDE_BUILD_CELL_SC, "Po", 1);
	const double h = sqrt(0.5), t = 1.0 / sqrt(3.0), s = 1.0 / sqrt(6.0);

	(void)unused;
	options.supercell = (sonde_vector){1, 1, 1};
	strcpy(options.orient, "z-x-z:90,0,0"); /* x to y, y to -x */
	assert_edges(&options, (const double[9]){0, 1, 0, -1, 0, 0, 0, 0, 1});
	strcpy(options.orient, "z-x-z:0,90,0"); /* y to z, z to -y */
	assert_edges(&options, (const double[9]){1, 0, 0, 0, 0, 1, 0, -1, 0});
	strcpy(options.orient, "z-x-z:90,90,0"); /* about x first, then about z */
	assert_edges(&options, (const double[9]){0, 1, 0, 0, 0, 1, 1, 0, 0});
	strcpy(options.orient, "y-z-x: 45 0 0"); /* z to (1, 0, 1), x to (1, 0, -1) */
	assert_edges(&options, (const double[9]){h, 0, -h, 0, 1, 0, h, 0, h});
	strcpy(options.orient, "hkl:1,1,1/uvw:1,-1,0"); /* the parts along x, y = z cross x, and z */
	assert_edges(&options, (const double[9]){h, s, t, -h, s, t, 0, -2.0 * s, t});
	strcpy(options.orient, "hkl:0,0,-1");
	assert_edges(&options, (const double[9]){1, 0, 0, 0, -1, 0, 0, 0, -1});
	strcpy(options.orient, "hkl:1,0,0"); /* about y */
	assert_edges(&options, (const double[9]){0, 0, 1, 0, 1, 0, -1, 0, 0});
	/* the normal of (100) of a hexagonal cell, which is not the direction [100] */
	options = structure(SONDE_BUILD_CELL_HCP, "Mg", 2);
	options.c = 3;
	options.supercell = (sonde_vector){1, 1, 1};
	strcpy(options.orient, "hkl:1,0,0/uvw:0,1,0");
	assert_edges(&options, (const double[9]){-1, 0, sqrt(3.0), 2, 0, 0, 0, 3, 0});
}

/* Cubes of fcc turned by a symmetry of the lattice have the same atoms; (111) layers of a turned plate lie at z = 0. */
static void test_shapes_of_turned_lattices(void **unused)
{
	sonde_build_options options = gold();

	(void)unused;
	options.box = (sonde_vector){40, 40, 1};
	strcpy(options.orient, "hkl:1,1,1");
	sonde_atoms *atoms = build(&options);
	/* one atom of the layer per sqrt 3/4 a^2 */
	assert_within((double)sonde_atoms_count(atoms), 1600.0 / (sqrt(3.0) / 4.0 * A * A), 25.0, "atoms of a layer");
	for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i)
		assert_within(sonde_atoms_positions(atoms)[3 * i + 2], 0.0, 1e-9, "z");
	assert_close(least_distance(atoms), NEIGHBORS, 1e-9, "neighbors");
	sonde_atoms_free(&atoms);
}

/* Random matrices from a linear congruence: |det| cells, nearest neighbors across all faces. */
static void test_supercells_by_matrices(void **unused)
{
	static const struct {
		int cell;
		const char *species;
		int sites;
		double nearest; /* a = 4 */
	} cells[] = {{SONDE_BUILD_CELL_FCC, "Au", 4, 4 * 0.70710678118654752440},
		     {SONDE_BUILD_CELL_DIAMOND, "C", 8, 1.73205080756887729353},
		     {SONDE_BUILD_CELL_HCP, "Mg", 2, 4},
		     {SONDE_BUILD_CELL_PEROVSKITE, "Sr,Ti,O", 5, 2}};
	uint32_t random = 12345;

	(void)unused;
	for (int n = 0; n < 20;) {
		int m[9];
		for (int k = 0; k < 9; ++k) {
			random = random * 1664525u + 1013904223u;
			m[k] = (int)(random >> 24) % 7 - 3;
		}
		const int determinant = m[0] * (m[4] * m[8] - m[5] * m[7]) - m[1] * (m[3] * m[8] - m[5] * m[6]) +
					m[2] * (m[3] * m[7] - m[4] * m[6]);
		if (determinant == 0)
			continue;
		sonde_build_options options = structure(cells[n % 4].cell, cells[n % 4].species, 4);
		snprintf(options.supercell_matrix, sizeof options.supercell_matrix, "%d,%d,%d;%d,%d,%d;%d,%d,%d",
			 m[0], m[1], m[2], m[3], m[4], m[5], m[6], m[7], m[8]);
		sonde_atoms *atoms = build(&options);
		assert_true(sonde_atoms_count(atoms) == abs(determinant) * cells[n % 4].sites);
		const double *edges = sonde_atoms_cell(atoms), *r = sonde_atoms_positions(atoms);
		double least = INFINITY, b[3], product;
		for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i) {
			for (int k = 0; k < 3; ++k) { /* fractions by Cramer's rule */
				const double *u = edges + 3 * ((k + 1) % 3), *v = edges + 3 * ((k + 2) % 3);
				for (int c = 0; c < 3; ++c)
					b[c] = u[(c + 1) % 3] * v[(c + 2) % 3] - u[(c + 2) % 3] * v[(c + 1) % 3];
				product = edges[3 * k] * b[0] + edges[3 * k + 1] * b[1] + edges[3 * k + 2] * b[2];
				const double fraction =
				    (r[3 * i] * b[0] + r[3 * i + 1] * b[1] + r[3 * i + 2] * b[2]) / product;
				assert_true(fraction > -1e-12 && fraction < 1.0 - 1e-9);
			}
			for (int64_t j = 0; j < i; ++j) /* also the images around the cell */
				for (int image = 0; image < 27; ++image) {
					double square = 0.0;
					for (int c = 0; c < 3; ++c)
						square +=
						    pow(r[3 * i + c] - r[3 * j + c] + (image % 3 - 1) * edges[c] +
							    (image / 3 % 3 - 1) * edges[3 + c] +
							    (image / 9 - 1) * edges[6 + c],
							2);
					least = fmin(least, square);
				}
		}
		if (sonde_atoms_count(atoms) > 16)
			assert_true(sqrt(least) > cells[n % 4].nearest * (1.0 - 1e-9) &&
				    sqrt(least) < cells[n % 4].nearest * 1.5);
		sonde_atoms_free(&atoms);
		++n;
	}
}

static void test_core_and_shell(void **unused)
{
	sonde_build_options options = gold();

	(void)unused;
	options.sphere = 8;
	const int64_t all = count_atoms(&options);
	options.sphere = 4;
	const int64_t inner = count_atoms(&options);
	options.sphere = 8;
	options.core_size = 0.5;
	strcpy(options.core, "Ag");
	sonde_atoms *atoms = build(&options);
	assert_true(sonde_atoms_species_atoms(atoms, 0) == all - inner &&
		    sonde_atoms_species_atoms(atoms, 1) == inner);
	sonde_atoms_free(&atoms);
	/* of 13 atoms on and in the sphere of radius 4 with the 6 at its surface: a shell keeps the surface */
	options.core[0] = '\0';
	options.core_size = 0;
	options.hollow = 0.5;
	assert_count("shell", 1, &options, all - inner + 6);
}

/* A cube as ASCII STL is the box; a shell of it is the hollow box. */
static void test_stl(void **unused)
{
	static const int faces[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
					 {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
	sonde_build_options options = gold(), box = gold();
	FILE *file = fopen("cube_of_build.stl", "w");

	(void)unused;
	assert_non_null(file);
	fputs("solid cube\n", file);
	for (int n = 0; n < 12; ++n) {
		fputs("facet normal 0 0 0\nouter loop\n", file);
		for (int c = 0; c < 3; ++c)
			fprintf(file, "vertex %d %d %d\n", faces[n][c] & 1 ? 1 : -1, faces[n][c] & 2 ? 1 : -1,
				faces[n][c] & 4 ? 1 : -1);
		fputs("endloop\nendfacet\n", file);
	}
	fputs("endsolid cube\n", file);
	fclose(file);
	strcpy(options.stl, "cube_of_build.stl");
	options.stl_scale = 8; /* edges of 16 Angstrom, through lattice points */
	box.box = (sonde_vector){16, 16, 16};
	assert_count("stl", 1, &options, count_atoms(&box));
	options.hollow = box.hollow = 0.5;
	assert_count("stl", 2, &options, count_atoms(&box));
	remove("cube_of_build.stl");
	assert_invalid("stl: ", sonde_build_run(build_context, &options, &(sonde_atoms *){NULL}));
}

static void test_threads_do_not_matter(void **unused)
{
	sonde_build_options options = structure(SONDE_BUILD_CELL_DIAMOND, "C", 3.5668);
	sonde_atoms *atoms[3];

	(void)unused;
	strcpy(options.wulff, "111:1.0,100:1.15");
	options.wulff_radius = 40;
	strcpy(options.orient, "z-x-z:20,33,-71");
	for (int n = 0; n < 3; ++n) {
		sonde_context *context;
		assert_status(SONDE_OK, sonde_context_create(&context));
		assert_status(SONDE_OK, sonde_context_set_threads(context, n == 2 ? 5 : n + 1));
		assert_status(SONDE_OK, sonde_build_run(context, &options, &atoms[n]));
		sonde_context_free(&context);
	}
	const size_t count = (size_t)sonde_atoms_count(atoms[0]);
	for (int n = 1; n < 3; ++n) {
		assert_true((size_t)sonde_atoms_count(atoms[n]) == count);
		assert_memory_equal(atoms[0]->positions, atoms[n]->positions, 3 * count * sizeof(double));
		assert_memory_equal(atoms[0]->species_of, atoms[n]->species_of, count * sizeof(uint16_t));
	}
	for (int n = 0; n < 3; ++n)
		sonde_atoms_free(&atoms[n]);
}

#define assert_refused(words, change)                                             \
	do {                                                                      \
		sonde_build_options o = gold();                                   \
		sonde_atoms *none = NULL;                                         \
		change;                                                           \
		assert_invalid(words, sonde_build_run(build_context, &o, &none)); \
		assert_null(none);                                                \
	} while (0)
#define ORIENT(text) (o.sphere = 9, strcpy(o.orient, text))
#define WULFF(text) (o.wulff_radius = 9, strcpy(o.wulff, text))
#define MATRIX(text) strcpy(o.supercell_matrix, text)

static void test_what_is_refused(void **unused)
{
	(void)unused;
	assert_refused("more than one shape is given, sphere and octahedron", o.sphere = o.octahedron = 5);
	assert_refused("ellipsoid: every semi-axis", o.ellipsoid.x = 5);
	assert_refused("cone: ", o.cone.z = 5);
	assert_refused("hexagonal_prism: ", (o.hexagonal_prism = (sonde_vector){5, 5, 5}));
	assert_refused("no atom lies in the shape", (o.octahedron = 0.1, o.center.x = 0.3));
	assert_refused("no atom lies in the shape", (WULFF("100:1"), o.wulff_radius = 0.1, o.center.x = 0.3));
	assert_refused("wulff_radius: required", strcpy(o.wulff, "111:1"));
	assert_refused("wulff_radius: only", o.sphere = o.wulff_radius = 5);
	assert_refused("the energy is missing", WULFF("111"));
	assert_refused("the energy must be", WULFF("111:0"));
	assert_refused("the energy must be", WULFF("111:one"));
	assert_refused("its indices", WULFF("1x1:1"));
	assert_refused("a family has three indices", WULFF("10-10:1"));
	assert_refused("not all indices may be 0", WULFF("000:1"));
	assert_refused("the energy is missing", WULFF("111:1,"));
	assert_refused("must add up to 0", (o.cell = SONDE_BUILD_CELL_HCP, WULFF("1111:1")));
	assert_refused("do not enclose a volume", (o.cell = SONDE_BUILD_CELL_HCP, WULFF("0001:1")));
	assert_refused("more than 256 faces", WULFF("123:1,124:1,125:1,126:1,127:1,128:1"));
	assert_refused("is not an orientation", ORIENT("z-x:1,2,3"));
	assert_refused("is not an orientation", ORIENT("z-x-z:1,2"));
	assert_refused("is not an orientation", ORIENT("z-x-z:1,2,3,4"));
	assert_refused("is not an orientation", ORIENT("hkl:1,1"));
	assert_refused("is not an orientation", ORIENT("hkl:1,1,1/abc:1,0,0"));
	assert_refused("is not a direction", ORIENT("hkl:0,0,0"));
	assert_refused("does not lie in the planes", ORIENT("hkl:1,1,1/uvw:1,0,0"));
	assert_refused("not within +-360", ORIENT("z-x-z:1,2,400"));
	assert_refused("the determinant is 0", MATRIX("1,2,3,2,4,6,0,0,1"));
	assert_refused("is not nine integers", MATRIX("1,0,0,0,1,0,0,0"));
	assert_refused("is not nine integers", MATRIX("1,0,0,0,1,0,0,0,1.5"));
	assert_refused("not within", MATRIX("1,0,0,0,1,0,0,0,20000"));
	assert_refused("the shape is too large", MATRIX("9999,0,0,0,9999,0,0,0,9999"));
	assert_refused("hollow: not possible for supercells", (MATRIX("1,0,0,0,1,0,0,0,1"), o.hollow = 0.5));
	assert_refused("hollow: not possible for a tube", (o.cylinder = (sonde_vector){9, 9, 2}, o.hollow = 0.5));
	assert_refused("core_size: not given", (o.sphere = 9, strcpy(o.core, "Ag")));
	assert_refused("core: not given", (o.sphere = 9, o.core_size = 0.5));
	assert_refused("core: this structure has 1, not 2",
		       (o.sphere = 9, o.core_size = 0.5, strcpy(o.core, "Ag,Cu")));
	assert_refused("lies in the hollow", (o.sphere = 9, o.core_size = 0.5, o.hollow = 0.6, strcpy(o.core, "Ag")));
	assert_refused("the cell must be fcc", (o.icosahedron = 2, o.cell = SONDE_BUILD_CELL_BCC));
	assert_refused("center: not used by icosahedron", (o.icosahedron = 2, o.center.x = 0.5));
	assert_refused("decahedron: p,q,r must be integers", o.decahedron.x = 2);
	assert_refused("the shape is too large", (o.decahedron = (sonde_vector){1000, 1000, 1000}));
	assert_refused("stl_scale: only", (o.sphere = 9, o.stl_scale = 2));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_magic_numbers_of_polyhedra),
	    cmocka_unit_test(test_polyhedra_by_hand),
	    cmocka_unit_test(test_multiply_twinned_clusters),
	    cmocka_unit_test(test_neighbors_in_clusters),
	    cmocka_unit_test(test_volumes),
	    cmocka_unit_test(test_volumes_of_polyhedra),
	    cmocka_unit_test(test_wulff),
	    cmocka_unit_test(test_wulff_turns_with_the_lattice),
	    cmocka_unit_test(test_orientations),
	    cmocka_unit_test(test_shapes_of_turned_lattices),
	    cmocka_unit_test(test_supercells_by_matrices),
	    cmocka_unit_test(test_core_and_shell),
	    cmocka_unit_test(test_stl),
	    cmocka_unit_test(test_threads_do_not_matter),
	    cmocka_unit_test(test_what_is_refused),
	};

	return cmocka_run_group_tests(tests, open_context, close_context);
}
