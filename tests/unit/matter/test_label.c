/* Labels of atoms. */
#include "unit/support.h"

#include "matter/elements/label.h"
#include "unit/table_file.h"

static void assert_label(const char *text, int atomic_number, int mass_number, int charge)
{
	struct label label = {-1, -1, -99};

	assert_status(SONDE_OK, label_parse(text, &label));
	if (label.atomic_number != atomic_number || label.mass_number != mass_number || label.charge != charge)
		fail_msg("'%s': Z = %d, A = %d, charge %d", text, label.atomic_number, label.mass_number,
			 label.charge);
}

static void test_symbols_have_their_atomic_numbers(void **unused)
{
	static const struct {
		const char *symbol;
		int number;
	} known[] = {{"H", 1},  {"He", 2},  {"C", 6},   {"O", 8},   {"Na", 11}, {"Si", 14},
		     {"K", 19}, {"Fe", 26}, {"Co", 27}, {"Cd", 48}, {"I", 53},  {"Gd", 64},
		     {"W", 74}, {"Au", 79}, {"U", 92},  {"Cf", 98}, {"Og", 118}};

	(void)unused;
	for (size_t k = 0; k < COUNT(known); ++k) {
		assert_label(known[k].symbol, known[k].number, 0, 0);
		assert_int_equal(element_number(known[k].symbol), known[k].number);
		assert_string_equal(element_symbol(known[k].number), known[k].symbol);
	}
	for (int z = 1; z <= ELEMENTS; ++z) {
		assert_int_equal(element_number(element_symbol(z)), z);
		assert_label(element_symbol(z), z, 0, 0);
	}
	assert_int_equal(element_number("co"), 0);
	assert_int_equal(element_number(""), 0);
	assert_int_equal(element_number("n"), 0);
}

/* Symbols and numbers of the tables, which come from elsewhere. */
static void check_symbol(const struct table_row *row)
{
	int number = atoi(row->field[1]);

	if (number > 0) /* the neutron itself is in the table of neutrons */
		assert_int_equal(element_number(row->field[0]), strcmp(row->field[0], "D") == 0 ? 0 : number);
}

static void test_symbols_of_the_tables(void **unused)
{
	(void)unused;
	assert_true(table_visit("neutron_scattering_lengths.csv", check_symbol) > 300);
	assert_true(table_visit("neutron_sears1992_nist.csv", check_symbol) > 80);
}

static void test_ions_have_their_charges(void **unused)
{
	(void)unused;
	assert_label("Co2+", 27, 0, 2);
	assert_label("Na+", 11, 0, 1);
	assert_label("Na1+", 11, 0, 1);
	assert_label("O2-", 8, 0, -2);
	assert_label("Cl-", 17, 0, -1);
	assert_label("Cl1-", 17, 0, -1);
	assert_label("U6+", 92, 0, 6);
	assert_label("H-", 1, 0, -1);
}

static void test_isotopes_have_their_mass_numbers(void **unused)
{
	(void)unused;
	assert_label("58Ni", 28, 58, 0);
	assert_label("2H", 1, 2, 0);
	assert_label("1H", 1, 1, 0);
	assert_label("D", 1, 2, 0);
	assert_label("T", 1, 3, 0);
	assert_label("235U", 92, 235, 0);
	assert_label("58Ni2+", 28, 58, 2);
	assert_label("D+", 1, 2, 1);
}

static void assert_unknown(const char *text, const char *hint)
{
	struct label label = {7, 7, 7};
	char words[100];

	if (label_parse(text, &label) != SONDE_INVALID)
		fail_msg("'%s' is accepted", text);
	assert_message("unknown species '");
	assert_true(label.atomic_number == 7 && label.mass_number == 7 && label.charge == 7);
	snprintf(words, sizeof words, "did you mean '%s'?", hint != NULL ? hint : "");
	if (hint != NULL)
		assert_message(words);
}

static void test_what_is_no_label(void **unused)
{
	static const char *const wrong[] = {"",
					    " ",
					    "Co ",
					    " Co",
					    "co",
					    "CO",
					    "Xx",
					    "Coo",
					    "Cobalt",
					    "2",
					    "2+",
					    "+",
					    "-",
					    "Co+2",
					    "Co2",
					    "Co2+-",
					    "Co++",
					    "Co2+x",
					    "Co0+",
					    "0Ni",
					    "058Ni",
					    "58",
					    "2D",
					    "3T",
					    "Ni58",
					    "Co2.5+",
					    "1000000Ni",
					    "Co1000+",
					    "99999999999999999999Ni",
					    "Co99999999999999999999+",
					    "Co,O",
					    "Co-O",
					    "C o",
					    "\xc3\x85",
					    "Co\n",
					    "n",
					    "Uuo",
					    "Wat",
					    "H2O",
					    "Cu2O"};

	(void)unused;
	for (size_t k = 0; k < COUNT(wrong); ++k)
		assert_unknown(wrong[k], NULL);
}

static void test_misspelled_labels_get_hints(void **unused)
{
	(void)unused;
	assert_unknown("co", "Co");
	assert_unknown("AU", "Au");
	assert_unknown("fE", "Fe");
	assert_unknown("Fee", "Fe");
	assert_unknown("co2+", "Co");
	assert_unknown("58ni", "Ni");
}

static void test_repeated_letters_are_refused_at_any_length(void **unused)
{
	char text[2000];

	(void)unused;
	for (size_t length = 1; length < sizeof text - 1; length += 37) {
		static const char letters[] = "xN9+";
		for (size_t k = 0; k < 4; ++k) {
			memset(text, letters[k], length);
			text[length] = '\0';
			if (strcmp(text, "N") != 0)
				assert_unknown(text, NULL);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_symbols_have_their_atomic_numbers),
	    cmocka_unit_test(test_symbols_of_the_tables),
	    cmocka_unit_test(test_ions_have_their_charges),
	    cmocka_unit_test(test_isotopes_have_their_mass_numbers),
	    cmocka_unit_test(test_what_is_no_label),
	    cmocka_unit_test(test_misspelled_labels_get_hints),
	    cmocka_unit_test(test_repeated_letters_are_refused_at_any_length),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
