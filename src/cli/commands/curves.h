/* Fitted curves, as commands report them. */
#ifndef SONDE_CLI_COMMANDS_CURVES_H
#define SONDE_CLI_COMMANDS_CURVES_H

#include "match/match_result.h"
#include "run/report.h"

#define CURVE_POINTS_TEXT 96
/* "771 points", or how many of them are independent. Returns `text`. */
const char *curve_points_text(const struct match_curve *curve, char text[CURVE_POINTS_TEXT]);
/* The list "unexplained" of --json: position, width, height, and significance of each peak of the residual. */
void report_unexplained(struct report *report, const struct match_curve *curve);
/* The `most` most significant ones for people, and an object of --json with numbers of the curve and all of them. */
void report_fitted_curve(struct report *report, const struct match_curve *curve, int most);

#endif
