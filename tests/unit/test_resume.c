/* What a file says of the program and the tables that it was made with. */
#include "unit/support.h"

#include <stdio.h>

#include "run/resume.h"

#define ABC "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad" /* SHA-256 of "abc", FIPS 180-4 */
#define EMPTY "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"

static void make_text(struct text *text)
{
	*text = (struct text){0};
	resume_append_version(text);
	resume_append_table(text, "a.csv", "abc", 3);
	resume_append_table(text, "b.csv", "", 0);
	text_append(text, "ion = As\n");
	assert_status(SONDE_OK, text_status(text));
}

static void test_lines(void **unused)
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

static void compare(const char *message, const char *there)
{
	struct text here;

	make_text(&here);
	const sonde_status status = resume_compare("x.h5", there, here.bytes);
	text_free(&here);
	if (message == NULL)
		assert_status(SONDE_OK, status);
	else
		assert_invalid(message, status);
}

static void test_comparisons(void **unused)
{
	char there[400], version[100];

	(void)unused;
	snprintf(version, sizeof version, "written by sonde %s\n", sonde_version());
	compare("resume: x.h5 was written by an earlier version of sonde than this one", "");
	compare("resume: x.h5 was written by an earlier version", "ion = As\n");
	compare("resume: x.h5 was written by version 99.1.2 of sonde, and this is ", "written by sonde 99.1.2\n");
	snprintf(there, sizeof there, "written by sonde %s0\n", sonde_version());
	compare("was written by version ", there);
	compare(NULL, version); /* of another job, with other tables: that is another message */
	snprintf(there, sizeof there, "%stable c.csv = " ABC "\ntable a.csv = " ABC "\nion = P\n", version);
	compare(NULL, there);
	snprintf(there, sizeof there, "%stable a.csv = " ABC "\ntable b.csv = " ABC "\n", version);
	compare(
	    "resume: x.h5 was made with another table b.csv: its SHA-256 begins with ba7816bf8f01cfea, that of the "
	    "table here with e3b0c44298fc1c14",
	    there);
	snprintf(there, sizeof there, "%stable a.csv = " ABC "\ntable b.csv = ", version);
	compare("another table b.csv", there);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_lines),
	    cmocka_unit_test(test_comparisons),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
