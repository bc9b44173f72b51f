#include "cli/plot/drawings.h"

#include <math.h>

#include "cli/plot/gnuplot.h"

static void append_data(struct text *script, const char *name, const double *x, const double *y, int64_t count)
{
	text_append(script, "$%s << EOD\n", name);
	for (int64_t k = 0; k < count; ++k)
		if (isfinite(y[k]))
			text_append(script, "%.8g %.8g\n", x[k], y[k]);
	text_append(script, "EOD\n");
}

/* A curve with its standard errors as a band, if there are any. */
static void append_band(struct text *script, const char *name, const double *x, const double *y, const double *error,
			int64_t count)
{
	if (error == NULL)
		return;
	text_append(script, "$%s << EOD\n", name);
	for (int64_t k = 0; k < count; ++k)
		if (isfinite(y[k]) && isfinite(error[k]))
			text_append(script, "%.8g %.8g %.8g\n", x[k], y[k] - error[k], y[k] + error[k]);
	text_append(script, "EOD\n");
}

static bool wide_range(const double *y, int64_t count)
{
	double low = INFINITY, high = 0.0;

	for (int64_t k = 0; k < count; ++k) {
		low = fmin(low, y[k]);
		high = fmax(high, y[k]);
	}
	return low > 0.0 && high > 100.0 * low;
}

/* Lowest and highest of some numbers. */
static void find_range(const double *y, int64_t count, double *low, double *high)
{
	for (int64_t k = 0; k < count; ++k) {
		*low = fmin(*low, y[k]);
		*high = fmax(*high, y[k]);
	}
}

/* The measured curve, its fit, and below them, on a linear axis, the residual. */
static void append_comparison(const sonde_debye_result *result, int plot_axes, struct text *script)
{
	const sonde_debye_comparison *c = result->comparison;
	const bool angles = result->two_theta != NULL, log_y = wide_range(c->measured, result->q_count);
	const double *x = angles ? result->two_theta : result->q;
	double low = INFINITY, high = -INFINITY, down = INFINITY, up = -INFINITY;

	find_range(c->measured, result->q_count, &low, &high);
	find_range(c->fitted, result->q_count, &low, &high);
	find_range(c->residual, result->q_count, &down, &up);
	append_data(script, "measured", x, c->measured, result->q_count);
	append_data(script, "fitted", x, c->fitted, result->q_count);
	append_data(script, "background", x, c->background, result->q_count);
	append_data(script, "residual", x, c->residual, result->q_count);
	gnuplot_append_axes(script, plot_axes, log_y, high > 0.0, "[*:*]");
	text_append(script,
		    "set key top right\nset xlabel '%s'\nset ylabel 'measured intensity'\n"
		    "set label 1 'R_{wp} = %.3g %%' at graph 0.015,0.93 left\n"
		    "shift = %.8g\n"
		    "plot [%.8g:%.8g] $measured with points pt 6 ps 0.5 lc rgb '#777777' title 'measured', "
		    "$fitted with lines lc rgb '#1f4e9a' lw 1.2 title 'fit', "
		    "$background with lines lc rgb '#2e7d32' dt 2 title 'background'",
		    angles ? "2θ (degrees)" : "q (1/Å)", 100.0 * c->rwp, low - 0.05 * (high - low) - up, x[0],
		    x[result->q_count - 1]);
	text_append(script, "%s\nunset key\nunset label 1\n",
		    gnuplot_axes_log_y(plot_axes, log_y, high > 0.0)
			? ""
			: ", $residual using 1:($2 + shift) with lines lc rgb '#a83232' title 'residual, shifted'");
}

static void append_intensity(const sonde_debye_result *result, int plot_axes, struct text *script)
{
	static const char *const units[] = {[SONDE_DEBYE_RADIATION_XRAY] = " (electron units)",
					    [SONDE_DEBYE_RADIATION_NEUTRON] = " (fm^2)",
					    [SONDE_DEBYE_RADIATION_ELECTRON] = " (Å^2)"};
	const bool unit = result->options->factors == SONDE_DEBYE_FACTORS_UNIT;

	append_data(script, "intensity", result->q, result->intensity_per_atom, result->q_count);
	gnuplot_append_axes(script, plot_axes, wide_range(result->intensity_per_atom, result->q_count), true,
			    "[*:*]");
	text_append(script,
		    "set xlabel 'q (1/Å)'\nset ylabel 'I(q)/N%s'\n"
		    "set label 1 '%lld atoms' at graph 0.985,0.93 right\n"
		    "plot [%.8g:%.8g] %s$intensity with %s lc rgb '#1f4e9a' lw 1.2 pt 7\n",
		    unit ? "" : units[result->options->radiation], (long long)result->atom_count,
		    result->q[0] - (result->q_count == 1 ? 1.0 : 0.0),
		    result->q[result->q_count - 1] + (result->q_count == 1 ? 1.0 : 0.0),
		    result->standard_error != NULL ? "$intensity_band with filledcurves lc rgb '#a9c2e8', " : "",
		    result->q_count == 1 ? "points" : "lines");
}

sonde_status plot_debye(sonde_context *context, const sonde_debye_result *result,
			const sonde_program_options *program)
{
	struct text script = {0};
	sonde_status status;

	if (result->r_count > 0)
		append_data(&script, "distribution", result->r, result->pair_distribution, result->r_count);
	append_band(&script, "intensity_band", result->q, result->intensity_per_atom, result->standard_error,
		    result->q_count);
	append_band(&script, "distribution_band", result->r, result->pair_distribution,
		    result->pair_distribution_standard_error, result->r_count);
	text_append(&script,
		    "set terminal pngcairo size 1200,%d font 'Sans,13'\n"
		    "set multiplot layout %d,1 margins 0.09,0.97,%s,0.96 spacing 0.1\n"
		    "set grid lc rgb '#dddddd'\nset border lc rgb '#444444'\nunset key\n",
		    result->r_count > 0 ? 900 : 500, result->r_count > 0 ? 2 : 1,
		    result->r_count > 0 ? "0.08" : "0.14");
	if (result->comparison != NULL)
		append_comparison(result, program->plot_axes, &script);
	else
		append_intensity(result, program->plot_axes, &script);
	if (result->r_count > 0)
		text_append(&script,
			    "unset label 1\nunset logscale\nset yrange [*:*]\nset format y '%%g'\n"
			    "set xlabel 'r (Å)'\nset ylabel 'G(r) (1/Å^2)'\n"
			    "plot %s$distribution with lines lc rgb '#a83232' lw 1.2\n",
			    result->pair_distribution_standard_error != NULL
				? "$distribution_band with filledcurves lc rgb '#e8b0b0', "
				: "");
	text_append(&script, "unset multiplot\nset output\nexit\n");
	status = text_status(&script);
	if (status == SONDE_OK)
		status = gnuplot_draw(context, &script, program->plot, program->force != 0);
	text_free(&script);
	return status;
}
