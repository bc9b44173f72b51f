#include "pattern/pixel_sets.h"

#include <math.h>

#include "pattern/kernels/pattern_layout.h"

/* Of a line in float32, radians: the largest phase of its bend, p, of which the kernel leaves out p^2/2, and the largest phase of
 * what differs from a parabola. At the Bragg peaks of a crystal all atoms have the same sign of p^2/2: of 10^6 atoms, the error of F is
 * below 10^-4 of sqrt(sum |f|^2). */
#define LARGEST_BEND 1.2e-3
#define LARGEST_DEVIATION 5e-6
#define LINES_TRIED 64 /* of a detector, whose lines differ little from their neighbors */

static bool are_pairs(const struct pixel_sets *sets)
{
	return sets->arrangement == ARRANGED_PAIRS || sets->arrangement == ARRANGED_LONG_PAIRS;
}

static void along(struct pixel_sets *sets, int axis)
{
	const struct pattern_pixels *pixels = sets->pixels;
	const int64_t picture = pixels->rotations != NULL ? pixels->picture : pixels->count;

	sets->pixels_of_set = (int)SET_PIXELS(sets->arrangement);
	sets->length = pixels->sizes[axis];
	sets->inner = 1;
	for (int k = axis + 1; k < pixels->axis_count; ++k)
		sets->inner *= pixels->sizes[k];
	const int64_t used = are_pairs(sets) ? sets->length / 2 : sets->length,
		      each = are_pairs(sets) ? sets->pixels_of_set / 2 : sets->pixels_of_set;
	sets->of_length = (used + each - 1) / each;
	sets->of_picture = picture / sets->length * sets->of_length;
	sets->count = pixels->count / picture * sets->of_picture;
}

static int64_t smaller(int64_t a, int64_t b)
{
	return a < b ? a : b;
}

/* The last set of a line begins earlier where it would end beyond the line: it shares pixels with the one before, which
 * owns them. Consecutive sets are of adjacent lines, whose q are the same on circles. */
void pixel_sets_get(const struct pixel_sets *sets, int64_t set, int64_t pixels[MOST_SET_PIXELS],
		    bool owned[MOST_SET_PIXELS])
{
	if (sets->points > 0) {
		const int64_t column = set / sets->points;
		set = (column / sets->of_row * sets->points + set % sets->points) * sets->of_row +
		      column % sets->of_row;
	}
	pixels[0] = set;
	owned[0] = true;
	if (sets->arrangement == ARRANGED_LIST)
		return;
	const int64_t inner = sets->inner, line = set / inner, number = line % sets->of_length,
		      begin = line / sets->of_length * sets->length * inner + set % inner;
	const int all = sets->pixels_of_set, pairs = all / 2;
	if (!are_pairs(sets)) {
		const int64_t at = smaller(number * all, sets->length - all);
		for (int v = 0; v < all; ++v) {
			pixels[v] = begin + (at + v) * inner;
			owned[v] = at + v >= number * all;
		}
		return;
	}
	for (int k = 0; k < pairs; ++k) {
		const int64_t half = sets->length / 2, place = number * pairs + k, at = smaller(place, half - 1);
		pixels[pairs + k] = begin + at * inner;
		pixels[pairs - 1 - k] = begin + (at + half) * inner;
		owned[pairs + k] = owned[pairs - 1 - k] = place < half;
	}
}

/* Whether the vectors of a set are those of the kernel's parabola. */
static bool is_line(const struct pixel_sets *sets, int64_t set, double reach)
{
	const int last = sets->pixels_of_set - 1, half = sets->pixels_of_set / 2,
		  from = half - 1 - (int)FITTED(sets->arrangement), to = half + (int)FITTED(sets->arrangement),
		  most_bent = half * (half - 1);
	double vectors[MOST_SET_PIXELS][3], bend = 0.0, deviation = 0.0;
	int64_t pixels[MOST_SET_PIXELS] = {0};
	bool owned[MOST_SET_PIXELS];

	pixel_sets_get(sets, set, pixels, owned);
	for (int v = 0; v <= last; ++v)
		(void)pattern_pixel(sets->pixels, pixels[v], vectors[v]);
	for (int k = 0; k < half; ++k) {
		const int plus = half + k, minus = half - 1 - k;
		double even = 0.0, odd = 0.0, shift = 0.0;
		for (int c = 0; c < 3; ++c) {
			const double middle = 0.5 * (vectors[half][c] + vectors[half - 1][c]),
				     end = 0.5 * (vectors[last][c] + vectors[0][c]),
				     d = (vectors[to][c] - vectors[from][c]) / (to - from),
				     w = (end - middle) / most_bent,
				     part = 0.5 * (vectors[plus][c] + vectors[minus][c]) - middle - k * (k + 1) * w,
				     step = 0.5 * (vectors[plus][c] - vectors[minus][c]) - (k + 0.5) * d;
			even += part * part;
			odd += step * step;
			shift += 0.25 * (end - middle) * (end - middle); /* from the center, which is between them */
		}
		deviation = fmax(deviation, sqrt(even) + sqrt(odd));
		bend = fmax(bend, sqrt(shift));
	}
	return bend * reach <= LARGEST_BEND && deviation * reach <= LARGEST_DEVIATION;
}

static bool are_lines(const struct pixel_sets *sets, double reach)
{
	const int64_t of_set_row = sets->inner * sets->of_length, rows = sets->of_picture / of_set_row,
		      /* rows of a polar picture are turned ones of the first column */
	    step = rows > LINES_TRIED ? rows / LINES_TRIED : 1,
		      columns = sets->pixels->geometry == SONDE_PATTERN_POLAR ? 1 : sets->inner;

	for (int64_t row = 0; row < rows; row = row + 1 < rows && row + step >= rows ? rows - 1 : row + step)
		for (int64_t number = 0; number < sets->of_length; ++number)
			for (int64_t column = 0; column < columns; ++column)
				if (!is_line(sets, (row * sets->of_length + number) * sets->inner + column, reach))
					return false;
	return true;
}

/* The axis of lines of so many pixels: of q in polar pictures, else the fastest one that is long enough, from `least` on; -1: none. */
static int line_axis(const struct pattern_pixels *pixels, int least, int64_t length)
{
	const bool polar = pixels->geometry == SONDE_PATTERN_POLAR;

	for (int axis = polar ? 0 : pixels->axis_count - 1; axis >= least; --axis)
		if (pixels->sizes[axis] >= length)
			return axis;
	return -1;
}

static bool use_lines(struct pixel_sets *sets, int arrangement, int least, bool single, double reach)
{
	const int axis = line_axis(sets->pixels, least, SET_PIXELS(arrangement));
	const bool box = sets->pixels->geometry == SONDE_PATTERN_BOX;

	if (axis < 0 || (!single && !box))
		return false;
	sets->arrangement = arrangement;
	along(sets, axis);
	return box || are_lines(sets, reach);
}

void pixel_sets_list(const struct pattern_pixels *pixels, struct pixel_sets *sets)
{
	*sets = (struct pixel_sets){.pixels = pixels, .pixels_of_set = 1, .count = pixels->count};
}

static void make(const struct pattern_pixels *pixels, int least, bool single, double reach, struct pixel_sets *sets)
{
	*sets = (struct pixel_sets){.pixels = pixels};
	if (use_lines(sets, ARRANGED_LONG_LINES, least, single, reach) ||
	    use_lines(sets, ARRANGED_LINES, least, single, reach))
		return;
	sets->arrangement = pixels->sizes[1] >= (int64_t)MOST_SET_PIXELS ? ARRANGED_LONG_PAIRS : ARRANGED_PAIRS;
	if (pixels->geometry == SONDE_PATTERN_POLAR && pixels->sizes[1] % 2 == 0) {
		along(sets, 1);
		return;
	}
	pixel_sets_list(pixels, sets);
}

void pixel_sets_make(const struct pattern_pixels *pixels, bool single, double reach, struct pixel_sets *sets)
{
	make(pixels, 0, single, reach, sets);
}

void pixel_sets_beside(const struct pattern_pixels *pixels, int axis, bool single, double reach,
		       struct pixel_sets *sets)
{
	make(pixels, axis + 1, single, reach, sets);
}

void pixel_sets_by_columns(const struct pixel_sets *beside, const struct pattern_pixels *pixels, int axis,
			   struct pixel_sets *sets)
{
	const struct pattern_pixels *others = beside->pixels;
	int64_t rows = others->count / others->sizes[axis];

	for (int before = axis + 1; before < others->axis_count; ++before)
		rows /= others->sizes[before];
	*sets = *beside;
	sets->pixels = pixels;
	sets->points = pixels->sizes[axis];
	sets->columns = RESAMPLED_COLUMNS / sets->pixels_of_set;
	sets->of_row = beside->count / (rows * others->sizes[axis]);
	sets->count = rows * sets->points * sets->of_row;
	sets->of_picture = beside->of_picture / others->sizes[axis] * sets->points;
}
