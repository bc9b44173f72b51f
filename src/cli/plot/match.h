/* Pictures of fits by mixtures. */
#ifndef SONDE_CLI_PLOT_MATCH_H
#define SONDE_CLI_PLOT_MATCH_H

#include "base/text.h"
#include "match/match.h"
#include "sonde/program_options.h"

/* Each measured curve with its fit, background and residual; and the weights with their intervals, or, of a series, against the number of
 * the curve. */
sonde_status plot_match(sonde_context *context, const struct match_result *result,
			const sonde_program_options *program);
/* One curve, number `d`, with its residual below the others, shifted: commands of gnuplot. */
void plot_match_append_curve(const struct match_curve *curve, int d, int plot_axes, struct text *script);

#endif
