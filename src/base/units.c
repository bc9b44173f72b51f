#include "base/constants.h"
#include "base/units.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define HERTZ_OF_EV (ELEMENTARY_CHARGE / PLANCK) /* frequency of a photon per energy: e/h, both exact */

bool unit_takes_prefixes(const char *unit)
{
	static const char *const units[] = {"m", "s", "Hz", "rad/s", "S/m", "A"};

	for (size_t k = 0; k < sizeof units / sizeof *units; ++k)
		if (strcmp(unit, units[k]) == 0)
			return true;
	return false;
}

/* The power of ten of the prefix of the unit; `length` bytes. */
static bool find_prefix(const char *prefix, size_t length, int *power)
{
	static const struct {
		const char *prefix;
		int power;
	} prefixes[] = {{"", 0},   {"f", -15}, {"p", -12}, {"n", -9}, {"u", -6}, {"\xc2\xb5", -6}, {"\xce\xbc", -6},
			{"m", -3}, {"c", -2},  {"k", 3},   {"M", 6},  {"G", 9},  {"T", 12},        {"P", 15}};

	for (size_t k = 0; k < sizeof prefixes / sizeof *prefixes; ++k)
		if (strlen(prefixes[k].prefix) == length && memcmp(prefixes[k].prefix, prefix, length) == 0) {
			*power = prefixes[k].power;
			return true;
		}
	return false;
}

/* The exponents of the number and the unit are added, so that rounding is done once. */
static bool parse_scaled(const char *start, const char *end, int power, double *value)
{
	char text[128];
	const char *e = start;
	double exponent = 0.0;

	while (e < end && *e != 'e' && *e != 'E')
		++e;
	if (e < end && !text_parse_real(e + 1, end, &exponent))
		return false;
	if (exponent > 9999.0 || exponent < -9999.0 || exponent != (double)(int)exponent ||
	    (size_t)(e - start) > sizeof text - 16)
		return false;
	int length = snprintf(text, sizeof text, "%.*se%d", (int)(e - start), start, (int)exponent + power);
	return text_parse_real(text, text + length, value);
}

/* With the unit after it, times ten to the power `more`. */
static bool parse_with_unit(const char *unit, const char *start, const char *end, int more, double *value)
{
	size_t length = strlen(unit);
	const char *number_end, *prefix;
	int power;

	if ((size_t)(end - start) < length || memcmp(end - length, unit, length) != 0)
		return false;
	number_end = prefix = end - length;
	/* a number ends with a digit or a point */
	while (number_end > start && !((number_end[-1] >= '0' && number_end[-1] <= '9') || number_end[-1] == '.'))
		--number_end;
	const char *begin = number_end;
	while (begin < prefix && *begin == ' ')
		++begin;
	return find_prefix(begin, (size_t)(prefix - begin), &power) &&
	       parse_scaled(start, number_end, power + more, value);
}

/* "12 A", "12 Angstrom": without prefix. */
static bool parse_angstrom(const char *start, const char *end, int power, double *value)
{
	static const char *const names[] = {"A", "Angstrom", "\xc3\x85" /* with a ring */};

	for (size_t k = 0; k < sizeof names / sizeof *names; ++k) {
		size_t length = strlen(names[k]);
		const char *number_end = end - length;
		if ((size_t)(end - start) <= length || memcmp(number_end, names[k], length) != 0)
			continue;
		while (number_end > start && number_end[-1] == ' ')
			--number_end;
		if (parse_scaled(start, number_end, power, value))
			return true;
	}
	return false;
}

/* "10 min", "2h": without prefix. */
static bool parse_minutes(const char *start, const char *end, double *value)
{
	static const struct {
		const char *name;
		double seconds;
	} units[] = {{"min", 60.0}, {"h", 3600.0}};

	for (size_t k = 0; k < sizeof units / sizeof *units; ++k) {
		size_t length = strlen(units[k].name);
		const char *number_end = end - length;
		if ((size_t)(end - start) <= length || memcmp(number_end, units[k].name, length) != 0)
			continue;
		while (number_end > start && number_end[-1] == ' ')
			--number_end;
		if (!text_parse_real(start, number_end, value))
			return false;
		*value *= units[k].seconds;
		return isfinite(*value);
	}
	return false;
}

bool unit_parse_real(const char *unit, const char *start, const char *end, double *value)
{
	if (text_parse_real(start, end, value))
		return true;
	if (strcmp(unit, "A") == 0)
		return parse_angstrom(start, end, 0, value) || parse_with_unit("m", start, end, 10, value);
	if (parse_with_unit(unit, start, end, 0, value))
		return true;
	if (strcmp(unit, "m") == 0)
		return parse_angstrom(start, end, -10, value);
	if (strcmp(unit, "s") == 0)
		return parse_minutes(start, end, value);
	if (strcmp(unit, "Hz") != 0 || !parse_with_unit("eV", start, end, 0, value))
		return false;
	*value *= HERTZ_OF_EV;
	return isfinite(*value);
}

static const struct {
	const char *name;
	enum unit_kind kind;
	double factor; /* to eV, nanometers, radians */
} named[] = {{"eV", UNIT_ENERGY, 1.0},        {"keV", UNIT_ENERGY, 1e3}, {"MeV", UNIT_ENERGY, 1e6},
	     {"GeV", UNIT_ENERGY, 1e9},       {"A", UNIT_LENGTH, 0.1},   {"Angstrom", UNIT_LENGTH, 0.1},
	     {"nm", UNIT_LENGTH, 1.0},        {"um", UNIT_LENGTH, 1e3},  {"\xc2\xb5m", UNIT_LENGTH, 1e3},
	     {"\xce\xbcm", UNIT_LENGTH, 1e3}, {"mm", UNIT_LENGTH, 1e6},  {"deg", UNIT_ANGLE, DEGREE},
	     {"degrees", UNIT_ANGLE, DEGREE}, {"rad", UNIT_ANGLE, 1.0}};

bool unit_find(enum unit_kind kind, const char *start, const char *end, double *factor)
{
	for (size_t k = 0; k < sizeof named / sizeof *named; ++k) {
		size_t length = strlen(named[k].name);
		if (named[k].kind != kind || (size_t)(end - start) != length ||
		    memcmp(start, named[k].name, length) != 0)
			continue;
		*factor = named[k].factor;
		return true;
	}
	return false;
}

const char *unit_names(enum unit_kind kind)
{
	static const char *const names[] = {
	    [UNIT_ENERGY] = "eV, keV, MeV, GeV", [UNIT_LENGTH] = "A, nm, um, mm", [UNIT_ANGLE] = "deg, rad"};

	return names[kind];
}

/* Letters, including bytes of those beyond ASCII. */
static bool is_of_name(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

bool unit_parse_named(enum unit_kind kind, const char *start, const char *end, double bare, double *value)
{
	const char *unit = end;
	double factor = bare, number;

	while (unit > start && is_of_name(unit[-1]))
		--unit;
	const char *number_end = unit;
	while (number_end > start && number_end[-1] == ' ')
		--number_end;
	if (unit == end ? !(bare > 0.0) : !unit_find(kind, unit, end, &factor))
		return false;
	if (!text_parse_real(start, number_end, &number))
		return false;
	*value = number * factor;
	return true;
}

/* The last scale whose first value is not above |x|. */
static struct unit_scale choose(const double *firsts, const struct unit_scale *scales, size_t count, double x)
{
	size_t k = 0;

	while (k + 1 < count && fabs(x) >= firsts[k + 1])
		++k;
	return scales[k];
}

struct unit_scale unit_scale_length(double angstrom)
{
	static const double firsts[] = {0.0, 1e4, 1e7, 1e10};
	static const struct unit_scale scales[] = {
	    {1.0, "Å", "Angstrom"}, {1e-4, "µm", "um"}, {1e-7, "mm", "mm"}, {1e-10, "m", "m"}};

	return choose(firsts, scales, sizeof scales / sizeof *scales, angstrom);
}

struct unit_scale unit_scale_energy(double ev)
{
	static const double firsts[] = {0.0, 1e3, 1e6, 1e9};
	static const struct unit_scale scales[] = {
	    {1.0, "eV", "eV"}, {1e-3, "keV", "keV"}, {1e-6, "MeV", "MeV"}, {1e-9, "GeV", "GeV"}};

	return choose(firsts, scales, sizeof scales / sizeof *scales, ev);
}
