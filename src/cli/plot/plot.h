/* Pictures of results, whichever engine they are of. */
#ifndef SONDE_CLI_PLOT_PLOT_H
#define SONDE_CLI_PLOT_PLOT_H

#include "cli/program/program.h"
#include "run/engine.h"

/* Before the run: SONDE_INVALID for a request of whose result nothing can be drawn. */
sonde_status plot_check(const struct engine *engine, const struct engine_request *request);
/* Draws a result into program->plot, a PNG file. Stops gnuplot when `context` is cancelled. */
sonde_status plot_result(sonde_context *context, const struct engine *engine, const void *result,
			 const sonde_program_options *program);
/* Draws what is to be computed, without running it; SONDE_INVALID for engines that have no such picture. */
sonde_status plot_plan(sonde_context *context, const struct engine *engine, const struct engine_request *request,
		       const sonde_program_options *program);

#endif
