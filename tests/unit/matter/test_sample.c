/* Descriptions of samples: reading, matter from cells, and filling bodies with atoms. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/constants.h"
#include "matter/sample/fill.h"
#include "matter/sample/sample.h"
#include "unit/described.h"

#define PI 3.14159265358979323846

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
	    cmocka_unit_test(test_displacements_turn_with_their_bodies),
	    cmocka_unit_test(test_contacts_across_interfaces_are_noted),
	};

	return cmocka_run_group_tests(tests, open_context, close_context);
}
