/* Numbers with units, alone and as options. */
#include "unit/support.h"

#include <math.h>
#include <string.h>

#include "base/units.h"
#include "base/options.h"

#define EV (1.602176634e-19 / 6.62607015e-34)

static bool parse(const char *unit, const char *text, double *value)
{
	*value = -1.0;
	return unit_parse_real(unit, text, text + strlen(text), value);
}

static void test_numbers_with_units_are_read(void **unused)
{
	static const struct {
		const char *unit, *text;
		double value;
	} cases[] = {{"m", "500 nm", 500e-9},     {"m", "500nm", 500e-9},
		     {"m", "0.3", 0.3},           {"m", "-1.5um", -1.5e-6},
		     {"m", "2 \xc2\xb5m", 2e-6},  {"m", "2 \xce\xbcm", 2e-6},
		     {"m", "7 m", 7.0},           {"m", "3 mm", 3e-3},
		     {"m", "1.25 cm", 1.25e-2},   {"m", "1e3 nm", 1e-6},
		     {"s", "10min", 600.0},       {"s", "1.5 h", 5400.0},
		     {"m", "12 A", 12e-10},       {"m", "1.5e3 Angstrom", 1.5e-7},
		     {"m", "3\xc3\x85", 3e-10},   {"A", "12", 12.0},
		     {"A", "12 A", 12.0},         {"A", "0.7 nm", 7.0},
		     {"A", "60.1nm", 601.0},      {"A", "2 \xc2\xb5m", 2e4},
		     {"A", "-1 m", -1e10},        {"s", "10 fs", 10e-15},
		     {"s", "1. ps", 1e-12},       {"Hz", "193.4 THz", 193.4e12},
		     {"Hz", "2.45GHz", 2.45e9},   {"Hz", "50 Hz", 50.0},
		     {"rad/s", "2 Prad/s", 2e15}, {"Hz", "1 eV", EV},
		     {"Hz", "2.5eV", 2.5 * EV},   {"Hz", "25 meV", 25e-3 * EV},
		     {"S/m", "5 MS/m", 5e6},      {"m", "2.5e-1 km", 250.0}};

	(void)unused;
	for (size_t k = 0; k < COUNT(cases); ++k) {
		double value;
		if (!parse(cases[k].unit, cases[k].text, &value))
			fail_msg("'%s' is refused", cases[k].text);
		if (value != cases[k].value)
			fail_msg("'%s' is %.17g, not %.17g", cases[k].text, value, cases[k].value);
	}
}

static void test_named_units_are_read(void **unused)
{
	static const struct {
		enum unit_kind kind;
		const char *text;
		double bare, value; /* value NaN: refused */
	} cases[] = {{UNIT_ENERGY, "100keV", 1e3, 1e5},  {UNIT_ENERGY, "2 MeV", 1e3, 2e6},
		     {UNIT_ENERGY, "1e5eV", 1e3, 1e5},   {UNIT_ENERGY, "1e-1GeV", 1e3, 1e8},
		     {UNIT_ENERGY, "20", 1e3, 2e4},      {UNIT_ENERGY, "1e2", 1e3, 1e5},
		     {UNIT_ENERGY, "20", 0.0, NAN},      {UNIT_ENERGY, "20nm", 1e3, NAN},
		     {UNIT_ENERGY, "keV", 1e3, NAN},     {UNIT_ENERGY, "inf", 1e3, NAN},
		     {UNIT_LENGTH, "30A", 0.0, 3.0},     {UNIT_LENGTH, "30 Angstrom", 0.0, 3.0},
		     {UNIT_LENGTH, "1.5 um", 0.0, 1500}, {UNIT_LENGTH, "2\xc2\xb5m", 0.0, 2000},
		     {UNIT_LENGTH, "1 km", 0.0, NAN},    {UNIT_ANGLE, "2rad", 0.0, 2.0}};

	(void)unused;
	for (size_t k = 0; k < COUNT(cases); ++k) {
		const char *text = cases[k].text;
		double value = NAN;
		bool read = unit_parse_named(cases[k].kind, text, text + strlen(text), cases[k].bare, &value);
		if (read != !isnan(cases[k].value) || (read && fabs(value - cases[k].value) > 1e-12 * value))
			fail_msg("'%s' is %.17g, not %.17g", text, value, cases[k].value);
	}
}

static void test_invalid_numbers_are_refused(void **unused)
{
	static const struct {
		const char *unit, *text;
	} cases[] = {
	    {"m", ""},       {"m", "nm"},     {"m", "5 xm"},     {"m", "5 ns"},        {"m", "5 nmm"},
	    {"m", "5 n m"},  {"m", "m 5"},    {"m", "5 nm "},    {"m", "1e nm"},       {"m", "1e99999999 nm"},
	    {"s", "5 nm"},   {"Hz", "5 THZ"}, {"m", "inf m"},    {"m", "1e400 km"},    {"m", "0x5 nm"},
	    {"m", "5,5 nm"}, {"m", "5 eV"},   {"A", "5 nA"},     {"A", "5 nAngstrom"}, {"A", "A"},
	    {"m", "5 nA"},   {"A", "5 ns"},   {"rad/s", "5 eV"}, {"Hz", "1e300 PeV"}};

	(void)unused;
	for (size_t k = 0; k < COUNT(cases); ++k) {
		double value;
		if (parse(cases[k].unit, cases[k].text, &value))
			fail_msg("'%s' is taken as %g %s", cases[k].text, value, cases[k].unit);
	}
	assert_true(unit_takes_prefixes("m") && unit_takes_prefixes("S/m"));
	assert_false(unit_takes_prefixes("Angstrom") || unit_takes_prefixes("") || unit_takes_prefixes("eV"));
}

struct lengths {
	double length;
	sonde_vector place;
	sonde_grid frequencies;
};
static const struct option_row rows[] = {
    {OPTION_REAL, "length", "m", "1e-6", 0.0, 1.0, "", "", "", offsetof(struct lengths, length)},
    {OPTION_VECTOR, "place", "m", "0,0,0", -1.0, 1.0, "one", "", "", offsetof(struct lengths, place)},
    {OPTION_GRID, "frequencies", "Hz", "1:1:1", 0.0, 1e18, "", "", "", offsetof(struct lengths, frequencies)}};
static const struct option_table table = {"lengths", rows, 3, sizeof(struct lengths), false};

static void test_options_accept_units(void **unused)
{
	struct lengths lengths;
	(void)unused;

	options_set_defaults(&table, &lengths);
	assert_true(lengths.length == 1e-6);
	assert_status(SONDE_OK, option_parse(&rows[0], &lengths, "20 nm"));
	assert_true(lengths.length == 20e-9);
	assert_status(SONDE_OK, option_parse(&rows[1], &lengths, "1 um, -2nm,0.5"));
	assert_true(lengths.place.x == 1e-6 && lengths.place.y == -2e-9 && lengths.place.z == 0.5);
	assert_status(SONDE_OK, option_parse(&rows[1], &lengths, "3 nm"));
	assert_true(lengths.place.x == 3e-9 && lengths.place.z == 3e-9);
	assert_status(SONDE_OK, option_parse(&rows[2], &lengths, "100 THz:0.2 PHz:11"));
	assert_true(lengths.frequencies.first == 100e12 && lengths.frequencies.last == 0.2e15);
	assert_status(SONDE_INVALID, option_parse(&rows[0], &lengths, "20 ns"));
	assert_message("'20 ns' is not a number, or one with a unit, as in 5 nm");
	assert_status(SONDE_INVALID, option_parse(&rows[0], &lengths, "2 km"));
	assert_message("2000 is out of range: 0 to 1 m are possible");
	assert_true(lengths.length == 20e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_numbers_with_units_are_read), cmocka_unit_test(test_invalid_numbers_are_refused),
	    cmocka_unit_test(test_named_units_are_read), cmocka_unit_test(test_options_accept_units)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
