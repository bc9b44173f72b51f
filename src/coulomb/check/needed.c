#include "coulomb/check/needed.h"

#include <stdlib.h>

#include "base/memory.h"
#include "coulomb/check/candidates.h"

struct list {
	int64_t *points, first, end;
	size_t count, capacity;
};

static sonde_status add(struct list *list, int64_t point)
{
	if (point < list->first || point >= list->end)
		return SONDE_OK;
	CHECK(
	    memory_grow(&list->points, &list->capacity, list->count + 1, sizeof *list->points, "the checked points"));
	list->points[list->count++] = point;
	return SONDE_OK;
}

static int compare(const void *a, const void *b)
{
	const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;

	return x < y ? -1 : x > y;
}

static void sort_once(struct list *list)
{
	size_t kept = 0;

	if (list->count > 0)
		qsort(list->points, list->count, sizeof *list->points, compare);
	for (size_t n = 0; n < list->count; ++n)
		if (kept == 0 || list->points[n] != list->points[kept - 1])
			list->points[kept++] = list->points[n];
	list->count = kept;
}

/* The means are needed with the first values only; which these are, only the first rank knows. */
static sonde_status add_drawn(const struct checked_points *points, struct list *list)
{
	const int64_t of = points->candidate_of, step = candidates_step(list->end - list->first);

	for (int64_t group = list->first / of; group * of < list->end; ++group)
		CHECK(add(list, candidates_of_group(group, of)));
	for (int64_t point = list->first + step / 2; point < list->end; point += step)
		CHECK(add(list, point));
	return SONDE_OK;
}

sonde_status needed_points(const struct checked_points *points, int64_t first, int64_t count, int64_t **list,
			   int64_t *listed)
{
	const int fixed = points->drawn ? points->around : points->count;
	struct list found = {.first = first, .end = first + count};
	sonde_status status = SONDE_OK;

	*list = NULL;
	*listed = 0;
	for (int n = 0; n < fixed && status == SONDE_OK; ++n)
		status = add(&found, points->indices[n]);
	if (status == SONDE_OK && points->drawn)
		status = add_drawn(points, &found);
	/* never null, which stands for all points */
	if (status == SONDE_OK)
		status = memory_grow(&found.points, &found.capacity, found.count + 1, sizeof *found.points,
				     "the checked points");
	if (status != SONDE_OK) {
		free(found.points);
		return status;
	}
	sort_once(&found);
	*list = found.points;
	*listed = (int64_t)found.count;
	return SONDE_OK;
}
