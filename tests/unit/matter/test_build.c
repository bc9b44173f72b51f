/* Shapes: numbers and positions of atoms, and invalid options. */
#include "unit/support.h"

#include <math.h>
#include <stdlib.h>

#include "unit/builder.h"

static void test_counts_of_spheres(void **unused)
{
	sonde_build_options coo = structure(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614);
	sonde_build_options gold = structure(SONDE_BUILD_CELL_FCC, "Au", 4.0782);

	(void)unused;
	coo.sphere = 40;
	sonde_atoms *atoms = build(&coo);
	assert_true(sonde_atoms_count(atoms) == 27633);
	assert_string_equal(sonde_atoms_species_label(atoms, 0), "Co");
	assert_true(sonde_atoms_species_atoms(atoms, 0) == 13835 && sonde_atoms_species_atoms(atoms, 1) == 13798);
	assert_false(atoms->has_lattice);
	assert_string_equal(atoms->source.bytes, "sonde build --cell rocksalt --species Co,O --a 4.2614 --sphere 40");
	sonde_atoms_free(&atoms);
	coo.center = (sonde_vector){0.5, 0.5, 0.5}; /* on the other species */
	atoms = build(&coo);
	assert_true(sonde_atoms_species_atoms(atoms, 0) == 13798 && sonde_atoms_species_atoms(atoms, 1) == 13835);
	sonde_atoms_free(&atoms);
	gold.sphere = 16;
	atoms = build(&gold);
	assert_true(sonde_atoms_count(atoms) == 959);
	sonde_atoms_free(&atoms);
}

struct placed {
	double position[3];
	char label[SONDE_LABEL_SIZE];
};

static int compare_placed(const void *left, const void *right)
{
	const struct placed *a = left, *b = right;

	for (int k = 0; k < 3; ++k)
		if (fabs(a->position[k] - b->position[k]) > 1e-3)
			return a->position[k] < b->position[k] ? -1 : 1;
	return 0;
}

static struct placed *sorted(const sonde_atoms *atoms)
{
	size_t count = (size_t)sonde_atoms_count(atoms);
	struct placed *placed = calloc(count, sizeof *placed);

	assert_non_null(placed);
	for (size_t i = 0; i < count; ++i) {
		memcpy(placed[i].position, sonde_atoms_positions(atoms) + 3 * i, sizeof placed[i].position);
		strcpy(placed[i].label, sonde_atoms_species_label(atoms, sonde_atoms_species(atoms)[i]));
	}
	qsort(placed, count, sizeof *placed, compare_placed);
	return placed;
}

static void assert_like_file(const sonde_build_options *options, const char *path)
{
	sonde_atoms *atoms = build(options), *expected;

	assert_status(SONDE_OK, sonde_atoms_read(NULL, path, 0, &expected));
	assert_true(sonde_atoms_count(atoms) == sonde_atoms_count(expected));
	struct placed *a = sorted(atoms), *b = sorted(expected);
	for (int64_t i = 0; i < sonde_atoms_count(atoms); ++i) {
		for (int k = 0; k < 3; ++k)
			assert_within(a[i].position[k], b[i].position[k], 1e-5, "position");
		assert_string_equal(a[i].label, b[i].label);
	}
	free(a);
	free(b);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&expected);
}

/* Files that another program made. */
static void test_samples_of_the_repository(void **unused)
{
	sonde_build_options coo = structure(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614);
	sonde_build_options gold = structure(SONDE_BUILD_CELL_FCC, "Au", 4.0782);

	(void)unused;
	coo.sphere = 40;
	gold.sphere = 16;
	assert_like_file(&coo, TEST_DATA "/CoO_R40.xyz.gz");
	assert_like_file(&gold, TEST_DATA "/Au_fcc_1k.xyz");
}

static void test_supercells_have_all_atoms_of_their_cells(void **unused)
{
	sonde_build_options options = structure(SONDE_BUILD_CELL_ROCKSALT, "Na,Cl", 5.6402);

	(void)unused;
	options.supercell = (sonde_vector){20, 20, 20};
	sonde_atoms *atoms = build(&options);
	assert_true(sonde_atoms_count(atoms) == 64000);
	assert_true(sonde_atoms_species_atoms(atoms, 0) == 32000);
	assert_true(atoms->has_lattice);
	for (int k = 0; k < 9; ++k)
		assert_within(atoms->lattice[k], k % 4 == 0 ? 20 * 5.6402 : 0, 1e-12, "lattice");
	sonde_atoms_free(&atoms);
	options.supercell = (sonde_vector){1, 2, 3};
	atoms = build(&options);
	assert_true(sonde_atoms_count(atoms) == 48);
	assert_within(atoms->lattice[4], 2 * 5.6402, 1e-12, "lattice 4");
	assert_within(atoms->lattice[8], 3 * 5.6402, 1e-12, "lattice 8");
	sonde_atoms_free(&atoms);
}

/* Lattice points n of sc with a = 1 that `inside` takes, in a cube large enough. */
static int64_t count_points(bool (*inside)(double x, double y, double z))
{
	int64_t count = 0;

	for (int x = -12; x <= 12; ++x)
		for (int y = -12; y <= 12; ++y)
			for (int z = -12; z <= 12; ++z)
				count += inside(x, y, z);
	return count;
}

static bool in_sphere(double x, double y, double z)
{
	return x * x + y * y + z * z <= 25; /* with points exactly on the surface */
}

static bool in_box(double x, double y, double z)
{
	return fabs(x) <= 2 && fabs(y) <= 3.5 && fabs(z) <= 0.5;
}

static bool in_cylinder(double x, double y, double z)
{
	return x * x + y * y <= 25 && fabs(z) <= 3;
}

static bool in_tube(double x, double y, double z)
{
	return in_cylinder(x, y, z) && x * x + y * y >= 9;
}

static bool in_shifted_sphere(double x, double y, double z)
{
	return in_sphere(x - 0.5, y, z + 0.25);
}

static void test_shapes_against_counting(void **unused)
{
	struct {
		const char *name;
		bool (*inside)(double x, double y, double z);
		double sphere;
		sonde_vector box, cylinder, center;
	} shapes[] = {{.name = "sphere", .inside = in_sphere, .sphere = 5},
		      {.name = "box", .inside = in_box, .box = {4, 7, 1}},
		      {.name = "cylinder", .inside = in_cylinder, .cylinder = {5, 6, 0}},
		      {.name = "tube", .inside = in_tube, .cylinder = {5, 6, 3}},
		      {.name = "shifted", .inside = in_shifted_sphere, .sphere = 5, .center = {0.5, 0, -0.25}}};

	(void)unused;
	for (size_t k = 0; k < COUNT(shapes); ++k) {
		/* a scale at which coordinates are rounded: the surface must not flicker */
		for (double a = 1; a < 20; a *= 1.7) {
			sonde_build_options options = structure(SONDE_BUILD_CELL_SC, "Po", a);
			options.sphere = shapes[k].sphere * a;
			options.box = (sonde_vector){shapes[k].box.x * a, shapes[k].box.y * a, shapes[k].box.z * a};
			options.cylinder = (sonde_vector){shapes[k].cylinder.x * a, shapes[k].cylinder.y * a,
							  shapes[k].cylinder.z * a};
			options.center = shapes[k].center;
			sonde_atoms *atoms = build(&options);
			if (sonde_atoms_count(atoms) != count_points(shapes[k].inside))
				fail_msg("%s at a = %g: %lld atoms instead of %lld", shapes[k].name, a,
					 (long long)sonde_atoms_count(atoms),
					 (long long)count_points(shapes[k].inside));
			sonde_atoms_free(&atoms);
		}
	}
}

static void test_center_is_at_the_origin(void **unused)
{
	sonde_build_options options = structure(SONDE_BUILD_CELL_SC, "Po", 2);

	(void)unused;
	options.box = (sonde_vector){2, 2, 2};
	options.center = (sonde_vector){0.5, 0.5, 0.5};
	sonde_atoms *atoms = build(&options);
	assert_true(sonde_atoms_count(atoms) == 8);
	for (int k = 0; k < 24; ++k)
		assert_within(fabs(sonde_atoms_positions(atoms)[k]), 1, 1e-12, "sonde atoms positions atoms");
	sonde_atoms_free(&atoms);
}

static void assert_refused(const sonde_build_options *options, const char *words)
{
	sonde_atoms *atoms = (sonde_atoms *)options;

	assert_invalid(words, sonde_build_run(build_context, options, &atoms));
	assert_null(atoms);
}

#define assert_change_refused(words, change)                                                  \
	do {                                                                                  \
		sonde_build_options o = structure(SONDE_BUILD_CELL_ROCKSALT, "Co,O", 4.2614); \
		o.sphere = 10;                                                                \
		change;                                                                       \
		assert_refused(&o, words);                                                    \
	} while (0)

static void test_what_is_refused(void **unused)
{
	(void)unused;
	assert_change_refused("a: the lattice constant is missing", o.a = 0);
	assert_change_refused("a: ", o.a = 0.01);
	assert_change_refused("a: ", o.a = NAN);
	assert_change_refused("c: only hcp and wurtzite", o.c = 5);
	assert_change_refused("u: ", o.u = 1.5);
	assert_change_refused("cell: no structure is given", o.cell = -1); /* as it is when nothing was said */
	assert_change_refused("c: 0.05 Angstrom is not a valid lattice constant",
			      (o.cell = SONDE_BUILD_CELL_HCP, strcpy(o.species, "Mg"), o.c = 0.05));
	assert_change_refused("u: only wurtzite", o.u = 0.38);
	assert_change_refused("cell: ", o.cell = 10);
	assert_change_refused("no shape is given; give one of sphere, box, cylinder, supercell", o.sphere = 0);
	assert_change_refused("more than one shape is given", o.box.x = o.box.y = o.box.z = 5);
	assert_change_refused("more than one shape is given", o.supercell.x = o.supercell.y = o.supercell.z = 2);
	assert_change_refused("sphere: ", o.sphere = -5);
	assert_change_refused("sphere: ", o.sphere = INFINITY);
	assert_change_refused("box: every edge must be longer than 0", (o.sphere = 0, o.box.x = 5));
	assert_change_refused("cylinder: radius and length must be above 0", (o.sphere = 0, o.cylinder.x = 5));
	assert_change_refused("the inner radius below the radius",
			      (o.sphere = 0, o.cylinder = (sonde_vector){5, 5, 5}));
	assert_change_refused("supercell: the numbers of cells must be integers of at least 1, not 0",
			      (o.sphere = 0, o.supercell.x = 2));
	assert_change_refused("not 1.5", (o.sphere = 0, o.supercell = (sonde_vector){2, 1.5, 2}));
	assert_change_refused("center: ", o.center.y = 1.5);
	assert_change_refused("no atom lies in the shape",
			      (o.sphere = 0.1, o.center = (sonde_vector){0.25, 0.25, 0.25}));
	assert_change_refused("not set up by sonde_build_options_init()", o.struct_size = 0);
	assert_change_refused("species: is longer", memset(o.species, 'x', sizeof o.species));
}

static void test_species_that_are_refused(void **unused)
{
	(void)unused;
	assert_change_refused("species: not given; add e.g. species = Co,O", o.species[0] = '\0');
	assert_change_refused("species: this structure has 2, not 1", strcpy(o.species, "Co"));
	assert_change_refused("species: this structure has 2, not 3", strcpy(o.species, "Co,O,N"));
	assert_change_refused("species: unknown species 'co', did you mean 'Co'?", strcpy(o.species, "co,O"));
	assert_change_refused("species: unknown species 'O O'", strcpy(o.species, "Co,O O"));
	assert_change_refused("species: unknown species ''", strcpy(o.species, "Co,"));
	assert_change_refused("species: unknown species ''", strcpy(o.species, ",O"));
	assert_change_refused("too long for a label", strcpy(o.species, "Co,Ooooooooooooooooooooooo"));
	assert_change_refused("species: unknown species 'Qq'", strcpy(o.species, "Co,O,Qq"));
}

static void test_shapes_that_are_too_large(void **unused)
{
	(void)unused;
	assert_change_refused("the shape is too large", o.sphere = 1e6);
	assert_change_refused("the shape is too large",
			      (o.sphere = 0, o.supercell = (sonde_vector){100000, 100000, 100000}));
	assert_change_refused("the shape is too large", (o.sphere = 0, o.box = (sonde_vector){1e6, 1e6, 1}));
	assert_status(SONDE_OK, sonde_context_set_memory(build_context, 100000));
	assert_change_refused("not enough memory: the shape has about", o.sphere = 40);
	assert_status(SONDE_OK, sonde_context_set_memory(build_context, 0));
}

static void test_building_can_be_cancelled(void **unused)
{
	sonde_build_options options = structure(SONDE_BUILD_CELL_SC, "Po", 3);
	sonde_atoms *atoms = (sonde_atoms *)&options;
	sonde_context *context;

	(void)unused;
	options.sphere = 30;
	assert_status(SONDE_OK, sonde_context_create(&context));
	sonde_context_cancel(context);
	assert_status(SONDE_CANCELLED, sonde_build_run(context, &options, &atoms));
	assert_null(atoms);
	sonde_context_free(&context);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_counts_of_spheres),
	    cmocka_unit_test(test_samples_of_the_repository),
	    cmocka_unit_test(test_supercells_have_all_atoms_of_their_cells),
	    cmocka_unit_test(test_shapes_against_counting),
	    cmocka_unit_test(test_center_is_at_the_origin),
	    cmocka_unit_test(test_what_is_refused),
	    cmocka_unit_test(test_species_that_are_refused),
	    cmocka_unit_test(test_shapes_that_are_too_large),
	    cmocka_unit_test(test_building_can_be_cancelled),
	};

	return cmocka_run_group_tests(tests, open_context, close_context);
}
