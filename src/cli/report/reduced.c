#include "cli/report/reduced.h"

#include <math.h>

#include "base/memory.h"
#include "cli/report/page_text.h"

#define MOST_CURVE 100000      /* numbers along a curve */
#define MOST_MAP 160000        /* numbers of a map or volume: 400 x 400, 54 x 54 x 54 */
#define MOST_BYTES (48U << 20) /* of all numbers in a page */

void reduced_init(struct reduced *array, const int64_t *sizes, int rank)
{
	*array = (struct reduced){.rank = rank};
	for (int k = 0; k < rank; ++k)
		array->sizes[k] = array->shape[k] = sizes[k];
}

void reduced_choose(struct reduced *array, int64_t *each)
{
	const double most = array->rank == 1 ? MOST_CURVE : MOST_MAP;
	const int64_t *sizes = array->sizes;
	double numbers = 1.0;

	for (int k = 0; k < array->rank; ++k) {
		each[k] = 1;
		numbers *= (double)sizes[k];
	}
	while (numbers > most) {
		int longest = 0;
		for (int k = 1; k < array->rank; ++k)
			longest = sizes[k] / each[k] > sizes[longest] / each[longest] ? k : longest;
		const double before = ceil((double)sizes[longest] / (double)each[longest]);
		++each[longest];
		numbers *= ceil((double)sizes[longest] / (double)each[longest]) / before;
	}
	for (int k = 0; k < array->rank; ++k)
		array->shape[k] = (sizes[k] + each[k] - 1) / each[k];
}

sonde_status reduced_average(const struct reduced *array, const int64_t *each, const double *values, double **means)
{
	int64_t total = 1, count = 1, index[REDUCED_MOST_RANK] = {0};
	double *sums, *numbers;

	*means = NULL;
	for (int k = 0; k < array->rank; ++k) {
		total *= array->sizes[k];
		count *= array->shape[k];
	}
	if (count == total)
		return SONDE_OK;
	CHECK(memory_allocate(&sums, 2 * (size_t)count, sizeof *sums, "a report"));
	numbers = sums + count;
	for (int64_t n = 0; n < total; ++n) {
		int64_t to = 0;
		for (int k = 0; k < array->rank; ++k)
			to = to * array->shape[k] + index[k] / each[k];
		if (!isnan(values[n])) {
			sums[to] += values[n];
			numbers[to] += 1.0;
		}
		for (int k = array->rank - 1; k >= 0 && ++index[k] == array->sizes[k]; --k)
			index[k] = 0;
	}
	for (int64_t n = 0; n < count; ++n)
		sums[n] = numbers[n] > 0.0 ? sums[n] / numbers[n] : NAN;
	*means = sums;
	return SONDE_OK;
}

/* Whether float32 has the numbers' exponents, and digits enough to draw them. */
static bool fits_single(const double *values, int64_t count)
{
	double most = 0.0;

	for (int64_t n = 0; n < count; ++n)
		if (isfinite(values[n]))
			most = fmax(most, fabs(values[n]));
	return most == 0.0 || (most > 1e-25 && most < 1e35);
}

static void append_sizes(struct text *page, const char *name, const int64_t *sizes, int rank)
{
	text_append(page, ",\"%s\":[", name);
	for (int k = 0; k < rank; ++k)
		text_append(page, "%s%lld", k > 0 ? "," : "", (long long)sizes[k]);
	text_append(page, "]");
}

void reduced_append(const struct reduced *array, const double *values, struct text *page)
{
	int64_t left = 1;

	append_sizes(page, "sizes", array->sizes, array->rank);
	if (values == NULL)
		return;
	append_sizes(page, "shape", array->shape, array->rank);
	for (int k = 0; k < array->rank; ++k)
		left *= array->shape[k];
	const bool single = (array->rank > 1 || array->cut) && fits_single(values, left);
	text_append(page, ",\"thinned\":%s,\"cut\":%s,\"absolute\":%s,\"type\":\"%s\",\"data\":",
		    array->thinned ? "true" : "false", array->cut ? "true" : "false",
		    array->absolute ? "true" : "false", single ? "f4" : "f8");
	if (page->size < MOST_BYTES)
		page_append_numbers(page, values, left, single);
	else
		text_append(page, "null");
}
