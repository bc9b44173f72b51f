/* Sets of atoms, in memory and in files. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "matter/atoms/atoms.h"

static void add(sonde_atoms *atoms, const char *label, double x, double y, double z)
{
	const double position[3] = {x, y, z};

	assert_status(SONDE_OK, sonde_atoms_add(atoms, label, position));
}

static void test_added_atoms_are_returned(void **unused)
{
	sonde_atoms *atoms;

	(void)unused;
	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	assert_true(sonde_atoms_count(atoms) == 0);
	assert_int_equal(sonde_atoms_species_count(atoms), 0);
	add(atoms, "Co2+", 1, 2, 3);
	add(atoms, "O2-", 4, 5, 6);
	add(atoms, "Co2+", -1e7, 1e7, 0);
	assert_true(sonde_atoms_count(atoms) == 3);
	assert_int_equal(sonde_atoms_species_count(atoms), 2);
	assert_string_equal(sonde_atoms_species_label(atoms, 0), "Co2+");
	assert_string_equal(sonde_atoms_species_label(atoms, 1), "O2-");
	assert_true(sonde_atoms_species_atoms(atoms, 0) == 2 && sonde_atoms_species_atoms(atoms, 1) == 1);
	static const uint16_t species[] = {0, 1, 0};
	static const double positions[] = {1, 2, 3, 4, 5, 6, -1e7, 1e7, 0};
	assert_memory_equal(sonde_atoms_species(atoms), species, sizeof species);
	assert_memory_equal(sonde_atoms_positions(atoms), positions, sizeof positions);
	sonde_atoms_free(&atoms);
	assert_null(atoms);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(NULL);
}

static void test_what_is_refused(void **unused)
{
	static const double wrong[] = {NAN, INFINITY, -INFINITY, 1.0000001e7, -1e300};
	sonde_atoms *atoms;
	double origin[3] = {0};

	(void)unused;
	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	add(atoms, "Co", 0, 0, 0);
	for (size_t k = 0; k < COUNT(wrong); ++k) {
		for (int axis = 0; axis < 3; ++axis) {
			double position[3] = {0};
			position[axis] = wrong[k];
			assert_invalid("atom 2: coordinate", sonde_atoms_add(atoms, "Co", position));
		}
	}
	assert_invalid("'' is not a valid atom label: 1 to 15 characters", sonde_atoms_add(atoms, "", origin));
	assert_invalid("not a valid atom label", sonde_atoms_add(atoms, "sixteen-letters-", origin));
	assert_status(SONDE_OK, sonde_atoms_add(atoms, "fifteen-letters", origin));
	assert_true(sonde_atoms_count(atoms) == 2);
	sonde_atoms_free(&atoms);
}

/* Such labels would make a file that cannot be read. */
static void test_labels_that_no_file_can_hold(void **unused)
{
	static const char *const wrong[] = {"C o", " Co", "Co ", "C\to", "C\no", "Co\r", " "};
	sonde_atoms *atoms;
	double origin[3] = {0};

	(void)unused;
	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (size_t k = 0; k < COUNT(wrong); ++k)
		assert_status(SONDE_INVALID, sonde_atoms_add(atoms, wrong[k], origin));
	sonde_atoms_free(&atoms);
}

static void test_number_of_species_is_limited(void **unused)
{
	sonde_atoms *atoms;
	char label[16];

	(void)unused;
	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int k = 0; k < 1000; ++k) {
		sprintf(label, "L%d", k);
		add(atoms, label, k, 0, 0);
	}
	double origin[3] = {0};
	assert_invalid("more than 1000 different atom labels; 'Next' is one too many",
		       sonde_atoms_add(atoms, "Next", origin));
	add(atoms, "L999", 0, 0, 0);
	assert_int_equal(sonde_atoms_species(atoms)[1000], 999);
	sonde_atoms_free(&atoms);
}

/* After a failure the set is as it was. */
static void test_failed_adding_changes_nothing(void **unused)
{
	double origin[3] = {0};

	(void)unused;
	for (int n = 1; n < 4; ++n) {
		sonde_atoms *atoms;
		assert_status(SONDE_OK, sonde_atoms_create(&atoms));
		memory_fail_after(n);
		sonde_status status = sonde_atoms_add(atoms, "Co", origin);
		memory_fail_after(0);
		assert_status(SONDE_RESOURCE, status);
		assert_true(sonde_atoms_count(atoms) == 0);
		assert_int_equal(sonde_atoms_species_count(atoms), 0);
		sonde_atoms_free(&atoms);
	}
}

static sonde_atoms *random_atoms(int count)
{
	static const char *const labels[] = {"Co2+", "O2-", "58Ni", "D"};
	sonde_atoms *atoms;
	uint64_t state = 23;

	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	for (int k = 0; k < count; ++k) {
		double size = pow(10, (int)(test_random(&state) % 23) - 15);
		add(atoms, labels[test_random(&state) % 4], size * (test_random_real(&state) - 0.5),
		    -size * test_random_real(&state), (double)(int)(test_random(&state) % 100));
	}
	return atoms;
}

static void assert_same(const sonde_atoms *a, const sonde_atoms *b)
{
	assert_true(sonde_atoms_count(a) == sonde_atoms_count(b));
	assert_memory_equal(sonde_atoms_positions(a), sonde_atoms_positions(b),
			    3 * (size_t)sonde_atoms_count(a) * sizeof(double));
	for (int64_t k = 0; k < sonde_atoms_count(a); ++k)
		assert_string_equal(sonde_atoms_species_label(a, sonde_atoms_species(a)[k]),
				    sonde_atoms_species_label(b, sonde_atoms_species(b)[k]));
	assert_int_equal(a->has_lattice, b->has_lattice);
	assert_memory_equal(a->lattice, b->lattice, sizeof a->lattice);
	assert_memory_equal(a->periodic, b->periodic, sizeof a->periodic);
}

/* Every bit survives, plain and compressed. */
static void test_every_bit_survives_files(void **unused)
{
	static const char *const names[] = {"trip.xyz", "trip.xyz.gz"};

	(void)unused;
	for (int lattice = 0; lattice < 4; ++lattice) {
		for (size_t k = 0; k < COUNT(names); ++k) {
			sonde_atoms *atoms = random_atoms(10000), *back;
			const char *path = test_path(names[k]);
			char digest[65];
			const int periodic[3] = {lattice > 1, lattice > 2, lattice > 1};
			const double edges[9] = {1.0 / 3, 1.0 / 4, 1.0 / 5, 1.0 / 6, 1.0 / 7,
						 1.0 / 8, 1.0 / 9, 0.1,     1.0 / 11};
			if (lattice > 0)
				assert_status(SONDE_OK, sonde_atoms_set_cell(atoms, edges, periodic));
			assert_status(SONDE_OK, sonde_atoms_write(NULL, atoms, path, 1));
			assert_status(SONDE_OK, sonde_atoms_read(NULL, path, 0, &back));
			assert_same(atoms, back);
			assert_string_equal(back->source.bytes, path);
			assert_status(SONDE_OK, file_sha256(path, NULL, NULL, digest));
			assert_string_equal(back->sha256, digest);
			sonde_atoms_free(&atoms);
			sonde_atoms_free(&back);
		}
	}
	char *packed = test_read(test_path("trip.xyz.gz"), NULL);
	assert_true((unsigned char)packed[0] == 0x1f && (unsigned char)packed[1] == 0x8b);
	free(packed);
}

static void test_text_of_the_file(void **unused)
{
	sonde_atoms *atoms;
	char expected[300];

	(void)unused;
	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	add(atoms, "Co2+", 0.1, -2, 1e-9);
	atoms->has_lattice = true;
	for (int i = 0; i < 9; ++i)
		atoms->lattice[i] = i;
	text_append(&atoms->source, "from here");
	assert_status(SONDE_OK, sonde_atoms_write(NULL, atoms, test_path("text.xyz"), 0));
	char *text = test_read(test_path("text.xyz"), NULL);
	sprintf(
	    expected,
	    "1\nLattice=\"0 1 2 3 4 5 6 7 8\" pbc=\"F F F\" Properties=species:S:1:pos:R:3 generator=\"sonde %s\" "
	    "source=\"from here\"\n"
	    "Co2+ 0.1 -2 1e-09\n",
	    sonde_version());
	assert_string_equal(text, expected);
	free(text);
	assert_invalid("exists already", sonde_atoms_write(NULL, atoms, test_path("text.xyz"), 0));
	sonde_atoms_free(&atoms);
}

/* Where atoms came from must not spoil the file that they are written to. */
static void test_sources_that_would_spoil_the_file(void **unused)
{
	static const char *const sources[] = {
	    "two\nlines.xyz", "a\rb", "a\"b", "a\" Lattice=\"1 2\"",           "Lattice=\"1\"",
	    "back\\slash",    "{a",   "a'b",  "Properties=pos:R:3:species:S:1"};

	(void)unused;
	for (size_t k = 0; k < COUNT(sources); ++k) {
		sonde_atoms *atoms = random_atoms(3), *back;
		text_append(&atoms->source, "%s", sources[k]);
		assert_status(SONDE_OK, sonde_atoms_write(NULL, atoms, test_path("source.xyz"), 1));
		if (sonde_atoms_read(NULL, test_path("source.xyz"), 0, &back) != SONDE_OK)
			fail_msg("source '%s': %s", sources[k], sonde_status_message());
		assert_same(atoms, back);
		sonde_atoms_free(&atoms);
		sonde_atoms_free(&back);
	}
}

static void test_empty_samples_survive_files(void **unused)
{
	sonde_atoms *atoms, *back;

	(void)unused;
	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	assert_status(SONDE_OK, sonde_atoms_write(NULL, atoms, test_path("none.xyz"), 0));
	assert_status(SONDE_OK, sonde_atoms_read(NULL, test_path("none.xyz"), 0, &back));
	assert_true(sonde_atoms_count(back) == 0);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&back);
}

static void assert_not_read(const char *path, int64_t frame, const char *words)
{
	sonde_atoms *atoms = (sonde_atoms *)path;

	assert_invalid(words, sonde_atoms_read(NULL, path, frame, &atoms));
	assert_null(atoms);
}

/* Reads a file; `expected` are the occupancies of its atoms, null where there are none, and `notes` a part of what is noted. */
static void assert_occupancies(const char *name, const char *text, const double *expected, const char *notes)
{
	sonde_context *context;
	sonde_atoms *atoms;

	assert_status(SONDE_OK, sonde_context_create(&context));
	assert_status(SONDE_OK, sonde_atoms_read(context, test_write_text(name, text), 0, &atoms));
	const double *found = sonde_atoms_occupancies(atoms);
	if ((found == NULL) != (expected == NULL))
		fail_msg("%s: occupancies are %s", text, found == NULL ? "missing" : "there");
	for (int64_t i = 0; found != NULL && i < sonde_atoms_count(atoms); ++i)
		if (found[i] != expected[i])
			fail_msg("%s: atom %d has %g", text, (int)i, found[i]);
	if (notes == NULL ? sonde_context_notes(context)[0] != '\0'
			  : strstr(sonde_context_notes(context), notes) == NULL)
		fail_msg("%s: noted is '%s'", text, sonde_context_notes(context));
	sonde_atoms_free(&atoms);
	sonde_context_free(&context);
}

static const double half_and_one[] = {0.5, 1.0}, none_and_one[] = {0.0, 1.0};

/* A fifth column of XYZ may be charges or occupancies; extended XYZ says it. */
static void test_occupancies_of_xyz(void **unused)
{
	(void)unused;
	assert_occupancies("o.xyz", "2\n\nCo 0 0 0 0.5\nO 2 0 0 1\n", half_and_one,
			   "o.xyz: the fifth column, from 0.5 up,");
	assert_occupancies("o.xyz", "2\n\nCo 0 0 0 1.0\nO 2 0 0 1\n", NULL, NULL);
	assert_occupancies("o.xyz", "2\n\nCo 0 0 0 0.5\nO 2 0 0 -0.5\n", NULL, "(-0.5 in line 4) is ignored");
	assert_occupancies("o.xyz", "2\n\nCo 0 0 0 0.5\nO 2 0 0 1.5\n", NULL, "(1.5 in line 4) is ignored");
	assert_occupancies("o.xyz", "2\n\nCo 0 0 0 0\nO 2 0 0 0.5\n", NULL, "(0 in line 3) is ignored");
	assert_occupancies("o.xyz", "2\n\nCo 0 0 0 0.5\nO 2 0 0\n", NULL, NULL);
	assert_occupancies("o.xyz", "2\n\nCo 0 0 0 0.5\nO 2 0 0 half\n", NULL, NULL);
	assert_occupancies("o.xyz", "2\n\nCo 0 0 0 0.5 0.1\nO 2 0 0 0.5 0.1\n", NULL, NULL);
	static const char *const names[] = {"occupancy", "occupancies", "occ"};
	for (size_t k = 0; k < COUNT(names); ++k) {
		char text[200];
		sprintf(text, "2\nProperties=%s:R:1:species:S:1:pos:R:3\n0.5 Co 0 0 0\n1 O 2 0 0\n", names[k]);
		assert_occupancies("o.xyz", text, half_and_one, NULL);
	}
	assert_occupancies("o.xyz", "2\nProperties=occupancy:I:1:species:S:1:pos:R:3\n0 Co 0 0 0\n1 O 2 0 0\n",
			   none_and_one, NULL);
	assert_occupancies("o.xyz", "1\nProperties=species:S:1:pos:R:3:tag:R:1\nCo 0 0 0 0.5\n", NULL, NULL);
	sonde_atoms *atoms;
	assert_invalid(
	    "o.xyz:3: occupancy = '1.2' is not a number from 0 to 1",
	    sonde_atoms_read(NULL,
			     test_write_text("o.xyz", "1\nProperties=species:S:1:pos:R:3:occ:R:1\nCo 0 0 0 1.2\n"), 0,
			     &atoms));
}

/* Records of PDB: location, number of the residue, x, occupancy. */
static void append_record(char *text, char location, int residue, double x, const char *occupancy)
{
	sprintf(text + strlen(text), "ATOM      1  CA %cALA A%4d    %8.3f   0.000   0.000%6s  0.00           C\n",
		location, residue, x, occupancy);
}

static void test_occupancies_of_pdb(void **unused)
{
	static const double expected[] = {1.0, 0.6, 0.4, 1.0, 0.25};
	static const uint32_t groups[] = {0, 2, 2, 0, 4};
	char text[1000] = "";
	sonde_atoms *atoms;

	(void)unused;
	append_record(text, ' ', 1, 0.0, "  1.00");
	append_record(text, 'A', 2, 2.0, "  0.60");
	append_record(text, 'B', 2, 2.5, "  0.40");
	append_record(text, ' ', 3, 6.0, "");
	append_record(text, 'C', 4, 8.0, "  0.25");
	assert_occupancies("o.pdb", text, expected, NULL);
	assert_status(SONDE_OK, sonde_atoms_read(NULL, test_path("o.pdb"), 0, &atoms));
	for (int i = 0; i < 5; ++i)
		assert_int_equal(atoms_location(atoms, i) / LOCATION_LETTERS, groups[i]);
	assert_int_equal(atoms_location(atoms, 2) % LOCATION_LETTERS, 'B');
	sonde_atoms_free(&atoms);
	append_record(text, ' ', 5, 9.0, " 12.00");
	assert_not_read(test_write_text("o.pdb", text), 0,
			"has alternative locations, so that columns 55 to 60 must be");

	/* programs that have no use for the column */
	text[0] = '\0';
	append_record(text, ' ', 1, 0.0, "  0.00");
	append_record(text, ' ', 2, 3.0, "  0.00");
	assert_occupancies("o.pdb", text, NULL, "o.pdb: all occupancies are 0: they are ignored");
	append_record(text, ' ', 3, 6.0, " -0.41");
	assert_occupancies("o.pdb", text, NULL, "o.pdb: columns 55 to 60 of line 3 are not an occupancy");
	text[0] = '\0';
	append_record(text, ' ', 1, 0.0, "  0.00");
	append_record(text, ' ', 2, 3.0, "  1.00");
	assert_occupancies("o.pdb", text, none_and_one, NULL);
}

/* Written occupancies are read; atoms that come later are whole. */
static void test_occupancies_are_kept(void **unused)
{
	static const double occupancies[] = {0.125, 1.0 / 3.0}, all[] = {0.125, 1.0 / 3.0, 1.0};
	sonde_atoms *atoms, *back;

	(void)unused;
	assert_status(SONDE_OK, sonde_atoms_create(&atoms));
	add(atoms, "Co", 0, 0, 0);
	add(atoms, "O", 2, 0, 0);
	assert_invalid("atom 2: an occupancy of 2 is", sonde_atoms_set_occupancies(atoms, (const double[]){1, 2}));
	assert_status(SONDE_OK, sonde_atoms_set_occupancies(atoms, occupancies));
	add(atoms, "O", 4, 0, 0);
	assert_status(SONDE_OK, sonde_atoms_write(NULL, atoms, test_path("kept.xyz"), 1));
	assert_status(SONDE_OK, sonde_atoms_read(NULL, test_path("kept.xyz"), 0, &back));
	assert_memory_equal(sonde_atoms_occupancies(back), all, sizeof all);
	sonde_atoms_free(&atoms);
	sonde_atoms_free(&back);
}

static void test_files_that_are_wrong(void **unused)
{
	(void)unused;
	assert_not_read(test_path("absent.xyz"), 0, "absent.xyz: cannot be read");
	assert_not_read(test_write_text("good.xyz", "1\n\nCo 1 2 3\n"), -2, "frame -2: frames are counted from 1");
	assert_not_read(test_path("good.xyz"), 2, "has 1 frames");
	assert_not_read(test_write_text("bad.xyz", "2\n\nCo 1 2 3\nCo 1 2 nan\n"), 0, "bad.xyz:4: z = 'nan'");
	assert_not_read(test_write_text("label.xyz", "1\n\nsixteen-letters- 1 2 3\n"), 0,
			"label.xyz:3: 'sixteen-letters-' is not a valid atom label");
}

static void test_frames_are_chosen_by_number(void **unused)
{
	const char *path =
	    test_write_text("frames.xyz", "1\n\nCo 1 2 3\n1\nLattice=\"1 0 0 0 2 0 0 0 3\"\nNi 4 5 6\n");
	sonde_atoms *atoms;

	(void)unused;
	assert_not_read(path, 0, "a second frame begins here");
	assert_status(SONDE_OK, sonde_atoms_read(NULL, path, 1, &atoms));
	assert_string_equal(sonde_atoms_species_label(atoms, 0), "Co");
	assert_false(atoms->has_lattice);
	sonde_atoms_free(&atoms);
	assert_status(SONDE_OK, sonde_atoms_read(NULL, path, 2, &atoms));
	assert_string_equal(sonde_atoms_species_label(atoms, 0), "Ni");
	assert_true(atoms->has_lattice && atoms->lattice[4] == 2 && atoms->lattice[8] == 3);
	assert_int_equal(sonde_atoms_periodic(atoms, 2), 1);
	sonde_atoms_free(&atoms);
}

/* A cell of PDB does not say whether the sample is repeated, and is no cell at all where its edges are of 1 Angstrom. */
static void test_cells_of_pdb(void **unused)
{
	static const char atom[] = "ATOM      1  O   HOH A   1       1.000   2.000   3.000  1.00  0.00           O\n";
	char text[300];
	sonde_atoms *atoms;

	(void)unused;
	sprintf(text, "CRYST1   10.000   20.000   30.000  90.00  90.00  90.00 P 1           1\n%s", atom);
	assert_status(SONDE_OK, sonde_atoms_read(NULL, test_write_text("cell.pdb", text), 0, &atoms));
	assert_int_equal(sonde_atoms_periodic(atoms, 0), -1);
	assert_true(sonde_atoms_cell(atoms)[4] == 20.0);
	sonde_atoms_free(&atoms);
	sprintf(text, "CRYST1    1.000    1.000    1.000  90.00  90.00  90.00 P 1           1\n%s", atom);
	assert_status(SONDE_OK, sonde_atoms_read(NULL, test_write_text("dummy.pdb", text), 0, &atoms));
	assert_int_equal(sonde_atoms_periodic(atoms, 0), 0);
	assert_null(sonde_atoms_cell(atoms));
	sonde_atoms_free(&atoms);
}

static void test_samples_of_the_repository(void **unused)
{
	sonde_atoms *atoms;

	(void)unused;
	assert_status(SONDE_OK, sonde_atoms_read(NULL, TEST_DATA "/CoO_R40.xyz.gz", 0, &atoms));
	assert_true(sonde_atoms_count(atoms) == 27633);
	assert_int_equal(sonde_atoms_species_count(atoms), 2);
	sonde_atoms_free(&atoms);
}

static void test_cancelled_calls_leave_nothing(void **unused)
{
	sonde_atoms *atoms = random_atoms(10000), *back = atoms;
	sonde_context *context;
	int entries = test_folder_entries();

	(void)unused;
	assert_status(SONDE_OK, sonde_context_create(&context));
	sonde_context_cancel(context);
	assert_status(SONDE_CANCELLED, sonde_atoms_write(context, atoms, test_path("cancelled.xyz"), 1));
	assert_status(SONDE_CANCELLED, sonde_atoms_write(context, atoms, test_path("cancelled.xyz.gz"), 1));
	assert_int_equal(test_folder_entries(), entries);
	assert_status(SONDE_CANCELLED, sonde_atoms_read(context, TEST_DATA "/C60.xyz", 0, &back));
	assert_null(back);
	sonde_context_free(&context);
	sonde_atoms_free(&atoms);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_added_atoms_are_returned),
	    cmocka_unit_test(test_what_is_refused),
	    cmocka_unit_test(test_labels_that_no_file_can_hold),
	    cmocka_unit_test(test_number_of_species_is_limited),
	    cmocka_unit_test(test_failed_adding_changes_nothing),
	    cmocka_unit_test(test_every_bit_survives_files),
	    cmocka_unit_test(test_text_of_the_file),
	    cmocka_unit_test(test_cells_of_pdb),
	    cmocka_unit_test(test_occupancies_of_xyz),
	    cmocka_unit_test(test_occupancies_of_pdb),
	    cmocka_unit_test(test_occupancies_are_kept),
	    cmocka_unit_test(test_sources_that_would_spoil_the_file),
	    cmocka_unit_test(test_empty_samples_survive_files),
	    cmocka_unit_test(test_files_that_are_wrong),
	    cmocka_unit_test(test_frames_are_chosen_by_number),
	    cmocka_unit_test(test_samples_of_the_repository),
	    cmocka_unit_test(test_cancelled_calls_leave_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
