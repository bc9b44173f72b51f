#include "matter/shape/shape_common.h"

#include <math.h>
#include <stdlib.h>

sonde_status shape_check_size(const char *what, double size)
{
	if (!isfinite(size) || size <= 0.0)
		return status_fail(SONDE_INVALID, "%s = %g: must be a finite number above 0", what, size);
	if (size < SHAPE_LEAST || size > SHAPE_MOST)
		return status_fail(SONDE_INVALID, "%s = %g: must lie between %g and %g", what, size, SHAPE_LEAST,
				   SHAPE_MOST);
	return SONDE_OK;
}

sonde_status shape_check_place(const char *what, const double place[3])
{
	for (int k = 0; k < 3; ++k)
		if (!(fabs(place[k]) <= SHAPE_MOST)) /* nor NaN */
			return status_fail(SONDE_INVALID, "%s %c = %g: must be a finite number within %g", what,
					   "xyz"[k], place[k], SHAPE_MOST);
	return SONDE_OK;
}

static int compare_crossings(const void *a, const void *b)
{
	double one = ((const struct interval *)a)->begin, other = ((const struct interval *)b)->begin;

	return (one > other) - (one < other);
}

static void sort_crossings(struct interval *crossings, int count)
{
	enum { MANY = 32 };

	if (count > MANY) {
		qsort(crossings, (size_t)count, sizeof *crossings, compare_crossings);
		return;
	}
	for (int k = 1; k < count; ++k) {
		struct interval crossing = crossings[k];
		int to = k;
		for (; to > 0 && crossings[to - 1].begin > crossing.begin; --to)
			crossings[to] = crossings[to - 1];
		crossings[to] = crossing;
	}
}

int crossings_to_intervals(struct interval *crossings, int count)
{
	double around = 0.0, begin = 0.0;
	int made = 0; /* an interval needs two crossings: none is overwritten before it is read */

	sort_crossings(crossings, count);
	for (int k = 0; k < count; ++k) {
		double where = crossings[k].begin, before = around;
		around += crossings[k].end;
		if (before == 0.0)
			begin = where;
		if (around != 0.0 || before == 0.0 || !(begin < where))
			continue;
		if (made > 0 && crossings[made - 1].end == begin)
			crossings[made - 1].end = where;
		else
			crossings[made++] = (struct interval){begin, where};
	}
	return made;
}
