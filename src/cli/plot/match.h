/* Pictures of fits by mixtures. */
#ifndef SONDE_CLI_PLOT_MATCH_H
#define SONDE_CLI_PLOT_MATCH_H

#include "cli/figure/figure.h"
#include "match/match.h"
#include "sonde/program_options.h"

/* Each measured curve with its fit, background and residual; and the weights with their intervals, or, of a series, against the number of
 * the curve. */
sonde_status plot_match(sonde_context *context, const struct match_result *result,
			const sonde_program_options *program);
/* Begins a panel with one curve, and its residual below the others, shifted. */
sonde_status plot_match_add_curve(struct figure *figure, const struct match_curve *curve, int plot_axes);

#endif
