/* Option tables: names, defaults, checks of whole structs; and all tables of Sonde. */
#include "unit/support.h"

#include <math.h>
#include <stdlib.h>

#include "debye/debye.h"
#include "matter/build/build.h"
#include "unit/sample_options.h"

static void test_defaults_are_those_of_the_rows(void **unused)
{
	static struct sample_options options;

	(void)unused;
	memset(&options, 0xa5, sizeof options);
	options_set_defaults(&sample_table, &options);
	assert_true(options.bin_width == 0.5);
	assert_true(options.frame == 1);
	assert_int_equal(options.force, 0);
	assert_int_equal(options.method, 1);
	assert_true(options.q.first == 0.1 && options.q.last == 20 && options.q.points == 996);
	assert_true(options.box.x == 0 && options.box.y == 0 && options.box.z == 0);
	assert_true(options.memory == 2048);
	assert_string_equal(options.output, "none");
	assert_status(SONDE_OK, options_check(&sample_table, &options));
}

static void test_names_with_either_dash(void **unused)
{
	const struct option_row *row = options_find(&sample_table, "bin_width");
	char flag[64], name[80];

	(void)unused;
	assert_non_null(row);
	assert_ptr_equal(options_find(&sample_table, "bin-width"), row);
	assert_string_equal(option_flag(row, flag), "bin-width");
	assert_null(options_find(&sample_table, "bin width"));
	assert_null(options_find(&sample_table, "bin"));
	assert_null(options_find(&sample_table, "bin-width-"));
	assert_null(options_find(&sample_table, "Bin-Width"));
	assert_null(options_find(&sample_table, ""));
	memset(name, 'x', sizeof name);
	for (size_t length = 60; length < sizeof name; ++length) {
		name[length] = '\0';
		assert_null(options_find(&sample_table, name));
		name[length] = 'x';
	}
}

static const char *hint_for(const char *word)
{
	static char kept[64];
	struct nearest_word nearest = {.word = word};

	options_offer_names(&sample_table, &nearest);
	return nearest.best != NULL ? strcpy(kept, nearest.best) : NULL;
}

static void test_misspelled_names_get_hints(void **unused)
{
	(void)unused;
	assert_string_equal(hint_for("bin-widht"), "bin-width");
	assert_string_equal(hint_for("metod"), "method");
	assert_string_equal(hint_for("ouput"), "output");
	assert_null(hint_for("wavelength"));
}

/* A better candidate that was there before must stay. */
static void test_hints_over_several_tables(void **unused)
{
	struct nearest_word nearest = {.word = "framed"};

	(void)unused;
	nearest_word_offer(&nearest, "framed");
	options_offer_names(&sample_table, &nearest);
	assert_string_equal(nearest.best, "framed");
	nearest = (struct nearest_word){.word = "frame"};
	nearest_word_offer(&nearest, "framed");
	options_offer_names(&sample_table, &nearest);
	assert_string_equal(nearest.best, "frame");
}

#define assert_check_fails(words, change)                                      \
	do {                                                                   \
		options_set_defaults(&sample_table, &options);                 \
		change;                                                        \
		assert_invalid(words, options_check(&sample_table, &options)); \
	} while (0)

/* Structs that a caller's program filled. */
static void test_checks_of_structs(void **unused)
{
	static struct sample_options options;

	(void)unused;
	assert_check_fails("bin_width: ", options.bin_width = NAN);
	assert_check_fails("bin_width: ", options.bin_width = INFINITY);
	assert_check_fails("bin_width: ", options.bin_width = 0.1);
	assert_check_fails("frame: ", options.frame = INT64_MIN);
	assert_check_fails("force: ", options.force = 2);
	assert_check_fails("force: ", options.force = -1);
	assert_check_fails("method: ", options.method = 3);
	assert_check_fails("method: ", options.method = -1);
	assert_check_fails("q: ", options.q.first = NAN);
	assert_check_fails("q: ", options.q.last = NAN);
	assert_check_fails("q: ", options.q.points = INT64_MAX);
	assert_check_fails("q: ", options.q.points = 0);
	assert_check_fails("q: ", options.q.last = 0.05);
	assert_check_fails("box: ", options.box.x = NAN);
	assert_check_fails("box: ", options.box.y = -INFINITY);
	assert_check_fails("box: ", options.box.z = 5.5);
	assert_check_fails("memory: ", options.memory = UINT64_MAX);
	assert_check_fails("output: ", memset(options.output, 'x', sizeof options.output));
}

/* A default outside the range means "not given"; every other must pass, print and read back. */
static void assert_sound(const struct option_table *table)
{
	char *options = calloc(1, table->struct_size), *back = calloc(1, table->struct_size);

	assert_non_null(options);
	assert_non_null(back);
	options_set_defaults(table, options);
	for (size_t k = 0; k < table->count; ++k) {
		const struct option_row *row = &table->rows[k];
		struct text printed = {0}, again = {0};
		char flag[64];
		assert_ptr_equal(options_find(table, option_flag(row, flag)), row);
		assert_true(row->offset < table->struct_size);
		assert_true(row->help[0] != '\0' && row->help[strlen(row->help) - 1] == '.');
		option_print(row, options, &printed);
		if (row->type == OPTION_CHOICE || row->type == OPTION_TEXT)
			assert_string_equal(printed.bytes != NULL ? printed.bytes : "", row->default_text);
		if (row->type == OPTION_CHOICE && row->default_text[0] == '\0') { /* must be given */
			assert_int_equal(*(int *)(options + row->offset), -1);
			text_free(&printed);
			continue;
		}
		if (option_parse(row, back, printed.bytes) != SONDE_OK) {
			assert_message("out of range");
			assert_true(row->type == OPTION_REAL && strtod(row->default_text, NULL) < row->minimum);
		} else {
			option_print(row, back, &again);
			assert_string_equal(again.bytes, printed.bytes);
		}
		text_free(&printed);
		text_free(&again);
	}
	free(options);
	free(back);
}

static void test_tables_of_sonde(void **unused)
{
	(void)unused;
	assert_sound(&sample_table);
	assert_sound(&debye_option_table);
	assert_sound(&build_option_table);
}

static void test_public_structs_have_their_defaults(void **unused)
{
	static sonde_debye_options debye;
	static sonde_build_options build;

	(void)unused;
	sonde_debye_options_init(&debye);
	assert_true(debye.struct_size == sizeof debye);
	assert_true(debye.q.first == 0.1 && debye.q.last == 20 && debye.q.points == 996);
	assert_int_equal(debye.radiation, SONDE_DEBYE_RADIATION_XRAY);
	assert_int_equal(debye.method, SONDE_DEBYE_METHOD_AUTO);
	assert_true(debye.tolerance == 1e-6);
	assert_status(SONDE_OK, options_check(&debye_option_table, &debye));
	sonde_build_options_init(&build);
	assert_true(build.struct_size == sizeof build);
	assert_int_equal(build.cell, -1);
	assert_true(build.u == 0.375);
	assert_invalid("cell: ", options_check(&build_option_table, &build));
	build.cell = SONDE_BUILD_CELL_FCC;
	build.a = -1.0;
	assert_invalid("a: ", options_check(&build_option_table, &build));
}

/* A struct of a program that was compiled with an older, shorter header. */
static void test_shorter_structs_are_completed(void **unused)
{
	static sonde_debye_options shorter, whole;
	const uint64_t size = offsetof(sonde_debye_options, window);

	(void)unused;
	memset(&shorter, 0xa5, sizeof shorter);
	options_init_sized(&debye_option_table, &shorter, size);
	assert_true(shorter.struct_size == size);
	assert_true(shorter.q.points == 996);
	for (size_t k = size; k < sizeof shorter; ++k) /* beyond its end nothing is touched */
		assert_int_equal(((unsigned char *)&shorter)[k], 0xa5);
	shorter.q.points = 7;
	assert_status(SONDE_OK, options_complete(&debye_option_table, &shorter, &whole));
	assert_true(whole.struct_size == sizeof whole);
	assert_true(whole.q.points == 7);
	assert_int_equal(whole.window, SONDE_DEBYE_WINDOW_NONE);
	assert_status(SONDE_OK, options_check(&debye_option_table, &whole));
	static const uint64_t wrong[] = {0, 1, 7, sizeof whole + 1, UINT64_MAX};
	for (size_t k = 0; k < COUNT(wrong); ++k) {
		shorter.struct_size = wrong[k];
		assert_invalid("not set up by sonde_debye_options_init()",
			       options_complete(&debye_option_table, &shorter, &whole));
	}
}

/* A struct of a newer header, longer than this library knows. */
static void test_longer_structs_keep_their_rest(void **unused)
{
	static struct {
		sonde_debye_options options;
		char more[64];
	} longer;

	(void)unused;
	memset(&longer, 0xa5, sizeof longer);
	options_init_sized(&debye_option_table, &longer, sizeof longer);
	assert_true(longer.options.struct_size == sizeof longer.options);
	assert_true(longer.options.q.points == 996);
	for (size_t k = 0; k < sizeof longer.more; ++k)
		assert_int_equal((unsigned char)longer.more[k], 0xa5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_defaults_are_those_of_the_rows),
	    cmocka_unit_test(test_names_with_either_dash),
	    cmocka_unit_test(test_misspelled_names_get_hints),
	    cmocka_unit_test(test_hints_over_several_tables),
	    cmocka_unit_test(test_checks_of_structs),
	    cmocka_unit_test(test_tables_of_sonde),
	    cmocka_unit_test(test_public_structs_have_their_defaults),
	    cmocka_unit_test(test_shorter_structs_are_completed),
	    cmocka_unit_test(test_longer_structs_keep_their_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
