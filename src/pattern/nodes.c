#include "pattern/nodes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "device/kernel.h"
#include "device/kernel_math.h"
#include "pattern/kernels/pattern_layout.h"
#include "pattern/pattern.h"

/* Largest error of the interpolation, of an atom of amplitude 1: rounding, besides that of vectors and phases; in float64 for each
 * radian of the largest phase, and in float32. */
#define ERROR_F64 1e-13
#define ERROR_OF_PHASE 2e-15
#define ERROR_F32 5e-7
#define COLUMNS_TRIED 5
#define POINTS_TRIED 96
#define DIRECTIONS 4
#define MOST_WINDOWS 64
#define LEAST_POINTS 32
#define TYPICAL_REACH 1.05 /* of a tile, in the edge of a cube with its volume */
#define LEAST_GAIN 1.25    /* below which pixels are computed as they are */
/* Cycles of a core with AVX2 as in estimate.c, [float32]: a node at a point, and the rest of a tile at a point. */
static const double node_cycles[] = {0.31, 0.1}, tile_cycles[] = {6.0, 6.0};
/* An atom at a pixel, [arrangement][float32] */
static const double term_cycles[ARRANGEMENTS][2] = {[ARRANGED_LIST] = {3.4, 1.4},
						    [ARRANGED_PAIRS] = {2.6, 1.02},
						    [ARRANGED_LINES] = {1.6, 0.91},
						    [ARRANGED_LONG_LINES] = {1.22, 0.71},
						    [ARRANGED_LONG_PAIRS] = {2.33, 0.97}};

/* The choice ---------------------------------------------------------------------------------------------------- */

static int64_t number_at(const struct pattern_pixels *pixels, const int64_t at[3])
{
	int64_t number = 0;

	for (int axis = 0; axis < pixels->axis_count; ++axis)
		number = number * pixels->sizes[axis] + at[axis];
	return number;
}

/* Indices of a column that is tried, the other axes. */
static void tried_column(const struct pattern_pixels *pixels, int axis, int k, int64_t at[3])
{
	for (int other = 0; other < pixels->axis_count; ++other)
		at[other] = other == axis ? 0 : k * (pixels->sizes[other] - 1) / (COLUMNS_TRIED - 1);
}

/* The coordinate in which sums are interpolated: for circles of the Ewald sphere tan(theta/2), sin(theta) = q lambda/(4 pi), of which
 * vectors are smooth functions up to backward scattering. */
static double coordinate(const struct pattern_pixels *pixels, double value)
{
	if (pixels->geometry != SONDE_PATTERN_POLAR)
		return value;
	const double sine = fmin(1.0, value * pixels->wavelength / (4.0 * PI));
	return sine / (1.0 + sqrt((1.0 - sine) * (1.0 + sine)));
}

static double value_at(const struct pattern_pixels *pixels, double x)
{
	return pixels->geometry == SONDE_PATTERN_POLAR ? 4.0 * PI / pixels->wavelength * 2.0 * x / (1.0 + x * x) : x;
}

/* Of a point of the axis: its coordinate from 0 to 1. */
static double place(const struct pattern_pixels *pixels, int axis, int64_t point)
{
	const double *values = pixels->axes[axis], first = coordinate(pixels, values[0]),
		     last = coordinate(pixels, values[pixels->sizes[axis] - 1]);

	return (coordinate(pixels, values[point]) - first) / (last - first);
}

/* Half of the length of the axis in reciprocal space, if vectors changed everywhere as fast with its coordinate as they do at most,
 * in the columns that are tried. */
static double half_length(const struct pattern_pixels *pixels, int axis)
{
	const int64_t points = pixels->sizes[axis], step = points > 257 ? points / 256 : 1;
	double largest = 0.0;

	for (int k = 0; k < COLUMNS_TRIED; ++k) {
		double before[3], vector[3];
		int64_t at[3] = {0};
		tried_column(pixels, axis, k, at);
		(void)pattern_pixel(pixels, number_at(pixels, at), before);
		for (int64_t p = step; p < points; p += step) {
			at[axis] = p;
			(void)pattern_pixel(pixels, number_at(pixels, at), vector);
			const double length = sqrt((vector[0] - before[0]) * (vector[0] - before[0]) +
						   (vector[1] - before[1]) * (vector[1] - before[1]) +
						   (vector[2] - before[2]) * (vector[2] - before[2]));
			largest =
			    fmax(largest, 0.5 * length / (place(pixels, axis, p) - place(pixels, axis, p - step)));
			memcpy(before, vector, sizeof before);
		}
	}
	return largest;
}

/* Nodes of a window with half of the phase b. */
static int nodes_for(double b, bool single)
{
	const double nodes = b + (single ? 6.0 : 11.0) * cbrt(b) + 3.0;

	return nodes < 1e6 ? (int)ceil(nodes) : 1000000;
}

/* Other axes of a box are lines of pixels, and of a polar picture circles: those after the axis of the nodes. */
static void try_axis(const struct pattern_pixels *pixels, int axis, bool single, double reach, double atoms,
		     struct pixel_division *best)
{
	const int64_t points = pixels->sizes[axis];
	const double length = points >= LEAST_POINTS ? half_length(pixels, axis) : INFINITY;
	struct pixel_sets sets;

	if (!(length < INFINITY))
		return;
	pixel_sets_beside(pixels, axis, single, reach, &sets);
	for (int windows = 1; windows <= MOST_WINDOWS && points / windows >= LEAST_POINTS; ++windows) {
		const int nodes = nodes_for(length * reach / windows, single);
		const double sums =
				 term_cycles[sets.arrangement][single] * (double)(windows * nodes) / (double)points,
			     interpolation = (node_cycles[single] * nodes + tile_cycles[single]) / atoms;
		if ((unsigned)nodes > MOST_NODES || sums + interpolation >= best->sums + best->interpolation)
			continue;
		*best = (struct pixel_division){.arrangement = sets.arrangement,
						.axis = axis,
						.windows = windows,
						.nodes = nodes,
						.points = points,
						.atoms = atoms,
						.sums = sums,
						.interpolation = interpolation};
	}
}

void pixel_division_choose(const struct pattern_pixels *pixels, bool single, double reach, double atoms,
			   struct pixel_division *division)
{
	struct pixel_sets sets;

	pixel_sets_make(pixels, single, reach, &sets);
	const struct pixel_division plain = {.arrangement = sets.arrangement,
					     .axis = -1,
					     .atoms = atoms,
					     .sums = term_cycles[sets.arrangement][single],
					     .interpolation = tile_cycles[single] / atoms};
	*division = plain;
	for (int axis = 0; axis + 1 < pixels->axis_count; ++axis)
		try_axis(pixels, axis, single, reach, atoms, division);
	if ((division->sums + division->interpolation) * LEAST_GAIN > plain.sums + plain.interpolation)
		*division = plain;
}

/* Of the smaller of the ball and the box around the atoms. */
static double volume_of(const struct pattern_sample *sample)
{
	const double radius = sample->reach;
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};

	for (int64_t i = 0; i < sample->view.count; ++i)
		for (int k = 0; k < 3; ++k) {
			low[k] = fmin(low[k], sample->view.positions[3 * i + k]);
			high[k] = fmax(high[k], sample->view.positions[3 * i + k]);
		}
	return fmin((high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]),
		    4.0 / 3.0 * PI * radius * radius * radius);
}

void pixel_division_expect(const struct pattern_plan *plan, bool single, struct pixel_division *division)
{
	const struct pattern_sample *sample = &plan->sample;
	const double volume = volume_of(sample);
	double tiles = 0.0, reach = 0.0;

	for (int c = 0; c < sample->class_count; ++c) {
		const double atoms = (double)sample->view.species[c].atoms;
		tiles += ceil(atoms / TILE_ATOMS);
		reach =
		    fmax(reach, fmin(sample->reach, TYPICAL_REACH * cbrt(volume * fmin(1.0, TILE_ATOMS / atoms))));
	}
	pixel_division_choose(&plan->pixels, single, reach, (double)sample->view.count / tiles, division);
}

/* The nodes ----------------------------------------------------------------------------------------------------- */

static double node(int k, int count)
{
	lanes_f64 sine, cosine;

	lanes_sincos(LANES_SPLAT(PI * (2.0 * k + 1.0) / (2.0 * count)), &sine, &cosine, 0);
	return LANES_FIRST(cosine);
}

/* Lagrange's polynomials at x in barycentric form, with weights (-1)^k sin((2k + 1) pi/(2n)) for Chebyshev's nodes. */
static void fill_weights(int count, const double *nodes, double x, double *weights)
{
	double sum = 0.0;

	for (int k = 0; k < count; ++k) {
		const double apart = x - nodes[k];
		if (apart == 0.0) {
			memset(weights, 0, (size_t)count * sizeof *weights);
			weights[k] = 1.0;
			return;
		}
		weights[k] = (k % 2 == 0 ? 1.0 : -1.0) * sqrt((1.0 - nodes[k]) * (1.0 + nodes[k])) / apart;
		sum += weights[k];
	}
	for (int k = 0; k < count; ++k)
		weights[k] /= sum;
}

static void fill_window(const struct pattern_pixels *pixels, int window, struct pixel_nodes *nodes)
{
	const double *values = pixels->axes[nodes->axis], first = coordinate(pixels, values[0]),
		     last = coordinate(pixels, values[nodes->points - 1]), half = 0.5 / nodes->windows,
		     middle = (2 * window + 1) * half;
	double x[MOST_NODES];

	for (int k = 0; k < nodes->count; ++k) {
		x[k] = node(k, nodes->count);
		nodes->positions[window * nodes->count + k] =
		    value_at(pixels, first + (last - first) * (middle + half * x[k]));
	}
	for (int64_t p = nodes->begins[window]; p < nodes->begins[window + 1]; ++p)
		fill_weights(nodes->count, x, (place(pixels, nodes->axis, p) - middle) / half,
			     nodes->weights + p * nodes->count);
}

static void wave(const double from[3], const double vector[3], const double r[3], double *real, double *imaginary)
{
	lanes_f64 sine, cosine;

	lanes_sincos(
	    LANES_SPLAT((vector[0] - from[0]) * r[0] + (vector[1] - from[1]) * r[1] + (vector[2] - from[2]) * r[2]),
	    &sine, &cosine, 0);
	*real = LANES_FIRST(cosine);
	*imaginary = LANES_FIRST(sine);
}

/* The largest error at some points of a window, of an atom at r. */
static double error_for(const struct pattern_pixels *pixels, const struct pixel_nodes *nodes, int window,
			int64_t at[3], const double r[3])
{
	const int count = nodes->count, axis = nodes->axis;
	const int64_t begin = nodes->begins[window], end = nodes->begins[window + 1],
		      step = (end - begin + POINTS_TRIED - 1) / POINTS_TRIED;
	double from[3], vector[3], real[MOST_NODES], imaginary[MOST_NODES], largest = 0.0;

	at[axis] = (begin + end) / 2;
	(void)pattern_pixel(pixels, number_at(pixels, at), from);
	for (int k = 0; k < count; ++k) {
		at[axis] = window * count + k;
		(void)pattern_pixel(&nodes->pixels, number_at(&nodes->pixels, at), vector);
		wave(from, vector, r, &real[k], &imaginary[k]);
	}
	for (int64_t p = begin; p < end; p += step) {
		double true_real, true_imaginary;
		at[axis] = p;
		(void)pattern_pixel(pixels, number_at(pixels, at), vector);
		wave(from, vector, r, &true_real, &true_imaginary);
		for (int k = 0; k < count; ++k) {
			true_real -= nodes->weights[p * count + k] * real[k];
			true_imaginary -= nodes->weights[p * count + k] * imaginary[k];
		}
		largest = fmax(largest, hypot(true_real, true_imaginary));
	}
	return largest;
}

/* Of atoms in the directions in which phases differ most: from end to end, and from either end to the point next to it. */
static double error_in_window(const struct pattern_pixels *pixels, const struct pixel_nodes *nodes, int window,
			      int column, double reach)
{
	const int64_t begin = nodes->begins[window], last = nodes->begins[window + 1] - 1;
	if (last <= begin)
		return 0.0;
	const int64_t pairs[DIRECTIONS][2] = {
	    {begin, last}, {begin, begin + 1}, {last - 1, last}, {(begin + last) / 2, (begin + last + 1) / 2}};
	double largest = 0.0;

	for (int d = 0; d < DIRECTIONS; ++d) {
		double a[3], b[3], r[3], square = 0.0;
		int64_t at[3] = {0};
		tried_column(pixels, nodes->axis, column, at);
		at[nodes->axis] = pairs[d][0];
		(void)pattern_pixel(pixels, number_at(pixels, at), a);
		at[nodes->axis] = pairs[d][1];
		(void)pattern_pixel(pixels, number_at(pixels, at), b);
		for (int c = 0; c < 3; ++c)
			square += (b[c] - a[c]) * (b[c] - a[c]);
		for (int c = 0; c < 3; ++c)
			r[c] = square > 0.0 ? reach * (b[c] - a[c]) / sqrt(square) : 0.0;
		largest = fmax(largest, error_for(pixels, nodes, window, at, r));
	}
	return largest;
}

/* Where spheres and detectors curve most: the first and the last window, and one between. */
static double error_of(const struct pattern_pixels *pixels, const struct pixel_nodes *nodes, double reach)
{
	const int windows[] = {0, nodes->windows / 2, nodes->windows - 1},
		  columns = pixels->geometry == SONDE_PATTERN_DETECTOR ? COLUMNS_TRIED : 1;
	double largest = 0.0;

	for (int k = 0; k < 3; ++k)
		for (int column = 0; column < columns && (k == 0 || windows[k] != windows[k - 1]); ++column)
			largest = fmax(largest, error_in_window(pixels, nodes, windows[k], column, reach));
	return largest;
}

static sonde_status allocate(const struct pattern_pixels *pixels, const struct pixel_division *division,
			     struct pixel_nodes *nodes)
{
	const size_t windows = (size_t)division->windows;

	*nodes =
	    (struct pixel_nodes){.axis = division->axis, .windows = division->windows, .points = division->points};
	nodes->pixels = *pixels;
	nodes->pixels.borrowed = true;
	nodes->pixels.masked = NULL;
	CHECK(memory_allocate(&nodes->positions, windows * MOST_NODES, sizeof(double), "the nodes"));
	CHECK(memory_allocate(&nodes->begins, windows + 1, sizeof *nodes->begins, "the nodes"));
	CHECK(memory_allocate(&nodes->weights, (size_t)division->points * MOST_NODES, sizeof(double), "the nodes"));
	nodes->begins[windows] = division->points;
	for (size_t w = 1; w < windows; ++w) {
		nodes->begins[w] = nodes->begins[w - 1];
		while (place(pixels, division->axis, nodes->begins[w]) < (double)w / (double)windows)
			++nodes->begins[w];
	}
	return SONDE_OK;
}

static void use_nodes(const struct pattern_pixels *pixels, int count, struct pixel_nodes *nodes)
{
	struct pattern_pixels *own = &nodes->pixels;
	const int axis = nodes->axis;

	nodes->count = count;
	nodes->rows = (int64_t)nodes->windows * count;
	own->axes[axis] = nodes->positions;
	own->sizes[axis] = nodes->rows;
	own->count = pixels->count / nodes->points * nodes->rows;
	own->picture = pixels->picture / nodes->points * nodes->rows;
	for (int window = 0; window < nodes->windows; ++window)
		fill_window(pixels, window, nodes);
}

static double allowed_error(const struct pattern_pixels *pixels, bool single, double reach)
{
	double first[3], last[3];

	const double a = pattern_pixel(pixels, 0, first), b = pattern_pixel(pixels, pixels->count - 1, last);
	return single ? ERROR_F32 : ERROR_F64 + ERROR_OF_PHASE * reach * fmax(a, b);
}

/* More nodes than expected, if the axis is bent. */
static bool find_count(const struct pattern_pixels *pixels, bool single, double reach, int most, int first,
		       struct pixel_nodes *nodes)
{
	const double allowed = allowed_error(pixels, single, reach);

	for (int count = first; count <= most; count += 1 + count / 16) {
		use_nodes(pixels, count, nodes);
		if (error_of(pixels, nodes, reach) <= allowed)
			return true;
	}
	return false;
}

sonde_status pixel_nodes_make(const struct pattern_pixels *pixels, bool single, double reach, double atoms,
			      struct pixel_sets *sets, struct pixel_nodes *nodes)
{
	struct pixel_division division;

	*nodes = (struct pixel_nodes){.axis = -1};
	pixel_division_choose(pixels, single, reach, atoms, &division);
	if (division.axis < 0) {
		pixel_sets_make(pixels, single, reach, sets);
		return SONDE_OK;
	}
	const int64_t fit = pixels->sizes[division.axis] / division.windows;
	const int most = fit < (int64_t)MOST_NODES ? (int)fit : (int)MOST_NODES;
	CHECK(allocate(pixels, &division, nodes));
	if (!find_count(pixels, single, reach, most, division.nodes, nodes)) {
		pixel_nodes_free(nodes);
		pixel_sets_make(pixels, single, reach, sets);
		return SONDE_OK;
	}
	pixel_sets_beside(&nodes->pixels, nodes->axis, single, reach, &nodes->sets);
	pixel_sets_by_columns(&nodes->sets, pixels, nodes->axis, sets);
	return SONDE_OK;
}

void pixel_nodes_free(struct pixel_nodes *nodes)
{
	free(nodes->positions);
	free(nodes->weights);
	free(nodes->begins);
	*nodes = (struct pixel_nodes){.axis = -1};
}
