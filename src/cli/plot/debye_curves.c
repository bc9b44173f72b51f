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

sonde_status plot_debye(sonde_context *context, const sonde_debye_result *result,
			const sonde_program_options *program)
{
	struct text script = {0};
	static const char *const units[] = {[SONDE_DEBYE_RADIATION_XRAY] = " (electron units)",
					    [SONDE_DEBYE_RADIATION_NEUTRON] = " (fm^2)",
					    [SONDE_DEBYE_RADIATION_ELECTRON] = " (Å^2)"};
	bool unit = result->options->factors == SONDE_DEBYE_FACTORS_UNIT;
	sonde_status status;

	append_data(&script, "intensity", result->q, result->intensity_per_atom, result->q_count);
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
	gnuplot_append_axes(&script, program->plot_axes, wide_range(result->intensity_per_atom, result->q_count),
			    true, "[*:*]");
	text_append(&script,
		    "set xlabel 'q (1/Å)'\nset ylabel 'I(q)/N%s'\n"
		    "set label 1 '%lld atoms' at graph 0.985,0.93 right\n"
		    "plot [%.8g:%.8g] %s$intensity with %s lc rgb '#1f4e9a' lw 1.2 pt 7\n",
		    unit ? "" : units[result->options->radiation], (long long)result->atom_count,
		    result->q[0] - (result->q_count == 1 ? 1.0 : 0.0),
		    result->q[result->q_count - 1] + (result->q_count == 1 ? 1.0 : 0.0),
		    result->standard_error != NULL ? "$intensity_band with filledcurves lc rgb '#a9c2e8', " : "",
		    result->q_count == 1 ? "points" : "lines");
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
