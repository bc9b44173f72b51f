/* Pictures of `sonde stopping`: losses along the path, and where ions come to rest, against energy. */
#include <stdlib.h>

#include "base/memory.h"
#include "cli/plot/axes.h"
#include "cli/plot/drawings.h"

/* The arrays that are drawn but not in the result, one after the other. */
enum { ENERGY, ELECTRONIC, NUCLEAR, LOW, HIGH, DRAWN };

static double *column(double *drawn, const sonde_stopping_result *result, int which)
{
	return drawn + which * result->count;
}

static void fill(const sonde_stopping_result *result, double *drawn)
{
	const double factor = sonde_stopping_factor(result);

	for (int64_t k = 0; k < result->count; ++k) {
		column(drawn, result, ENERGY)[k] = 1e-3 * result->energies[k];
		column(drawn, result, ELECTRONIC)[k] = factor * result->electronic[k];
		column(drawn, result, NUCLEAR)[k] = factor * result->nuclear[k];
		column(drawn, result, LOW)[k] = result->range[k] - result->range_straggling[k];
		column(drawn, result, HIGH)[k] = result->range[k] + result->range_straggling[k];
	}
}

/* A tenth of the range is the least that a logarithmic axis shows of a band. */
static void raise_band(const sonde_stopping_result *result, double *low)
{
	for (int64_t k = 0; k < result->count; ++k)
		if (low[k] < 0.1 * result->range[k])
			low[k] = 0.1 * result->range[k];
}

static void add_curve(struct figure *figure, int color, const char *title, const double *energies,
		      const double *values, int64_t count)
{
	figure_curve(
	    figure,
	    (struct figure_style){.color = figure_colors[color], .width = 1.5, .marker = count > 60 ? 0.0 : 4.0},
	    title, energies, values, count);
}

static void add_panels(struct figure *figure, const sonde_stopping_result *result, int axes, double *drawn)
{
	const sonde_stopping_options *options = result->options;
	const double *energies = column(drawn, result, ENERGY);
	const int64_t count = result->count;

	figure_panel(figure);
	plot_axes_set(figure, axes, true, true, true);
	figure_title(figure, "%s in %s, %.4g g/cm\u00b3", options->ion, options->target, result->density);
	figure_label(figure, FIGURE_X, "energy (keV)");
	figure_label(figure, FIGURE_Y, "stopping (%s)", sonde_stopping_unit(result));
	add_curve(figure, 0, "electronic", energies, column(drawn, result, ELECTRONIC), count);
	add_curve(figure, 1, "nuclear", energies, column(drawn, result, NUCLEAR), count);
	figure_panel(figure);
	plot_axes_set(figure, axes, true, true, true);
	if (plot_axes_log_y(axes, true, true))
		raise_band(result, column(drawn, result, LOW));
	figure_label(figure, FIGURE_X, "energy (keV)");
	figure_label(figure, FIGURE_Y, "length (\u00c5)");
	figure_band(figure, 0xc6d4e8, energies, column(drawn, result, LOW), column(drawn, result, HIGH), count);
	add_curve(figure, 0, "projected range \u00b1 straggling", energies, result->range, count);
	add_curve(figure, 1, "lateral straggling", energies, result->lateral_straggling, count);
	add_curve(figure, 2, "path", energies, result->path, count);
}

sonde_status plot_stopping(sonde_context *context, const sonde_stopping_result *result,
			   const sonde_program_options *program)
{
	/* energies and losses extend over decades */
	const int axes = program->plot_axes == SONDE_PROGRAM_PLOT_AXES_AUTO ? SONDE_PROGRAM_PLOT_AXES_LOG
									    : (int)program->plot_axes;
	double *drawn;

	CHECK(memory_allocate(&drawn, (size_t)result->count * DRAWN, sizeof *drawn, "the picture"));
	fill(result, drawn);
	struct figure *figure = figure_create(1000, 1100, 2, 1);
	if (figure != NULL)
		add_panels(figure, result, axes, drawn);
	free(drawn);
	return plot_finish(context, SONDE_OK, &figure, program->plot, program->force != 0);
}
