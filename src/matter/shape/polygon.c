#include "matter/shape/polygon.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/text.h"
#include "base/units.h"

sonde_status polygon_parse(const char *text, const char *unit, double **vertices, int64_t *count)
{
	size_t capacity = 0;
	int64_t numbers = 0;

	while (*text != '\0') {
		size_t length = strcspn(text, ",;");
		const char *start = text, *end = text + length;
		while (start < end && *start == ' ')
			++start;
		while (end > start && end[-1] == ' ')
			--end;
		CHECK(memory_grow(vertices, &capacity, (size_t)numbers + 1, sizeof **vertices, "a prism"));
		char separator = text[length];
		bool second = numbers % 2 == 1;
		if (!unit_parse_real(unit, start, end, &(*vertices)[numbers]) || (separator == ',') == second)
			return status_fail_option(SONDE_INVALID, "vertices",
						  "write pairs of lengths, as in [[0, 0], [1 um, 0], [0, 1 um]]");
		++numbers;
		text += length + (separator != '\0');
	}
	*count = numbers / 2;
	return numbers >= 6 ? SONDE_OK
			    : status_fail_option(SONDE_INVALID, "vertices", "a prism needs at least three corners");
}

/* The neighbor of a corner at another position, in steps of `step`. */
static const double *other_corner(const double *vertices, int64_t count, int64_t corner, int64_t step)
{
	const double *here = vertices + 2 * corner, *other = here;

	for (int64_t n = 1; n < count && other[0] == here[0] && other[1] == here[1]; ++n)
		other = vertices + 2 * ((corner + n * step + n * count) % count);
	return other;
}

sonde_status polygon_grow(double *vertices, int64_t count, double more)
{
	double *grown, area = 0.0;

	CHECK(memory_allocate(&grown, 2 * (size_t)count, sizeof *grown, "a prism"));
	for (int64_t n = 0; n < count; ++n) {
		const double *a = vertices + 2 * n, *b = vertices + 2 * ((n + 1) % count);
		area += 0.5 * (a[0] * b[1] - a[1] * b[0]);
	}
	for (int64_t n = 0; n < count; ++n) {
		const double *here = vertices + 2 * n, *before = other_corner(vertices, count, n, -1),
			     *next = other_corner(vertices, count, n, 1);
		const double in[2] = {here[0] - before[0], here[1] - before[1]},
			     out[2] = {next[0] - here[0], next[1] - here[1]};
		const double outwards = area < 0.0 ? -more : more, first = hypot(in[0], in[1]),
			     second = hypot(out[0], out[1]),
			     cosine = (in[0] * out[0] + in[1] * out[1]) / (first * second);
		/* acute corners are limited */
		const double length = first > 0.0 && second > 0.0 ? outwards / fmax(1.0 + cosine, 0.1) : 0.0;
		grown[2 * n] = here[0] + (length != 0.0 ? length * (in[1] / first + out[1] / second) : 0.0);
		grown[2 * n + 1] = here[1] - (length != 0.0 ? length * (in[0] / first + out[0] / second) : 0.0);
	}
	memcpy(vertices, grown, 2 * (size_t)count * sizeof *grown);
	free(grown);
	return SONDE_OK;
}
