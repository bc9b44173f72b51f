#include "fdtd/output/outlines.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/memory.h"

#define APART 1e-2    /* relative difference of values that count as equal */
#define MOST_LEVELS 8 /* between values; more would be a gradient */

/* Frequent values ----------------------------------------------------------- */

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double nearness(double a, double b)
{
	return fabs(a - b) / fmax(fabs(a), fabs(b));
}

static bool same(double a, double b)
{
	return !(nearness(a, b) > APART);
}

/* Whether the neighbors of a node have its value: it is in a body, not at a surface, where values are means. */
static bool is_inside(const double *map, const int64_t count[2], int64_t i, int64_t j)
{
	double value = map[i * count[1] + j];

	for (int side = -1; side <= 1; side += 2) {
		if (i + side >= 0 && i + side < count[0] && !same(map[(i + side) * count[1] + j], value))
			return false;
		if (j + side >= 0 && j + side < count[1] && !same(map[i * count[1] + j + side], value))
			return false;
	}
	return true;
}

/* The values in bodies, sorted; returns their number. The smallest and the largest of all are not means, so films
 * without interior nodes have these. */
static size_t collect_values(const double *map, const int64_t count[2], double *values)
{
	size_t nodes = (size_t)(count[0] * count[1]), found = 0;
	double least = map[0], most = map[0];

	for (int64_t i = 0; i < count[0]; ++i)
		for (int64_t j = 0; j < count[1]; ++j)
			if (is_inside(map, count, i, j))
				values[found++] = map[i * count[1] + j];
	for (size_t n = 0; n < nodes; ++n) {
		least = fmin(least, map[n]);
		most = fmax(most, map[n]);
	}
	values[found++] = least;
	values[found++] = most;
	qsort(values, found, sizeof *values, compare);
	return found;
}

/* The midpoints between neighbors among sorted numbers; returns their number. */
static int find_levels(const double *sorted, size_t count, double levels[MOST_LEVELS])
{
	int found = 0;

	for (size_t n = 1; n < count && found < MOST_LEVELS; ++n)
		if (!same(sorted[n], sorted[n - 1]))
			levels[found++] = 0.5 * (sorted[n] + sorted[n - 1]);
	return found;
}

/* A copy with finite numbers only. */
static sonde_status copy_finite(const double *map, size_t count, double **copy)
{
	double largest = 1.0;

	CHECK(memory_allocate(copy, count, sizeof **copy, "outlines of bodies"));
	for (size_t n = 0; n < count; ++n)
		if (isfinite(map[n]))
			largest = fmax(largest, fabs(map[n]));
	for (size_t n = 0; n < count; ++n)
		(*copy)[n] = isfinite(map[n]) ? map[n] : 2.0 * largest;
	return SONDE_OK;
}

/* Lines --------------------------------------------------------------------------------- */

struct lines {
	struct outline *lines;
	size_t count, capacity;
};

/* Where the side of a square from corner a to b is cut. */
static void cut(const double corners[4], double level, int a, double place[2])
{
	static const double places[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
	int b = (a + 1) % 4;
	double part = (level - corners[a]) / (corners[b] - corners[a]);

	for (int k = 0; k < 2; ++k)
		place[k] = places[a][k] + part * (places[b][k] - places[a][k]);
}

/* The lines in the square after node (i, j); corners are numbered around it. If all four sides are cut, the pieces
 * cut off the corners that are above. */
static sonde_status add_square(const double corners[4], double level, int64_t i, int64_t j, struct lines *to)
{
	int sides[4], count = 0;

	for (int a = 0; a < 4; ++a)
		if ((corners[a] > level) != (corners[(a + 1) % 4] > level))
			sides[count++] = a;
	if (count == 0)
		return SONDE_OK;
	/* sides a - 1 and a meet in corner a */
	int first = count == 4 && corners[0] > level ? 3 : 0;
	for (int n = 0; n < count; n += 2) {
		struct outline line;
		cut(corners, level, sides[(first + n) % count], line.from);
		cut(corners, level, sides[(first + n + 1) % count], line.to);
		line.from[0] += (double)i;
		line.from[1] += (double)j;
		line.to[0] += (double)i;
		line.to[1] += (double)j;
		CHECK(memory_grow(&to->lines, &to->capacity, to->count + 1, sizeof *to->lines, "outlines of bodies"));
		to->lines[to->count++] = line;
	}
	return SONDE_OK;
}

static sonde_status add_level(const double *map, const int64_t count[2], double level, struct lines *to)
{
	for (int64_t i = 0; i + 1 < count[0]; ++i)
		for (int64_t j = 0; j + 1 < count[1]; ++j) {
			const double *row = map + i * count[1] + j, *next = row + count[1];
			const double corners[4] = {row[0], next[0], next[1], row[1]};
			CHECK(add_square(corners, level, i, j, to));
		}
	return SONDE_OK;
}

sonde_status outlines_find(const double *map, const int64_t count[2], struct outline **lines, size_t *found)
{
	size_t nodes = (size_t)(count[0] * count[1]);
	double *finite = NULL, *sorted = NULL, levels[MOST_LEVELS];
	struct lines list = {0};
	sonde_status status;

	CHECK_GOTO(status, copy_finite(map, nodes, &finite), done);
	CHECK_GOTO(status, memory_allocate(&sorted, nodes + 2, sizeof *sorted, "outlines of bodies"), done);
	int level_count = find_levels(sorted, collect_values(finite, count, sorted), levels);
	for (int k = 0; k < level_count; ++k)
		CHECK_GOTO(status, add_level(finite, count, levels[k], &list), done);
done:
	free(finite);
	free(sorted);
	if (status != SONDE_OK) {
		free(list.lines);
		list = (struct lines){0};
	}
	*lines = list.lines;
	*found = list.count;
	return status;
}
