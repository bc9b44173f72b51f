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
#define ERROR_F64 3e-14
#define ERROR_OF_PHASE 2e-15
#define ERROR_F32 5e-7
#define COLUMNS_TRIED 5
#define POINTS_TRIED 96
#define DIRECTIONS 4
#define NEWTON_TURNS 8
#define MOST_WINDOWS 64
#define LEAST_POINTS 32
#define TYPICAL_REACH 1.05      /* of a tile, in the edge of a cube with its volume */
#define TYPICAL_HALF 0.65       /* of its edges, in the reach */
#define MOST_TOGETHER (1 << 18) /* pixels of a window across columns, which is a piece of the work */
#define LARGEST_STEP 1.0        /* ln(1/error)/n, beyond which nodes stay where Chebyshev's are */
#define LEAST_GAIN 1.25         /* below which pixels are computed as they are */
/* ln(1/error) of the spacing of nodes, with which fewest are needed in both precisions */
#define LOGARITHM_F64 40.0
#define LOGARITHM_F32 22.0
/* Cycles of a core with AVX2 as in estimate.c, [float32]: a node at a point, and the rest of a tile at a point. */
static const double node_cycles[] = {0.31, 0.1}, tile_cycles[] = {6.0, 6.0};
static const struct axis_division no_axis = {.axis = -1};
static const struct axis_nodes no_nodes = {.axis = -1};
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

/* Indices of a column that is tried, the other axes. Those of a quadrant of circles: the others see the same of the box of a tile. */
static void tried_column(const struct pattern_pixels *pixels, int axis, int k, int64_t at[3])
{
	const bool circles = pixels->geometry == SONDE_PATTERN_POLAR && pixels->sizes[1] >= 4 * COLUMNS_TRIED;

	for (int other = 0; other < pixels->axis_count; ++other) {
		const int64_t last = circles ? pixels->sizes[other] / 4 : pixels->sizes[other] - 1;
		at[other] = other == axis ? 0 : k * last / (COLUMNS_TRIED - 1);
	}
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

/* The largest phase of d.r', and the atom's place r'. */
static double largest_phase(const struct tile_reach *reach, const double d[3], double r[3])
{
	const double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
	double in_box = 0.0;

	for (int k = 0; k < 3; ++k) {
		r[k] = d[k] < 0.0 ? -reach->half[k] : reach->half[k];
		in_box += r[k] * d[k];
	}
	if (in_box <= reach->radius * length)
		return in_box;
	for (int k = 0; k < 3; ++k)
		r[k] = reach->radius * d[k] / length;
	return reach->radius * length;
}

/* Half of the phase from end to end of the axis, if it changed everywhere as fast with its coordinate as it does at most, in the
 * columns that are tried. */
static double half_phase(const struct pattern_pixels *pixels, int axis, const struct tile_reach *reach)
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
			const double d[3] = {vector[0] - before[0], vector[1] - before[1], vector[2] - before[2]};
			double r[3];
			largest = fmax(largest, 0.5 * largest_phase(reach, d, r) /
						    (place(pixels, axis, p) - place(pixels, axis, p - step)));
			memcpy(before, vector, sizeof before);
		}
	}
	return largest;
}

/* beta of n nodes, by the series of pi/2 - beta, so that it has the same bits everywhere; 0: x = t. */
static double spacing(int count, bool single)
{
	const double s = (single ? LOGARITHM_F32 : LOGARITHM_F64) / count, square = s * s;

	return s > LARGEST_STEP ? 0.0 : 0.5 * PI - s * (1.0 - square / 6.0 * (1.0 - square / 4.0));
}

/* Nodes of a window with half of the phase b. */
static int nodes_for(double b, bool single)
{
	double nodes = 1e6;

	for (int turn = 0; turn < 4; ++turn) {
		const double beta = nodes < 1e6 ? spacing((int)nodes, single) : 0.0,
			     own = beta > 0.0 ? b * sin(beta) / beta : b;
		nodes = fmin(1e6, own + (single ? 3.2 : 7.0) * cbrt(own) + 3.0);
	}
	return (int)ceil(nodes);
}

double pixel_division_part(const struct pixel_division *division)
{
	const struct axis_division *along = &division->along, *across = &division->across;
	const double part = along->axis < 0 ? 1.0 : (double)(along->windows * along->nodes) / (double)along->points;

	return across->axis < 0 ? part : part * ((double)(across->windows * across->nodes) / (double)across->points);
}

double pixel_division_interpolated(const struct pixel_division *division)
{
	const struct axis_division *along = &division->along, *across = &division->across;

	return along->nodes + (across->axis < 0
				   ? 0.0
				   : across->nodes * (double)(along->windows * along->nodes) / (double)along->points);
}

static void take_if_better(struct pixel_division *division, bool single, struct pixel_division *best)
{
	division->sums = term_cycles[division->arrangement][single] * pixel_division_part(division);
	division->interpolation =
	    (node_cycles[single] * pixel_division_interpolated(division) + tile_cycles[single]) / division->atoms;
	if (division->sums + division->interpolation < best->sums + best->interpolation)
		*best = *division;
}

/* Other axes of a box are lines of pixels, and of a polar picture circles: those after the axis of the nodes. */
static void try_axis(const struct pattern_pixels *pixels, int axis, bool single, const struct tile_reach *reach,
		     double atoms, struct pixel_division *best)
{
	const int64_t points = pixels->sizes[axis];
	const double length = points >= LEAST_POINTS ? half_phase(pixels, axis, reach) : INFINITY;
	struct pixel_sets sets;

	if (!(length < INFINITY))
		return;
	pixel_sets_beside(pixels, axis, single, reach->radius, &sets);
	struct pixel_division division = {.arrangement = sets.arrangement,
					  .along = {.axis = axis, .points = points},
					  .across = no_axis,
					  .atoms = atoms};
	for (int windows = 1; windows <= MOST_WINDOWS && points / windows >= LEAST_POINTS; ++windows) {
		division.along.windows = windows;
		division.along.nodes = nodes_for(length / windows, single);
		if ((unsigned)division.along.nodes <= MOST_NODES)
			take_if_better(&division, single, best);
	}
}

/* Points of the windows across columns, the last of which may have fewer: whole pieces (pixel_sets.h). */
static int64_t across_points(int64_t points, int windows)
{
	return (points + windows * RESAMPLED_COLUMNS - 1) / (windows * RESAMPLED_COLUMNS) * RESAMPLED_COLUMNS;
}

/* Both axes of a detector. */
static void try_both(const struct pattern_pixels *pixels, bool single, const struct tile_reach *reach, double atoms,
		     struct pixel_division *best)
{
	const int64_t rows = pixels->sizes[0], columns = pixels->sizes[1];
	struct pixel_division division = {.arrangement = ARRANGED_LIST,
					  .along = {.axis = 0, .points = rows},
					  .across = {.axis = 1, .points = columns},
					  .atoms = atoms};

	if (pixels->geometry != SONDE_PATTERN_DETECTOR || pixels->rotations != NULL || rows < LEAST_POINTS ||
	    columns < LEAST_POINTS)
		return;
	const double height = half_phase(pixels, 0, reach), width = half_phase(pixels, 1, reach);
	if (!(height < INFINITY && width < INFINITY))
		return;
	for (int windows = 1; windows <= MOST_WINDOWS && rows / windows >= LEAST_POINTS; ++windows) {
		division.along.windows = windows;
		division.along.nodes = nodes_for(height / windows, single);
		for (int wide = 1; wide <= MOST_WINDOWS && columns / wide >= LEAST_POINTS; ++wide) {
			const int64_t each = across_points(columns, wide);
			division.across.windows = (int)((columns + each - 1) / each);
			division.across.nodes = nodes_for(width * (double)each / (double)columns, single);
			if (each * rows <= MOST_TOGETHER && (unsigned)division.along.nodes <= MOST_NODES &&
			    (unsigned)division.across.nodes <= MOST_NODES)
				take_if_better(&division, single, best);
		}
	}
}

void pixel_division_choose(const struct pattern_pixels *pixels, bool single, const struct tile_reach *reach,
			   double atoms, struct pixel_division *division)
{
	struct pixel_sets sets;

	pixel_sets_make(pixels, single, reach->radius, &sets);
	const struct pixel_division plain = {.arrangement = sets.arrangement,
					     .along = no_axis,
					     .across = no_axis,
					     .atoms = atoms,
					     .sums = term_cycles[sets.arrangement][single],
					     .interpolation = tile_cycles[single] / atoms};
	*division = plain;
	for (int axis = 0; axis + 1 < pixels->axis_count; ++axis)
		try_axis(pixels, axis, single, reach, atoms, division);
	try_both(pixels, single, reach, atoms, division);
	if ((division->sums + division->interpolation) * LEAST_GAIN > plain.sums + plain.interpolation)
		*division = plain;
}

/* Of the smaller of the ball and the box around the atoms. */
static double volume_of(const struct pattern_sample *sample)
{
	const double radius = sample->reach, ball = 4.0 / 3.0 * PI * radius * radius * radius;
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};

	if (sample->copies.count == 0)
		return fmin(sample->edges[0] * sample->edges[1] * sample->edges[2], ball);
	for (int64_t i = 0; i < sample->view.count; ++i)
		for (int k = 0; k < 3; ++k) {
			low[k] = fmin(low[k], sample->view.positions[3 * i + k]);
			high[k] = fmax(high[k], sample->view.positions[3 * i + k]);
		}
	return fmin((high[0] - low[0]) * (high[1] - low[1]) * (high[2] - low[2]), ball);
}

void pixel_division_expect(const struct pattern_plan *plan, bool single, struct pixel_division *division)
{
	const struct pattern_sample *sample = &plan->sample;
	const double volume = volume_of(sample);
	struct tile_reach reach = {.radius = 0.0};
	double tiles = 0.0;

	for (int c = 0; c < sample->class_count; ++c) {
		const double atoms = (double)sample->view.species[c].atoms;
		tiles += ceil(atoms / TILE_ATOMS);
		reach.radius = fmax(
		    reach.radius, fmin(sample->reach, TYPICAL_REACH * cbrt(volume * fmin(1.0, TILE_ATOMS / atoms))));
	}
	/* copies are turned */
	for (int k = 0; k < 3; ++k)
		reach.half[k] = sample->copies.count > 0 ? reach.radius : TYPICAL_HALF * reach.radius;
	pixel_division_choose(&plan->pixels, single, &reach, (double)sample->view.count / tiles, division);
}

/* The nodes ----------------------------------------------------------------------------------------------------- */

/* Of a window: positions x, in the coordinate t of the polynomials, and sine of beta. */
struct window_nodes {
	double x[MOST_NODES], t[MOST_NODES], beta, sine;
};

static double sine_of(double angle, double *cosine)
{
	lanes_f64 sine, other;

	lanes_sincos(LANES_SPLAT(angle), &sine, &other, 0);
	if (cosine != NULL)
		*cosine = LANES_FIRST(other);
	return LANES_FIRST(sine);
}

static void place_nodes(int count, bool single, struct window_nodes *nodes)
{
	nodes->beta = spacing(count, single);
	nodes->sine = sine_of(nodes->beta, NULL);
	for (int k = 0; k < count; ++k) {
		(void)sine_of(PI * (2.0 * k + 1.0) / (2.0 * count), &nodes->t[k]);
		nodes->x[k] = nodes->t[k];
		if (nodes->beta == 0.0)
			continue;
		double angle = nodes->beta * nodes->t[k];
		for (int turn = 0; turn < NEWTON_TURNS; ++turn) {
			double cosine;
			const double sine = sine_of(angle, &cosine);
			angle += (nodes->sine * nodes->t[k] - sine) / cosine;
		}
		nodes->x[k] = angle / nodes->beta;
	}
}

/* Lagrange's polynomials at x in barycentric form, with weights (-1)^k sin((2k + 1) pi/(2n)) for Chebyshev's nodes. */
static void fill_weights(int count, const struct window_nodes *nodes, double x, double *weights)
{
	const double t = nodes->beta > 0.0 ? sine_of(nodes->beta * x, NULL) / nodes->sine : x;
	double sum = 0.0;

	for (int k = 0; k < count; ++k) {
		const double apart = t - nodes->t[k];
		if (apart == 0.0) {
			memset(weights, 0, (size_t)count * sizeof *weights);
			weights[k] = 1.0;
			return;
		}
		weights[k] = (k % 2 == 0 ? 1.0 : -1.0) * sqrt((1.0 - nodes->t[k]) * (1.0 + nodes->t[k])) / apart;
		sum += weights[k];
	}
	for (int k = 0; k < count; ++k)
		weights[k] /= sum;
}

/* From its first to its last point. */
static void fill_window(const struct pattern_pixels *pixels, int window, const struct window_nodes *of_window,
			struct axis_nodes *nodes)
{
	const double *values = pixels->axes[nodes->axis], first = coordinate(pixels, values[0]),
		     last = coordinate(pixels, values[nodes->points - 1]);
	const int64_t begin = nodes->begins[window], end = nodes->begins[window + 1];
	const double from = place(pixels, nodes->axis, begin), to = place(pixels, nodes->axis, end - 1),
		     middle = 0.5 * (from + to), half = 0.5 * (to - from);

	for (int k = 0; k < nodes->count; ++k)
		nodes->positions[window * nodes->count + k] =
		    value_at(pixels, first + (last - first) * (middle + half * of_window->x[k]));
	for (int64_t p = begin; p < end; ++p)
		fill_weights(nodes->count, of_window,
			     half > 0.0 ? (place(pixels, nodes->axis, p) - middle) / half : 0.0,
			     nodes->weights + p * nodes->count);
}

static void wave(const double from[3], const double vector[3], const double r[3], double *real, double *imaginary)
{
	*imaginary =
	    sine_of((vector[0] - from[0]) * r[0] + (vector[1] - from[1]) * r[1] + (vector[2] - from[2]) * r[2], real);
}

/* The largest error at some points of a window, of an atom at r. `own` are pixels with the nodes in place of the points. */
static double error_for(const struct pattern_pixels *pixels, const struct pattern_pixels *own,
			const struct axis_nodes *nodes, int window, int64_t at[3], const double r[3])
{
	const int count = nodes->count, axis = nodes->axis;
	const int64_t begin = nodes->begins[window], end = nodes->begins[window + 1],
		      step = (end - begin + POINTS_TRIED - 1) / POINTS_TRIED;
	double from[3], vector[3], real[MOST_NODES], imaginary[MOST_NODES], largest = 0.0;

	at[axis] = (begin + end) / 2;
	(void)pattern_pixel(pixels, number_at(pixels, at), from);
	for (int k = 0; k < count; ++k) {
		at[axis] = window * count + k;
		(void)pattern_pixel(own, number_at(own, at), vector);
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
static double error_in_window(const struct pattern_pixels *pixels, const struct pattern_pixels *own,
			      const struct axis_nodes *nodes, int window, int column, const struct tile_reach *reach)
{
	const int64_t begin = nodes->begins[window], last = nodes->begins[window + 1] - 1;
	if (last <= begin)
		return 0.0;
	const int64_t pairs[DIRECTIONS][2] = {
	    {begin, last}, {begin, begin + 1}, {last - 1, last}, {(begin + last) / 2, (begin + last + 1) / 2}};
	double largest = 0.0;

	for (int d = 0; d < DIRECTIONS; ++d) {
		double a[3], b[3], r[3];
		int64_t at[3] = {0};
		tried_column(pixels, nodes->axis, column, at);
		at[nodes->axis] = pairs[d][0];
		(void)pattern_pixel(pixels, number_at(pixels, at), a);
		at[nodes->axis] = pairs[d][1];
		(void)pattern_pixel(pixels, number_at(pixels, at), b);
		const double apart[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
		(void)largest_phase(reach, apart, r);
		largest = fmax(largest, error_for(pixels, own, nodes, window, at, r));
	}
	return largest;
}

/* Where spheres and detectors curve most: the first and the last window, and one between. */
static double error_of(const struct pattern_pixels *pixels, const struct pattern_pixels *own,
		       const struct axis_nodes *nodes, const struct tile_reach *reach)
{
	const int windows[] = {0, nodes->windows / 2, nodes->windows - 1},
		  columns = pixels->geometry == SONDE_PATTERN_BOX ? 1 : COLUMNS_TRIED;
	double largest = 0.0;

	for (int k = 0; k < 3; ++k)
		for (int column = 0; column < columns && (k == 0 || windows[k] != windows[k - 1]); ++column)
			largest = fmax(largest, error_in_window(pixels, own, nodes, windows[k], column, reach));
	return largest;
}

static sonde_status allocate(const struct pattern_pixels *pixels, const struct axis_division *division, bool across,
			     struct axis_nodes *nodes)
{
	const size_t windows = (size_t)division->windows;

	*nodes =
	    (struct axis_nodes){.axis = division->axis, .windows = division->windows, .points = division->points};
	CHECK(memory_allocate(&nodes->positions, windows * MOST_NODES, sizeof(double), "the nodes"));
	CHECK(memory_allocate(&nodes->begins, windows + 1, sizeof *nodes->begins, "the nodes"));
	CHECK(memory_allocate(&nodes->weights, (size_t)division->points * MOST_NODES, sizeof(double), "the nodes"));
	nodes->begins[windows] = division->points;
	for (size_t w = 1; w < windows; ++w) {
		nodes->begins[w] = nodes->begins[w - 1];
		if (across)
			nodes->begins[w] += across_points(division->points, division->windows);
		else
			while (place(pixels, division->axis, nodes->begins[w]) < (double)w / (double)windows)
				++nodes->begins[w];
	}
	return SONDE_OK;
}

static void replace_axis(const struct axis_nodes *nodes, struct pattern_pixels *own)
{
	own->axes[nodes->axis] = nodes->positions;
	own->sizes[nodes->axis] = nodes->rows;
	own->count = own->count / nodes->points * nodes->rows;
	own->picture = own->picture / nodes->points * nodes->rows;
}

static struct pattern_pixels copy_of(const struct pattern_pixels *pixels)
{
	struct pattern_pixels copy = *pixels;

	copy.borrowed = true;
	copy.masked = NULL;
	return copy;
}

static void use_nodes(const struct pattern_pixels *pixels, bool single, int count, struct axis_nodes *nodes)
{
	struct window_nodes of_window;

	nodes->count = count;
	nodes->rows = (int64_t)nodes->windows * count;
	place_nodes(count, single, &of_window);
	for (int window = 0; window < nodes->windows; ++window)
		fill_window(pixels, window, &of_window, nodes);
}

static double allowed_error(const struct pattern_pixels *pixels, bool single, const struct tile_reach *reach)
{
	double first[3], last[3];

	const double a = pattern_pixel(pixels, 0, first), b = pattern_pixel(pixels, pixels->count - 1, last);
	return single ? ERROR_F32 : ERROR_F64 + ERROR_OF_PHASE * reach->radius * fmax(a, b);
}

/* More nodes than expected, if the axis is bent. */
static bool find_count(const struct pattern_pixels *pixels, bool single, const struct tile_reach *reach, int first,
		       struct axis_nodes *nodes)
{
	const double allowed = allowed_error(pixels, single, reach);
	const int64_t fit = nodes->points / nodes->windows;
	const int most = fit < (int64_t)MOST_NODES ? (int)fit : (int)MOST_NODES;

	for (int count = first; count <= most; count += 1 + count / 32) {
		struct pattern_pixels own = copy_of(pixels);
		use_nodes(pixels, single, count, nodes);
		replace_axis(nodes, &own);
		if (error_of(pixels, &own, nodes, reach) <= allowed)
			return true;
	}
	return false;
}

/* Whether there are nodes that are accurate enough. */
static sonde_status make_axis(const struct pattern_pixels *pixels, bool single, const struct tile_reach *reach,
			      const struct axis_division *division, bool across, struct axis_nodes *nodes,
			      bool *found)
{
	if (division->axis < 0)
		return SONDE_OK;
	CHECK(allocate(pixels, division, across, nodes));
	*found = *found && find_count(pixels, single, reach, division->nodes, nodes);
	return SONDE_OK;
}

/* The sets of columns, and of their nodes. */
static void make_sets(const struct pattern_pixels *pixels, bool single, const struct tile_reach *reach,
		      struct pixel_sets *sets, struct pixel_nodes *nodes)
{
	nodes->pixels = copy_of(pixels);
	replace_axis(&nodes->along, &nodes->pixels);
	if (nodes->across.axis < 0) {
		pixel_sets_beside(&nodes->pixels, nodes->along.axis, single, reach->radius, &nodes->sets);
		pixel_sets_by_columns(&nodes->sets, pixels, nodes->along.axis, sets);
		return;
	}
	replace_axis(&nodes->across, &nodes->pixels);
	pixel_sets_list(&nodes->pixels, &nodes->sets);
	pixel_sets_list(pixels, sets);
	sets->points = nodes->along.points;
	sets->columns = across_points(nodes->across.points, nodes->across.windows);
	sets->of_row = nodes->across.points;
}

sonde_status pixel_nodes_make(const struct pattern_pixels *pixels, bool single, const struct tile_reach *reach,
			      double atoms, struct pixel_sets *sets, struct pixel_nodes *nodes)
{
	struct pixel_division division;
	bool found = true;

	*nodes = (struct pixel_nodes){.along = no_nodes, .across = no_nodes};
	pixel_division_choose(pixels, single, reach, atoms, &division);
	CHECK(make_axis(pixels, single, reach, &division.along, false, &nodes->along, &found));
	CHECK(make_axis(pixels, single, reach, &division.across, true, &nodes->across, &found));
	if (division.along.axis < 0 || !found) {
		pixel_nodes_free(nodes);
		pixel_sets_make(pixels, single, reach->radius, sets);
	} else
		make_sets(pixels, single, reach, sets, nodes);
	return SONDE_OK;
}

static void free_axis(struct axis_nodes *nodes)
{
	free(nodes->positions);
	free(nodes->weights);
	free(nodes->begins);
	*nodes = no_nodes;
}

void pixel_nodes_free(struct pixel_nodes *nodes)
{
	free_axis(&nodes->along);
	free_axis(&nodes->across);
}
