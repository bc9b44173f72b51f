/* Rows of numbers: separators, and decimal commas, which are refused. */
#include "unit/support.h"

#include <stdio.h>
#include <string.h>
#include <stdlib.h>
#include <unistd.h>

#include "io/tables/columns.h"

/* Splits the lines of a text; the words of the last one joined by '|', or null where a line is refused. */
static const char *split(int needed, const char *text)
{
	static char joined[256];
	char path[] = "/tmp/sonde-columns-XXXXXX";
	struct columns columns = {.needed = needed};
	struct line_reader *reader;
	struct word words[16];
	sonde_status status;
	char *line;
	int count, file = mkstemp(path);

	assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
	close(file);
	assert_status(SONDE_OK, line_reader_open(&reader, path));
	while ((status = line_reader_next(reader, &line)) == SONDE_OK && line != NULL) {
		status = columns_split(&columns, reader, line, words, 16, &count);
		if (status != SONDE_OK)
			break;
		joined[0] = '\0';
		for (int k = 0; k < count; ++k)
			snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%.*s", k > 0 ? "|" : "",
				 (int)(words[k].end - words[k].start), words[k].start);
	}
	line_reader_close(&reader);
	unlink(path);
	return status == SONDE_OK ? joined : NULL;
}

static void columns_have_one_kind_of_separator(void **unused)
{
	(void)unused;
	assert_string_equal("10.5|1.0", split(2, "10.5 1.0\n"));
	assert_string_equal("10.5|1.0", split(2, "\t10.5\t 1.0 # the first\n"));
	assert_string_equal("10.5|1.0", split(2, "10.5,1.0\n"));
	assert_string_equal("10.5|1.0", split(2, " 10.5 , 1.0 ,\n"));
	assert_string_equal("10.5|1.0", split(2, "10.5;1.0;;\n"));
	assert_string_equal("10|1|a note", split(2, "10,1,a note\n"));
	assert_string_equal("10|1", split(2, "10,1\n"));
	assert_string_equal("1e3|-1.5e-3|+2", split(3, "1e3,-1.5e-3,+2\n"));
	assert_string_equal("energy (keV)|I", split(2, "\xef\xbb\xbf"
						       "energy (keV);\"I\"\n"));
	assert_string_equal("", split(2, "# 10,5 1,0\n"));
	/* separators in quotes separate nothing */
	assert_string_equal("10.5|1.0|a, b; c", split(2, "\"10.5\",\"1.0\",\"a, b; c\"\n"));
	assert_string_equal("energy, keV|I", split(2, "\"energy, keV\",I\n"));
	assert_string_equal("10|\"1", split(2, "10,\"1\n"));
	/* with as many names, whole numbers are what they look like */
	assert_string_equal("10|5|1|0", split(2, "E,I,dE,dI\n10,5,1,0\n"));
	assert_string_equal("10|5|1|0|3", split(2, "10,5,1,0,3\n"));
}

static void decimal_commas_are_refused(void **unused)
{
	static const char *const refused[] = {
	    "10,5 1,0\n",         "10,5\t1,0\n",        "10,5;1,0\n",        "10,5 ; 1\n", "10,5,1,0\n",
	    "10,5,1\n",           "10 1,5\n",           "10,5e3,1,0\n",      "10,5 1\n",   "-10,5 -1,5\n",
	    "\"10,5\",\"1,0\"\n", "\"10,5\";\"1,0\"\n", "\"10,5\" \"1,0\"\n"};

	(void)unused;
	for (size_t k = 0; k < COUNT(refused); ++k)
		if (split(2, refused[k]) != NULL)
			fail_msg("%s: read as %s", refused[k], split(2, refused[k]));
	assert_null(split(3, "1,5 2,0 3,5\n"));
	assert_null(split(3, "1,5,2,0,3,5\n"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(columns_have_one_kind_of_separator),
					   cmocka_unit_test(decimal_commas_are_refused)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
