#include "match/peaks.h"

#include <math.h>
#include <stdbool.h>

#define LARGEST_PART 4 /* of the curve: widest windows */

struct window {
	int64_t first, end;
};

static bool overlaps(const struct window *windows, int count, int64_t first, int64_t end)
{
	for (int k = 0; k < count; ++k)
		if (first < windows[k].end && end > windows[k].first)
			return true;
	return false;
}

/* The most significant window that does not overlap earlier ones. */
static double find_window(const double *residual, const double *inverse_sigma, int64_t count,
			  const struct window *windows, int found, struct window *best)
{
	double largest = 0.0;

	for (int64_t width = 1; width <= (count > LARGEST_PART ? count / LARGEST_PART : 1);
	     width += 2 + width / 8 * 2) {
		double sum = 0.0;
		for (int64_t k = 0; k < width; ++k)
			sum += residual[k] * inverse_sigma[k];
		for (int64_t first = 0; first + width <= count; ++first) {
			const double significance = fabs(sum) / sqrt((double)width);
			if (significance > largest && !overlaps(windows, found, first, first + width)) {
				largest = significance;
				*best = (struct window){first, first + width};
			}
			if (first + width < count)
				sum += residual[first + width] * inverse_sigma[first + width] -
				       residual[first] * inverse_sigma[first];
		}
	}
	return largest;
}

int find_peaks(const double *x, const double *residual, const double *inverse_sigma, int64_t count, double least,
	       struct residual_peak peaks[MOST_PEAKS])
{
	struct window windows[MOST_PEAKS];
	int found = 0;

	while (found < MOST_PEAKS) {
		struct window window = {0, 1};
		const double significance = find_window(residual, inverse_sigma, count, windows, found, &window);
		if (!(significance >= least))
			break;
		double moment = 0.0, weight = 0.0, sum = 0.0;
		for (int64_t k = window.first; k < window.end; ++k) {
			moment += fabs(residual[k]) * x[k];
			weight += fabs(residual[k]);
			sum += residual[k];
		}
		peaks[found] = (struct residual_peak){.position = weight > 0.0 ? moment / weight : x[window.first],
						      .width = x[window.end - 1] - x[window.first],
						      .height = sum / (double)(window.end - window.first),
						      .significance = significance};
		windows[found++] = window;
	}
	return found;
}
