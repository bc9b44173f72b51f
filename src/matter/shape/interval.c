#include "matter/shape/interval.h"

#include <math.h>

int intervals_without(const struct interval *intervals, int count, const struct interval *hollows, int hollow_count,
		      struct interval *left)
{
	int made = 0, h = 0;

	for (int n = 0; n < count; ++n) {
		double begin = intervals[n].begin;
		while (h > 0 && hollows[h - 1].end > begin)
			--h;
		for (; h < hollow_count && hollows[h].begin < intervals[n].end; ++h) {
			if (hollows[h].begin > begin)
				left[made++] = (struct interval){begin, hollows[h].begin};
			begin = fmax(begin, hollows[h].end);
		}
		if (begin < intervals[n].end)
			left[made++] = (struct interval){begin, intervals[n].end};
	}
	return made;
}
