/* Detects numbers whose unit may have been forgotten: "wavelength: 600" means 600 m. */
#include <math.h>
#include <string.h>

#include "base/options.h"
#include "base/units.h"

/* Limits of plausible numbers without a unit. */
static const struct {
	const char *unit, *example;
	double above, below; /* a number is implausible above the first, and above 0 but below the second */
} remote[] = {{"m", "nm", 1e-3, 0.0}, {"s", "fs", 1e-6, 0.0}, {"Hz", "THz", INFINITY, 1e6}};

#define UNITS (sizeof remote / sizeof *remote)

static size_t find_unit(const struct option_row *row)
{
	size_t k = 0;

	while (k < UNITS && strcmp(remote[k].unit, row->unit) != 0)
		++k;
	return k;
}

void option_note_unit(const struct option_row *row, const char *text, const char *where, struct text *notes)
{
	const bool lists = row->type == OPTION_TEXT &&
			   (strcmp(row->choices, "list") == 0 || strcmp(row->choices, "commas") == 0),
		   clock = row->type == OPTION_REAL && row->choices[0] != '\0'; /* "clock", "interval" */
	const size_t unit = find_unit(row);
	double value;

	if (unit == UNITS || clock ||
	    !(lists || row->type == OPTION_REAL || row->type == OPTION_VECTOR || row->type == OPTION_GRID))
		return;
	/* the third part of a grid is its number of points */
	for (int part = 0; row->type != OPTION_GRID || part < 2; ++part) {
		const char *start = text + strspn(text, " "), *end = start + strcspn(start, ",:;");
		if (text_parse_real(start, end, &value) &&
		    (fabs(value) > remote[unit].above || (value != 0.0 && fabs(value) < remote[unit].below))) {
			text_append(notes, "%s: %g is taken as %g %s; is a unit missing, as in %g %s?\n", where,
				    value, value, row->unit, value, remote[unit].example);
			return;
		}
		if (*end == '\0')
			return;
		text = end + 1;
	}
}
