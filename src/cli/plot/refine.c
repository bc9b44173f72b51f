#include "cli/plot/refine.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/plot/axes.h"
#include "cli/plot/match.h"

#define MOST_CURVES 4 /* in a picture, the first ones */

static void add_parameters(struct figure *figure, const struct refine_result *result)
{
	for (int k = 0; k < result->parameter_count; ++k) {
		const struct refine_value *value = &result->parameters[k];
		const struct figure_text place = {
		    .at = {0.985, 0.92 - 0.07 * (double)k}, .relative = true, .color = 0x222222, .align = FIGURE_END};
		if (isfinite(value->error))
			figure_text(figure, &place, "%s = %.7g ± %.2g", value->name, value->value, value->error);
		else
			figure_text(figure, &place, "%s = %.7g", value->name, value->value);
	}
}

static sonde_status add_steps(struct figure *figure, const struct refine_result *result)
{
	const int64_t count = result->step_count;
	double *numbers;

	CHECK(memory_allocate(&numbers, 2 * (size_t)count, sizeof *numbers, "the picture"));
	for (int64_t s = 0; s < count; ++s) {
		numbers[s] = (double)s;
		numbers[count + s] = 100.0 * result->step_rwp[s];
	}
	figure_panel(figure);
	figure_label(figure, FIGURE_X, "step");
	figure_label(figure, FIGURE_Y, "Rwp (%%)");
	figure_logarithmic(figure, FIGURE_Y);
	figure_range(figure, FIGURE_X, -0.2, (double)(count > 1 ? count - 1 : 1) + 0.2);
	figure_curve(figure, (struct figure_style){.color = figure_colors[0], .width = 1.6, .marker = 7.0}, NULL,
		     numbers, numbers + count, count);
	free(numbers);
	add_parameters(figure, result);
	return SONDE_OK;
}

sonde_status plot_refine(sonde_context *context, const struct refine_result *result,
			 const sonde_program_options *program)
{
	const int curves = result->curve_count < MOST_CURVES ? result->curve_count : MOST_CURVES;
	struct figure *figure = figure_create(1100, 460 * (curves + 1), curves + 1, 1);
	sonde_status status = SONDE_OK;

	for (int d = 0; figure != NULL && d < curves && status == SONDE_OK; ++d)
		status = plot_match_add_curve(figure, &result->curves[d], program->plot_axes);
	if (figure != NULL && status == SONDE_OK)
		status = add_steps(figure, result);
	return plot_finish(context, status, &figure, program->plot, program->force != 0);
}
