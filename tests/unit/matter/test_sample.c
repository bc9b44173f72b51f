/* Descriptions of samples: reading, matter from cells, and filling bodies with atoms. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/constants.h"
#include "matter/sample/fill.h"
#include "matter/sample/sample.h"
#include "unit/builder.h"

#define PI 3.14159265358979323846

static sonde_sample *read(const char *text)
{
	sonde_sample *sample;

	assert_status(SONDE_OK, sonde_sample_read(test_write_text("sample.yaml", text), &sample));
	return sample;
}

static sonde_atoms *build_text(const char *text)
{
	sonde_sample *sample = read(text);
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_sample_build(build_context, sample, &atoms));
	sonde_sample_free(&sample);
	return atoms;
}

static int64_t count_of(const sonde_atoms *atoms, const char *label)
{
	for (int s = 0; s < sonde_atoms_species_count(atoms); ++s)
		if (strcmp(sonde_atoms_species_label(atoms, s), label) == 0)
			return sonde_atoms_species_atoms(atoms, s);
	return 0;
}

#define SIMPLE                                             \
	"materials:\n"                                     \
	"  - {name: shell, cell: sc, species: Ag, a: 2}\n" \
	"  - {name: core, cell: sc, species: Au, a: 0.1 nm}\n"

/* A cube with 27 lattice points; the later ball takes the one in the middle, and has 7 of its own. */
static void test_later_bodies_replace_earlier_ones(void **unused)
{
	sonde_atoms *atoms = build_text(SIMPLE "bodies:\n"
					       "  - {material: shell, shape: box, size: 4}\n"
					       "  - {material: core, shape: sphere, radius: 1}\n");

	(void)unused;
	assert_true(sonde_atoms_count(atoms) == 33);
	assert_true(count_of(atoms, "Ag") == 26 && count_of(atoms, "Au") == 7);
	assert_non_null(strstr(atoms->source.bytes, "sample.yaml"));
	assert_true(strlen(atoms->sha256) == 64);
	sonde_atoms_free(&atoms);
	/* a hole, and a body that hides the first one with its surface */
	atoms = build_text(SIMPLE "bodies:\n"
				  "  - {material: shell, shape: box, size: 4}\n"
				  "  - {material: vacuum, shape: sphere, radius: 1}\n");
	assert_true(sonde_atoms_count(atoms) == 26);
	sonde_atoms_free(&atoms);
	atoms = build_text(SIMPLE "bodies:\n"
				  "  - {material: shell, shape: box, size: 4}\n"
				  "  - {material: core, shape: box, size: [4, 4, 4]}\n");
	assert_true(count_of(atoms, "Ag") == 0 && count_of(atoms, "Au") == 125);
	sonde_atoms_free(&atoms);
}

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

/* By 90 degrees about z: the atom at (x, y) goes to (-y, x). */
static void test_crystals_turn_with_their_bodies(void **unused)
{
	static const char body[] = "materials: [{name: m, cell: perovskite, species: [Sr, Ti, O], a: 3.905}]\n"
				   "bodies: [{material: m, shape: box, size: [8, 12, 4], center: [0, 0, 3], "
				   "cell-center: [0.1, 0.2, 0.3], rotation: [0, 0, %d]}]\n";
	char text[512];

	(void)unused;
	snprintf(text, sizeof text, body, 0);
	sonde_atoms *straight = build_text(text);
	snprintf(text, sizeof text, body, 90);
	sonde_atoms *turned = build_text(text);
	assert_true(sonde_atoms_count(straight) == sonde_atoms_count(turned));
	for (int64_t i = 0; i < straight->count; ++i) {
		const double *r = straight->positions + 3 * i, *s;
		bool found = false;
		for (int64_t j = 0; j < turned->count && !found; ++j) {
			s = turned->positions + 3 * j;
			found = fabs(s[0] + r[1]) < 1e-9 && fabs(s[1] - r[0]) < 1e-9 && fabs(s[2] - r[2]) < 1e-9 &&
				strcmp(straight->species[straight->species_of[i]].label,
				       turned->species[turned->species_of[j]].label) == 0;
		}
		assert_true(found);
	}
	sonde_atoms_free(&straight);
	sonde_atoms_free(&turned);
}

/* Numbers of atoms are densities times volumes, but for the surfaces: of a gold core in a shell of glass. */
static void test_numbers_of_atoms_follow_from_densities(void **unused)
{
	sonde_atoms *atoms =
	    build_text("materials:\n"
		       "  - {name: gold, cell: fcc, species: Au, a: 4.0782}\n"
		       "  - {name: glass, composition: SiO2, density: 2.2, distance: 'Si:Si=2.6,Si:O=1.5,O:O=2.2'}\n"
		       "bodies:\n"
		       "  - {material: glass, shape: sphere, radius: 3 nm}\n"
		       "  - {material: gold, shape: sphere, radius: 2 nm}\n");
	const double gold = 4.0 / pow(4.0782, 3.0) * 4.0 / 3.0 * PI * 8000.0,
		     molecules = 2.2 / (60.084 * 1.66053906660) * 4.0 / 3.0 * PI * (27000.0 - 8000.0);

	(void)unused;
	assert_true(fabs((double)count_of(atoms, "Au") - gold) < 0.02 * gold);
	assert_true(fabs((double)count_of(atoms, "Si") - molecules) < 0.03 * molecules);
	assert_true(fabs((double)count_of(atoms, "O") - 2.0 * molecules) < 0.03 * 2.0 * molecules);
	for (int64_t i = 0; i < atoms->count; ++i) {
		const double *r = atoms->positions + 3 * i, radius = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
		const bool in_core = strcmp(atoms->species[atoms->species_of[i]].label, "Au") == 0;
		assert_true(in_core ? radius < 20.0 + 1e-6 : radius > 20.0 - 1e-6 && radius < 30.0 + 1e-6);
	}
	sonde_atoms_free(&atoms);
}

static void test_copies_are_filled_like_the_first(void **unused)
{
	sonde_atoms *one = build_text("materials: [{name: a, composition: Si, density: 2.3}]\n"
				      "bodies: [{material: a, shape: sphere, radius: 9}]\n"),
		    *three = build_text("materials: [{name: a, composition: Si, density: 2.3}]\n"
					"bodies: [{material: a, shape: sphere, radius: 9, repeat: [3, 1, 1], "
					"pitch: [30, 0, 0]}]\n");

	(void)unused;
	assert_true(one->count > 100 && three->count == 3 * one->count);
	for (int64_t i = 0; i < 3 * one->count; ++i) {
		const double shift = 30.0 * (double)(i / one->count) - 30.0;
		const int64_t k = i % one->count;
		assert_true(fabs(three->positions[3 * i] - one->positions[3 * k] - shift) < 1e-9);
		assert_true(fabs(three->positions[3 * i + 2] - one->positions[3 * k + 2]) < 1e-9);
	}
	sonde_atoms_free(&one);
	sonde_atoms_free(&three);
}

/* Of atoms that are too close, those of the earlier body are left out. */
static void test_clearance_between_bodies(void **unused)
{
	static const char text[] = "clearance: %s\n" SIMPLE "bodies:\n"
				   "  - {material: shell, shape: box, size: 8}\n"
				   "  - {material: core, shape: box, size: [2, 2, 2], center: [0.3, 0, 0]}\n";
	char with[512];

	(void)unused;
	snprintf(with, sizeof with, text, "0");
	sonde_atoms *before = build_text(with);
	snprintf(with, sizeof with, text, "0.15 nm");
	sonde_atoms *after = build_text(with);
	assert_true(count_of(before, "Au") == 27 && count_of(after, "Au") == 27);
	/* 125 lattice points, of which 0 0 0 lies in the core; the core reaches from -0.7 to 1.3 along x, and from -1 to 1
	 * along y and z: (2 0 0) is 0.7 away, (-2 0 0) 1.3, (0 2 0) and its like sqrt(1 + 0.3^2) from the atoms at x = 0.3;
	 * (2 2 0) and its like sqrt(0.7^2 + 1) = 1.22, (2 2 2) 1.58, (-2 2 0) 1.64, (0 2 2) 1.45 */
	assert_true(count_of(before, "Ag") == 124 && count_of(after, "Ag") == 124 - 1 - 1 - 4 - 4 - 4);
	sonde_atoms_free(&before);
	sonde_atoms_free(&after);
}

static void expect_matter(const char *item, const char *composition, double density)
{
	char text[512];

	snprintf(text, sizeof text, "materials: [{name: m, %s}]\nbodies: [{material: m, shape: sphere, radius: 5}]\n",
		 item);
	sonde_sample *sample = read(text);
	const sonde_material_options *material = sonde_sample_materials(sample);
	assert_true(sonde_sample_material_count(sample) == 1 && sonde_sample_body_count(sample) == 1);
	assert_string_equal(material->composition, composition);
	if (!(fabs(material->density - density) <= 2e-4 * density))
		fail_msg("%s: %.8g g/cm3 instead of %.8g", item, material->density, density);
	assert_string_equal(sonde_sample_notes(sample), "");
	sonde_sample_free(&sample);
}

static void test_matter_follows_from_the_cell(void **unused)
{
	const double amu = 1.66053906660;

	(void)unused;
	expect_matter("cell: fcc, species: Au, a: 4.0782", "Au", 4 * 196.967 * amu / pow(4.0782, 3.0));
	expect_matter("cell: fcc, species: Au, a: 0.40782 nm", "Au", 4 * 196.967 * amu / pow(4.0782, 3.0));
	expect_matter("cell: zincblende, species: 'Cd,Se', a: 6.052", "CdSe",
		      4 * (112.41 + 78.96) * amu / pow(6.052, 3.0));
	expect_matter("cell: fluorite, species: [Ca2+, F-], a: 5.4626", "CaF2",
		      4 * (40.078 + 2 * 18.998) * amu / pow(5.4626, 3.0));
	expect_matter("cell: perovskite, species: [Sr, Ti, O], a: 3.905", "SrTiO3",
		      (87.62 + 47.867 + 3 * 15.999) * amu / pow(3.905, 3.0));
	expect_matter("cell: fcc, species: 58Ni, a: 3.52", "Ni[58]", 4 * 57.9353 * amu / pow(3.52, 3.0));
	/* what is given holds */
	expect_matter("cell: fcc, species: Au, a: 4.0782, density: 19", "Au", 19.0);
	expect_matter("cell: fcc, species: Au, a: 4.0782, composition: Au, density: 19.3", "Au", 19.3);
	expect_matter("composition: SiO2, density: 2.2", "SiO2", 2.2);
}

static void test_cells_from_files_next_to_the_sample(void **unused)
{
	(void)unused;
	test_write_text("mixed.xyz", "3\nLattice=\"4 0 0 0 4 0 0 0 4\" Properties=species:S:1:pos:R:3:occupancy:R:1\n"
				     "Ga 0 0 0 0.25\nIn 0 0 0 0.75\nAs 2 2 2 1\n");
	expect_matter("cell: mixed.xyz", "Ga0.25In0.75As",
		      (0.25 * 69.723 + 0.75 * 114.82 + 74.922) * 1.66053906660 / 64.0);
	sonde_atoms *atoms =
	    build_text("materials: [{name: m, cell: mixed.xyz}]\n"
		       "bodies: [{material: m, shape: box, size: 8, cell-center: [0.25, 0.25, 0.25]}]\n");
	assert_true(count_of(atoms, "Ga") == 8 && count_of(atoms, "In") == 8 && count_of(atoms, "As") == 8);
	double sum = 0.0;
	for (int64_t i = 0; i < atoms->count; ++i)
		sum += sonde_atoms_occupancies(atoms)[i];
	assert_true(fabs(sum - 16.0) < 1e-9);
	sonde_atoms_free(&atoms);
}

static void test_densities_that_differ_are_noted(void **unused)
{
	sonde_sample *sample = read("materials: [{name: gold, cell: fcc, species: Au, a: 4.0782, density: 18}]\n"
				    "bodies: [{material: gold, shape: sphere, radius: 5}]\n");

	(void)unused;
	assert_non_null(strstr(sonde_sample_notes(sample),
			       "line 1: the density of gold is given as 18 g/cm3, but that of "
			       "its cell is 19.29 g/cm3"));
	assert_true(sonde_sample_materials(sample)->density == 18.0);
	sonde_sample_free(&sample);
}

#define BALL "bodies: [{material: m, shape: sphere, radius: 5}]\n"

static void refuse(const char *words, const char *text)
{
	sonde_sample *sample = (sonde_sample *)&words;

	assert_invalid(words, sonde_sample_read(test_write_text("refused.yaml", text), &sample));
	assert_null(sample);
}

static void test_what_is_refused(void **unused)
{
	(void)unused;
	refuse("refused.yaml:2:34: radius: 'five' is not a number",
	       "materials: []\nbodies: [{shape: sphere, radius: five}]\n");
	refuse("refused.yaml:1:1: unknown key 'bodie', did you mean 'bodies'?", "bodie: []\n");
	refuse("the sample has no bodies", "materials: [{name: m, index: 1.5}]\nbodies: []\n");
	refuse("refused.yaml:2: bodies 1: radius: not an option of a box",
	       "bodies:\n  - {material: Au, shape: box, size: 3, radius: 2}\n");
	refuse("refused.yaml:2: bodies 1: size: a box must have edges longer than 0",
	       "bodies:\n  - {material: Au, shape: box}\n");
	refuse("bodies 1: material: required", "bodies: [{shape: sphere, radius: 5}]\n");
	refuse("bodies 1: file: required for the shape build", "bodies: [{material: Au, shape: build}]\n");
	refuse("materials 2: name: an earlier material is also named 'm'",
	       "materials: [{name: m}, {name: m}]\n" BALL);
	refuse("materials 1: species: this structure has 2, not 1",
	       "materials: [{name: m, cell: rocksalt, species: Na, a: 5}]\n" BALL);
	refuse("materials 1: a: the lattice constant is missing",
	       "materials: [{name: m, cell: fcc, species: Au}]\n" BALL);
	refuse("materials 1: a: only with the structure of a crystal", "materials: [{name: m, a: 4}]\n" BALL);
	refuse("cell: 'fxc' is not one of none|sc|", "materials: [{name: m, cell: fxc}]\n" BALL);
	refuse("materials 1: composition: 1 of the atoms are Ag, but in the cell 0",
	       "materials: [{name: m, cell: fcc, species: Au, a: 4, composition: Ag}]\n" BALL);
	refuse("nowhere.cif: cannot be read", "materials: [{name: m, cell: nowhere.cif}]\n" BALL);
	refuse("searched the sample's folder", "materials: [{name: m, cell: nowhere.cif}]\n" BALL);
	assert_status(SONDE_INVALID, sonde_sample_read(NULL, &(sonde_sample *){NULL}));
}

static void refuse_to_build(const char *words, const char *text)
{
	sonde_sample *sample = read(text);
	sonde_atoms *atoms = (sonde_atoms *)&words;

	assert_invalid(words, sonde_sample_build(build_context, sample, &atoms));
	assert_null(atoms);
	sonde_sample_free(&sample);
}

static void test_what_has_no_atoms(void **unused)
{
	(void)unused;
	refuse_to_build(
	    "sample.yaml:1: bodies 1: material: 'gould' is not one of the sample's 'materials:'",
	    "bodies: [{material: gould, shape: sphere, radius: 5}]\nmaterials: [{name: gold, composition: Au}]\n");
	refuse_to_build(
	    "did you mean 'gold'?",
	    "bodies: [{material: gould, shape: sphere, radius: 5}]\nmaterials: [{name: gold, composition: Au}]\n");
	refuse_to_build("bodies 1: m has no cell, and no packing of its atoms is possible",
			"materials: [{name: m, index: 1.5}]\n" BALL);
	refuse_to_build("shape: bodies of this shape cannot be filled",
			"materials: [{name: m, composition: Au}]\n"
			"bodies: [{material: m, shape: build, file: sample.yaml, radius: 2}]\n");
	refuse_to_build("no atom lies in the bodies",
			"materials: [{name: m, cell: sc, species: Po, a: 3}]\n"
			"bodies: [{material: m, shape: sphere, radius: 1, cell-center: [0.5, 0.5, 0.5]}]\n");
	refuse_to_build("bodies 1: orient: ",
			"materials: [{name: m, cell: sc, species: Po, a: 3}]\n"
			"bodies: [{material: m, shape: sphere, radius: 5, orient: 'hkl:0,0,0'}]\n");
}

static void test_descriptions_are_told_from_jobs(void **unused)
{
	(void)unused;
	assert_true(sonde_sample_is_one(test_write_text("one.yaml", "bodies: []\n")) == 1);
	assert_true(sonde_sample_is_one(test_write_text("one.yml", "x: 1\nbodies:\n  - a\n")) == 1);
	assert_true(sonde_sample_is_one(test_write_text("job.yaml", "ions:\n  bodies: []\n")) == 0);
	assert_true(sonde_sample_is_one(test_write_text("list.yaml", "- bodies\n")) == 0);
	assert_true(sonde_sample_is_one(test_write_text("broken.yaml", "bodies: [\n")) == 0);
	assert_true(sonde_sample_is_one(test_write_text("one.txt", "bodies: []\n")) == 0);
	assert_true(sonde_sample_is_one("missing.yaml") == 0 && sonde_sample_is_one(NULL) == 0);
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

/* Mean square displacements turn with a body's crystal. */
static void test_displacements_turn_with_their_bodies(void **unused)
{
	double before[6], after[6];
	char text[512];

	(void)unused;
	test_write_text("moving.cif", "data_m\n_cell_length_a 4\n_cell_length_b 4\n_cell_length_c 4\n"
				      "_cell_angle_alpha 90\n_cell_angle_beta 90\n_cell_angle_gamma 90\n"
				      "_symmetry_space_group_name_H-M 'P 1'\n"
				      "loop_\n_atom_site_label\n_atom_site_type_symbol\n_atom_site_fract_x\n"
				      "_atom_site_fract_y\n_atom_site_fract_z\nAu1 Au 0 0 0\n"
				      "loop_\n_atom_site_aniso_label\n_atom_site_aniso_U_11\n_atom_site_aniso_U_22\n"
				      "_atom_site_aniso_U_33\n_atom_site_aniso_U_12\n_atom_site_aniso_U_13\n"
				      "_atom_site_aniso_U_23\nAu1 0.01 0.02 0.03 0 0 0\n");
	for (int turned = 0; turned < 2; ++turned) {
		snprintf(text, sizeof text,
			 "materials: [{name: m, cell: moving.cif}]\n"
			 "bodies: [{material: m, shape: box, size: 6, rotation: [0, 0, %d]}]\n",
			 90 * turned);
		sonde_atoms *atoms = build_text(text);
		assert_true(atoms_displacement(atoms, 0, turned == 0 ? before : after));
		sonde_atoms_free(&atoms);
	}
	assert_within(before[0], 0.01, 1e-9, "U along x");
	assert_within(after[0], before[1], 1e-9, "U along x, turned");
	assert_within(after[1], before[0], 1e-9, "U along y, turned");
}

/* Two simple cubic lattices whose surfaces are 1 Angstrom apart: 9 pairs of gold, 0.7 of whose sum of radii is 1.9. */
static void test_contacts_across_interfaces_are_noted(void **unused)
{
	static const char text[] = "%smaterials: [{name: m, cell: sc, species: Au, a: 4}]\n"
				   "bodies:\n"
				   "  - {material: m, shape: box, size: 8}\n"
				   "  - {material: m, shape: box, size: 8, center: [9, 0, 0]}\n"
				   "  - {material: m, shape: box, size: 8, center: [-11, 0, 0]}\n";
	sonde_sample *sample;
	sonde_atoms *atoms;
	char given[1024];

	(void)unused;
	snprintf(given, sizeof given, text, "");
	sample = read(given);
	struct contacts contacts;
	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	assert_status(SONDE_OK, sample_fill(build_context, sample, atoms, &contacts));
	assert_true(contacts.pairs == 9);
	assert_within(contacts.shortest, 1.0, 1e-6, "shortest distance");
	assert_within(contacts_clearance(&contacts), 1.1, 1e-9, "clearance");
	sonde_atoms_free(&atoms);
	sonde_sample_free(&sample);
	/* only those 3 Angstrom apart are left */
	snprintf(given, sizeof given, text, "clearance: 1.1\n");
	sample = read(given);
	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	assert_status(SONDE_OK, sample_fill(build_context, sample, atoms, &contacts));
	assert_true(contacts.pairs == 0 && atoms->count == 3 * 27 - 9);
	assert_within(contacts.shortest, 3.0, 1e-6, "shortest distance");
	sonde_atoms_free(&atoms);
	sonde_sample_free(&sample);
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

static void test_atoms_do_not_depend_on_threads(void **unused)
{
	static const char text[] = "clearance: 1.6\nseed: 7\n"
				   "materials:\n"
				   "  - {name: gold, cell: fcc, species: Au, a: 4.0782}\n"
				   "  - {name: carbon, composition: C, density: 1.9, distance: '1.35'}\n"
				   "bodies:\n"
				   "  - {material: carbon, shape: sphere, radius: 18}\n"
				   "  - {material: gold, shape: box, size: 20}\n";
	sonde_atoms *atoms[2];

	(void)unused;
	for (int k = 0; k < 2; ++k) {
		assert_status(SONDE_OK, sonde_context_set_threads(build_context, k == 0 ? 1 : 3));
		atoms[k] = build_text(text);
	}
	assert_status(SONDE_OK, sonde_context_set_threads(build_context, 0));
	assert_true(atoms[0]->count == atoms[1]->count && count_of(atoms[0], "C") > 500);
	assert_memory_equal(atoms[0]->positions, atoms[1]->positions, 3 * sizeof(double) * (size_t)atoms[0]->count);
	sonde_atoms_free(&atoms[0]);
	sonde_atoms_free(&atoms[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_later_bodies_replace_earlier_ones),
	    cmocka_unit_test(test_bodies_have_the_atoms_of_shapes_of_build),
	    cmocka_unit_test(test_polyhedra_tubes_and_shells_have_the_atoms_of_build),
	    cmocka_unit_test(test_wulff_takes_the_cell_of_the_material),
	    cmocka_unit_test(test_bodies_can_share_a_lattice),
	    cmocka_unit_test(test_crystals_turn_with_their_bodies),
	    cmocka_unit_test(test_numbers_of_atoms_follow_from_densities),
	    cmocka_unit_test(test_copies_are_filled_like_the_first),
	    cmocka_unit_test(test_clearance_between_bodies),
	    cmocka_unit_test(test_matter_follows_from_the_cell),
	    cmocka_unit_test(test_cells_from_files_next_to_the_sample),
	    cmocka_unit_test(test_densities_that_differ_are_noted),
	    cmocka_unit_test(test_what_is_refused),
	    cmocka_unit_test(test_what_has_no_atoms),
	    cmocka_unit_test(test_descriptions_are_told_from_jobs),
	    cmocka_unit_test(test_atoms_do_not_depend_on_threads),
	    cmocka_unit_test(test_materials_can_have_their_own_cells),
	    cmocka_unit_test(test_displacements_turn_with_their_bodies),
	    cmocka_unit_test(test_options_of_build_change_the_atoms),
	    cmocka_unit_test(test_contacts_across_interfaces_are_noted),
	};

	return cmocka_run_group_tests(tests, open_context, close_context);
}
