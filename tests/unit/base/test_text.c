/* Reading and writing numbers, growing text, the nearest known word. */
#include "unit/support.h"

#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/text_rows.h"

static bool parse_real(const char *text, double *value)
{
	return text_parse_real(text, text + strlen(text), value);
}

static bool parse_integer(const char *text, int64_t *value)
{
	return text_parse_integer(text, text + strlen(text), value);
}

/* Equal to the last bit, the sign of zero included. */
static void assert_reads_like_strtod(const char *text)
{
	double value = -77.0, expected = strtod(text, NULL);

	if (isinf(expected)) {
		if (parse_real(text, &value))
			fail_msg("'%s' overflows and is accepted as %g", text, value);
		return;
	}
	if (!parse_real(text, &value))
		fail_msg("'%s' is refused", text);
	if (memcmp(&value, &expected, sizeof value) != 0)
		fail_msg("'%s' is read as %.17g, not %.17g", text, value, expected);
}

/* Sign, digits around a point, exponent: up to 30 digits. */
static void random_decimal(uint64_t *state, char *text, int exponent_span)
{
	static const char *const signs[] = {"", "-", "+"};
	int whole = (int)(test_random(state) % 16), fraction = (int)(test_random(state) % 16);
	char *c = text + sprintf(text, "%s", signs[test_random(state) % 3]);

	if (whole + fraction == 0)
		whole = 1;
	for (int k = 0; k < whole; ++k)
		*c++ = (char)('0' + test_random(state) % 10);
	if (fraction > 0 || test_random(state) % 4 == 0)
		*c++ = '.';
	for (int k = 0; k < fraction; ++k)
		*c++ = (char)('0' + test_random(state) % 10);
	*c = '\0';
	if (exponent_span > 0 && test_random(state) % 4 != 0)
		sprintf(c, "%c%d", test_random(state) % 2 ? 'e' : 'E',
			(int)(test_random(state) % (2 * (unsigned)exponent_span + 1)) - exponent_span);
}

static void test_random_numbers_are_correctly_rounded(void **unused)
{
	uint64_t state = 1;
	char text[96];

	(void)unused;
	for (int k = 0; k < 200000; ++k) {
		static const int spans[] = {0, 5, 25, 45, 340};
		random_decimal(&state, text, spans[k % 5]);
		assert_reads_like_strtod(text);
	}
}

/* Numbers of files of atoms and others: those that are taken are strtod's, to the last bit and byte. */
static void test_short_numbers_are_those_of_strtod(void **unused)
{
	uint64_t state = 5;
	int taken = 0;

	(void)unused;
	for (int k = 0; k < 1000000; ++k) {
		char text[96];
		const char *cursor = text;
		double value = -77.0;
		if (k % 2 == 0)
			sprintf(text, "%.*f", k % 11, (test_random_real(&state) - 0.5) * pow(10.0, k % 7));
		else
			random_decimal(&state, text, k % 3 == 0 ? 12 : 0);
		size_t length = strlen(text);
		text[length] = " \t"[k % 2];
		text[length + 1] = '\0';
		if (!text_take_short_real(&cursor, &value)) {
			assert_true(cursor == text && value == -77.0);
			continue;
		}
		char *end;
		double expected = strtod(text, &end);
		if (cursor != end || memcmp(&value, &expected, sizeof value) != 0)
			fail_msg("'%s' is read as %.17g, not %.17g", text, value, expected);
		++taken;
	}
	assert_true(taken > 500000);
}

static void test_short_numbers_end_at_blanks(void **unused)
{
	static const char *const others[] = {"",
					     ".",
					     "-",
					     "+-1",
					     "1e5",
					     "1,5",
					     "1.2.3",
					     "nan",
					     "0x10",
					     "1f",
					     "9007199254740993",
					     "0.00000000000000000001",
					     "--1",
					     " 1"};

	(void)unused;
	for (size_t k = 0; k < COUNT(others); ++k) {
		const char *cursor = others[k];
		double value;
		if (text_take_short_real(&cursor, &value))
			fail_msg("'%s' is taken as %g", others[k], value);
	}
}

static void test_random_doubles_read_back(void **unused)
{
	uint64_t state = 2;
	char text[64], buffer[32];

	(void)unused;
	for (int k = 0; k < 100000; ++k) {
		uint64_t bits = test_random(&state);
		double x, back;
		if (k % 10 == 0)
			bits &= UINT64_C(0x800fffffffffffff); /* subnormal */
		memcpy(&x, &bits, sizeof x);
		if (!isfinite(x))
			continue;
		sprintf(text, "%.*g", 15 + k % 12, x);
		assert_reads_like_strtod(text);
		text_format_real(x, buffer);
		assert_true(strlen(buffer) < 32);
		assert_true(parse_real(buffer, &back));
		if (memcmp(&x, &back, sizeof x) != 0)
			fail_msg("%.17g is printed as %s, which reads back as %.17g", x, buffer, back);
	}
}

static void test_hard_numbers_are_correctly_rounded(void **unused)
{
	static const char *const hard[] = {"0",
					   "-0",
					   "+0",
					   "00",
					   "007",
					   "0.",
					   ".5",
					   "-.5e1",
					   "5.",
					   "1e0",
					   "1E+5",
					   "1e-5",
					   "0e999",
					   "0e-999",
					   "9007199254740992",
					   "9007199254740993",
					   "9007199254740992.5",
					   "9007199254740993.0000000000000000001",
					   "9007199254740991e22",
					   "9007199254740993e-22",
					   "1e22",
					   "1e23",
					   "1e-22",
					   "1e-23",
					   "123456789012345678901234567890",
					   "18446744073709551615",
					   "18446744073709551616",
					   "9999999999999999999",
					   "10000000000000000000",
					   "0.1",
					   "0.3",
					   "2.2250738585072011e-308",
					   "2.2250738585072014e-308",
					   "2.225073858507201136057409796709e-308",
					   "4.9406564584124654e-324",
					   "2.4703282292062327e-324",
					   "2.4703282292062328e-324",
					   "1e-324",
					   "1e-400",
					   "1e-99999999999",
					   "1.7976931348623157e308",
					   "1.7976931348623158e308",
					   "1.7976931348623159e308",
					   "1e308",
					   "1e309",
					   "-1e309",
					   "1e99999999999",
					   "100000000000000000000000e-23",
					   "0.000000000000000000000000000000000001e36",
					   "1.00000000000000011102230246251565404236316680908203125",
					   "1.00000000000000011102230246251565404236316680908203124",
					   "1.00000000000000011102230246251565404236316680908203126",
					   "6929495644600919.5",
					   "3.518437208883201171875e13",
					   "8.41e21",
					   "9.5e-3",
					   "4.2614"};

	(void)unused;
	for (size_t k = 0; k < COUNT(hard); ++k)
		assert_reads_like_strtod(hard[k]);
}

static void test_what_is_no_number_is_refused(void **unused)
{
	static const char *const wrong[] = {
	    "",         " ",     " 1",    "1 ",  "\t1",   "1\n", "0x10", "0x1p3", "nan",  "NaN",     "inf", "-inf",
	    "infinity", "1e",    "1e+",   "1e-", "e5",    ".",   "-",    "+",     "+-1",  "--1",     ".e1", "1.2.3",
	    "1,5",      "1e5.0", "1e5e5", "1 2", "1_000", "1f",  "1d0",  "1e 5",  "1ee5", "\xd9\xa1"};
	double value = 5.0;

	(void)unused;
	for (size_t k = 0; k < COUNT(wrong); ++k)
		if (parse_real(wrong[k], &value))
			fail_msg("'%s' is accepted as %g", wrong[k], value);
}

static void test_numbers_end_where_they_are_said_to_end(void **unused)
{
	const char *text = "12.75e2xyz";
	double value;
	int64_t integer;

	(void)unused;
	assert_true(text_parse_real(text, text + 2, &value) && value == 12.0);
	assert_true(text_parse_real(text, text + 5, &value) && value == 12.75);
	assert_false(text_parse_real(text, text + 6, &value)); /* "12.75e" */
	assert_true(text_parse_real(text, text + 7, &value) && value == 1275.0);
	assert_false(text_parse_real(text, text + 8, &value));
	assert_true(text_parse_integer(text, text + 2, &integer) && integer == 12);
	assert_false(text_parse_integer(text, text + 3, &integer));
}

static void test_integers_have_digits_only(void **unused)
{
	static const struct {
		const char *text;
		int64_t value;
	} good[] = {{"0", 0},
		    {"-0", 0},
		    {"7", 7},
		    {"+7", 7},
		    {"-12", -12},
		    {"9223372036854775807", INT64_MAX},
		    {"-9223372036854775808", INT64_MIN},
		    {"1000000", 1000000}};
	static const char *const wrong[] = {"",
					    "-",
					    "+",
					    "010",
					    "00",
					    "-01",
					    "+00",
					    "1e3",
					    "10abc",
					    "1.0",
					    "1.",
					    " 1",
					    "1 ",
					    "0x10",
					    "--1",
					    "1-",
					    "9223372036854775808",
					    "+9223372036854775808",
					    "-9223372036854775809",
					    "92233720368547758070",
					    "99999999999999999999999999",
					    "nan",
					    "1_0",
					    "\xef\xbc\x91"};
	int64_t value;

	(void)unused;
	for (size_t k = 0; k < COUNT(good); ++k) {
		assert_true(parse_integer(good[k].text, &value));
		assert_true(value == good[k].value);
	}
	for (size_t k = 0; k < COUNT(wrong); ++k)
		if (parse_integer(wrong[k], &value))
			fail_msg("'%s' is accepted as %lld", wrong[k], (long long)value);
}

static void test_whole_numbers_may_have_exponents(void **unused)
{
	static const struct {
		const char *text;
		int64_t value;
	} good[] = {{"0", 0},
		    {"-17", -17},
		    {"1e6", 1000000},
		    {"1E+06", 1000000},
		    {"1.5e3", 1500},
		    {"-2.50e1", -25},
		    {"100e-2", 1},
		    {"0e5", 0},
		    {"0.5e1", 5},
		    {"7e0", 7},
		    {"9.007199254740993e15", 9007199254740993}, /* 2^53 + 1, which no double is */
		    {"9223372036854775807e0", INT64_MAX},
		    {"9e18", 9000000000000000000}};
	static const char *const wrong[] = {
	    "",     "e3",   "1e",   "1e+",   "1.5e0", "1.25e1", "1e-1",  "1e19",  "1e99999999999", "1.0",
	    "01e3", "1.e3", ".5e1", "1e3.0", "1e3 ",  "--1e3",  "1e--3", "0x1e3", "1,5e3"};
	int64_t value;

	(void)unused;
	for (size_t k = 0; k < COUNT(good); ++k) {
		const char *text = good[k].text;
		if (!text_parse_whole(text, text + strlen(text), &value) || value != good[k].value)
			fail_msg("'%s' is not read", text);
	}
	for (size_t k = 0; k < COUNT(wrong); ++k)
		if (text_parse_whole(wrong[k], wrong[k] + strlen(wrong[k]), &value))
			fail_msg("'%s' is accepted as %lld", wrong[k], (long long)value);
}

static void test_printing_is_short(void **unused)
{
	static const struct {
		double x;
		const char *text;
	} cases[] = {{0.1, "0.1"},
		     {4.2614, "4.2614"},
		     {1e-6, "1e-06"},
		     {20, "20"},
		     {0, "0"},
		     {-0.0, "-0"},
		     {1e22, "1e+22"},
		     {1. / 3, "0.33333333333333331"},
		     {123456789, "123456789"},
		     {0.3, "0.3"},
		     {0.1 + 0.2, "0.30000000000000004"},
		     {5e-324, "4.94065645841247e-324"}};
	char buffer[32];

	(void)unused;
	for (size_t k = 0; k < COUNT(cases); ++k)
		assert_string_equal(text_format_real(cases[k].x, buffer), cases[k].text);
}

/* A caller's program may have set a locale with decimal commas. */
static void test_numbers_do_not_depend_on_the_locale(void **unused)
{
	static const char *const with_comma[] = {"de_DE.UTF-8", "de_DE.utf8",  "de_DE",
						 "fr_FR.UTF-8", "fr_FR.utf8",  "fr_FR",
						 "nl_NL.UTF-8", "es_ES.UTF-8", "it_IT.UTF-8"};
	const char *set = NULL;
	char buffer[32] = "";
	double short_one = 0, long_one = 0;

	(void)unused;
	for (size_t k = 0; k < COUNT(with_comma) && set == NULL; ++k)
		set = setlocale(LC_ALL, with_comma[k]);
	if (set == NULL)
		skip();
	bool read = parse_real("1.5", &short_one) && parse_real("1.2345678901234567890123", &long_one);
	text_format_real(1.5, buffer);
	setlocale(LC_ALL, "C");
	assert_true(read);
	assert_true(short_one == 1.5 && long_one == 1.2345678901234567890123);
	assert_string_equal(buffer, "1.5");
}

static void test_text_keeps_all_appended_parts(void **unused)
{
	struct text text = {0};

	(void)unused;
	for (int k = 0; k < 10000; ++k)
		text_append(&text, "%d,", k % 10);
	text_append_real(&text, 0.25);
	assert_status(SONDE_OK, text_status(&text));
	assert_int_equal(text.size, 20004);
	assert_int_equal(strlen(text.bytes), text.size);
	assert_string_equal(text.bytes + 19990, "5,6,7,8,9,0.25");
	text_free(&text);
	assert_null(text.bytes);
	assert_int_equal(text.size, 0);
}

/* The same bytes as printf's, everywhere. */
static void test_scientific_has_the_bytes_of_printf(void **unused)
{
	static const double edges[] = {0.0,
				       -0.0,
				       1.0,
				       9.9999999995,
				       9.99999999949999,
				       0.99999999995,
				       1e22,
				       1e23,
				       5e-324,
				       1.7976931348623157e308,
				       1e99,
				       9.9999999999e99,
				       1e100,
				       1e-99,
				       9e-100,
				       1e27,
				       1e36,
				       1e37,
				       1e-18,
				       1e-19,
				       1234567890.5,
				       12345678905.0,
				       2.5e-10,
				       INFINITY,
				       -INFINITY};
	uint64_t state = 88172645463325252U;
	char wanted[64];
	(void)unused;

	for (int n = 0; n < 300000; ++n) {
		struct text text = {0};
		double x;
		if (n < (int)(sizeof edges / sizeof *edges)) {
			x = edges[n];
		} else {
			state ^= state << 13;
			state ^= state >> 7;
			state ^= state << 17;
			/* any bits, numbers of common size, and such that end in 5 after ten digits */
			memcpy(&x, &state, sizeof x);
			if (n % 3 == 1)
				x = ((double)(state >> 11) / 9007199254740992.0 - 0.5) *
				    pow(10.0, (double)(n % 30) - 15.0);
			if (n % 3 == 2)
				x = (double)(state % 10000000000) + 0.5;
		}
		if (isnan(x))
			continue;
		text_append_scientific(&text, x, n % 2 == 1);
		snprintf(wanted, sizeof wanted, n % 2 == 1 ? "%.9E" : "%.9e", x);
		assert_string_equal(text.bytes, wanted);
		assert_int_equal(strlen(text.bytes), text.size);
		text_append_byte(&text, '\n');
		assert_int_equal(text.bytes[text.size - 1], '\n');
		text_free(&text);
	}
}

static void test_text_remembers_a_failure(void **unused)
{
	struct text text = {0};

	(void)unused;
	text_append(&text, "kept");
	memory_fail_after(1);
	for (int k = 0; k < 100; ++k)
		text_append(&text, "0123456789");
	memory_fail_after(0);
	assert_status(SONDE_RESOURCE, text_status(&text));
	assert_true(strncmp(text.bytes, "kept", 4) == 0);
	text_free(&text);
	assert_status(SONDE_OK, text_status(&text));
}

static void test_distance_counts_changes(void **unused)
{
	(void)unused;
	assert_int_equal(text_distance("", ""), 0);
	assert_int_equal(text_distance("sphere", "sphere"), 0);
	assert_int_equal(text_distance("sphere", "sphre"), 2);
	assert_int_equal(text_distance("sphere", "spheere"), 2);
	assert_int_equal(text_distance("sphere", "sphare"), 2);
	assert_int_equal(text_distance("sphere", "sphree"), 2); /* neighbors swapped */
	assert_int_equal(text_distance("Sphere", "sphere"), 1);
	assert_int_equal(text_distance("", "abc"), 6);
	assert_int_equal(text_distance("kitten", "sitting"), 6);
	assert_int_equal(text_distance("abc", "xyz"), text_distance("xyz", "abc"));
}

static const char *nearest(const char *word)
{
	static const char *const known[] = {"sphere", "box", "cylinder", "supercell", "species", "a"};
	struct nearest_word nearest = {.word = word};

	for (size_t k = 0; k < COUNT(known); ++k)
		nearest_word_offer(&nearest, known[k]);
	return nearest.best;
}

static void test_nearest_word_is_suggested(void **unused)
{
	char hint[64];
	struct nearest_word found = {.word = "bx", .best = "box"}, none = {.word = "bx"};

	(void)unused;
	assert_string_equal(nearest("spere"), "sphere");
	assert_string_equal(nearest("spehre"), "sphere");
	assert_string_equal(nearest("Box"), "box");
	assert_string_equal(nearest("cylindre"), "cylinder");
	assert_string_equal(nearest("supercel"), "supercell");
	assert_null(nearest("temperature"));
	assert_null(nearest("quux"));
	assert_string_equal(nearest_word_hint(&found, hint, sizeof hint), ", did you mean 'box'?");
	assert_string_equal(nearest_word_hint(&none, hint, sizeof hint), "");
}

static void test_long_words_are_near_to_nothing(void **unused)
{
	char word[1001];

	(void)unused;
	for (size_t length = 40; length < sizeof word; length += 60) {
		memset(word, 'x', length);
		word[length] = '\0';
		if (nearest(word) != NULL)
			fail_msg("for %zu times 'x' the hint is '%s'", length, nearest(word));
	}
}

static void append_squares(const void *user, int64_t first, int64_t end, struct text *text)
{
	for (int64_t n = first; n < end; ++n)
		text_append(text, "%lld %s\n", (long long)(n * n), (const char *)user);
}

static void test_rows_are_in_order_on_any_number_of_threads(void **state)
{
	const int64_t begin = 7, end = 600001; /* more than fit into one round */
	struct text expected = {0};
	(void)state;

	append_squares("is one", begin, end, &expected);
	for (int threads = 1; threads < 6; threads += 2) {
		struct text text = {0};
		text_append_rows(&text, threads, begin, end, append_squares, "is one");
		assert_status(SONDE_OK, text_status(&text));
		assert_int_equal(text.size, expected.size);
		assert_string_equal(text.bytes, expected.bytes);
		text_free(&text);
	}
	text_free(&expected);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_whole_numbers_may_have_exponents),
	    cmocka_unit_test(test_random_numbers_are_correctly_rounded),
	    cmocka_unit_test(test_short_numbers_are_those_of_strtod),
	    cmocka_unit_test(test_short_numbers_end_at_blanks),
	    cmocka_unit_test(test_random_doubles_read_back),
	    cmocka_unit_test(test_rows_are_in_order_on_any_number_of_threads),
	    cmocka_unit_test(test_hard_numbers_are_correctly_rounded),
	    cmocka_unit_test(test_what_is_no_number_is_refused),
	    cmocka_unit_test(test_numbers_end_where_they_are_said_to_end),
	    cmocka_unit_test(test_integers_have_digits_only),
	    cmocka_unit_test(test_printing_is_short),
	    cmocka_unit_test(test_numbers_do_not_depend_on_the_locale),
	    cmocka_unit_test(test_text_keeps_all_appended_parts),
	    cmocka_unit_test(test_scientific_has_the_bytes_of_printf),
	    cmocka_unit_test(test_text_remembers_a_failure),
	    cmocka_unit_test(test_distance_counts_changes),
	    cmocka_unit_test(test_nearest_word_is_suggested),
	    cmocka_unit_test(test_long_words_are_near_to_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
