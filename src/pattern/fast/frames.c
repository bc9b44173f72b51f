/* The frame of a patch: the principal axes of its vectors, and their box along these. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "base/vectors.h"
#include "pattern/fast/patches.h"

#define SWEEPS 12                    /* of Jacobi's method */
#define ROUNDING (4.0 * DBL_EPSILON) /* of a coordinate of a vector, in its magnitude */

/* Eigenvectors of a symmetric matrix, in rows, by Jacobi's rotations. */
static void principal_axes(double a[3][3], double e[3][3])
{
	for (int i = 0; i < 3; ++i)
		for (int j = 0; j < 3; ++j)
			e[i][j] = i == j;
	for (int sweep = 0; sweep < SWEEPS; ++sweep)
		for (int p = 0; p < 2; ++p)
			for (int q = p + 1; q < 3; ++q) {
				if (fabs(a[p][q]) <= 1e-300)
					continue;
				const double theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q],
					     t = (theta < 0.0 ? -1.0 : 1.0) /
						 (fabs(theta) + sqrt(theta * theta + 1.0)),
					     c = 1.0 / sqrt(t * t + 1.0), s = t * c;
				for (int k = 0; k < 3; ++k) {
					const double kp = a[k][p], kq = a[k][q];
					a[k][p] = c * kp - s * kq;
					a[k][q] = s * kp + c * kq;
				}
				for (int k = 0; k < 3; ++k) {
					const double pk = a[p][k], qk = a[q][k];
					a[p][k] = c * pk - s * qk;
					a[q][k] = s * pk + c * qk;
					const double ep = e[p][k], eq = e[q][k];
					e[p][k] = c * ep - s * eq;
					e[q][k] = s * ep + c * eq;
				}
			}
}

/* Half of an extent, larger than what any point will have by rounding; 0 for an extent that is nothing but rounding, of which there
 * are no places among the waves. */
static double half_extent(double low, double high, double magnitude)
{
	const double rounding = ROUNDING * magnitude, half = 0.5 * (high - low);

	return half > rounding ? half + 4.0 * rounding : 0.0;
}

/* Sums and extents of some of a patch's vectors, in parts that do not depend on the threads. */
struct frame_part {
	double sums[3], squares[3][3], low[3], high[3];
};
struct framing {
	const double *vectors;
	int64_t count;
	double mean[3], e[3][3];
	struct frame_part *parts;
};

static void add_to_mean(const struct framing *framing, int64_t first, int64_t end, struct frame_part *part)
{
	for (int64_t n = first; n < end; ++n)
		for (int k = 0; k < 3; ++k)
			part->sums[k] += framing->vectors[3 * n + k];
}

static void add_to_squares(const struct framing *framing, int64_t first, int64_t end, struct frame_part *part)
{
	for (int64_t n = first; n < end; ++n) {
		double d[3];
		for (int k = 0; k < 3; ++k)
			d[k] = framing->vectors[3 * n + k] - framing->mean[k];
		for (int i = 0; i < 3; ++i)
			for (int j = 0; j < 3; ++j)
				part->squares[i][j] += d[i] * d[j];
	}
}

static void add_to_extents(const struct framing *framing, int64_t first, int64_t end, struct frame_part *part)
{
	for (int k = 0; k < 3; ++k) {
		part->low[k] = INFINITY;
		part->high[k] = -INFINITY;
	}
	for (int64_t n = first; n < end; ++n)
		for (int k = 0; k < 3; ++k) {
			const double s = vector_dot(framing->e[k], framing->vectors + 3 * n);
			part->low[k] = fmin(part->low[k], s);
			part->high[k] = fmax(part->high[k], s);
		}
}

struct framing_step {
	struct framing *framing;
	void (*add)(const struct framing *framing, int64_t first, int64_t end, struct frame_part *part);
};

static void frame_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct framing_step *step = state;
	const int64_t count = step->framing->count;

	(void)worker;
	for (int64_t p = first; p < end; ++p) {
		const int64_t begin = p * FRAME_POINTS;
		struct frame_part part = {
		    .sums = {0.0}}; /* not in the array, whose lines of the cache other threads write, too */
		step->add(step->framing, begin, count - begin < FRAME_POINTS ? count : begin + FRAME_POINTS, &part);
		step->framing->parts[p] = part;
	}
}

sonde_status patch_find_frame(const double *vectors, int threads, struct patch *patch)
{
	const int64_t parts = (patch->count + FRAME_POINTS - 1) / FRAME_POINTS;
	struct framing framing = {.vectors = vectors + 3 * patch->first, .count = patch->count};
	struct framing_step step = {&framing, add_to_mean};
	double squares[3][3] = {{0.0}};
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, magnitude = 0.0;

	CHECK(memory_allocate(&framing.parts, (size_t)parts, sizeof *framing.parts, "the patches"));
	threads_for(threads, parts, 1, frame_some, &step);
	for (int64_t p = 0; p < parts; ++p)
		for (int k = 0; k < 3; ++k)
			framing.mean[k] += framing.parts[p].sums[k] / (double)patch->count;
	step.add = add_to_squares;
	threads_for(threads, parts, 1, frame_some, &step);
	for (int64_t p = 0; p < parts; ++p)
		for (int i = 0; i < 3; ++i)
			for (int j = 0; j < 3; ++j)
				squares[i][j] += framing.parts[p].squares[i][j];
	principal_axes(squares, framing.e);
	step.add = add_to_extents;
	threads_for(threads, parts, 1, frame_some, &step);
	for (int64_t p = 0; p < parts; ++p)
		for (int k = 0; k < 3; ++k) {
			low[k] = fmin(low[k], framing.parts[p].low[k]);
			high[k] = fmax(high[k], framing.parts[p].high[k]);
		}
	free(framing.parts);
	memset(patch->middle, 0, sizeof patch->middle);
	for (int k = 0; k < 3; ++k)
		magnitude = fmax(magnitude, fmax(fabs(low[k]), fabs(high[k])));
	for (int k = 0; k < 3; ++k) {
		struct fast_axis *axis = &patch->axes.axis[k];
		*axis = (struct fast_axis){.largest = half_extent(low[k], high[k], magnitude)};
		memcpy(axis->direction, framing.e[k], sizeof axis->direction);
		for (int c = 0; c < 3; ++c)
			patch->middle[c] += 0.5 * (low[k] + high[k]) * framing.e[k][c];
	}
	return SONDE_OK;
}
