#include "cli/commands/curves.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

const char *curve_points_text(const struct match_curve *curve, char text[CURVE_POINTS_TEXT])
{
	const bool all = curve->independent == curve->count;

	snprintf(text, CURVE_POINTS_TEXT,
		 all ? "%lld points" : "%lld points, %lld of them independent (qmax %.4g 1/Angstrom),",
		 (long long)curve->count, (long long)curve->independent, curve->qmax);
	return text;
}

void report_unexplained(struct report *report, const struct match_curve *curve)
{
	report_open_list(report, "unexplained");
	for (int k = 0; k < curve->peak_count; ++k) {
		report_open_object(report, NULL);
		report_number(report, "position", curve->peaks[k].position);
		report_number(report, "width", curve->peaks[k].width);
		report_number(report, "height", curve->peaks[k].height);
		report_number(report, "significance", curve->peaks[k].significance);
		report_close(report);
	}
	report_close(report);
}

void report_fitted_curve(struct report *report, const struct match_curve *curve, int most)
{
	for (int k = 0; k < curve->peak_count && k < most; ++k)
		report_line(report, k == 0 ? "unexplained" : "",
			    "%s at %.5g, width %.3g, height %.3g, %.3g standard deviations",
			    curve->peaks[k].height > 0.0 ? "excess" : "deficit", curve->peaks[k].position,
			    curve->peaks[k].width, curve->peaks[k].height, curve->peaks[k].significance);
	report_open_object(report, NULL);
	report_text(report, "file", curve->path);
	report_text(report, "kind", library_curve_names[curve->curve]);
	report_text(report, "radiation", library_radiation_names[curve->radiation]);
	report_integer(report, "points", curve->count);
	report_integer(report, "independent_points", curve->independent);
	report_number(report, "qmax", curve->qmax > 0.0 ? curve->qmax : NAN);
	report_integer(report, "points_left_out", curve->left_out);
	report_number(report, "scale", curve->scale);
	report_number(report, "Rwp", curve->rwp);
	report_number(report, "Rexp", curve->rexp);
	report_number(report, "chi_square", curve->chi_square);
	report_number(report, "interpolation_error", curve->interpolation_error);
	report_unexplained(report, curve);
	report_close(report);
}
