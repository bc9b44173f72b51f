/* Blanks next to separators do not count in options that are lists. */
#include "unit/support.h"

#include <stdio.h>

#include "base/option_blanks.h"
#include "base/options.h"

struct options {
	uint64_t struct_size;
	sonde_vector center;
	sonde_grid q;
	char list[OPTION_TEXT_SIZE], name[OPTION_TEXT_SIZE], file[OPTION_TEXT_SIZE], blocks[OPTION_TEXT_SIZE],
	    file_or_list[OPTION_TEXT_SIZE];
};

#define OPTION_STRUCT struct options
#include "base/option_table.h"

static const struct option_row rows[] = {
    OPTION(VECTOR, center, "", "0,0,0", -5, 5, "", "", "Three numbers.")
	OPTION(GRID, q, "", "0:1:2", 0, 100, "", "", "A grid.") OPTION(TEXT, list, "", "", 0, 0, "", "", "A list.")
	    OPTION(TEXT, name, "", "", 0, 0, "", "verbatim", "A name.")
		OPTION(TEXT, file, "", "", 0, 0, "file", "", "A file.")
		    OPTION(TEXT, blocks, "", "", 0, 0, "items", "", "YAML.")
			OPTION(TEXT, file_or_list, "", "", 0, 0, "file-or-value", "", "A file.")};
static const struct option_table table = {"sample", rows, sizeof rows / sizeof *rows, sizeof(struct options), true};

static void test_blanks_next_to_separators_are_removed(void **unused)
{
	static const char *const texts[][2] = {
	    {"", ""},
	    {"   ", ""},
	    {" Si = 15 , O\t=\t28 ", "Si=15,O=28"},
	    {"Si=15,O=28", "Si=15,O=28"},
	    {"SiO2 : 200nm / Si @ 2.3 * 0.9", "SiO2:200nm/Si@2.3*0.9"},
	    {"H = 0.7 * D + 0.3 * H", "H=0.7*D+0.3*H"},
	    {"Co=Co2+ , O=O2-", "Co=Co2+,O=O2-"},
	    /* blanks that separate words */
	    {"Co2+ 0 0 0; O2-  0.5 0.5 0.5", "Co2+ 0 0 0;O2-  0.5 0.5 0.5"},
	    {"P 42/m n m", "P 42/m n m"},
	    {"1 1 -1 : 1.0, 1 0 0 : 1.15", "1 1 -1:1.0,1 0 0:1.15"},
	};
	char text[64];
	(void)unused;

	for (size_t k = 0; k < sizeof texts / sizeof *texts; ++k) {
		snprintf(text, sizeof text, "%s", texts[k][0]);
		option_drop_blanks(text);
		assert_string_equal(text, texts[k][1]);
		option_drop_blanks(text);
		assert_string_equal(text, texts[k][1]);
	}
}

static void test_options_that_are_read(void **unused)
{
	static struct options options;
	(void)unused;

	options_set_defaults(&table, &options);
	for (size_t k = 2; k < table.count; ++k) {
		const bool kept = k > 2;
		assert_status(SONDE_OK, option_parse(&rows[k], &options, "a, b "));
		assert_string_equal(option_text(&rows[k], &options), kept ? "a, b " : "a,b");
	}
	assert_status(SONDE_OK, option_parse(options_find(&table, "center"), &options, " 1 , -2, 3 "));
	assert_true(options.center.x == 1.0 && options.center.y == -2.0 && options.center.z == 3.0);
	assert_status(SONDE_OK, option_parse(options_find(&table, "q"), &options, "0.5 : 20 : 40"));
	assert_true(options.q.first == 0.5 && options.q.last == 20.0 && options.q.points == 40);
	assert_status(SONDE_INVALID, option_parse(options_find(&table, "center"), &options, "1 2 3"));
}

/* Programs fill structs themselves. */
static void test_options_of_programs(void **unused)
{
	static struct options given, complete;
	(void)unused;

	options_set_defaults(&table, &given);
	strcpy(given.list, "Si=15, O=28");
	strcpy(given.name, "glass, old");
	assert_status(SONDE_OK, options_complete(&table, &given, &complete));
	assert_string_equal(complete.list, "Si=15,O=28");
	assert_string_equal(complete.name, "glass, old");
	/* a text without an end is refused later, and not read beyond */
	memset(given.list, ' ', sizeof given.list);
	assert_status(SONDE_OK, options_complete(&table, &given, &complete));
	assert_status(SONDE_INVALID, options_check(&table, &complete));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_blanks_next_to_separators_are_removed),
	    cmocka_unit_test(test_options_that_are_read),
	    cmocka_unit_test(test_options_of_programs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
