/* Bins over a plane: to find the edges or triangles that may contain a point of the plane. */
#ifndef SONDE_MATTER_SHAPE_SHAPE_BINS_H
#define SONDE_MATTER_SHAPE_SHAPE_BINS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

struct bins {
	int counts[2];                 /* along u and along v */
	double low[2], scale[2];       /* bin = (place - low) * scale, clamped to 0 and count - 1 */
	uint32_t *first, *items, most; /* items[first[bin] .. first[bin + 1] - 1]; most in one bin */
};

/* The corners of an item in the plane: two or three. */
typedef int bins_outline(const void *user, uint32_t item, double corners[3][2]);

/* Sorts `count` items into about `counts` bins between low and high, fewer if long items would lie in too many. An
 * item lies in every bin that it reaches, with a tolerance for rounding; edges along u, and triangles that are edges
 * along u or v, in none. */
sonde_status bins_create(struct bins *bins, const int counts[2], const double low[2], const double high[2],
			 bins_outline *outline, const void *user, uint32_t count);
void bins_free(struct bins *bins);

/* Whether `near` holds for an item of the bins that a rectangle reaches, or there are too many bins to look at. */
typedef bool bins_near(const void *user, uint32_t item);
bool bins_any_near(const struct bins *bins, const double low[2], const double high[2], bins_near *near,
		   const void *user);

/* The items of the bin that contains a position. */
static inline int bins_index(const struct bins *bins, int k, double place)
{
	double index = (place - bins->low[k]) * bins->scale[k];

	return !(index > 0.0) ? 0 : index < bins->counts[k] ? (int)index : bins->counts[k] - 1;
}

static inline const uint32_t *bins_at(const struct bins *bins, double u, double v, uint32_t *count)
{
	int64_t bin = (int64_t)bins_index(bins, 1, v) * bins->counts[0] + bins_index(bins, 0, u);

	*count = bins->first[bin + 1] - bins->first[bin];
	return &bins->items[bins->first[bin]];
}

#endif
