#include "matter/shape/shape_bins.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Maximum of the average entries per item: long thin items need many, or their bins contain many of them. */
#define LEAST_EACH 8
#define MOST_EACH 64
#define MOST_LOOKED_AT 64 /* bins */
#define ENTRIES (1 << 24) /* this many, unless there are as many items */

struct sorting {
	struct bins *bins;
	bins_outline *outline;
	const void *user;
	uint32_t count;
	double spare[2]; /* larger than rounding errors */
};

static void widen(double range[2], double value)
{
	range[0] = fmin(range[0], value);
	range[1] = fmax(range[1], value);
}

/* The range of u of an item between two lines of constant v. */
static void clip(double (*corners)[2], int count, double v0, double v1, double range[2])
{
	range[0] = INFINITY;
	range[1] = -INFINITY;
	for (int k = 0; k < count; ++k) {
		const double *a = corners[k], *b = corners[(k + 1) % count];
		if (a[1] >= v0 && a[1] <= v1)
			widen(range, a[0]);
		if ((a[1] < v0) != (b[1] < v0))
			widen(range, a[0] + (b[0] - a[0]) * ((v0 - a[1]) / (b[1] - a[1])));
		if ((a[1] > v1) != (b[1] > v1))
			widen(range, a[0] + (b[0] - a[0]) * ((v1 - a[1]) / (b[1] - a[1])));
	}
}

/* Where a row of bins begins; the first and the last are unbounded. */
static double row_begin(const struct bins *bins, int row)
{
	if (row == 0)
		return -INFINITY;
	return row == bins->counts[1] ? INFINITY : bins->low[1] + row / bins->scale[1];
}

/* Counts an item's entries in first[bin + 2], or writes them at first[bin + 1]; returns their number. */
static uint64_t enter(const struct sorting *sorting, uint32_t item, bool write)
{
	struct bins *bins = sorting->bins;
	double corners[3][2], range[2] = {INFINITY, -INFINITY};
	int count = sorting->outline(sorting->user, item, corners);
	uint64_t entries = 0;

	for (int k = 0; k < count; ++k)
		widen(range, corners[k][1]);
	if (range[0] == range[1] || (count == 3 && corners[0][0] == corners[1][0] && corners[0][0] == corners[2][0]))
		return 0;
	int last_row = bins_index(bins, 1, range[1]);
	for (int row = bins_index(bins, 1, range[0]); row <= last_row; ++row) {
		clip(corners, count, row_begin(bins, row) - sorting->spare[1],
		     row_begin(bins, row + 1) + sorting->spare[1], range);
		int first = bins_index(bins, 0, range[0] - sorting->spare[0]),
		    last = bins_index(bins, 0, range[1] + sorting->spare[0]);
		uint32_t *bin = &bins->first[(int64_t)row * bins->counts[0]];
		for (int column = first; column <= last; ++column, ++entries) {
			if (write)
				bins->items[bin[column + 1]++] = item;
			else
				++bin[column + 2];
		}
	}
	return entries;
}

static void set_counts(struct bins *bins, const double low[2], const double high[2], const int counts[2])
{
	for (int k = 0; k < 2; ++k) {
		double scale = counts[k] / (high[k] - low[k]);
		bins->low[k] = low[k];
		bins->counts[k] = scale < DBL_MAX ? counts[k] : 1;
		bins->scale[k] = scale < DBL_MAX ? scale : 0.0;
	}
}

/* Counts the entries of all bins; false if there are too many. */
static bool count_entries(const struct sorting *sorting)
{
	struct bins *bins = sorting->bins;
	int64_t bin_count = (int64_t)bins->counts[0] * bins->counts[1];
	uint64_t entries = 0, least = LEAST_EACH * (uint64_t)sorting->count,
		 most = MOST_EACH * (uint64_t)sorting->count;

	if (most > ENTRIES)
		most = least > ENTRIES ? least : ENTRIES;
	memset(bins->first, 0, (size_t)(bin_count + 2) * sizeof *bins->first);
	for (uint32_t item = 0; item < sorting->count; ++item) {
		entries += enter(sorting, item, false);
		if (entries > most && bin_count > 1)
			return false;
	}
	return true;
}

sonde_status bins_create(struct bins *bins, const int counts[2], const double low[2], const double high[2],
			 bins_outline *outline, const void *user, uint32_t count)
{
	struct sorting sorting = {bins, outline, user, count, {0.0, 0.0}};
	int now[2] = {counts[0] > 1 ? counts[0] : 1, counts[1] > 1 ? counts[1] : 1};
	sonde_status status;

	*bins = (struct bins){.first = NULL};
	for (int k = 0; k < 2; ++k)
		sorting.spare[k] = 64.0 * DBL_EPSILON * fmax(fabs(low[k]), fabs(high[k]));
	CHECK(memory_allocate(&bins->first, (size_t)now[0] * (size_t)now[1] + 2, sizeof *bins->first,
			      "bins of a shape"));
	set_counts(bins, low, high, now);
	while (!count_entries(&sorting)) {
		now[0] = now[0] > 1 ? now[0] / 2 : 1;
		now[1] = now[1] > 1 ? now[1] / 2 : 1;
		set_counts(bins, low, high, now);
	}
	int64_t bin_count = (int64_t)bins->counts[0] * bins->counts[1];
	for (int64_t bin = 2; bin < bin_count + 2; ++bin) {
		bins->most = bins->first[bin] > bins->most ? bins->first[bin] : bins->most;
		bins->first[bin] += bins->first[bin - 1];
	}
	CHECK_GOTO(status,
		   memory_allocate(&bins->items, bins->first[bin_count + 1], sizeof *bins->items, "bins of a shape"),
		   failed);
	for (uint32_t item = 0; item < count; ++item)
		enter(&sorting, item, true);
	return SONDE_OK;
failed:
	bins_free(bins);
	return status;
}

bool bins_any_near(const struct bins *bins, const double low[2], const double high[2], bins_near *near,
		   const void *user)
{
	const int begin[2] = {bins_index(bins, 0, low[0]), bins_index(bins, 1, low[1])},
		  last[2] = {bins_index(bins, 0, high[0]), bins_index(bins, 1, high[1])};

	if ((int64_t)(last[0] - begin[0] + 1) * (last[1] - begin[1] + 1) > MOST_LOOKED_AT)
		return true;
	for (int row = begin[1]; row <= last[1]; ++row)
		for (int column = begin[0]; column <= last[0]; ++column) {
			const int64_t bin = (int64_t)row * bins->counts[0] + column;
			for (uint32_t k = bins->first[bin]; k < bins->first[bin + 1]; ++k)
				if (near(user, bins->items[k]))
					return true;
		}
	return false;
}

void bins_free(struct bins *bins)
{
	free(bins->first);
	free(bins->items);
	*bins = (struct bins){.first = NULL};
}
