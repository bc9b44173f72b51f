/* Comparison of the job of a checkpoint with that of the run that resumes from it. */
#include "unit/support.h"

#include <stdio.h>

#include "run/checkpoint.h"

#define ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" /* SHA-256 of "abc", FIPS 180-4 */
#define EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static void make_text(struct text *text)
{
	*text = (struct text){0};
	checkpoint_append_version(text);
	checkpoint_append_table(text, "a.csv", "abc", 3);
	checkpoint_append_table(text, "b.csv", "", 0);
	text_append(text, "ion = As\n");
	assert_status(SONDE_OK, text_status(text));
}

static void test_lines_begin_with_program_and_tables(void **unused)
{
	struct text text;
	char wanted[300];

	(void)unused;
	make_text(&text);
	snprintf(wanted, sizeof wanted,
		 "written by sonde %s\ntable a.csv = " ABC "\ntable b.csv = " EMPTY "\nion = As\n", sonde_version());
	assert_string_equal(text.bytes, wanted);
	text_free(&text);
}

static const char *const derived[] = {"width =", "depth =", NULL};

static void compare(const char *message, const char *there)
{
	struct text here;

	make_text(&here);
	const sonde_status status = checkpoint_compare("x.h5", there, here.bytes, NULL);
	text_free(&here);
	if (message == NULL)
		assert_status(SONDE_OK, status);
	else
		assert_invalid(message, status);
}

static void test_first_difference_is_named(void **unused)
{
	char there[400], version[100];

	(void)unused;
	snprintf(version, sizeof version, "written by sonde %s\n", sonde_version());
	compare("resume: x.h5 was written by an earlier version of sonde than this one", "");
	compare("resume: x.h5 was written by an earlier version", "ion = As\n");
	compare("resume: x.h5 was written by version 99.1.2 of sonde, and this is ", "written by sonde 99.1.2\n");
	snprintf(there, sizeof there, "written by sonde %s0\n", sonde_version());
	compare("was written by version ", there);
	compare("resume: x.h5 belongs to another job, without 'table a.csv = ba7816", version);
	snprintf(there, sizeof there, "%stable c.csv = " ABC "\ntable a.csv = " ABC "\nion = P\n", version);
	compare("belongs to another job, with 'table c.csv = ",
		there); /* another table, and not another version of one */
	snprintf(there, sizeof there, "%stable a.csv = " ABC "\ntable b.csv = " EMPTY "\nion = As\n", version);
	compare(NULL, there);
	strcat(there, "more\n");
	compare("resume: x.h5 belongs to another job, with 'more'; run that job, or choose another path", there);
	snprintf(there, sizeof there, "%stable a.csv = " ABC "\ntable b.csv = " EMPTY "\nion = P\n", version);
	compare("belongs to another job, with 'ion = P' instead of 'ion = As'; run", there);
	snprintf(there, sizeof there, "%stable a.csv = " ABC "\ntable b.csv = " ABC "\n", version);
	compare("resume: x.h5 was made with another version of table b.csv: its SHA-256 begins with "
		"ba7816bf8f01cfea, that of the "
		"present one with e3b0c44298fc1c14",
		there);
	snprintf(there, sizeof there, "%stable a.csv = " ABC "\ntable b.csv = ", version);
	compare("another version of table b.csv", there);
}

static void compare_derived(const char *message, const char *there, const char *here)
{
	struct text a = {0}, b = {0};

	checkpoint_append_version(&a);
	checkpoint_append_version(&b);
	text_append(&a, "%s", there);
	text_append(&b, "%s", here);
	const sonde_status status = checkpoint_compare("x.h5", a.bytes, b.bytes, derived);
	text_free(&a);
	text_free(&b);
	if (message == NULL)
		assert_status(SONDE_OK, status);
	else
		assert_invalid(message, status);
}

/* Lines that follow from others are named only where no other line differs. */
static void test_derived_lines_are_named_last(void **unused)
{
	(void)unused;
	compare_derived(NULL, "depth = 1\nion = As\n", "depth = 1\nion = As\n");
	compare_derived("with 'ion = P' instead of 'ion = As'", "depth = 1\nion = P\n", "depth = 2\nion = As\n");
	compare_derived("with 'depth = 1' instead of 'depth = 2'", "depth = 1\nion = P\n", "depth = 2\nion = P\n");
	compare_derived("without 'width = 3'", "ion = P\n", "ion = P\nwidth = 3\n");
}

static void test_inputs_have_short_digests(void **unused)
{
	struct text text = {0};

	(void)unused;
	checkpoint_append_digest(&text, "contents of the list", "abc", 3);
	assert_string_equal(text.bytes, "contents of the list = ba7816bf8f01\n");
	text_free(&text);
}

static void test_large_inputs_differ_by_any_byte(void **unused)
{
	const size_t size = ((size_t)4 << 20) + 5, places[] = {0, size / 64 - 1, size / 2, size - 5, size - 1};
	char *bytes = calloc(size, 1);
	struct text first = {0};

	(void)unused;
	assert_non_null(bytes);
	checkpoint_append_digest(&first, "atoms", bytes, size);
	for (size_t k = 0; k < sizeof places / sizeof *places; ++k) {
		struct text other = {0};
		bytes[places[k]] = 1;
		checkpoint_append_digest(&other, "atoms", bytes, size);
		assert_string_not_equal(first.bytes, other.bytes);
		bytes[places[k]] = 0;
		text_free(&other);
	}
	text_free(&first);
	free(bytes);
}

static void test_checkpoint_is_next_to_the_result(void **unused)
{
	struct text name = {0};

	(void)unused;
	assert_status(SONDE_OK, checkpoint_name("x.h5", &name));
	assert_string_equal(name.bytes, "x.h5.checkpoint");
	assert_false(checkpoint_exists("x.h5"));
	FILE *file = fopen(name.bytes, "w");
	assert_non_null(file);
	fclose(file);
	assert_true(checkpoint_exists("x.h5"));
	checkpoint_remove("x.h5");
	assert_false(checkpoint_exists("x.h5"));
	checkpoint_remove("x.h5"); /* of none: nothing */
	text_free(&name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_lines_begin_with_program_and_tables),
	    cmocka_unit_test(test_first_difference_is_named),
	    cmocka_unit_test(test_derived_lines_are_named_last),
	    cmocka_unit_test(test_inputs_have_short_digests),
	    cmocka_unit_test(test_large_inputs_differ_by_any_byte),
	    cmocka_unit_test(test_checkpoint_is_next_to_the_result),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
