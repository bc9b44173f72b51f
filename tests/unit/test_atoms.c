/* Sets of atoms, and their way through files. */
#include "unit/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "base/memory.h"
#include "matter/atoms.h"

static void add(sonde_atoms *atoms, const char *label, double x, double y, double z)
{
	const double position[3] = {x, y, z};

	assert_status(SONDE_OK, sonde_atoms_add(atoms, label, position));
}

static void test_adding(void **unused)
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
	assert_invalid("'' is no label of an atom: 1 to 15 characters", sonde_atoms_add(atoms, "", origin));
	assert_invalid("no label of an atom", sonde_atoms_add(atoms, "sixteen-letters-", origin));
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

static void test_many_species(void **unused)
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
	assert_invalid("more than 1000 different labels of atoms; 'Next' is one too many",
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
}

/* Every bit survives, plain and compressed. */
static void test_round_trip(void **unused)
{
	static const char *const names[] = {"trip.xyz", "trip.xyz.gz"};

	(void)unused;
	for (int lattice = 0; lattice < 2; ++lattice) {
		for (size_t k = 0; k < COUNT(names); ++k) {
			sonde_atoms *atoms = random_atoms(10000), *back;
			const char *path = test_path(names[k]);
			char digest[65];
			atoms->has_lattice = lattice;
			for (int i = 0; lattice && i < 9; ++i)
				atoms->lattice[i] = 1.0 / (i + 3);
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
	sprintf(expected,
		"1\nLattice=\"0 1 2 3 4 5 6 7 8\" Properties=species:S:1:pos:R:3 generator=\"sonde %s\" "
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

static void test_no_atoms(void **unused)
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

static void test_files_that_are_wrong(void **unused)
{
	(void)unused;
	assert_not_read(test_path("absent.xyz"), 0, "absent.xyz: cannot be read");
	assert_not_read(test_write_text("good.xyz", "1\n\nCo 1 2 3\n"), -2, "frame -2: frames are counted from 1");
	assert_not_read(test_path("good.xyz"), 2, "has 1 frames");
	assert_not_read(test_write_text("bad.xyz", "2\n\nCo 1 2 3\nCo 1 2 nan\n"), 0, "bad.xyz:4: z = 'nan'");
	assert_not_read(test_write_text("label.xyz", "1\n\nsixteen-letters- 1 2 3\n"), 0,
			"label.xyz:3: 'sixteen-letters-' is no label");
}

static void test_frames(void **unused)
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

static void test_cancelling(void **unused)
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
	    cmocka_unit_test(test_adding),
	    cmocka_unit_test(test_what_is_refused),
	    cmocka_unit_test(test_labels_that_no_file_can_hold),
	    cmocka_unit_test(test_many_species),
	    cmocka_unit_test(test_failed_adding_changes_nothing),
	    cmocka_unit_test(test_round_trip),
	    cmocka_unit_test(test_text_of_the_file),
	    cmocka_unit_test(test_sources_that_would_spoil_the_file),
	    cmocka_unit_test(test_no_atoms),
	    cmocka_unit_test(test_files_that_are_wrong),
	    cmocka_unit_test(test_frames),
	    cmocka_unit_test(test_samples_of_the_repository),
	    cmocka_unit_test(test_cancelling),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
