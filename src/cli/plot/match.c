#include "cli/plot/match.h"

#include <math.h>

#include "cli/plot/gnuplot.h"

#define MOST_WEIGHTS 12 /* bars */
#define MOST_LINES 8    /* of a series */

static const char *const colors[] = {"#1f4e9a", "#a83232", "#2e7d32", "#8e5a00",
				     "#5b3a8c", "#00798c", "#777777", "#c05a9a"};

static void append_data(struct text *script, const char *name, int d, const double *x, const double *y, int64_t count)
{
	text_append(script, "$%s%d << EOD\n", name, d);
	for (int64_t k = 0; k < count; ++k)
		text_append(script, "%.8g %.8g\n", x[k], y[k]);
	text_append(script, "EOD\n");
}

void plot_match_append_curve(const struct match_curve *curve, int d, int plot_axes, struct text *script)
{
	static const char *const labels[] = {"I(q)", "S(q)", "F(q) (1/Å)", "G(r) (1/Å^2)"};
	double low = INFINITY, high = -INFINITY, up = -INFINITY;

	for (int64_t k = 0; k < curve->count; ++k) {
		low = fmin(low, fmin(curve->measured[k], curve->fitted[k]));
		high = fmax(high, fmax(curve->measured[k], curve->fitted[k]));
		up = fmax(up, curve->residual[k]);
	}
	const bool log_y = low > 0.0 && high > 100.0 * low;
	append_data(script, "measured", d, curve->x, curve->measured, curve->count);
	append_data(script, "fit", d, curve->x, curve->fitted, curve->count);
	append_data(script, "background", d, curve->x, curve->background, curve->count);
	append_data(script, "residual", d, curve->x, curve->residual, curve->count);
	gnuplot_append_axes(script, plot_axes, log_y, high > 0.0, "[*:*]");
	text_append(script, "set key top right\nset xlabel '%s'\nset ylabel '%s'\n",
		    curve->curve == LIBRARY_G ? "r (Å)" : "q (1/Å)", labels[curve->curve]);
	text_append(script,
		    "set label 1 'R_{wp} = %.3g %%' at graph 0.015,0.93 left\nshift = %.8g\n"
		    "plot [%.8g:%.8g] $measured%d with points pt 6 ps 0.4 lc rgb '#777777' title 'measured', "
		    "$fit%d with lines lc rgb '#1f4e9a' lw 1.3 title 'fit', "
		    "$background%d with lines lc rgb '#2e7d32' dt 2 title 'background'",
		    100.0 * curve->rwp, low - 0.05 * (high - low) - up, curve->x[0], curve->x[curve->count - 1], d, d,
		    d);
	if (!gnuplot_axes_log_y(plot_axes, log_y, high > 0.0))
		text_append(
		    script,
		    ", $residual%d using 1:($2 + shift) with lines lc rgb '#a83232' title 'residual, shifted'", d);
	text_append(script, "\nunset label 1\nunset logscale\nset yrange [*:*]\nset format y '%%.6g'\n");
}

static void append_weights(const struct match_result *result, struct text *script)
{
	const int count = result->weight_count < MOST_WEIGHTS ? result->weight_count : MOST_WEIGHTS;

	if (count == 0) {
		text_append(script, "set label 1 'no candidate has a weight' at graph 0.5,0.5 center\n"
				    "plot [0:1] [0:1] NaN notitle\nunset label 1\n");
		return;
	}
	text_append(script, "$weights << EOD\n");
	for (int k = 0; k < count; ++k) {
		const struct match_weight *weight = &result->weights[k];
		text_append(script, "%.8g %d %.8g %.8g \"", weight->weight, k, weight->low, weight->high);
		gnuplot_append_label(script, weight->entry.name);
		text_append(script, "\"\n");
	}
	text_append(script,
		    "EOD\nset xlabel 'weight, with its 95 %% interval'\nunset ylabel\nunset key\n"
		    "set yrange [%d.5:-0.5]\nset xrange [0:*]\n"
		    "plot $weights using 1:2:3:4:ytic(5) with xerrorbars pt 7 ps 0.9 lc rgb '#1f4e9a' lw 1.5\n",
		    count - 1);
}

/* Lines of the candidates with the largest weights. */
static void append_series(const struct match_result *result, struct text *script)
{
	const struct match_series *series = &result->series;
	bool drawn[1024] = {false};
	int64_t lines[MOST_LINES];
	int count = 0;

	while (count < MOST_LINES) {
		double largest = 0.0;
		int64_t best = -1;
		for (int64_t j = 0; j < series->candidates && j < 1024; ++j)
			for (int64_t n = 0; !drawn[j] && n < series->count; ++n)
				if (series->weights[n * series->candidates + j] > largest) {
					largest = series->weights[n * series->candidates + j];
					best = j;
				}
		if (best < 0)
			break;
		drawn[best] = true;
		lines[count++] = best;
	}
	for (int k = 0; k < count; ++k) {
		text_append(script, "$line%d << EOD\n", k);
		for (int64_t n = 0; n < series->count; ++n)
			text_append(script, "%lld %.8g\n", (long long)n + 1,
				    series->weights[n * series->candidates + lines[k]]);
		text_append(script, "EOD\n");
	}
	text_append(script, "set key top right\nset xlabel 'number of the curve'\nset ylabel 'weight'\nplot ");
	for (int k = 0; k < count; ++k) {
		text_append(script, "$line%d with linespoints pt 7 ps 0.4 lc rgb '%s' title '", k, colors[k]);
		gnuplot_append_label(script, series->entries[lines[k]].name);
		text_append(script, "' noenhanced%s", k + 1 < count ? ", " : "\n");
	}
	if (count == 0)
		text_append(script, "[0:1] [0:1] NaN notitle\n");
}

sonde_status plot_match(sonde_context *context, const struct match_result *result,
			const sonde_program_options *program)
{
	struct text script = {0};
	const int panels = result->curve_count + 1;

	text_append(&script,
		    "set terminal pngcairo size 1100,%d font 'Sans,13'\nset multiplot layout %d,1\n"
		    "set grid lc rgb '#dddddd'\nset border lc rgb '#444444'\n",
		    120 + 400 * panels, panels);
	for (int d = 0; d < result->curve_count; ++d)
		plot_match_append_curve(&result->curves[d], d, program->plot_axes, &script);
	if (result->series.count > 0)
		append_series(result, &script);
	else
		append_weights(result, &script);
	text_append(&script, "unset multiplot\nset output\nexit\n");
	sonde_status status = text_status(&script);
	if (status == SONDE_OK)
		status = gnuplot_draw(context, &script, program->plot, program->force != 0);
	text_free(&script);
	return status;
}
