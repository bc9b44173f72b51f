/* Invalid XYZ files: each is refused with the line and the reason. */
#include "unit/support.h"

#include <stdlib.h>

#include "unit/collected_atoms.h"

static void assert_wrong(const char *text, const char *words)
{
	struct collected atoms = {0};

	sonde_status status = collect(test_write_text("bad.xyz", text), 0, &atoms);
	if (status != SONDE_INVALID)
		fail_msg("status %d for '%.60s'", (int)status, text);
	assert_message("bad.xyz");
	assert_message(words);
}

static void test_first_line_must_be_a_count(void **unused)
{
	static const char *const first[] = {
	    "x", "-1", "1.0", "1e3", "010", "2 atoms", "1,", "0x1", "+-1", "99999999999999999999", "#"};

	(void)unused;
	for (size_t k = 0; k < COUNT(first); ++k) {
		char text[100];
		snprintf(text, sizeof text, "%s\n\nCo 1 2 3\n", first[k]);
		assert_wrong(text, ":1: the first line of an XYZ file is the number of atoms");
	}
	assert_wrong("\n1\n\nCo 1 2 3\n",
		     ":1: the first line of an XYZ file must be the number of atoms, but is empty");
	assert_wrong("", "is empty");
	/* half of a byte order mark is none */
	assert_wrong("\xef\xbb"
		     "1\n\nCo 1 2 3\n",
		     ":1: ");
}

static void test_wrong_counts_are_refused(void **unused)
{
	(void)unused;
	assert_wrong("2\n\nCo 1 2 3\n", ":3: the file ends after 1 of 2 atoms");
	assert_wrong("2\n\nCo 1 2 3\n\n", ":4: an atom needs 4 columns, this line has 0");
	assert_wrong("9000000000000000000\n\nCo 1 2 3\n", "the file ends after 1 of 9000000000000000000 atoms");
	assert_wrong("1\n\nCo 1 2 3\nCo 4 5 6\n",
		     ":4: the file has more lines than its number of atoms, not 'Co 4 5 6'");
	assert_wrong("0\n\nCo 4 5 6\n", ":3: the file has more lines");
	assert_wrong("1\n\nCo 1 2 3\n\n\n1 2\n", ":6: the file has more lines");
	assert_wrong("1\n", "the file ends before the comment line");
	assert_wrong("1\ncomment", ":2: the file ends after 0 of 1 atoms");
}

static void test_invalid_coordinates_are_refused(void **unused)
{
	static const char *const wrong[] = {"nan", "NaN",   "-nan", "inf",   "-inf", "1e999", "x",
					    "1,5", "0x1p3", "1e",   "1.2.3", "--1",  "*****"};
	static const char *const absurd[] = {"1e300", "-1e300", "10000001", "-1.0000001e7", "1e8"};
	char text[100], words[100];

	(void)unused;
	for (size_t k = 0; k < COUNT(wrong); ++k) {
		for (int axis = 0; axis < 3; ++axis) {
			snprintf(text, sizeof text, "2\n\nO 1 2 3\nCo %s %s %s\n", axis == 0 ? wrong[k] : "1",
				 axis == 1 ? wrong[k] : "2", axis == 2 ? wrong[k] : "3");
			snprintf(words, sizeof words, ":4: %c = '%s' is not a finite number", "xyz"[axis], wrong[k]);
			assert_wrong(text, words);
		}
	}
	for (size_t k = 0; k < COUNT(absurd); ++k) {
		snprintf(text, sizeof text, "1\n\nCo 1 %s 3\n", absurd[k]);
		assert_wrong(text, ":3: y = ");
		assert_message("is out of range: at most 1e+07 Angstrom");
	}
}

static void test_missing_columns_are_refused(void **unused)
{
	(void)unused;
	assert_wrong("1\n\nCo 1 2\n", ":3: an atom needs 4 columns, this line has 3");
	assert_wrong("1\n\nCo\n", ":3: an atom needs 4 columns, this line has 1");
	assert_wrong("1\n\n1 2 3 Co\n", ":3: z = 'Co' is not a finite number");
	assert_wrong("1\nProperties=species:S:1:pos:R:3:forces:R:3\nCo 1 2 3 4 5\n",
		     ":3: an atom needs 7 columns, this line has 6");
}

static void test_invalid_labels_are_refused(void **unused)
{
	char text[300], label[200];

	(void)unused;
	memset(label, 'x', sizeof label - 1);
	label[sizeof label - 1] = '\0';
	snprintf(text, sizeof text, "1\n\n%s 1 2 3\n", label);
	assert_wrong(text, ":3: the label of the atom is too long");
	label[64] = '\0';
	snprintf(text, sizeof text, "1\n\n%s 1 2 3\n", label);
	assert_wrong(text, ":3: the label of the atom is too long");
}

static void test_invalid_properties_are_refused(void **unused)
{
	static const struct {
		const char *properties, *words;
	} cases[] = {{"species:S:1", "lack species:S:1 or pos:R:3"},
		     {"pos:R:3", "lack species:S:1 or pos:R:3"},
		     {"species:S:1:pos:R:2", "lack species:S:1 or pos:R:3"},
		     {"species:S:2:pos:R:3", "lack species:S:1 or pos:R:3"},
		     {"species:R:1:pos:R:3", "lack species:S:1 or pos:R:3"},
		     {"Species:S:1:Pos:R:3", "lack species:S:1 or pos:R:3"},
		     {"\"\"", "lack species:S:1 or pos:R:3"},
		     {"species:S:1:pos:R", "must be a sequence of name:type:columns"},
		     {"species:S:1:pos:R:x", "must be a sequence of name:type:columns"},
		     {"species:S:1:pos:R:3:", "lack"},
		     {"species:S:1:pos:R:-3", "must be a sequence of name:type:columns"},
		     {"species:S:1:pos:R:3:a:R:0", "must be a sequence of name:type:columns"},
		     {"species:S:1:pos:R:3:a:R:257", "must be a sequence of name:type:columns"},
		     {"species:S:1:pos:R:3:a:R:256", "too many columns"},
		     {"species:S:1:pos:R:3:a:R:99999999999999999999", "must be a sequence of name:type:columns"},
		     {":::", "must be a sequence of name:type:columns"},
		     {":", "must be a sequence of name:type:columns"}};

	(void)unused;
	for (size_t k = 0; k < COUNT(cases); ++k) {
		char text[200];
		snprintf(text, sizeof text, "1\nProperties=%s\nCo 1 2 3\n", cases[k].properties);
		if (strcmp(cases[k].words, "lack") == 0) { /* a colon too many at the end does no harm */
			struct collected atoms = {0};
			assert_status(SONDE_OK, collect(test_write_text("colon.xyz", text), 0, &atoms));
			continue;
		}
		assert_wrong(text, ":2: Properties");
		assert_message(cases[k].words);
	}
}

static void test_invalid_lattices_are_refused(void **unused)
{
	static const char *const wrong[] = {"\"\"",
					    "\"1 2 3\"",
					    "\"1 2 3 4 5 6 7 8\"",
					    "\"1 2 3 4 5 6 7 8 9 10\"",
					    "\"1 2 3 4 5 6 7 8 x\"",
					    "\"1 2 3 4 5 6 7 8 nan\"",
					    "5",
					    "",
					    "\"1,0,0,0,1,0,0,0,1\"",
					    "{1 2 3 4 5 6 7 8 inf}"};

	(void)unused;
	for (size_t k = 0; k < COUNT(wrong); ++k) {
		char text[200];
		snprintf(text, sizeof text, "1\nLattice=%s\nCo 1 2 3\n", wrong[k]);
		assert_wrong(text, ":2: Lattice must be nine numbers");
	}
}

static void test_other_files_are_refused(void **unused)
{
	struct collected atoms = {0};

	(void)unused;
	assert_invalid("absent.xyz: cannot be read", collect(test_path("absent.xyz"), 0, &atoms));
	assert_invalid("is a folder", collect(test_folder(), 0, &atoms));
	assert_invalid("zero bytes", collect(test_write("zero.xyz", "1\n\nCo 1 2 \0\n", 12), 0, &atoms));
	static const char gzip[] = "\x1f\x8b\x08\0\0\0\0\0\0\x03\xff\xff\xff\xff";
	assert_invalid("damaged", collect(test_write("junk.gz", gzip, sizeof gzip - 1), 0, &atoms));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_first_line_must_be_a_count),
	    cmocka_unit_test(test_wrong_counts_are_refused),
	    cmocka_unit_test(test_invalid_coordinates_are_refused),
	    cmocka_unit_test(test_missing_columns_are_refused),
	    cmocka_unit_test(test_invalid_labels_are_refused),
	    cmocka_unit_test(test_invalid_properties_are_refused),
	    cmocka_unit_test(test_invalid_lattices_are_refused),
	    cmocka_unit_test(test_other_files_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
