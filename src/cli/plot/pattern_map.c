/* Pictures of patterns: intensities on circles of q, pixels of a detector, or a layer of reciprocal space, on a logarithmic
 * scale. */
#include <math.h>
#include <stdlib.h>

#include "base/constants.h"
#include "base/memory.h"
#include "cli/plot/axes.h"
#include "cli/plot/drawings.h"

#define PIXELS 701  /* along an edge */
#define DECADES 6.0 /* shown below the maximum, at most */
#define MOST_RINGS 6
#define POINTS_OF_RING 720
#define RING_COLOR 0xc03030

/* The intensity at a point of the picture: linear between circles, and between the points of each. */
static double value_at(const sonde_pattern_result *result, double x, double y)
{
	const int64_t points = result->sizes[0], azimuths = result->sizes[1];
	const double first = result->axes[0][0], last = result->axes[0][points - 1], q = hypot(x, y);

	if (!(q >= first && q <= last))
		return NAN;
	const double k = points > 1 ? (q - first) / (last - first) * (double)(points - 1) : 0.0,
		     turn = atan2(y, x) / (2.0 * PI), m = (turn < 0.0 ? turn + 1.0 : turn) * (double)azimuths;
	const int64_t k0 = (int64_t)k, k1 = k0 + 1 < points ? k0 + 1 : k0, m0 = (int64_t)m % azimuths,
		      m1 = (m0 + 1) % azimuths;
	const double kf = k - floor(k), mf = m - floor(m), *values = result->intensity;
	return (1.0 - kf) * ((1.0 - mf) * values[k0 * azimuths + m0] + mf * values[k0 * azimuths + m1]) +
	       kf * ((1.0 - mf) * values[k1 * azimuths + m0] + mf * values[k1 * azimuths + m1]);
}

/* What is drawn: counts, if there are some, of which 0 is half of the least one on a logarithmic scale. */
static double drawn(const sonde_pattern_result *result, int64_t n)
{
	if (result->counts == NULL)
		return result->intensity[n];
	return result->counts[n] < 0 ? NAN : fmax((double)result->counts[n], 0.5);
}

static double largest_of(const sonde_pattern_result *result)
{
	double largest = 0.0;

	for (int64_t n = 0; n < result->count; ++n)
		largest = fmax(largest, drawn(result, n));
	return largest;
}

/* Within the decades that are shown. */
static double shown(double value, double largest)
{
	return isnan(value) ? NAN : fmax(value, largest * pow(10.0, -DECADES));
}

/* A layer along two axes: the middle one of the third, if there are three long ones. Of large maps every n-th point is
 * drawn. */
struct layer {
	int across, up;
	int64_t first, stride[2], count[2], each[2];
};

static bool choose_layer(const sonde_pattern_result *result, struct layer *layer)
{
	int64_t stride = 1, strides[3];
	int chosen[2] = {-1, -1}, long_axes = 0;

	for (int axis = result->axis_count - 1; axis >= 0; --axis) {
		strides[axis] = stride;
		stride *= result->sizes[axis];
		if (result->sizes[axis] > 1 && long_axes < 2)
			chosen[long_axes++] = axis;
	}
	if (long_axes < 2)
		return false;
	*layer = (struct layer){.across = chosen[0], .up = chosen[1]};
	for (int axis = 0; axis < result->axis_count; ++axis)
		if (axis != chosen[0] && axis != chosen[1])
			layer->first += result->sizes[axis] / 2 * strides[axis];
	for (int k = 0; k < 2; ++k) {
		layer->stride[k] = strides[chosen[k]];
		layer->count[k] = result->sizes[chosen[k]];
		layer->each[k] = (layer->count[k] + PIXELS - 1) / PIXELS;
	}
	return true;
}

/* A round distance of at most MOST_RINGS circles up to `edge`. */
static double choose_step(double edge)
{
	double step = pow(10.0, floor(log10(edge / MOST_RINGS)));

	while (edge / step > MOST_RINGS)
		step *= edge / step > 2.5 * MOST_RINGS ? 5.0 : 2.0;
	return step;
}

static void add_ring_label(struct figure *figure, double q, const double at[2], uint32_t color)
{
	figure_text(figure,
		    &(struct figure_text){.at = {at[0], at[1]}, .offset = {5.0, 6.0}, .size = 0.75, .color = color},
		    "%.6g", q);
}

/* Circles at round values of q. */
static void add_rings(struct figure *figure, double edge)
{
	const double step = choose_step(edge);

	for (int k = 1; (double)k * step <= edge; ++k) {
		const double q = (double)k * step, at[2] = {q * sqrt(0.5), q * sqrt(0.5)};
		figure_circle(figure, (struct figure_style){.color = 0x9a9a9a, .width = 1.0},
			      (const double[2]){0.0, 0.0}, q);
		add_ring_label(figure, q, at, 0x555555);
	}
}

/* The picture of a detector is within these limits. */
struct frame {
	double first[2], last[2]; /* x, y */
};

static struct frame frame_of(const sonde_pattern_result *result)
{
	struct frame frame;

	for (int axis = 0; axis < 2; ++axis) {
		const double *along = result->axes[1 - axis];
		const int64_t last = result->sizes[1 - axis] - 1;
		const double half = last > 0 ? 0.5 * fabs(along[last] - along[0]) / (double)last : 0.5;
		frame.first[axis] = fmin(along[0], along[last]) - half;
		frame.last[axis] = fmax(along[0], along[last]) + half;
	}
	return frame;
}

static bool is_inside(const struct frame *frame, const double at[2], double margin)
{
	bool inside = true;

	for (int axis = 0; axis < 2; ++axis) {
		const double edge = margin * (frame->last[axis] - frame->first[axis]);
		inside = inside && at[axis] >= frame->first[axis] + edge && at[axis] <= frame->last[axis] - edge;
	}
	return inside;
}

/* Where radiation scattered by q into the azimuth phi meets the detector; false if it does not. */
static bool meet(const sonde_pattern_result *result, double q, double phi, double at[2])
{
	const double sine = q * result->wavelength / (4.0 * PI); /* of theta */

	if (!(sine <= 1.0))
		return false;
	const double across = 2.0 * sine * sqrt(1.0 - sine * sine), *axes = result->basis,
		     to[3] = {across * cos(phi), across * sin(phi), 2.0 * sine * sine - 1.0};
	double along[3]; /* e_x, e_y, e_n */
	for (int k = 0; k < 3; ++k)
		along[k] = axes[3 * k] * to[0] + axes[3 * k + 1] * to[1] + axes[3 * k + 2] * to[2];
	for (int k = 0; k < 2; ++k)
		at[k] = along[k] / along[2] * result->distance;
	return along[2] > 1e-6;
}

static double largest_q(const sonde_pattern_result *result)
{
	double largest = 0.0, q[3];

	for (int64_t n = 0; n < result->count; ++n) {
		sonde_pattern_vector(result, n, q);
		largest = fmax(largest, q[0] * q[0] + q[1] * q[1] + q[2] * q[2]);
	}
	return sqrt(largest);
}

/* One curve; its label is where it comes nearest to the diagonal within the picture. */
static void add_curve_of_q(struct figure *figure, const sonde_pattern_result *result, const struct frame *frame,
			   double q)
{
	double x[POINTS_OF_RING + 1], y[POINTS_OF_RING + 1], nearest = INFINITY, chosen[2] = {0.0, 0.0};

	for (int n = 0; n <= POINTS_OF_RING; ++n) {
		const double phi = 2.0 * PI * n / POINTS_OF_RING, from_diagonal = fabs(phi - 0.25 * PI);
		double place[2];
		if (!meet(result, q, phi, place) || !is_inside(frame, place, 0.0)) {
			x[n] = NAN;
			y[n] = NAN;
			continue;
		}
		x[n] = place[0];
		y[n] = place[1];
		if (from_diagonal < nearest && is_inside(frame, place, 0.04)) {
			nearest = from_diagonal;
			chosen[0] = place[0];
			chosen[1] = place[1];
		}
	}
	figure_curve(figure, (struct figure_style){.color = RING_COLOR, .width = 1.0}, NULL, x, y,
		     POINTS_OF_RING + 1);
	if (isfinite(nearest))
		add_ring_label(figure, q, chosen, RING_COLOR);
}

/* Curves of constant q at round values, which are conic sections. */
static void add_detector_rings(struct figure *figure, const sonde_pattern_result *result)
{
	const struct frame frame = frame_of(result);
	const double largest = largest_q(result), step = largest > 0.0 ? choose_step(largest) : 1.0;

	for (int k = 1; (double)k * step <= largest; ++k)
		add_curve_of_q(figure, result, &frame, (double)k * step);
	for (int axis = 0; axis < 2; ++axis)
		figure_range(figure, axis == 0 ? FIGURE_X : FIGURE_Y, frame.first[axis], frame.last[axis]);
}

static const char *axis_name(const sonde_pattern_result *result, int axis)
{
	static const char *const of_box[3] = {"l", "k", "h"}, *const of_detector[3] = {"y (mm)", "x (mm)", ""};

	return result->geometry == SONDE_PATTERN_BOX ? of_box[axis] : of_detector[axis];
}

/* Length in 1/Angstrom, or mm, of one unit along an axis. */
static double unit_length(const sonde_pattern_result *result, int axis)
{
	const double *vector = result->basis + 3 * (2 - axis); /* axes are l, k, h */

	return result->geometry == SONDE_PATTERN_BOX
		   ? sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])
		   : 1.0;
}

/* Colors of a map, from the largest value down. */
static void set_colors(struct figure *figure, const sonde_pattern_result *result, const double *values, int64_t count,
		       double largest)
{
	double least = largest;

	for (int64_t n = 0; n < count; ++n)
		least = fmin(least, isnan(values[n]) ? largest : values[n]);
	if (largest > 0.0)
		figure_logarithmic(figure, FIGURE_COLORS);
	figure_range(figure, FIGURE_COLORS, least < largest ? least : 0.1 * largest, largest > 0.0 ? largest : 1.0);
	figure_label(figure, FIGURE_COLORS, result->counts != NULL ? "counts" : "intensity");
	figure_grid(figure, false);
}

static sonde_status add_polar(struct figure *figure, const sonde_pattern_result *result, double largest)
{
	const double last = result->axes[0][result->sizes[0] - 1], edge = last > 0.0 ? last : 1.0,
		     step = 2.0 * edge / (PIXELS - 1);
	double *values;

	CHECK(memory_allocate(&values, (size_t)PIXELS * PIXELS, sizeof *values, "the picture"));
	for (int j = 0; j < PIXELS; ++j)
		for (int i = 0; i < PIXELS; ++i)
			values[j * PIXELS + i] = shown(value_at(result, i * step - edge, j * step - edge), largest);
	figure_map(
	    figure,
	    &(struct figure_map){
		.values = values, .columns = PIXELS, .rows = PIXELS, .first = {-edge, -edge}, .step = {step, step}});
	set_colors(figure, result, values, (int64_t)PIXELS * PIXELS, largest);
	free(values);
	figure_equal_units(figure, 1.0);
	add_rings(figure, edge);
	figure_label(figure, FIGURE_X, "q cos φ (Å⁻¹)");
	figure_label(figure, FIGURE_Y, "q sin φ (Å⁻¹)");
	return SONDE_OK;
}

static sonde_status add_layer(struct figure *figure, const sonde_pattern_result *result, const struct layer *layer,
			      double largest)
{
	const double *axes[2] = {result->axes[layer->across], result->axes[layer->up]};
	struct figure_map map = {.columns = (layer->count[0] + layer->each[0] - 1) / layer->each[0],
				 .rows = (layer->count[1] + layer->each[1] - 1) / layer->each[1]};
	double *values;
	int64_t n = 0;

	CHECK(memory_allocate(&values, (size_t)(map.columns * map.rows), sizeof *values, "the picture"));
	for (int64_t j = 0; j < layer->count[1]; j += layer->each[1])
		for (int64_t i = 0; i < layer->count[0]; i += layer->each[0])
			values[n++] =
			    shown(drawn(result, layer->first + i * layer->stride[0] + j * layer->stride[1]), largest);
	for (int k = 0; k < 2; ++k) {
		map.first[k] = axes[k][0];
		map.step[k] = (axes[k][1] - axes[k][0]) * (double)layer->each[k];
		figure_label(figure, k == 0 ? FIGURE_X : FIGURE_Y, "%s",
			     axis_name(result, k == 0 ? layer->across : layer->up));
	}
	map.values = values;
	figure_map(figure, &map);
	set_colors(figure, result, values, n, largest);
	free(values);
	figure_equal_units(figure, unit_length(result, layer->up) / unit_length(result, layer->across));
	if (result->geometry == SONDE_PATTERN_DETECTOR)
		add_detector_rings(figure, result);
	return SONDE_OK;
}

/* Along a line. */
static sonde_status add_curve(struct figure *figure, const sonde_pattern_result *result, double largest)
{
	int axis = result->axis_count - 1;
	double *values;

	while (axis > 0 && result->sizes[axis] == 1)
		--axis;
	CHECK(memory_allocate(&values, (size_t)result->count, sizeof *values, "the picture"));
	for (int64_t n = 0; n < result->count; ++n)
		values[n] = shown(drawn(result, n), largest);
	figure_label(figure, FIGURE_X, "%s", axis_name(result, axis));
	figure_label(figure, FIGURE_Y, result->counts != NULL ? "counts" : "intensity");
	if (largest > 0.0)
		figure_logarithmic(figure, FIGURE_Y);
	figure_curve(figure, (struct figure_style){.color = figure_colors[0], .width = 1.4, .marker = 4.0}, NULL,
		     result->axes[axis], values, result->count);
	free(values);
	return SONDE_OK;
}

sonde_status plot_pattern(sonde_context *context, const sonde_pattern_result *result,
			  const sonde_program_options *program)
{
	const double largest = largest_of(result);
	const bool polar = result->geometry == SONDE_PATTERN_POLAR;
	sonde_status status = SONDE_OK;
	struct layer layer;

	if (result->geometry == SONDE_PATTERN_LIST)
		return status_fail_file(SONDE_INVALID, program->plot, "pictures are drawn, lists of vectors are not");
	const bool line = !polar && !choose_layer(result, &layer);
	struct figure *figure = figure_create(line ? 1200 : 1000, line ? 500 : 860, 1, 1);
	if (figure != NULL) {
		figure_panel(figure);
		status = polar  ? add_polar(figure, result, largest)
			 : line ? add_curve(figure, result, largest)
				: add_layer(figure, result, &layer, largest);
	}
	return plot_finish(context, status, &figure, program->plot, program->force != 0);
}
