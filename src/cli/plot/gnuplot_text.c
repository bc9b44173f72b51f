/* Common parts of gnuplot scripts. */
#include <string.h>

#include "cli/plot/gnuplot.h"

#include "cli/program/program.h"
#include "io/picture/picture.h"

void gnuplot_append_label(struct text *script, const char *label)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,+-()/";

	for (; *label != '\0'; ++label)
		text_append_byte(script, strchr(allowed, *label) != NULL ? *label : '.');
}

static void append_palette(struct text *script, struct color (*color_of)(double value), double first, int steps)
{
	text_append(script, "set palette defined (");
	for (int n = 0; n <= steps; ++n) {
		double value = first + (1.0 - first) * n / steps;
		struct color color = color_of(value);
		text_append(script, "%s%.6g '#%02x%02x%02x'", n > 0 ? ", " : "", value, color.red, color.green,
			    color.blue);
	}
	text_append(script, ")\n");
}

void gnuplot_append_diverging(struct text *script)
{
	append_palette(script, color_diverging, -1.0, 32);
}

void gnuplot_append_sequential(struct text *script)
{
	append_palette(script, color_sequential, 0.0, 5);
}

bool gnuplot_axes_log_y(int plot_axes, bool log_y, bool has_positive)
{
	return (plot_axes == SONDE_PROGRAM_PLOT_AXES_LOG || plot_axes == SONDE_PROGRAM_PLOT_AXES_LOG_Y ||
		(plot_axes == SONDE_PROGRAM_PLOT_AXES_AUTO && log_y)) &&
	       has_positive;
}

void gnuplot_append_axes(struct text *script, int plot_axes, bool log_y, bool has_positive, const char *range)
{
	bool both = plot_axes == SONDE_PROGRAM_PLOT_AXES_LOG;
	bool x = both || plot_axes == SONDE_PROGRAM_PLOT_AXES_LOG_X;
	bool y = gnuplot_axes_log_y(plot_axes, log_y, has_positive);

	text_append(script, "unset logscale\n%s", x ? "set logscale x\n" : "");
	if (y)
		text_append(script, "set logscale y\nset yrange [*:*]\nset format y '10^{%%T}'\n");
	else
		text_append(script, "set yrange %s\nset format y '%%.6g'\n", range);
}
