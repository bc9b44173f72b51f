/* Pictures of refinements. */
#ifndef SONDE_CLI_PLOT_REFINE_H
#define SONDE_CLI_PLOT_REFINE_H

#include "refine/refine.h"
#include "sonde/program_options.h"

/* The measured curves, up to four, with fits, backgrounds and residuals; and Rwp of all steps. */
sonde_status plot_refine(sonde_context *context, const struct refine_result *result,
			 const sonde_program_options *program);

#endif
