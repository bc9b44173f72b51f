#include "cli/plot/drawings.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/plot/axes.h"

#define BLUE 0x1f4e9a
#define PALE_BLUE 0xa9c2e8
#define RED 0xa83232
#define PALE_RED 0xe8b0b0

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

/* Standard errors of a curve as a band, if there are any. */
static sonde_status add_band(struct figure *figure, uint32_t color, const double *x, const double *y,
			     const double *error, int64_t count)
{
	double *limits;

	if (error == NULL)
		return SONDE_OK;
	CHECK(memory_allocate(&limits, 2 * (size_t)count, sizeof *limits, "the picture"));
	for (int64_t k = 0; k < count; ++k) {
		limits[k] = y[k] - error[k];
		limits[count + k] = y[k] + error[k];
	}
	figure_band(figure, color, x, limits, limits + count, count);
	free(limits);
	return SONDE_OK;
}

/* The residual below the curves, which begin at `low`: shifted by `shift`. */
static sonde_status add_residual(struct figure *figure, const double *x, const double *residual, int64_t count,
				 double shift)
{
	double *shifted;

	CHECK(memory_allocate(&shifted, (size_t)count, sizeof *shifted, "the picture"));
	for (int64_t k = 0; k < count; ++k)
		shifted[k] = residual[k] + shift;
	figure_curve(figure, (struct figure_style){.color = RED, .width = 1.5}, "residual, shifted", x, shifted,
		     count);
	free(shifted);
	return SONDE_OK;
}

/* The measured curve, its fit, and below them, on a linear axis, the residual. */
static sonde_status add_comparison(struct figure *figure, const sonde_debye_result *result, int plot_axes)
{
	const sonde_debye_comparison *c = result->comparison;
	const int64_t count = result->q_count;
	const bool angles = result->two_theta != NULL, log_y = wide_range(c->measured, count);
	const double *x = angles ? result->two_theta : result->q;
	double low = INFINITY, high = -INFINITY, down = INFINITY, up = -INFINITY;

	find_range(c->measured, count, &low, &high);
	find_range(c->fitted, count, &low, &high);
	find_range(c->residual, count, &down, &up);
	plot_axes_set(figure, plot_axes, log_y, high > 0.0, false);
	figure_legend(figure, FIGURE_RIGHT);
	figure_label(figure, FIGURE_X, "%s", angles ? "2θ (degrees)" : "q (Å⁻¹)");
	figure_label(figure, FIGURE_Y, "measured intensity");
	figure_range(figure, FIGURE_X, x[0], x[count - 1]);
	figure_curve(figure, (struct figure_style){.color = 0x777777, .marker = 5.0, .hollow = true}, "measured", x,
		     c->measured, count);
	figure_curve(figure, (struct figure_style){.color = BLUE, .width = 1.7}, "fit", x, c->fitted, count);
	figure_curve(figure, (struct figure_style){.color = 0x2e7d32, .width = 1.5, .dash = FIGURE_DASHED},
		     "background", x, c->background, count);
	figure_text(figure, &(struct figure_text){.at = {0.015, 0.94}, .relative = true, .color = 0x222222},
		    "Rwp = %.3g %%", 100.0 * c->rwp);
	return plot_axes_log_y(plot_axes, log_y, high > 0.0)
		   ? SONDE_OK
		   : add_residual(figure, x, c->residual, count, low - 0.05 * (high - low) - up);
}

static sonde_status add_intensity(struct figure *figure, const sonde_debye_result *result, int plot_axes)
{
	static const char *const units[] = {[SONDE_DEBYE_RADIATION_XRAY] = " (electron units)",
					    [SONDE_DEBYE_RADIATION_NEUTRON] = " (fm²)",
					    [SONDE_DEBYE_RADIATION_ELECTRON] = " (Å²)"};
	const bool unit = result->options->factors == SONDE_DEBYE_FACTORS_UNIT, one = result->q_count == 1;

	plot_axes_set(figure, plot_axes, wide_range(result->intensity_per_atom, result->q_count), true, false);
	figure_label(figure, FIGURE_X, "q (Å⁻¹)");
	figure_label(figure, FIGURE_Y, "I(q)/N%s", unit ? "" : units[result->options->radiation]);
	figure_range(figure, FIGURE_X, result->q[0] - (one ? 1.0 : 0.0),
		     result->q[result->q_count - 1] + (one ? 1.0 : 0.0));
	CHECK(add_band(figure, PALE_BLUE, result->q, result->intensity_per_atom, result->standard_error,
		       result->q_count));
	figure_curve(figure, (struct figure_style){.color = BLUE, .width = 1.7, .marker = one ? 7.0 : 0.0}, NULL,
		     result->q, result->intensity_per_atom, result->q_count);
	figure_text(
	    figure,
	    &(struct figure_text){.at = {0.985, 0.94}, .relative = true, .color = 0x222222, .align = FIGURE_END},
	    "%lld atoms", (long long)result->atom_count);
	return SONDE_OK;
}

static sonde_status add_distribution(struct figure *figure, const sonde_debye_result *result)
{
	figure_panel(figure);
	figure_label(figure, FIGURE_X, "r (Å)");
	figure_label(figure, FIGURE_Y, "G(r) (Å⁻²)");
	CHECK(add_band(figure, PALE_RED, result->r, result->pair_distribution,
		       result->pair_distribution_standard_error, result->r_count));
	figure_curve(figure, (struct figure_style){.color = RED, .width = 1.7}, NULL, result->r,
		     result->pair_distribution, result->r_count);
	return SONDE_OK;
}

sonde_status plot_debye(sonde_context *context, const sonde_debye_result *result,
			const sonde_program_options *program)
{
	const int rows = result->r_count > 0 ? 2 : 1;
	struct figure *figure = figure_create(1200, rows == 2 ? 900 : 500, rows, 1);
	sonde_status status = SONDE_OK;

	if (figure != NULL) {
		figure_panel(figure);
		status = result->comparison != NULL ? add_comparison(figure, result, program->plot_axes)
						    : add_intensity(figure, result, program->plot_axes);
		if (status == SONDE_OK && rows == 2)
			status = add_distribution(figure, result);
	}
	return plot_finish(context, status, &figure, program->plot, program->force != 0);
}
