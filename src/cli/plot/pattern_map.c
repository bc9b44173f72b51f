/* Pictures of patterns: intensities on circles of q, pixels of a detector, or a layer of reciprocal space, on a logarithmic
 * scale. */
#include <math.h>

#include "base/constants.h"
#include "cli/plot/drawings.h"
#include "cli/plot/gnuplot.h"

#define PIXELS 701  /* along an edge */
#define DECADES 6.0 /* shown below the maximum, at most */
#define MOST_RINGS 6
#define POINTS_OF_RING 720

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

static void append_value(double value, double largest, struct text *script)
{
	if (isnan(value))
		text_append(script, "nan ");
	else
		text_append(script, "%.5g ", fmax(value, largest * pow(10.0, -DECADES)));
}

static void append_polar(const sonde_pattern_result *result, double edge, double largest, struct text *script)
{
	for (int j = 0; j < PIXELS; ++j) {
		for (int i = 0; i < PIXELS; ++i)
			append_value(value_at(result, edge * (2.0 * i / (PIXELS - 1) - 1.0),
					      edge * (2.0 * j / (PIXELS - 1) - 1.0)),
				     largest, script);
		text_append(script, "\n");
	}
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

static void append_layer(const sonde_pattern_result *result, const struct layer *layer, double largest,
			 struct text *script)
{
	for (int64_t j = 0; j < layer->count[1]; j += layer->each[1]) {
		for (int64_t i = 0; i < layer->count[0]; i += layer->each[0])
			append_value(drawn(result, layer->first + i * layer->stride[0] + j * layer->stride[1]),
				     largest, script);
		text_append(script, "\n");
	}
}

/* A round distance of at most MOST_RINGS circles up to `edge`. */
static double choose_step(double edge)
{
	double step = pow(10.0, floor(log10(edge / MOST_RINGS)));

	while (edge / step > MOST_RINGS)
		step *= edge / step > 2.5 * MOST_RINGS ? 5.0 : 2.0;
	return step;
}

/* Circles at round values of q. */
static void append_rings(double edge, struct text *script)
{
	const double step = choose_step(edge);

	for (int k = 1; (double)k * step <= edge; ++k)
		text_append(
		    script,
		    "set object %d circle at 0,0 size first %.8g front fillstyle empty border lc rgb '#80808080'\n"
		    "set label %d '%.6g' at %.8g,%.8g front tc rgb '#555555' font ',9' offset 0.3,0.3\n",
		    k, (double)k * step, k, (double)k * step, (double)k * step * sqrt(0.5),
		    (double)k * step * sqrt(0.5));
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
static void append_curve_of_q(const sonde_pattern_result *result, const struct frame *frame, double q, int number,
			      struct text *script, struct text *labels)
{
	double place[2], nearest = INFINITY, chosen[2] = {0.0, 0.0};
	bool labeled = false;

	for (int n = 0; n <= POINTS_OF_RING; ++n) {
		const double phi = 2.0 * PI * n / POINTS_OF_RING, from_diagonal = fabs(phi - 0.25 * PI);
		if (!meet(result, q, phi, place) || !is_inside(frame, place, 0.0)) {
			text_append(script, "\n");
			continue;
		}
		text_append(script, "%.8g %.8g\n", place[0], place[1]);
		if (from_diagonal < nearest && is_inside(frame, place, 0.04)) {
			nearest = from_diagonal;
			chosen[0] = place[0];
			chosen[1] = place[1];
			labeled = true;
		}
	}
	text_append(script, "\n");
	if (labeled)
		text_append(labels,
			    "set label %d '%.6g' at %.8g,%.8g front tc rgb '#c03030' font ',9' offset 0.3,0.3\n",
			    number, q, chosen[0], chosen[1]);
}

/* Curves of constant q at round values, which are conic sections, as the data block $rings. */
static void append_detector_rings(const sonde_pattern_result *result, struct text *script)
{
	const struct frame frame = frame_of(result);
	const double largest = largest_q(result), step = largest > 0.0 ? choose_step(largest) : 1.0;
	struct text labels = {0};

	text_append(script, "$rings << EOD\n");
	for (int k = 1; (double)k * step <= largest; ++k)
		append_curve_of_q(result, &frame, (double)k * step, k, script, &labels);
	text_append(script, "\nEOD\nset xrange [%.8g:%.8g]\nset yrange [%.8g:%.8g]\n", frame.first[0], frame.last[0],
		    frame.first[1], frame.last[1]);
	text_append(script, "%s", labels.bytes != NULL ? labels.bytes : "");
	if (labels.failed)
		script->failed = true;
	text_free(&labels);
}

static const char *axis_name(const sonde_pattern_result *result, int axis)
{
	static const char *const of_box[3] = {"l", "k", "h"}, *const of_detector[3] = {"y (mm)", "x (mm)", ""};

	return result->geometry == SONDE_PATTERN_BOX ? of_box[axis] : of_detector[axis];
}

static void append_plot(double first_x, double step_x, double first_y, double step_y, const char *label,
			const char *more, struct text *script)
{
	text_append(script,
		    "set cblabel '%s'\nset autoscale fix\n"
		    "plot $map matrix using (%.10g+$1*%.10g):(%.10g+$2*%.10g):3 with image%s\nset output\nexit\n",
		    label, first_x, step_x, first_y, step_y, more);
}

static void append_style(bool logarithmic, struct text *script)
{
	text_append(script,
		    "set terminal pngcairo size 1000,860 font 'Sans,13'\n"
		    "set datafile missing 'nan'\nset border lc rgb '#444444'\nunset key\nset size ratio -1\nset tics "
		    "out\n");
	gnuplot_append_sequential(script);
	if (logarithmic)
		text_append(script, "set logscale cb\nset format cb '10^{%%T}'\n");
}

static void append_picture(const sonde_pattern_result *result, double largest, struct text *script)
{
	const double last = result->axes[0][result->sizes[0] - 1], edge = last > 0.0 ? last : 1.0;

	append_polar(result, edge, largest, script);
	text_append(script, "EOD\n");
	append_style(largest > 0.0, script);
	append_rings(edge, script);
	text_append(script, "set xlabel 'q cos φ (1/Å)'\nset ylabel 'q sin φ (1/Å)'\n");
	append_plot(-edge, 2.0 * edge / (PIXELS - 1), -edge, 2.0 * edge / (PIXELS - 1), "intensity", "", script);
}

/* Length in 1/Angstrom, or mm, of one unit along an axis. */
static double unit_length(const sonde_pattern_result *result, int axis)
{
	const double *vector = result->basis + 3 * (2 - axis); /* axes are l, k, h */

	return result->geometry == SONDE_PATTERN_BOX
		   ? sqrt(vector[0] * vector[0] + vector[1] * vector[1] + vector[2] * vector[2])
		   : 1.0;
}

static void append_map(const sonde_pattern_result *result, const struct layer *layer, double largest,
		       struct text *script)
{
	const double *x = result->axes[layer->across], *y = result->axes[layer->up];
	const bool detector = result->geometry == SONDE_PATTERN_DETECTOR;

	append_layer(result, layer, largest, script);
	text_append(script, "EOD\n");
	append_style(largest > 0.0, script);
	text_append(script, "set size ratio %.8g\nset xlabel '%s'\nset ylabel '%s'\n",
		    -unit_length(result, layer->up) / unit_length(result, layer->across),
		    axis_name(result, layer->across), axis_name(result, layer->up));
	if (detector)
		append_detector_rings(result, script);
	append_plot(x[0], (x[1] - x[0]) * (double)layer->each[0], y[0], (y[1] - y[0]) * (double)layer->each[1],
		    result->counts != NULL ? "counts" : "intensity",
		    detector ? ", $rings with lines lc rgb '#c03030'" : "", script);
}

/* Along a line. */
static void append_curve(const sonde_pattern_result *result, double largest, struct text *script)
{
	int axis = result->axis_count - 1;

	while (axis > 0 && result->sizes[axis] == 1)
		--axis;
	for (int64_t n = 0; n < result->count; ++n) {
		text_append(script, "%.8g ", result->axes[axis][n]);
		append_value(drawn(result, n), largest, script);
		text_append(script, "\n");
	}
	text_append(script,
		    "EOD\nset terminal pngcairo size 1200,500 font 'Sans,13'\nset grid lc rgb '#dddddd'\n"
		    "set border lc rgb '#444444'\nunset key\nset xlabel '%s'\nset ylabel '%s'\n%s"
		    "plot $map with linespoints pt 7 ps 0.3 lc rgb '#1f4e9a'\nset output\nexit\n",
		    axis_name(result, axis), result->counts != NULL ? "counts" : "intensity",
		    largest > 0.0 ? "set logscale y\n" : "");
}

sonde_status plot_pattern(sonde_context *context, const sonde_pattern_result *result,
			  const sonde_program_options *program)
{
	const double largest = largest_of(result);
	struct text script = {0};
	struct layer layer;

	if (result->geometry == SONDE_PATTERN_LIST)
		return status_fail_file(SONDE_INVALID, program->plot, "pictures are drawn, lists of vectors are not");
	text_append(&script, "$map << EOD\n");
	if (result->geometry == SONDE_PATTERN_POLAR)
		append_picture(result, largest, &script);
	else if (choose_layer(result, &layer))
		append_map(result, &layer, largest, &script);
	else
		append_curve(result, largest, &script);
	sonde_status status = text_status(&script);
	if (status == SONDE_OK)
		status = gnuplot_draw(context, &script, program->plot, program->force != 0);
	text_free(&script);
	return status;
}
