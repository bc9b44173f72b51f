/* Atoms of descriptions of samples, which are those of options of build. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/constants.h"
#include "matter/sample/sample.h"
#include "unit/described.h"

static void same_as_build(const char *body, sonde_build_options *options)
{
	char text[512];
	sonde_atoms *one = build(options), *other;

	snprintf(text, sizeof text,
		 "materials: [{name: gold, cell: fcc, species: Au, a: 4.0782}]\nbodies: [{material: gold, %s}]\n",
		 body);
	other = build_text(text);
	assert_true(sonde_atoms_count(one) == sonde_atoms_count(other));
	assert_memory_equal(sonde_atoms_positions(one), sonde_atoms_positions(other),
			    3 * sizeof(double) * (size_t)sonde_atoms_count(one));
	sonde_atoms_free(&one);
	sonde_atoms_free(&other);
}

/* Including the atoms on the surface, in the same order and to the last bit. */
static void test_bodies_have_the_atoms_of_shapes_of_build(void **unused)
{
	sonde_build_options options = structure(SONDE_BUILD_CELL_FCC, "Au", 4.0782);

	(void)unused;
	options.sphere = 16.3128; /* four lattice constants */
	same_as_build("shape: sphere, radius: 16.3128 A", &options);
	strcpy(options.orient, "hkl:1,1,1/uvw:1,-1,0");
	same_as_build("shape: sphere, radius: 1.63128 nm, orient: 'hkl:1,1,1/uvw:1,-1,0'", &options);
	options.orient[0] = '\0';
	options.center = (sonde_vector){0.5, 0.25, 0};
	same_as_build("shape: sphere, radius: 16.3128, cell-center: [0.5, 0.25, 0]", &options);
	options = structure(SONDE_BUILD_CELL_FCC, "Au", 4.0782);
	options.box = (sonde_vector){16.3128, 20, 24.4692};
	same_as_build("shape: box, size: [16.3128, 20, 24.4692]", &options);
	options = structure(SONDE_BUILD_CELL_FCC, "Au", 4.0782);
	options.cylinder = (sonde_vector){12.2346, 32.6256, 0};
	same_as_build("shape: cylinder, radius: 12.2346, height: 32.6256", &options);
	options = structure(SONDE_BUILD_CELL_FCC, "Au", 4.0782);
	options.ellipsoid = (sonde_vector){8.1564, 12.2346, 16.3128};
	same_as_build("shape: ellipsoid, radii: [8.1564, 12.2346, 16.3128]", &options);
	options = structure(SONDE_BUILD_CELL_FCC, "Au", 4.0782);
	options.cone = (sonde_vector){12.2346, 0, 20};
	same_as_build("shape: cone, radius: 12.2346, height: 20", &options);
}

/* Atoms on faces, edges, and corners, and on the inner surface of a shell, included. */
static void test_polyhedra_tubes_and_shells_have_the_atoms_of_build(void **unused)
{
	sonde_build_options options = structure(SONDE_BUILD_CELL_FCC, "Au", 4.0782);
	const struct {
		const char *name;
		double *edge, length;
	} polyhedra[] = {{"octahedron", &options.octahedron, 4.0782 * 5.0 * sqrt(2.0)},
			 {"cuboctahedron", &options.cuboctahedron, 4.0782 * 2.5 * sqrt(2.0)},
			 {"truncated-octahedron", &options.truncated_octahedron, 11.5},
			 {"tetrahedron", &options.tetrahedron, 40.0},
			 {"rhombic-dodecahedron", &options.rhombic_dodecahedron, 20.0},
			 {"truncated-cube", &options.truncated_cube, 14.0}};
	char body[256];

	(void)unused;
	for (size_t k = 0; k < sizeof polyhedra / sizeof *polyhedra; ++k)
		for (int hollow = 0; hollow < 2; ++hollow) {
			*polyhedra[k].edge = polyhedra[k].length;
			options.hollow = hollow == 0 ? 0.0 : 0.5;
			snprintf(body, sizeof body, "shape: %s, edge: %.17g, hollow: %g", polyhedra[k].name,
				 polyhedra[k].length, options.hollow);
			same_as_build(body, &options);
			*polyhedra[k].edge = options.hollow = 0.0;
		}
	options.hexagonal_prism = (sonde_vector){20, 32.6256, 0};
	same_as_build("shape: hexagonal-prism, edge: 20, height: 32.6256", &options);
	options.hexagonal_prism = (sonde_vector){0, 0, 0};
	options.cylinder = (sonde_vector){20.391, 40.782, 12.2346};
	same_as_build("shape: cylinder, radius: 20.391, height: 40.782, inner-radius: 12.2346", &options);
	options.cylinder = (sonde_vector){0, 0, 0};
	options.hollow = 0.5;
	options.box = (sonde_vector){40.782, 32.6256, 24.4692};
	same_as_build("shape: box, size: [40.782, 32.6256, 24.4692], hollow: 0.5", &options);
	options.box = (sonde_vector){0, 0, 0};
	options.hollow = 0.0;
	strcpy(options.wulff, "111:1.0,100:1.15");
	options.wulff_radius = 18.0;
	strcpy(options.orient, "hkl:1,1,1");
	same_as_build("shape: wulff, wulff: '111:1.0,100:1.15', radius: 18, orient: 'hkl:1,1,1'", &options);
}

/* Half a layer around the clusters of build; and what does not fit is left out. */
static void test_multiply_twinned_bodies_have_the_atoms_of_build(void **unused)
{
	sonde_build_options options = structure(SONDE_BUILD_CELL_FCC, "Au", 4.0782);
	const double distance = 4.0782 * sqrt(0.5);
	char body[256];

	(void)unused;
	for (int shells = 1; shells < 9; ++shells) {
		options.icosahedron = shells;
		snprintf(body, sizeof body, "shape: icosahedron, edge: %.10g",
			 4.0 * (shells + 0.5 + 0.99 * (shells % 2)) * distance / sqrt(10.0 + 2.0 * sqrt(5.0)));
		same_as_build(body, &options);
	}
	options.icosahedron = 0;
	for (int p = 1; p < 6; ++p)
		for (int q = 1; q < 4; ++q) {
			options.decahedron = (sonde_vector){p, q, 0};
			snprintf(body, sizeof body, "shape: decahedron, radius: %.10g, height: %.10g",
				 (p - 0.5) * distance * sqrt(0.75), (q - 0.5) * distance);
			same_as_build(body, &options);
		}
}

/* Turned, hollow, and of what else a body may consist. */
static void test_multiply_twinned_bodies(void **unused)
{
	static const char text[] = "materials: [{name: gold, cell: fcc, species: Au, a: 4.08}, "
				   "{name: salt, cell: rocksalt, species: 'Na,Cl', a: 5.64}]\n"
				   "bodies: [{material: %s, shape: icosahedron, edge: 30%s}]\n";
	char given[512];
	sonde_atoms *plain, *turned, *hollow, *none;
	sonde_sample *sample;
	double squares[2] = {0.0, 0.0};

	(void)unused;
	snprintf(given, sizeof given, text, "gold", "");
	plain = build_text(given);
	snprintf(given, sizeof given, text, "gold", ", rotation: [10, 20, 30], center: [1, 2, 3]");
	turned = build_text(given);
	snprintf(given, sizeof given, text, "gold", ", hollow: 0.5");
	hollow = build_text(given);
	/* 9 shells: the inner ones of 4.5 shells are left out */
	assert_true(plain->count == 2869 && turned->count == 2869 && hollow->count == 2869 - 309);
	for (int64_t i = 0; i < 2869; ++i)
		for (int k = 0; k < 3; ++k) {
			squares[0] += pow(plain->positions[3 * i + k] - plain->positions[k], 2.0);
			squares[1] += pow(turned->positions[3 * i + k] - turned->positions[k], 2.0);
		}
	assert_close(squares[1], squares[0], 1e-12, "distances from the center");
	assert_within(turned->positions[1], 2.0, 1e-12, "center");
	assert_true(fabs(turned->positions[3] - 1.0 - plain->positions[3]) > 0.1);
	sonde_atoms_free(&plain);
	sonde_atoms_free(&turned);
	sonde_atoms_free(&hollow);
	snprintf(given, sizeof given, text, "salt", "");
	sample = read(given);
	assert_invalid("multiply twinned fcc metals", sonde_sample_build(build_context, sample, &none));
	sonde_sample_free(&sample);
	snprintf(given, sizeof given, text, "gold", ", orient: 'hkl:1,1,1'");
	sample = read(given);
	assert_invalid("turn it by", sonde_sample_build(build_context, sample, &none));
	sonde_sample_free(&sample);
}

/* The faces of Wulff's construction follow the cell of the material. */
static void test_wulff_takes_the_cell_of_the_material(void **unused)
{
	static const char text[] =
	    "materials: [{name: Co, cell: hcp, species: Co, a: 2.507, c: 4.069}]\n"
	    "bodies: [{material: Co, shape: wulff, wulff: '0001:1,10-10:1.2', radius: 15%s}]\n";
	sonde_build_options options = structure(SONDE_BUILD_CELL_HCP, "Co", 2.507);
	char given[512];
	sonde_sample *sample;

	(void)unused;
	options.c = 4.069;
	strcpy(options.wulff, "0001:1,10-10:1.2");
	options.wulff_radius = 15.0;
	snprintf(given, sizeof given, text, "");
	sonde_atoms *one = build(&options), *other = build_text(given);
	assert_true(one->count == other->count && one->count > 1000);
	sonde_atoms_free(&one);
	sonde_atoms_free(&other);
	sample = read(given);
	assert_close(sonde_sample_bodies(sample)->c_over_a, 4.069 / 2.507, 1e-12, "c/a");
	sonde_sample_free(&sample);
	snprintf(given, sizeof given, text, ", c-over-a: 1.5");
	sample = read(given);
	assert_close(sonde_sample_bodies(sample)->c_over_a, 1.5, 1e-12, "c/a");
	sonde_sample_free(&sample);
}

/* Two cubes that touch are one box, if they continue one crystal; around their own centers they are not. */
static void test_bodies_can_share_a_lattice(void **unused)
{
	static const char bodies[] = "materials: [{name: Si, cell: diamond, species: Si, a: 5.431}]\n"
				     "bodies:\n"
				     "  - {material: Si, shape: box, size: 20, center: [-10, 0, 0], lattice: %s}\n"
				     "  - {material: Si, shape: box, size: 20, center: [10, 0, 0], lattice: %s}\n";
	sonde_build_options options = structure(SONDE_BUILD_CELL_DIAMOND, "Si", 5.431);
	char text[512];

	(void)unused;
	options.box = (sonde_vector){40, 20, 20};
	sonde_atoms *one = build(&options);
	snprintf(text, sizeof text, bodies, "sample", "sample");
	sonde_atoms *two = build_text(text);
	assert_true(sonde_atoms_count(two) == sonde_atoms_count(one));
	sonde_atoms_free(&two);
	snprintf(text, sizeof text, bodies, "body", "body");
	two = build_text(text);
	assert_true(sonde_atoms_count(two) != sonde_atoms_count(one));
	sonde_atoms_free(&two);
	sonde_atoms_free(&one);
}

/* Rutile, given by its sites and some operations of its group, has the atoms that options of build give. */
static void test_materials_can_have_their_own_cells(void **unused)
{
	sonde_build_options options;
	struct sonde_sample *sample;

	(void)unused;
	sonde_build_options_init(&options);
	strcpy(options.basis, "Ti 0 0 0; O 0.305 0.305 0");
	strcpy(options.cell_edges, "4.594,4.594,2.959");
	strcpy(options.space_group, "x,y,z; -x,-y,z; 1/2-y,1/2+x,1/2+z; 1/2+y,1/2-x,1/2+z");
	options.sphere = 12.0;
	sonde_atoms *one = build(&options);
	static const char text[] =
	    "materials:\n"
	    "  - {name: m, basis: [Ti 0 0 0, O 0.305 0.305 0], cell-edges: [4.594, 4.594, 2.959], "
	    "space-group: 'x,y,z; -x,-y,z; 1/2-y,1/2+x,1/2+z; 1/2+y,1/2-x,1/2+z'}\n"
	    "bodies: [{material: m, shape: sphere, radius: 12}]\n";
	sonde_atoms *other = build_text(text);
	assert_true(one->count == other->count && one->count > 500);
	assert_memory_equal(one->positions, other->positions, 3 * sizeof(double) * (size_t)one->count);
	assert_true(count_of(one, "Ti") == count_of(other, "Ti"));
	sonde_atoms_free(&one);
	sonde_atoms_free(&other);
	sample = read(text);
	assert_string_equal(sonde_sample_materials(sample)->composition, "TiO2");
	/* two formula units in a cell of 62.45 cubic Angstrom */
	assert_close(sonde_sample_materials(sample)->density, 2.0 * 79.866 * 1.66053906660 / (4.594 * 4.594 * 2.959),
		     1e-3, "density of rutile");
	sonde_sample_free(&sample);
	assert_status(
	    SONDE_INVALID,
	    sonde_sample_read(test_write_text("sample.yaml", "materials: [{name: m, cell-edges: '3,3,3'}]\n"
							     "bodies: [{material: m, shape: sphere, radius: 9}]\n"),
			      &sample));
	assert_message("only with the sites of a cell");
}

/* Options of build change the atoms of a description as they change those of build. */
static void test_options_of_build_change_the_atoms(void **unused)
{
	static const char text[] = "materials: [{name: gold, cell: fcc, species: Au, a: 4.0782}]\n"
				   "bodies: [{material: gold, shape: sphere, radius: 12}]\n";
	sonde_build_options changes, whole = structure(SONDE_BUILD_CELL_FCC, "Au", 4.0782);
	sonde_sample *sample = read(text);
	sonde_atoms *one, *other;

	(void)unused;
	sonde_build_options_init(&changes);
	for (int k = 0; k < 2; ++k) {
		sonde_build_options *options = k == 0 ? &changes : &whole;
		strcpy(options->substitute, "Au:Ag=0.2");
		strcpy(options->vacancies, "Ag=0.25");
		strcpy(options->displace, "0.1");
		strcpy(options->strain, "0.01");
		strcpy(options->relax, "-0.02,3");
		options->seed = 5;
		options->copies = 8;
		options->copy_spacing = 40.0;
		options->copy_orientations = SONDE_BUILD_COPY_ORIENTATIONS_RANDOM;
	}
	whole.sphere = 12.0;
	one = build(&whole);
	assert_status(SONDE_OK, sonde_sample_build_changed(build_context, sample, &changes, &other));
	assert_true(one->count == other->count);
	assert_memory_equal(one->positions, other->positions, 3 * sizeof(double) * (size_t)one->count);
	assert_true(count_of(one, "Ag") == count_of(other, "Ag") && count_of(one, "Ag") > 0);
	assert_non_null(strstr(other->source.bytes, "sample.yaml --substitute Au:Ag=0.2 --vacancies Ag=0.25"));
	assert_true(strlen(other->sha256) == 64);
	sonde_atoms_free(&one);
	sonde_atoms_free(&other);
	sonde_build_options_init(&changes);
	changes.sphere = 9.0;
	assert_status(SONDE_INVALID, sonde_sample_build_changed(build_context, sample, &changes, &other));
	assert_null(other);
	assert_message("not an option of a sample from a description");
	sonde_sample_free(&sample);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_bodies_have_the_atoms_of_shapes_of_build),
	    cmocka_unit_test(test_polyhedra_tubes_and_shells_have_the_atoms_of_build),
	    cmocka_unit_test(test_multiply_twinned_bodies_have_the_atoms_of_build),
	    cmocka_unit_test(test_multiply_twinned_bodies),
	    cmocka_unit_test(test_wulff_takes_the_cell_of_the_material),
	    cmocka_unit_test(test_bodies_can_share_a_lattice),
	    cmocka_unit_test(test_materials_can_have_their_own_cells),
	    cmocka_unit_test(test_options_of_build_change_the_atoms),
	};

	return cmocka_run_group_tests(tests, open_context, close_context);
}
