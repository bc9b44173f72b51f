/* Bodies of `build`: unions and differences, against counts by hand and by predicates of their own. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "matter/shape/body.h"
#include "unit/builder.h"

/* Points with integer coordinates. */
static sonde_build_options grid(const char *bodies)
{
	sonde_build_options options = structure(SONDE_BUILD_CELL_SC, "Po", 1);

	strcpy(options.bodies, bodies);
	return options;
}

static void assert_count(const sonde_build_options *options, int64_t expected)
{
	sonde_atoms *atoms = build(options);

	if (sonde_atoms_count(atoms) != expected)
		fail_msg("%s: %lld atoms instead of %lld", options->bodies, (long long)sonde_atoms_count(atoms),
			 (long long)expected);
	sonde_atoms_free(&atoms);
}

static void assert_grid(int64_t expected, const char *bodies)
{
	const sonde_build_options options = grid(bodies);

	assert_count(&options, expected);
}

/* Atoms on surfaces belong to bodies, and are not removed by empty ones. */
static void test_counts_by_hand(void **unused)
{
	(void)unused;
	/* 5 3 3 + 3 3 5 - 3 3 3 */
	assert_grid(63, "[{shape: box, size: [4,2,2]}, {shape: box, size: [2,2,4]}]");
	assert_grid(63, "{shape: box, size: [4,2,2]}, {shape: box, size: [2,2,4]}");
	assert_grid(125 - 1, "[{shape: box, size: 4}, {shape: box, size: 2, material: vacuum}]");
	assert_grid(343 - 27, "[{shape: box, size: 6}, {shape: box, size: 4, material: vacuum}]");
	/* the later one holds */
	assert_grid(27, "[{shape: box, size: 4, material: vacuum}, {shape: box, size: 2}]");
	assert_grid(343 - 27 + 1, "[{shape: box, size: 6}, {shape: box, size: 4, material: vacuum},"
				  " {shape: sphere, radius: 0.5}]");
	/* a hole of radius 1: the points on its surface stay */
	assert_grid(120, "[{shape: box, size: 4}, {shape: cylinder, radius: 1, height: 9, axis: [1,0,0],"
			 " material: vacuum}]");
	assert_grid(7 + 7, "[{shape: sphere, radius: 1}, {shape: sphere, radius: 1, center: [0,0,50]}]");
	/* |x| + |y| <= 2 */
	assert_grid(13, "[{shape: box, size: [2.8284271247461903,2.8284271247461903,1], rotation: [0,0,45]}]");
	assert_grid(25 - 5,
		    "[{shape: box, size: [4,4,1]}, {shape: box, size: [2.8284271247461903,2.8284271247461903,1],"
		    " rotation: [0,0,45], material: vacuum}]");
	/* |z| <= 2, rho <= 1 - z/2: 13 and 1 + 4 points above radius 2; of z = -2 ... 2: 13 9 5 1 1 */
	assert_grid(29, "[{shape: cone, radius: 2, radius-top: 0, height: 4}]");
	/* three spheres of 7 points, two of which share one point */
	assert_grid(21, "[{shape: sphere, radius: 1, repeat: [3,1,1], pitch: [10,0,0]}]");
	assert_grid(19, "[{shape: sphere, radius: 1, repeat: [3,1,1], pitch: [2,0,0]}]");
}

/* An L has a recess, whose sides do not move outward if it is scaled. */
static void test_prisms_with_recesses(void **unused)
{
#define L "shape: prism, vertices: [[0,0],[4,0],[4,2],[2,2],[2,4],[0,4]], height: 2"
	(void)unused;
	assert_grid(3 * (25 - 4), "[{" L "}]");
	/* 5 points are inside the outline */
	assert_grid(9 * 9 * 5 - 5, "[{shape: box, size: [8,8,4], center: [2,2,0]}, {" L ", material: vacuum}]");
	assert_grid(3 * (25 - 4), "[{" L ", axis: [1,0,0]}]");
}

static double squared(const double *r)
{
	return r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
}

static bool in_ball(const double *r, double x, double y, double z, double radius)
{
	return squared((const double[3]){r[0] - x, r[1] - y, r[2] - z}) < radius * radius;
}

/* Along 1,1,0 through 0,0,2, 14 long. */
static bool in_cylinder(const double *r)
{
	const double along = (r[0] + r[1]) / sqrt(2.0);

	return fabs(along) < 7.0 && squared((const double[3]){r[0], r[1], r[2] - 2.0}) - along * along < 3.1 * 3.1;
}

/* Half axes 9, 4, 3, turned by 30 degrees about z. */
static bool in_ellipsoid(const double *r)
{
	const double c = sqrt(0.75), s = 0.5, x = c * r[0] + s * r[1], y = -s * r[0] + c * r[1];

	return pow(x / 9.0, 2) + pow(y / 4.0, 2) + pow(r[2] / 3.0, 2) < 1.0;
}

/* A lattice in any orientation is cut in the axes of the laboratory. */
static void test_turned_lattices(void **unused)
{
	sonde_build_options options = structure(SONDE_BUILD_CELL_FCC, "Au", 4.0782);
	int64_t expected = 0, foreign = 0;

	(void)unused;
	strcpy(options.orient, "z-x-z:12.3,40,7");
	options.center = (sonde_vector){0.1, 0.23, 0.37};
	options.box = (sonde_vector){50, 50, 50};
	sonde_atoms *all = build(&options);
	for (int64_t i = 0; i < sonde_atoms_count(all); ++i) {
		const double *r = sonde_atoms_positions(all) + 3 * i;
		const bool silver = in_ball(r, 3, 1, 15, 5.2);
		expected += silver || (!in_cylinder(r) && (in_ball(r, 0, 0, 0, 8.4) || in_ellipsoid(r)));
		foreign += silver;
	}
	sonde_atoms_free(&all);
	options.box = (sonde_vector){0, 0, 0};
	options.sphere = 8.4;
	strcpy(options.bodies,
	       "[{shape: ellipsoid, radii: [9,4,3], rotation: [0,0,30]},"
	       " {shape: cylinder, radius: 3.1, height: 14, axis: [1,1,0], center: [0,0,2], material: vacuum},"
	       " {shape: sphere, radius: 5.2, center: [3,1,15], material: Ag}]");
	assert_true(foreign > 20 && expected > foreign + 50);
	assert_count(&options, expected);
	sonde_atoms *atoms = build(&options);
	assert_int_equal(sonde_atoms_species_count(atoms), 2);
	assert_string_equal(sonde_atoms_species_label(atoms, 1), "Ag");
	assert_int_equal(sonde_atoms_species_atoms(atoms, 1), foreign);
	sonde_atoms_free(&atoms);
}

/* On the lattice of a compound, next to a core and within a shell. */
static void test_species(void **unused)
{
	sonde_build_options options = structure(SONDE_BUILD_CELL_ROCKSALT, "Na,Cl", 2);

	(void)unused;
	options.box = (sonde_vector){4, 4, 4};
	strcpy(options.core, "Li,F");
	options.core_size = 0.5;
	strcpy(options.bodies, "[{shape: box, size: [4,4,1], center: [0,0,2], material: \"K,Br\"}]");
	/* five layers of 25, the top one K and Br; 27 in the core */
	sonde_atoms *atoms = build(&options);
	int64_t counts[3] = {0};
	for (int s = 0; s < sonde_atoms_species_count(atoms); ++s) {
		const char *label = sonde_atoms_species_label(atoms, s);
		counts[strcmp(label, "K") == 0 || strcmp(label, "Br") == 0   ? 2
		       : strcmp(label, "Li") == 0 || strcmp(label, "F") == 0 ? 1
									     : 0] +=
		    sonde_atoms_species_atoms(atoms, s);
	}
	assert_int_equal(counts[2], 25);
	assert_int_equal(counts[1], 27);
	assert_int_equal(counts[0], 125 - 25 - 27);
	sonde_atoms_free(&atoms);
}

/* A pore in a periodic crystal. */
static void test_supercells_keep_their_cell(void **unused)
{
	sonde_build_options options =
	    grid("[{shape: sphere, radius: 1.1, center: [2,2,2], material: vacuum}, {shape: box, size: 40, center: "
		 "[99,0,0]}]");

	(void)unused;
	options.supercell = (sonde_vector){5, 5, 5};
	assert_count(&options, 125 - 7);
	sonde_atoms *atoms = build(&options);
	assert_true(atoms->has_lattice);
	assert_close(atoms->lattice[4], 5.0, 1e-15, "edge");
	sonde_atoms_free(&atoms);
}

static void test_threads_do_not_matter(void **unused)
{
	sonde_build_options options =
	    grid("[{shape: sphere, radius: 12}, {shape: sphere, radius: 9, center: [6,0,0], "
		 "material: vacuum}]");

	(void)unused;
	sonde_context_set_threads(build_context, 1);
	sonde_atoms *one = build(&options);
	sonde_context_set_threads(build_context, 3);
	sonde_atoms *three = build(&options);
	assert_int_equal(sonde_atoms_count(one), sonde_atoms_count(three));
	assert_memory_equal(sonde_atoms_positions(one), sonde_atoms_positions(three),
			    (size_t)sonde_atoms_count(one) * 24);
	sonde_atoms_free(&one);
	sonde_atoms_free(&three);
}

static void assert_refused(const char *message, const sonde_build_options *options)
{
	sonde_atoms *atoms;

	assert_invalid(message, sonde_build_run(build_context, options, &atoms));
	assert_null(atoms);
}

static void assert_list_refused(const char *message, const char *bodies)
{
	const sonde_build_options options = grid(bodies);

	assert_refused(message, &options);
}

static void test_what_is_refused(void **unused)
{
	sonde_build_options options;

	(void)unused;
	assert_list_refused("a list is expected", "sphere");
	assert_list_refused("a list of bodies is needed", "[]");
	assert_list_refused("unknown key 'raduis', did you mean 'radius'?", "[{shape: sphere, raduis: 5}]");
	assert_list_refused("shape: 'ball' is not one of", "[{shape: ball, radius: 5}]");
	assert_list_refused("bodies 2: radius: not an option of a box",
			    "[{shape: sphere, radius: 5}, {shape: box, size: 5, radius: 5}]");
	assert_list_refused("bodies 1: shape: required", "[{radius: 5}]");
	assert_list_refused("bodies 1: shape: a body of a sample is", "[{shape: build, material: Au}]");
	assert_list_refused("bodies 1: in-reference: only fdtd", "[{shape: sphere, radius: 5, in-reference: only}]");
	assert_list_refused("more than 4096 bodies",
			    "[{shape: sphere, radius: 5, repeat: [99,99,1], pitch: [9,9,0]}]");
	assert_list_refused("radius: 'nan'", "[{shape: sphere, radius: nan}]");
	assert_list_refused("aliases", "[&a {shape: sphere, radius: 5}, *a]");
	assert_list_refused("did not find expected", "[{shape: sphere, radius: 5}");
	assert_list_refused("no atom lies in the shape", "[{shape: sphere, radius: 5, material: vacuum}]");
	assert_list_refused("material: this structure has 1, not 2",
			    "[{shape: sphere, radius: 5, material: \"Na,Cl\"}]");
	assert_list_refused("material: ", "[{shape: sphere, radius: 5, material: Xx}]");
	options = grid("[{shape: sphere, radius: 5}]");
	options.hollow = 0.5;
	assert_refused("hollow: is a part of a shape", &options);
	options = grid("[{shape: sphere, radius: 5}]");
	strcpy(options.supercell_matrix, "2,0,0,0,2,0,0,0,2");
	assert_refused("bodies: not possible for icosahedra", &options);
	options = grid("[{shape: sphere, radius: 5}]");
	options.cell = -1;
	strcpy(options.species, "C");
	options.a = 0;
	strcpy(options.fullerene, "C60");
	assert_refused("bodies: not an option of a fullerene", &options);
	struct build_solid solid;
	options = grid("[{shape: sphere, radius: 5}]");
	assert_invalid("bodies: a sample of several bodies is not a single solid", build_solid_of(&options, &solid));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_counts_by_hand),
	    cmocka_unit_test(test_prisms_with_recesses),
	    cmocka_unit_test(test_turned_lattices),
	    cmocka_unit_test(test_species),
	    cmocka_unit_test(test_supercells_keep_their_cell),
	    cmocka_unit_test(test_threads_do_not_matter),
	    cmocka_unit_test(test_what_is_refused),
	};

	return cmocka_run_group_tests(tests, open_context, close_context);
}
