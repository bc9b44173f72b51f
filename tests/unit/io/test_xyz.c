/* Valid XYZ and extended XYZ files. */
#include "unit/support.h"

#include <stdio.h>
#include <stdlib.h>

#include "unit/collected_atoms.h"

static struct collected atoms;

static void assert_reads(const char *text, int64_t frame, int count)
{
	assert_status(SONDE_OK, collect(test_write_text("good.xyz", text), frame, &atoms));
	assert_int_equal(atoms.count, count);
}

static void assert_atom(int k, const char *label, double x, double y, double z)
{
	assert_string_equal(atoms.label[k], label);
	if (atoms.position[k][0] != x || atoms.position[k][1] != y || atoms.position[k][2] != z)
		fail_msg("atom %d is at %.17g %.17g %.17g", k, atoms.position[k][0], atoms.position[k][1],
			 atoms.position[k][2]);
}

static void test_plain_files_are_read(void **unused)
{
	(void)unused;
	assert_reads("2\nanything = \"goes here\nCo 1 2.5 -3e-1\nO2- 0.1 .2 3.\n", 0, 2);
	assert_atom(0, "Co", 1, 2.5, -0.3);
	assert_atom(1, "O2-", 0.1, 0.2, 3);
	assert_int_equal(atoms.lattices, 0);
}

static void test_blanks_and_further_columns(void **unused)
{
	(void)unused;
	assert_reads("\t 2 \t\n\n  Co\t1   2\t\t3  charge 0.5 nan \t\n58Ni 4 5 6\n", 0, 2);
	assert_atom(0, "Co", 1, 2, 3);
	assert_atom(1, "58Ni", 4, 5, 6);
}

static void test_ends_of_lines_and_file(void **unused)
{
	(void)unused;
	assert_reads("1\r\ncomment\r\nCo 1 2 3\r\n", 0, 1);
	assert_atom(0, "Co", 1, 2, 3);
	assert_reads("1\n\nCo 1 2 3", 0, 1);
	assert_atom(0, "Co", 1, 2, 3);
	assert_reads("1\n\nCo 1 2 3\n\n \t\n\r\n\n", 0, 1);
}

static void test_empty_frames_are_read(void **unused)
{
	(void)unused;
	assert_reads("0\n\n", 0, 0);
	assert_reads("0\n", 0, 0);
	assert_reads("0", 0, 0);
}

static void test_compressed_files_are_read(void **unused)
{
	static const char text[] = "1\ncomment\nCo 1 2 3\n";

	(void)unused;
	assert_status(SONDE_OK, collect(test_write_gzip("good.xyz.gz", text, strlen(text)), 0, &atoms));
	assert_int_equal(atoms.count, 1);
	assert_atom(0, "Co", 1, 2, 3);
}

static void test_properties_in_any_order(void **unused)
{
	(void)unused;
	assert_reads("1\nProperties=species:S:1:pos:R:3\nCo 1 2 3\n", 0, 1);
	assert_atom(0, "Co", 1, 2, 3);
	assert_reads("1\nProperties=pos:R:3:species:S:1\n1 2 3 Co\n", 0, 1);
	assert_atom(0, "Co", 1, 2, 3);
	assert_reads("2\nenergy=-1.5 Properties=id:I:1:forces:R:3:species:S:1:pos:R:3:tag:L:1 pbc=\"T T F\"\n"
		     "7 9 9 9 Co 1 2 3 T\n8 9 9 9 O 4 5 6 F\n",
		     0, 2);
	assert_atom(0, "Co", 1, 2, 3);
	assert_atom(1, "O", 4, 5, 6);
	assert_reads("1\nProperties=\"pos:R:3:species:S:1\"\n1 2 3 Co\n", 0, 1);
	assert_atom(0, "Co", 1, 2, 3);
	assert_reads("1\nProperties=velo:R:3:species:S:1:magmom:R:1:pos:R:3\n7 8 9 Co 0.1 1 2 3\n", 0, 1);
	assert_atom(0, "Co", 1, 2, 3);
	/* of another property only the columns count */
	assert_reads("1\nProperties=pos:I:3:species:S:1:pos:R:3\na b c Co 1 2 3\n", 0, 1);
	assert_atom(0, "Co", 1, 2, 3);
}

static void test_properties_only_as_a_key(void **unused)
{
	(void)unused;
	assert_reads(
	    "1\nnote=\"Properties=pos:R:3:species:S:1\" MyProperties=pos:R:3:species:S:1 Properties\nCo 1 2 3\n", 0,
	    1);
	assert_atom(0, "Co", 1, 2, 3);
	assert_reads("1\n= == =x \"=\" Properties:pos:R:3\nCo 1 2 3\n", 0, 1);
	assert_atom(0, "Co", 1, 2, 3);
}

static void test_lattice_is_read_from_the_comment(void **unused)
{
	static const char *const comments[] = {"Lattice=\"1 2 3 4 5 6 7 8 9.5\"", "Lattice='1 2 3 4 5 6 7 8 9.5'",
					       "Lattice={1 2 3 4 5 6 7 8 9.5}",
					       "Lattice=\"  1\t2 3 4 5 6 7 8 9.5  \" pbc=\"T T T\"",
					       "a=1 Lattice=\"1 2 3 4 5 6 7 8 9.5\" Properties=species:S:1:pos:R:3"};
	char text[200];

	(void)unused;
	for (size_t k = 0; k < COUNT(comments); ++k) {
		sprintf(text, "1\n%s\nCo 1 2 3\n", comments[k]);
		assert_reads(text, 0, 1);
		assert_int_equal(atoms.lattices, 1);
		for (int i = 0; i < 8; ++i)
			assert_true(atoms.lattice[i] == i + 1);
		assert_true(atoms.lattice[8] == 9.5);
	}
}

/* Which edges the sample is repeated along: pbc, or those of the Lattice that have a length. */
static void test_periodicity_is_read_from_pbc_or_lattice(void **unused)
{
	static const char cell[] = "Lattice=\"1 2 3 4 5 6 7 8 9\"";
	static const struct {
		const char *comment, *periodic;
		int lattices;
	} cases[] = {{"nothing", "", 0},
		     {"%s", "TTT", 1},
		     {"%s pbc=\"T T T\"", "TTT", 1},
		     {"pbc=\"F F F\" %s", "FFF", 1},
		     {"%s pbc=\"T F T\"", "TFT", 1},
		     {"%s pbc=F", "FFF", 1},
		     {"%s pbc={false true 0}", "FTF", 1},
		     {"%s pbc=[T, F, F]", NULL, 0},
		     {"%s pbc=\"[T, F, False]\"", "TFF", 1},
		     {"%s PBC=\"F F F\"", "FFF", 1},
		     {"LATTICE=\"0 0 0 0 5 0 0 0 5\" Pbc=T", "TTT", 1},
		     {"%s pbc=T T F", NULL, 0},
		     {"%s pbc=T other=1", "TTT", 1},
		     {"Lattice=\"0 0 0 0 5 0 0 0 5\"", "FTT", 1},
		     {"pbc=\"T T T\"", "TTT", 1},
		     {"pbc=\"F F F\"", "FFF", 1},
		     {"%s pbc=\"T T\"", NULL, 0},
		     {"%s pbc=\"T T T T\"", NULL, 0},
		     {"%s pbc=\"T T maybe\"", NULL, 0},
		     {"%s pbc=\"\"", NULL, 0}};
	char comment[200], text[300];

	(void)unused;
	for (size_t k = 0; k < COUNT(cases); ++k) {
		sprintf(comment, cases[k].comment, cell);
		sprintf(text, "1\n%s\nCo 1 2 3\n", comment);
		if (cases[k].periodic == NULL) {
			assert_invalid(":2: pbc must be three of T and F",
				       collect(test_write_text("pbc.xyz", text), 0, &atoms));
			continue;
		}
		assert_reads(text, 0, 1);
		assert_int_equal(atoms.lattices, cases[k].lattices);
		assert_string_equal(atoms.periodic, cases[k].periodic);
	}
}

static const char frames[] = "1\nfirst\nCo 1 2 3\n"
			     "2\nProperties=pos:R:3:species:S:1 Lattice=\"1 0 0 0 1 0 0 0 1\"\n4 5 6 O\n7 8 9 Ni\n"
			     "\n"
			     "0\nthird\n"
			     "1\nfourth\nAu 1 1 1\n";

static void test_frames_are_chosen_by_number(void **unused)
{
	(void)unused;
	assert_reads(frames, 1, 1);
	assert_atom(0, "Co", 1, 2, 3);
	assert_int_equal(atoms.lattices, 0);
	assert_reads(frames, 2, 2);
	assert_atom(0, "O", 4, 5, 6);
	assert_atom(1, "Ni", 7, 8, 9);
	assert_int_equal(atoms.lattices, 1);
	assert_reads(frames, 3, 0);
	assert_reads(frames, 4, 1);
	assert_atom(0, "Au", 1, 1, 1);
	const char *path = test_write_text("frames.xyz", frames);
	assert_invalid("has 4 frames; frame 5 does not exist", collect(path, 5, &atoms));
	assert_int_equal(atoms.count, 0);
	assert_invalid("frames.xyz:4: a second frame begins here; choose one with frame", collect(path, 0, &atoms));
}

/* The contents of a frame that was not chosen are not checked. */
static void test_frames_before_are_skipped(void **unused)
{
	(void)unused;
	assert_reads("1\nLattice=\"x\"\n? ? ?\n1\n\nCo 1 2 3\n", 2, 1);
	assert_atom(0, "Co", 1, 2, 3);
}

static void test_extreme_coordinates_are_read_exactly(void **unused)
{
	(void)unused;
	assert_reads("1\n\nCo 1e7 -1e7 10000000\n", 0, 1);
	assert_atom(0, "Co", 1e7, -1e7, 1e7);
	assert_reads("1\n\nCo 1e-400 -0 4.9e-324\n", 0, 1);
	assert_reads("1\n\nCo 0.12345678901234567890 1.00000000000000011102230246251565404236316680908203124 2\n", 0,
		     1);
	assert_atom(0, "Co", 0.12345678901234567890, 1, 2);
}

static void test_reading_can_be_cancelled(void **unused)
{
	char *text = malloc(3000000), *c = text;
	struct collected one = {.cancelled = true};

	(void)unused;
	assert_non_null(text);
	c += sprintf(c, "200000\n\n");
	for (int k = 0; k < 200000; ++k)
		c += sprintf(c, "Co 1 2 3\n");
	c += sprintf(c, "1\n\nCo 1 2 3\n");
	const char *path = test_write("long.xyz", text, (size_t)(c - text));
	free(text);
	assert_status(SONDE_CANCELLED, collect(path, 1, &one));
	assert_true(one.count < 70000);
	assert_status(SONDE_CANCELLED, collect(path, 2, &one)); /* while it skips */
	assert_int_equal(one.count, 0);
}

static sonde_status fail_third(void *user, const char *label, const double position[3])
{
	(void)label;
	(void)position;
	return ++*(int *)user == 3 ? status_fail(SONDE_INVALID, "no third atom") : SONDE_OK;
}

static sonde_status fail_for_memory(void *user, const char *label, const double position[3])
{
	(void)user;
	(void)label;
	(void)position;
	return status_fail(SONDE_RESOURCE, "not enough memory");
}

static void test_failures_of_the_sink(void **unused)
{
	int count = 0;
	struct atom_sink sink = {.user = &count, .atom = fail_third};
	const char *path =
	    test_write_text("four.xyz", "4\nLattice=\"1 2 3 4 5 6 7 8 9\"\nA 1 1 1\nB 1 1 1\nC 1 1 1\nD 1 1 1\n");

	(void)unused;
	assert_invalid("four.xyz:5: no third atom", xyz_read(path, 0, &sink));
	assert_int_equal(count, 3);
	sink.atom = fail_for_memory;
	assert_status(SONDE_RESOURCE, xyz_read(path, 0, &sink));
	assert_string_equal(sonde_status_message(), "not enough memory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_plain_files_are_read),
	    cmocka_unit_test(test_blanks_and_further_columns),
	    cmocka_unit_test(test_ends_of_lines_and_file),
	    cmocka_unit_test(test_empty_frames_are_read),
	    cmocka_unit_test(test_compressed_files_are_read),
	    cmocka_unit_test(test_properties_in_any_order),
	    cmocka_unit_test(test_properties_only_as_a_key),
	    cmocka_unit_test(test_lattice_is_read_from_the_comment),
	    cmocka_unit_test(test_periodicity_is_read_from_pbc_or_lattice),
	    cmocka_unit_test(test_frames_are_chosen_by_number),
	    cmocka_unit_test(test_frames_before_are_skipped),
	    cmocka_unit_test(test_extreme_coordinates_are_read_exactly),
	    cmocka_unit_test(test_reading_can_be_cancelled),
	    cmocka_unit_test(test_failures_of_the_sink),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
