/* The tensor of a cell with a surface through it. */
#include <math.h>
#include <string.h>

#include "fdtd/media/unit_cell.h"

#define LINES 6      /* through the cell, in each transverse direction */
#define MOST_LINES 4 /* to find the normal, in each transverse direction */
#define ALONG_AXIS (MOST_LINES * MOST_LINES)
#define POINTS (3 * ALONG_AXIS * (MOST_PARTS - 1))
#define STEPS_OF_NORMAL 16383.0 /* and of the shares 1/MIXTURE_PARTS, so that rounding does not change them */

/* Intersections of lines along all axes, from one edge of the cell to the other, with surfaces: for each axis three
 * lines in each transverse direction, including the middle, or four without it if faces lie on nodes. */
struct crossings {
	int count;
	double points[POINTS][3]; /* from the middle */
};

/* Places of lines in one transverse direction, off the middle; in a cell that is flat all but one repeat another. */
struct line_places {
	double off[MOST_LINES];
	bool repeats[MOST_LINES];
};

static void find_line_places(const struct unit_cell *cell, int across, int lines, struct line_places *places)
{
	const double reach = cell->half[across] > UNIT_CELL_LEAST ? cell->half[across] - UNIT_CELL_LEAST : 0.0;

	for (int n = 0; n < lines; ++n) {
		places->off[n] = (2.0 * n / (lines - 1) - 1.0) * reach;
		places->repeats[n] = n != lines / 2 && cell->half[across] == 0.0;
	}
}

/* Those of the lines along an axis. */
static bool cross_along(struct scene_view *view, const struct unit_cell *cell, int axis, int lines,
			struct crossings *crossings)
{
	const int b = (axis + 1) % 3, c = (axis + 2) % 3;
	struct line_places of_u, of_v;
	double u[ALONG_AXIS], v[ALONG_AXIS];
	struct line_parts own[ALONG_AXIS];
	int sides[3] = {0}, numbers[ALONG_AXIS][2], count = 0;

	find_line_places(cell, b, lines, &of_u);
	find_line_places(cell, c, lines, &of_v);
	for (int n = 0; n < lines; ++n)
		for (int m = 0; m < lines; ++m) {
			if (of_u.repeats[m] || of_v.repeats[n])
				continue;
			u[count] = of_u.off[m];
			v[count] = of_v.off[n];
			numbers[count][0] = m;
			numbers[count++][1] = n;
		}
	if (lines != 3 && !unit_cell_lines(view, cell, axis, count, u, v, own))
		return false;
	for (int n = 0; n < count; ++n) {
		const struct line_parts *parts = &own[n];
		sides[b] = numbers[n][0] - 1; /* of three */
		sides[c] = numbers[n][1] - 1;
		if (lines == 3 && !unit_cell_known_line(view, cell, axis, sides, &parts))
			return false;
		for (int p = 0; p + 1 < parts->count; ++p) {
			double *point = crossings->points[crossings->count++];
			point[axis] = parts->end[p] - cell->middle[axis];
			point[b] = u[n];
			point[c] = v[n];
		}
	}
	return true;
}

static bool find_crossings(struct scene_view *view, const struct unit_cell *cell, int lines,
			   struct crossings *crossings)
{
	crossings->count = 0;
	for (int axis = 0; axis < 3; ++axis)
		if (cell->half[axis] != 0.0 && !cross_along(view, cell, axis, lines, crossings))
			return false;
	return true;
}

/* The rotation by which a common element of a symmetric matrix vanishes (Jacobi). */
struct rotation {
	double cosine, sine;
};

#define LARGE_RATIO 0x1p28
#define LARGEST_RATIO 0x1p500 /* whose square is finite */

/* ratio: of the difference of the diagonal elements and twice the common one. Where it is large, 1 added to its square
 * is lost in rounding, as is the square of the tangent added to 1: the same numbers, without roots. */
static inline struct rotation find_rotation(double ratio)
{
	const double size = fabs(ratio);

	if (size > LARGE_RATIO && size < LARGEST_RATIO)
		return (struct rotation){1.0, copysign(1.0, ratio) / (size + size)};
	const double tangent = copysign(1.0, ratio) / (size + sqrt(1.0 + ratio * ratio)),
		     cosine = 1.0 / sqrt(1.0 + tangent * tangent);
	return (struct rotation){cosine, tangent * cosine};
}

/* Rotates two numbers; whether one of them has changed. */
static inline bool rotate(const struct rotation *by, double *x, double *y)
{
	const double first = by->cosine * *x - by->sine * *y, second = by->sine * *x + by->cosine * *y;
	const bool changed = (first != *x) | (second != *y);

	*x = first;
	*y = second;
	return changed;
}

/* Rotates rows and columns a and b of a symmetric matrix so that their common element vanishes, and the vectors with
 * them. False if nothing has changed, nor would in a repetition. *largest: the largest sine so far. */
static inline bool turn_away(double matrix[3][3], double vectors[3][3], int a, int b, double *largest)
{
	bool changed = false;

	if (matrix[a][b] == 0.0)
		return false;
	const struct rotation by = find_rotation((matrix[b][b] - matrix[a][a]) / (2.0 * matrix[a][b]));
	*largest = fabs(by.sine) > *largest ? fabs(by.sine) : *largest;
	for (int k = 0; k < 3; ++k)
		changed |= rotate(&by, &matrix[k][a], &matrix[k][b]);
	for (int k = 0; k < 3; ++k) {
		changed |= rotate(&by, &matrix[a][k], &matrix[b][k]);
		changed |= rotate(&by, &vectors[k][a], &vectors[k][b]);
	}
	return changed;
}

#define LEAST_SINE 0x1p-80
#define NOT_SMALL 0x1p-20

/* Whether rotations by sines below LEAST_SINE leave all vectors as they are, in rounding, and the sines decrease:
 * eigenvalues are apart, and no element of a vector is small. */
static bool are_settled(double matrix[3][3], double vectors[3][3])
{
	const double largest = fmax(fmax(matrix[0][0], matrix[1][1]), matrix[2][2]);

	for (int a = 0; a < 3; ++a)
		if (!(fabs(matrix[a][a] - matrix[(a + 1) % 3][(a + 1) % 3]) > NOT_SMALL * largest))
			return false;
	for (int k = 0; k < 9; ++k)
		if (!(fabs(vectors[k / 3][k % 3]) > NOT_SMALL))
			return false;
	return true;
}

/* The normal of the best-fitting plane: the direction of least variance of the points. */
static void fit_normal(const struct crossings *crossings, const struct unit_cell *cell, double normal[3])
{
	double middle[3] = {0.0}, matrix[3][3] = {{0.0}}, vectors[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
	int least = 0;

	for (int n = 0; n < crossings->count; ++n)
		for (int a = 0; a < 3; ++a)
			middle[a] += crossings->points[n][a] / crossings->count;
	for (int n = 0; n < crossings->count; ++n) {
		const double *point = crossings->points[n], x = point[0] - middle[0], y = point[1] - middle[1],
			     z = point[2] - middle[2];
		matrix[0][0] += x * x;
		matrix[1][1] += y * y;
		matrix[2][2] += z * z;
		matrix[0][1] += x * y;
		matrix[1][2] += y * z;
		matrix[2][0] += z * x;
	}
	matrix[1][0] = matrix[0][1];
	matrix[2][1] = matrix[1][2];
	matrix[0][2] = matrix[2][0];
	for (int a = 0; a < 3; ++a)
		if (cell->half[a] == 0.0)
			matrix[a][a] = 1e6; /* a uniform axis, and no normal is along it */
	bool changes = true;
	for (int sweep = 0; sweep < 12 && changes; ++sweep) {
		double largest = 0.0;
		changes = turn_away(matrix, vectors, 0, 1, &largest);
		changes |= turn_away(matrix, vectors, 1, 2, &largest);
		changes |= turn_away(matrix, vectors, 2, 0, &largest);
		changes = changes && !(largest < LEAST_SINE && are_settled(matrix, vectors));
	}
	for (int a = 1; a < 3; ++a)
		least = matrix[a][a] < matrix[least][least] ? a : least;
	for (int a = 0; a < 3; ++a)
		normal[a] = vectors[a][least];
}

/* The media on LINES x LINES lines along an axis. */
static bool cut_cell(struct scene_view *view, const struct unit_cell *cell, int axis,
		     struct line_parts parts[LINES * LINES])
{
	double u[LINES * LINES], v[LINES * LINES], of_u[LINES], of_v[LINES];

	for (int n = 0; n < LINES; ++n) {
		of_u[n] = ((n + 0.5) / LINES - 0.5) * 2.0 * cell->half[(axis + 1) % 3];
		of_v[n] = ((n + 0.5) / LINES - 0.5) * 2.0 * cell->half[(axis + 2) % 3];
	}
	for (int n = 0; n < LINES; ++n)
		for (int m = 0; m < LINES; ++m) {
			u[LINES * n + m] = of_u[m];
			v[LINES * n + m] = of_v[n];
		}
	return unit_cell_lines(view, cell, axis, LINES * LINES, u, v, parts);
}

/* Means from lines along the axis closest to the normal. */
static bool find_means(struct scene_view *view, const struct media *media, const struct unit_cell *cell,
		       struct cell_tensor *tensor)
{
	int axis = 0;
	double permittivity = 0.0, inverse = 0.0, length = 0.0;
	struct line_parts lines[LINES * LINES];
	int lossless = -1; /* the last one */

	for (int a = 1; a < 3; ++a)
		axis = fabs(tensor->normal[a]) > fabs(tensor->normal[axis]) ? a : axis;
	if (!cut_cell(view, cell, axis, lines))
		return false;
	for (int n = 0; n < LINES * LINES; ++n) {
		const struct line_parts *parts = &lines[n];
		for (int p = 0; p < parts->count; ++p) {
			const struct medium *medium = &media->media[parts->medium[p]];
			double part = parts->end[p] - (p == 0 ? parts->begin : parts->end[p - 1]);
			if (parts->medium[p] != lossless && !medium_is_lossless(medium))
				return false;
			lossless = parts->medium[p];
			permittivity += part * medium->permittivity;
			inverse += part / medium->permittivity;
			length += part;
		}
	}
	tensor->across = inverse / length;
	tensor->along = length / permittivity;
	return true;
}

enum cell_content unit_cell_tensor(struct scene_view *view, const struct media *media, const struct unit_cell *cell,
				   struct cell_tensor *tensor)
{
	struct crossings crossings;

	if (!unit_cell_look(view, cell))
		return CELL_UNKNOWN;
	if (view->near_count == 0)
		return CELL_UNIFORM;
	if (!find_crossings(view, cell, 3, &crossings))
		return CELL_UNKNOWN;
	if (crossings.count == 0)
		return CELL_UNIFORM;
	fit_normal(&crossings, cell, tensor->normal);
	return find_means(view, media, cell, tensor) ? CELL_SURFACE : CELL_UNKNOWN;
}

/* Whether a surface is perpendicular to an axis: all points have the same position along it. */
static bool is_flat(const struct crossings *crossings, int axis)
{
	for (int n = 1; n < crossings->count; ++n)
		if (fabs(crossings->points[n][axis] - crossings->points[0][axis]) > UNIT_CELL_LEAST)
			return false;
	return true;
}

static void round_normal(double normal[3])
{
	double square = 0.0;

	for (int a = 0; a < 3; ++a) {
		normal[a] = round(STEPS_OF_NORMAL * normal[a]);
		square += normal[a] * normal[a];
	}
	for (int a = 0; a < 3; ++a)
		normal[a] /= sqrt(square);
}

/* Converts parts of a cell to shares, 1 together, of the media present, in the order of their numbers. */
static void drop_empty(struct cell_surface *surface)
{
	double sum = 0.0;
	int kept = 0;

	for (int n = 0; n < surface->count; ++n) {
		const uint16_t medium = surface->media[n];
		const double share = surface->shares[n];
		int at = kept;
		sum += share;
		if (share == 0.0)
			continue;
		for (; at > 0 && surface->media[at - 1] > medium; --at) {
			surface->media[at] = surface->media[at - 1];
			surface->shares[at] = surface->shares[at - 1];
		}
		surface->media[at] = medium;
		surface->shares[at] = share;
		++kept;
	}
	surface->count = kept;
	for (int n = 0; n < kept; ++n)
		surface->shares[n] /= sum;
}

static bool add_share(struct cell_surface *surface, uint16_t medium, double share)
{
	int n = 0;

	while (n < surface->count && surface->media[n] != medium)
		++n;
	if (n == MOST_MIXED)
		return false;
	if (n == surface->count) {
		surface->media[surface->count++] = medium;
		surface->shares[n] = 0.0;
	}
	surface->shares[n] += share;
	return true;
}

/* From lines along the axis closest to the normal. */
static bool find_shares(struct scene_view *view, const struct unit_cell *cell, int axis, struct cell_surface *surface)
{
	struct line_parts lines[LINES * LINES];
	double length = 0.0;

	if (!cut_cell(view, cell, axis, lines))
		return false;
	for (int n = 0; n < LINES * LINES; ++n) {
		const struct line_parts *parts = &lines[n];
		surface->layers = parts->count > surface->layers ? parts->count : surface->layers;
		for (int p = 0; p < parts->count; ++p) {
			const double part = parts->end[p] - (p == 0 ? parts->begin : parts->end[p - 1]);
			if (!add_share(surface, parts->medium[p], part))
				return false;
			length += part;
		}
	}
	for (int n = 0; n < surface->count; ++n)
		surface->shares[n] = round(MIXTURE_PARTS * surface->shares[n] / length);
	drop_empty(surface);
	return true;
}

enum cell_content unit_cell_surface(struct scene_view *view, const struct unit_cell *cell,
				    struct cell_surface *surface)
{
	struct crossings crossings;
	int axis = 0;

	*surface = (struct cell_surface){.count = 0};
	if (!unit_cell_look(view, cell) || !find_crossings(view, cell, 4, &crossings))
		return CELL_UNKNOWN;
	while (crossings.count == 0 && axis < 2 && cell->half[axis] == 0.0)
		++axis;
	if (crossings.count > 0) {
		fit_normal(&crossings, cell, surface->normal);
		for (int a = 1; a < 3; ++a)
			axis = fabs(surface->normal[a]) > fabs(surface->normal[axis]) ? a : axis;
		surface->flat = is_flat(&crossings, axis);
		round_normal(surface->normal);
	}
	if (!find_shares(view, cell, axis, surface))
		return CELL_UNKNOWN;
	return surface->count > 1 ? CELL_SURFACE : CELL_UNIFORM;
}
