/* Pictures of patterns: intensities on the circles of q, on a logarithmic scale. */
#include <math.h>

#include "base/constants.h"
#include "cli/plot/drawings.h"
#include "cli/plot/gnuplot.h"

#define PIXELS 701  /* along an edge */
#define DECADES 6.0 /* shown below the maximum, at most */
#define MOST_RINGS 6

/* The intensity at a point of the picture: linear between circles, and between the points of each. */
static double value_at(const sonde_pattern_result *result, double x, double y)
{
	const int64_t points = result->q_count, azimuths = result->phi_count;
	const double first = result->q[0], last = result->q[points - 1], q = hypot(x, y);

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

static void append_values(const sonde_pattern_result *result, double edge, double *largest, struct text *script)
{
	*largest = 0.0;
	for (int64_t n = 0; n < result->count; ++n)
		*largest = fmax(*largest, result->intensity[n]);
	text_append(script, "$map << EOD\n");
	for (int j = 0; j < PIXELS; ++j) {
		for (int i = 0; i < PIXELS; ++i) {
			const double x = edge * (2.0 * i / (PIXELS - 1) - 1.0),
				     y = edge * (2.0 * j / (PIXELS - 1) - 1.0), value = value_at(result, x, y);
			if (isnan(value))
				text_append(script, "nan ");
			else
				text_append(script, "%.5g ", fmax(value, *largest * pow(10.0, -DECADES)));
		}
		text_append(script, "\n");
	}
	text_append(script, "EOD\n");
}

/* Circles at round values of q. */
static void append_rings(double edge, struct text *script)
{
	double step = pow(10.0, floor(log10(edge / MOST_RINGS)));

	while (edge / step > MOST_RINGS)
		step *= edge / step > 2.5 * MOST_RINGS ? 5.0 : 2.0;
	for (int k = 1; (double)k * step <= edge; ++k)
		text_append(
		    script,
		    "set object %d circle at 0,0 size first %.8g front fillstyle empty border lc rgb '#80808080'\n"
		    "set label %d '%.6g' at %.8g,%.8g front tc rgb '#555555' font ',9' offset 0.3,0.3\n",
		    k, (double)k * step, k, (double)k * step, (double)k * step * sqrt(0.5),
		    (double)k * step * sqrt(0.5));
}

sonde_status plot_pattern(sonde_context *context, const sonde_pattern_result *result,
			  const sonde_program_options *program)
{
	struct text script = {0};
	double largest;

	if (result->vectors != NULL)
		return status_fail_file(SONDE_INVALID, program->plot, "pictures are drawn, lists of vectors are not");
	const double edge = result->q[result->q_count - 1] > 0.0 ? result->q[result->q_count - 1] : 1.0;
	append_values(result, edge, &largest, &script);
	text_append(
	    &script,
	    "set terminal pngcairo size 1000,860 font 'Sans,13'\n"
	    "set datafile missing 'nan'\nset border lc rgb '#444444'\nunset key\nset size ratio -1\nset tics out\n");
	gnuplot_append_sequential(&script);
	append_rings(edge, &script);
	if (largest > 0.0)
		text_append(&script, "set logscale cb\nset format cb '10^{%%T}'\n");
	text_append(
	    &script,
	    "set cblabel 'intensity'\nset xlabel 'q cos φ (1/Å)'\nset ylabel 'q sin φ (1/Å)'\nset autoscale fix\n"
	    "plot $map matrix using (%.10g+$1*%.10g):(%.10g+$2*%.10g):3 with image\nset output\nexit\n",
	    -edge, 2.0 * edge / (PIXELS - 1), -edge, 2.0 * edge / (PIXELS - 1));
	sonde_status status = text_status(&script);
	if (status == SONDE_OK)
		status = gnuplot_draw(context, &script, program->plot, program->force != 0);
	text_free(&script);
	return status;
}
