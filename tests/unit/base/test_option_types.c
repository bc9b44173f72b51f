/* Every type of option: accepted and refused values, and values that read back as printed. */
#include "unit/support.h"

#include "unit/sample_options.h"

static struct sample_options options;

static int defaults(void **unused)
{
	(void)unused;
	options_set_defaults(&sample_table, &options);
	return 0;
}

static sonde_status set(const char *name, const char *text)
{
	const struct option_row *row = options_find(&sample_table, name);

	assert_non_null(row);
	return option_parse(row, &options, text);
}

/* The printed value of the option, which reads back as the same. */
static void assert_prints(const char *name, const char *expected)
{
	const struct option_row *row = options_find(&sample_table, name);
	static struct sample_options back;
	struct text first = {0}, second = {0};

	option_print(row, &options, &first);
	assert_string_equal(first.bytes, expected);
	options_set_defaults(&sample_table, &back);
	assert_status(SONDE_OK, option_parse(row, &back, first.bytes));
	option_print(row, &back, &second);
	assert_string_equal(second.bytes, expected);
	text_free(&first);
	text_free(&second);
}

static void test_real_reads_back_as_printed(void **unused)
{
	(void)unused;
	assert_status(SONDE_OK, set("bin_width", "1.25e0"));
	assert_true(options.bin_width == 1.25);
	assert_prints("bin_width", "1.25");
	assert_status(SONDE_OK, set("bin_width", "0.3333333333333333"));
	assert_prints("bin_width", "0.33333333333333331");
	assert_status(SONDE_OK, set("bin_width", "0.125")); /* both ends belong to the range */
	assert_status(SONDE_OK, set("bin_width", "8"));
	assert_invalid("out of range: 0.125 to 8 Angstrom", set("bin_width", "0.12499999999999999"));
	assert_invalid("out of range", set("bin_width", "8.0000000000000018"));
	assert_invalid("'' is not a number", set("bin_width", ""));
	assert_invalid("'1 Angstrom' is not a number", set("bin_width", "1 Angstrom"));
	assert_invalid("not a number", set("bin_width", "nan"));
	assert_invalid("not a number", set("bin_width", "1e999"));
	assert_invalid("not a number", set("bin_width", "0x1"));
	assert_invalid("not a number", set("bin_width", "1,5"));
}

static void test_integer_reads_back_as_printed(void **unused)
{
	(void)unused;
	assert_status(SONDE_OK, set("frame", "1000000000000000"));
	assert_true(options.frame == 1000000000000000);
	assert_prints("frame", "1000000000000000");
	assert_status(SONDE_OK, set("frame", "-3"));
	assert_prints("frame", "-3");
	assert_invalid("out of range", set("frame", "-4"));
	assert_invalid("out of range", set("frame", "1000000000000001"));
	assert_status(SONDE_OK, set("frame", "1.5e3"));
	assert_prints("frame", "1500");
	assert_status(SONDE_OK, set("frame", "1e15"));
	assert_prints("frame", "1000000000000000");
	assert_invalid("not a whole number", set("frame", "1.5e0"));
	assert_invalid("out of range", set("frame", "1e30"));
	assert_invalid("out of range", set("frame", "1e16"));
	assert_invalid("not a whole number", set("frame", "010"));
	assert_invalid("not a whole number", set("frame", "10abc"));
	assert_invalid("not a whole number", set("frame", "1.0"));
	assert_invalid("not a whole number", set("frame", ""));
	assert_invalid("out of range", set("frame", "99999999999999999999"));
}

static void test_boolean_has_six_words(void **unused)
{
	static const char *const yes[] = {"true", "yes", "on"}, *const no[] = {"false", "no", "off"};

	(void)unused;
	for (int k = 0; k < 3; ++k) {
		assert_status(SONDE_OK, set("force", yes[k]));
		assert_int_equal(options.force, 1);
		assert_prints("force", "true");
		assert_status(SONDE_OK, set("force", no[k]));
		assert_int_equal(options.force, 0);
		assert_prints("force", "false");
	}
	assert_invalid("'1' is not a yes or no; write true or false", set("force", "1"));
	assert_invalid("not a yes or no", set("force", ""));
	assert_invalid("not a yes or no", set("force", "truely"));
	assert_invalid("not a yes or no", set("force", "tru"));
}

static void test_choice_is_one_of_its_words(void **unused)
{
	(void)unused;
	assert_int_equal(options.method, 1);
	assert_status(SONDE_OK, set("method", "histogram"));
	assert_int_equal(options.method, 2);
	assert_prints("method", "histogram");
	assert_status(SONDE_OK, set("method", "auto"));
	assert_int_equal(options.method, 0);
	assert_prints("method", "auto");
	assert_invalid("'histogramm' is not one of auto|exact|histogram, did you mean 'histogram'?",
		       set("method", "histogramm"));
	assert_invalid("did you mean 'exact'?", set("method", "Exact"));
	assert_invalid("did you mean 'exact'?", set("method", "exat"));
	assert_invalid("'magic' is not one of auto|exact|histogram", set("method", "magic"));
	assert_null(strstr(sonde_status_message(), "did you mean"));
	assert_invalid("not one of", set("method", ""));
	assert_invalid("not one of", set("method", "auto|exact"));
	assert_invalid("not one of", set("method", "1"));
}

static void test_grid_is_first_last_points(void **unused)
{
	(void)unused;
	assert_status(SONDE_OK, set("q", "0.5:30.25:1191"));
	assert_true(options.q.first == 0.5 && options.q.last == 30.25 && options.q.points == 1191);
	assert_prints("q", "0.5:30.25:1191");
	assert_status(SONDE_OK, set("q", "7:7:1"));
	assert_prints("q", "7:7:1");
	assert_status(SONDE_OK, set("q", "0:1000:1000000"));
	assert_prints("q", "0:1000:1000000");
	assert_invalid("at least one point, not 0", set("q", "1:2:0"));
	assert_invalid("at least one point, not -5", set("q", "1:2:-5"));
	assert_invalid("1000001 points are too many", set("q", "1:2:1000001"));
	assert_invalid("the last value, 1, is below the first, 2", set("q", "2:1:10"));
	assert_invalid("the same, but 2 points", set("q", "2:2:2"));
	assert_invalid("one point cannot be both at 1 and at 2", set("q", "1:2:1"));
	assert_invalid("out of range", set("q", "-1:2:10"));
	assert_invalid("out of range", set("q", "1:1000.5:10"));
	assert_status(SONDE_OK, set("q", "1"));
	assert_prints("q", "1:1:1");
	assert_status(SONDE_OK, set("q", "1:2:1e3"));
	assert_prints("q", "1:2:1000");
	assert_status(SONDE_OK, set("q", "1: 2:3"));
	assert_prints("q", "1:2:3");
	static const char *const wrong[] = {"",      "nan",     "1:2",       "1:2:3:4", ":2:3",    "1::3",
					    "1:2:",  "1:2:3.0", "1:2:1.5e0", "1:2:010", "1 2:3:4", "1,2,3",
					    "a:b:c", "nan:2:3", "1:inf:3",   "::",      "1:2:3 4"};
	for (size_t k = 0; k < COUNT(wrong); ++k)
		assert_invalid("is not a grid; write first:last:points", set("q", wrong[k]));
}

static void test_vector_has_three_numbers(void **unused)
{
	(void)unused;
	assert_status(SONDE_OK, set("box", "1,-2.5,3e0"));
	assert_true(options.box.x == 1 && options.box.y == -2.5 && options.box.z == 3);
	assert_prints("box", "1,-2.5,3");
	assert_status(SONDE_OK, set("box", " 1, 2, 3"));
	assert_prints("box", "1,2,3");
	assert_invalid("6 is out of range", set("box", "6,0,0"));
	assert_invalid("-6 is out of range", set("box", "0,-6,0"));
	assert_invalid("7 is out of range", set("box", "0,0,7"));
	static const char *const wrong[] = {"",     "1",       "1,2",   "1,2,3,4", ",,",
					    "1,2,", "1 2,3,4", "1:2:3", "x,y,z",   "1,2,nan"};
	for (size_t k = 0; k < COUNT(wrong); ++k)
		assert_invalid("is not three numbers; write x,y,z", set("box", wrong[k]));
}

static void test_flags_of_a_table(void **unused)
{
	(void)unused;
	assert_false(options_flag(&sample_table, &options, "force"));
	assert_status(SONDE_OK, set("force", "true"));
	assert_true(options_flag(&sample_table, &options, "force"));
	assert_false(options_flag(&sample_table, &options, "frame")); /* not a BOOLEAN */
	assert_false(options_flag(&sample_table, &options, "resume"));
}

static void test_size_has_binary_suffixes(void **unused)
{
	static const struct {
		const char *text, *bytes;
	} good[] = {{"0", "0"},           {"17", "17"},
		    {"1K", "1024"},       {"256M", "268435456"},
		    {"3G", "3221225472"}, {"2T", "2199023255552"},
		    {"1e9", "1000000000"}};
	static const char *const wrong[] = {"",      "M",  "1.5G", "-1", "-1K", "1k", "1MB",
					    "1.5e0", "01", "1 G",  "G1", "1KK", "one"};

	(void)unused;
	assert_true(options.memory == 2048);
	for (size_t k = 0; k < COUNT(good); ++k) {
		assert_status(SONDE_OK, set("memory", good[k].text));
		assert_prints("memory", good[k].bytes);
	}
	for (size_t k = 0; k < COUNT(wrong); ++k)
		assert_invalid("is not a size; write bytes, or 256M, or 2G", set("memory", wrong[k]));
	assert_invalid("is not a possible size", set("memory", "9999999999T"));
	assert_invalid("is not a possible size", set("memory", "9007199254740992K"));
	assert_invalid("out of range", set("memory", "1000000000G"));
}

static void test_text_is_printable_and_fits(void **unused)
{
	char longest[OPTION_TEXT_SIZE + 1];

	(void)unused;
	assert_string_equal(options.output, "none");
	assert_status(SONDE_OK, set("output", "a file, with: %s and \xc3\xa5"));
	assert_prints("output", "a file, with: %s and \xc3\xa5");
	assert_status(SONDE_OK, set("output", ""));
	assert_string_equal(options.output, "");
	memset(longest, 'x', sizeof longest);
	longest[OPTION_TEXT_SIZE - 1] = '\0';
	assert_status(SONDE_OK, set("output", longest));
	assert_string_equal(options.output, longest);
	longest[OPTION_TEXT_SIZE - 1] = 'x';
	longest[OPTION_TEXT_SIZE] = '\0';
	assert_invalid("longer than 4095 bytes", set("output", longest));
}

static const char *note_of(const struct option_row *row, const char *text)
{
	static struct text notes;

	text_free(&notes);
	option_note_unit(row, text, "line 3: it", &notes);
	return notes.bytes != NULL ? notes.bytes : "";
}

/* Bare numbers that are far from nanometers, femtoseconds and terahertz. */
static void test_forgotten_units_are_noted(void **unused)
{
	const struct option_row length = {.type = OPTION_REAL, .name = "radius", .unit = "m", .choices = ""},
				place = {.type = OPTION_VECTOR, .name = "center", .unit = "m", .choices = ""},
				lengths = {.type = OPTION_GRID,
					   .name = "wavelengths",
					   .unit = "m",
					   .choices = "band"},
				corners = {.type = OPTION_TEXT, .name = "vertices", .unit = "m", .choices = "list"},
				time = {.type = OPTION_REAL, .name = "time", .unit = "s", .choices = ""},
				clock = {.type = OPTION_REAL, .name = "checkpoint", .unit = "s", .choices = "clock"},
				width = {.type = OPTION_REAL, .name = "bandwidth", .unit = "Hz", .choices = ""},
				angle = {.type = OPTION_REAL, .name = "theta", .unit = "degrees", .choices = ""};

	(void)unused;
	assert_string_equal("line 3: it: 600 is taken as 600 m; is a unit missing, as in 600 nm?\n",
			    note_of(&length, "600"));
	assert_string_equal("line 3: it: -2 is taken as -2 m; is a unit missing, as in -2 nm?\n",
			    note_of(&place, "1 nm, -2, 5"));
	assert_string_equal("line 3: it: 700 is taken as 700 m; is a unit missing, as in 700 nm?\n",
			    note_of(&lengths, "500 nm:700:11"));
	assert_string_equal("line 3: it: 30 is taken as 30 m; is a unit missing, as in 30 nm?\n",
			    note_of(&corners, "0,0;1 um, 30;0,1 um"));
	assert_string_equal("line 3: it: 400 is taken as 400 s; is a unit missing, as in 400 fs?\n",
			    note_of(&time, "400"));
	assert_string_equal("line 3: it: 100 is taken as 100 Hz; is a unit missing, as in 100 THz?\n",
			    note_of(&width, "100"));
	assert_string_equal("", note_of(&length, "600 nm"));
	assert_string_equal("", note_of(&length, "2 m"));
	assert_string_equal("", note_of(&length, "6e-7"));
	assert_string_equal("", note_of(&length, "1e-3"));
	assert_string_equal("", note_of(&place, "0,0,1 m"));
	assert_string_equal("", note_of(&lengths, "500 nm:700 nm:5000"));
	assert_string_equal("", note_of(&time, "1e-6"));
	assert_string_equal("", note_of(&clock, "300"));
	assert_string_equal("", note_of(&width, "0"));
	assert_string_equal("", note_of(&width, "5e14"));
	assert_string_equal("", note_of(&angle, "90"));
}

/* The convention of sonde/status.h: outputs are untouched after a failure. */
static void test_refused_values_change_nothing(void **unused)
{
	static const struct {
		const char *name, *text;
	} refused[] = {{"bin_width", "99"}, {"bin_width", "1e999"}, {"frame", "-99"}, {"q", "5:6:x"},
		       {"q", "5:4:7"},      {"box", "1,2,x"},       {"box", "1,2,9"}, {"memory", "1000000000G"},
		       {"method", "none"},  {"force", "1"}};
	static struct sample_options before;

	(void)unused;
	before = options;
	for (size_t k = 0; k < COUNT(refused); ++k) {
		assert_status(SONDE_INVALID, set(refused[k].name, refused[k].text));
		if (memcmp(&before, &options, sizeof before) != 0)
			fail_msg("%s = %s is refused, and yet it changes the option", refused[k].name,
				 refused[k].text);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(test_real_reads_back_as_printed, defaults),
	    cmocka_unit_test_setup(test_integer_reads_back_as_printed, defaults),
	    cmocka_unit_test_setup(test_boolean_has_six_words, defaults),
	    cmocka_unit_test_setup(test_choice_is_one_of_its_words, defaults),
	    cmocka_unit_test_setup(test_grid_is_first_last_points, defaults),
	    cmocka_unit_test_setup(test_vector_has_three_numbers, defaults),
	    cmocka_unit_test_setup(test_flags_of_a_table, defaults),
	    cmocka_unit_test_setup(test_size_has_binary_suffixes, defaults),
	    cmocka_unit_test_setup(test_text_is_printable_and_fits, defaults),
	    cmocka_unit_test(test_forgotten_units_are_noted),
	    cmocka_unit_test_setup(test_refused_values_change_nothing, defaults),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
