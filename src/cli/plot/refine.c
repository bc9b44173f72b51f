#include "cli/plot/refine.h"

#include <math.h>

#include "cli/plot/gnuplot.h"
#include "cli/plot/match.h"

static void append_parameters(const struct refine_result *result, struct text *script)
{
	for (int k = 0; k < result->parameter_count; ++k) {
		const struct refine_value *value = &result->parameters[k];
		text_append(script, "set label %d '", k + 2);
		gnuplot_append_label(script, value->name);
		if (isfinite(value->error))
			text_append(script, " = %.7g ± %.2g", value->value, value->error);
		else
			text_append(script, " = %.7g", value->value);
		text_append(script, "' at graph 0.985,%.3f right noenhanced\n", 0.9 - 0.09 * (double)k);
	}
}

static void append_steps(const struct refine_result *result, struct text *script)
{
	text_append(script, "$steps << EOD\n");
	for (int64_t s = 0; s < result->step_count; ++s)
		text_append(script, "%lld %.8g\n", (long long)s, 100.0 * result->step_rwp[s]);
	text_append(script, "EOD\nset key off\nset xlabel 'step'\nset ylabel 'R_{wp} (%%)'\nset logscale y\n");
	append_parameters(result, script);
	text_append(script, "plot [-0.2:%lld.2] $steps with linespoints pt 7 ps 0.8 lc rgb '#1f4e9a' lw 1.5\n",
		    (long long)(result->step_count > 1 ? result->step_count - 1 : 1));
}

sonde_status plot_refine(sonde_context *context, const struct refine_result *result,
			 const sonde_program_options *program)
{
	struct text script = {0};

	text_append(&script, "set terminal pngcairo size 1100,920 font 'Sans,13'\nset multiplot layout 2,1\n"
			     "set grid lc rgb '#dddddd'\nset border lc rgb '#444444'\n");
	plot_match_append_curve(&result->curve, 0, program->plot_axes, &script);
	append_steps(result, &script);
	text_append(&script, "unset multiplot\nset output\nexit\n");
	sonde_status status = text_status(&script);
	if (status == SONDE_OK)
		status = gnuplot_draw(context, &script, program->plot, program->force != 0);
	text_free(&script);
	return status;
}
