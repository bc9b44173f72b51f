/* The eleven Laue groups, -3m in two settings, from generators (International Tables for Crystallography A (2016), 3.2). Trigonal and
 * hexagonal classes refer to hexagonal axes. */
#include "pattern/laue.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

#define NEAR 1e-6 /* of a step of the grid, and of squares of lengths */
#define MOST_GENERATORS 4
#define GRAIN 4096 /* points */

#define INVERSION                            \
	{                                    \
		-1, 0, 0, 0, -1, 0, 0, 0, -1 \
	}
#define TWO_ALONG_X                         \
	{                                   \
		1, 0, 0, 0, -1, 0, 0, 0, -1 \
	}
#define TWO_ALONG_Y                         \
	{                                   \
		-1, 0, 0, 0, 1, 0, 0, 0, -1 \
	}
#define TWO_ALONG_Z                         \
	{                                   \
		-1, 0, 0, 0, -1, 0, 0, 0, 1 \
	}
#define FOUR_ALONG_Z                       \
	{                                  \
		0, -1, 0, 1, 0, 0, 0, 0, 1 \
	}
/* of hexagonal axes: h, k, l to k, i, l with i = -h - k; to -i, -h, l */
#define THREE_ALONG_Z                       \
	{                                   \
		0, 1, 0, -1, -1, 0, 0, 0, 1 \
	}
#define SIX_ALONG_Z                        \
	{                                  \
		1, 1, 0, -1, 0, 0, 0, 0, 1 \
	}
#define TWO_ALONG_110                      \
	{                                  \
		0, 1, 0, 1, 0, 0, 0, 0, -1 \
	}
#define TWO_ACROSS_110                       \
	{                                    \
		0, -1, 0, -1, 0, 0, 0, 0, -1 \
	}
#define THREE_ALONG_111                   \
	{                                 \
		0, 0, 1, 1, 0, 0, 0, 1, 0 \
	}

static const struct {
	const char *symbol;
	int count, generators[MOST_GENERATORS][9];
} classes[] = {
    {"-1", 1, {INVERSION}},
    {"2/m", 2, {INVERSION, TWO_ALONG_Y}},
    {"mmm", 3, {INVERSION, TWO_ALONG_X, TWO_ALONG_Y}},
    {"4/m", 2, {INVERSION, FOUR_ALONG_Z}},
    {"4/mmm", 3, {INVERSION, FOUR_ALONG_Z, TWO_ALONG_X}},
    {"-3", 2, {INVERSION, THREE_ALONG_Z}},
    {"-3m1", 3, {INVERSION, THREE_ALONG_Z, TWO_ALONG_110}},
    {"-31m", 3, {INVERSION, THREE_ALONG_Z, TWO_ACROSS_110}},
    {"6/m", 2, {INVERSION, SIX_ALONG_Z}},
    {"6/mmm", 3, {INVERSION, SIX_ALONG_Z, TWO_ALONG_110}},
    {"m-3", 4, {INVERSION, TWO_ALONG_X, TWO_ALONG_Y, THREE_ALONG_111}},
    {"m-3m", 3, {INVERSION, FOUR_ALONG_Z, THREE_ALONG_111}},
};

static void multiply(const int a[9], const int b[9], int product[9])
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			product[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
}

/* Adds an operation that is not yet in the class. */
static void add(struct laue_class *class, const int operation[9])
{
	for (int n = 0; n < class->count; ++n)
		if (memcmp(class->operations[n], operation, sizeof class->operations[n]) == 0)
			return;
	if (class->count < LAUE_MOST_OPERATIONS)
		memcpy(class->operations[class->count++], operation, sizeof class->operations[0]);
}

sonde_status laue_class_of(const char *symbol, struct laue_class *class)
{
	static const int identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
	size_t k = 0;

	while (k < sizeof classes / sizeof *classes && strcmp(classes[k].symbol, symbol) != 0)
		++k;
	if (k == sizeof classes / sizeof *classes)
		return status_fail(
		    SONDE_INVALID,
		    "'%.32s' is not a Laue class: -1, 2/m, mmm, 4/m, 4/mmm, -3, -3m1, -31m, 6/m, 6/mmm, "
		    "m-3, and m-3m are",
		    symbol);
	class->count = 0;
	add(class, identity);
	/* the class grows while it is traversed */
	for (int n = 0; n < class->count; ++n) {
		for (int g = 0; g < classes[k].count; ++g) {
			int product[9];
			multiply(classes[k].generators[g], class->operations[n], product);
			add(class, product);
		}
	}
	return SONDE_OK;
}

static void apply(const int operation[9], const double from[3], double to[3])
{
	for (int i = 0; i < 3; ++i)
		to[i] = operation[3 * i] * from[0] + operation[3 * i + 1] * from[1] + operation[3 * i + 2] * from[2];
}

/* |h u + k v + l w|^2 */
static double square_of(const double basis[9], const double indices[3])
{
	double square = 0.0;

	for (int axis = 0; axis < 3; ++axis) {
		const double q =
		    indices[0] * basis[axis] + indices[1] * basis[3 + axis] + indices[2] * basis[6 + axis];
		square += q * q;
	}
	return square;
}

/* Whether a point lies along vectors that are given. */
static bool is_reached(const double basis[9], const double indices[3])
{
	for (int k = 0; k < 3; ++k) {
		const double unit[3] = {k == 0, k == 1, k == 2};
		if (indices[k] != 0.0 && square_of(basis, unit) == 0.0)
			return false;
	}
	return true;
}

sonde_status laue_check_basis(const struct laue_class *class, const char *symbol, const double basis[9])
{
	/* a quadratic form is determined by its values at six points */
	static const double points[6][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 0}, {0, 1, 1}, {1, 0, 1}};

	for (int n = 0; n < class->count; ++n) {
		for (int k = 0; k < 6; ++k) {
			double other[3];
			apply(class->operations[n], points[k], other);
			if (!is_reached(basis, points[k]) || !is_reached(basis, other))
				continue;
			const double here = square_of(basis, points[k]), there = square_of(basis, other);
			if (!(fabs(here - there) <= NEAR * fmax(here, there)))
				return status_fail(SONDE_INVALID,
						   "the vectors of h, k, l do not have the symmetry %s: |q| is %.8g "
						   "at %g %g %g, and %.8g "
						   "at %g %g %g",
						   symbol, sqrt(here), points[k][0], points[k][1], points[k][2],
						   sqrt(there), other[0], other[1], other[2]);
		}
	}
	return SONDE_OK;
}

struct fold {
	const struct laue_class *class;
	const struct laue_grid *grid;
	const double *values;
	double *means;
};

/* Number of the point with these indices; -1 if the grid does not have it. */
static int64_t point_of(const struct laue_grid *grid, const double indices[3])
{
	int64_t point = 0;

	for (int axis = 0; axis < 3; ++axis) { /* l, k, h */
		const double distance = indices[2 - axis] - grid->first[axis],
			     place = grid->size[axis] > 1 ? distance / grid->step[axis] : distance, n = round(place);
		if (fabs(place - n) > NEAR * fmax(1.0, fabs(n)) || !(n >= 0.0 && n < (double)grid->size[axis]))
			return -1;
		point = point * grid->size[axis] + (int64_t)n;
	}
	return point;
}

static void fold_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct fold *fold = state;
	const struct laue_grid *grid = fold->grid;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		double indices[3], other[3], sum = 0.0;
		int64_t rest = n, count = 0;
		for (int axis = 2; axis >= 0; --axis) {
			indices[2 - axis] = grid->first[axis] + (double)(rest % grid->size[axis]) * grid->step[axis];
			rest /= grid->size[axis];
		}
		for (int k = 0; k < fold->class->count; ++k) {
			apply(fold->class->operations[k], indices, other);
			const int64_t point = point_of(grid, other);
			if (point >= 0) {
				sum += fold->values[point];
				++count;
			}
		}
		fold->means[n] = sum / (double)count; /* the point itself is always among them */
	}
}

sonde_status laue_fold(const struct laue_class *class, const struct laue_grid *grid, int threads, double *values)
{
	const int64_t count = grid->size[0] * grid->size[1] * grid->size[2];
	struct fold fold = {class, grid, values, NULL};

	CHECK(memory_allocate(&fold.means, (size_t)count, sizeof *fold.means, "the mean over equivalent points"));
	threads_for(threads, count, GRAIN, fold_some, &fold);
	memcpy(values, fold.means, (size_t)count * sizeof *values);
	free(fold.means);
	return SONDE_OK;
}
