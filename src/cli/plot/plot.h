/* Pictures of the results of all engines. */
#ifndef SONDE_CLI_PLOT_PLOT_H
#define SONDE_CLI_PLOT_PLOT_H

#include "cli/program/program.h"
#include "run/engine.h"

/* Before the run: SONDE_INVALID for a request whose result cannot be drawn. */
sonde_status plot_check(const struct engine *engine, const struct engine_request *request);
/* Draws a result into program->plot, a PNG, SVG or PDF file. */
sonde_status plot_result(sonde_context *context, const struct engine *engine, const void *result,
			 const sonde_program_options *program);
/* Draws the setup of a run, without running it; SONDE_INVALID for engines without such pictures. */
sonde_status plot_plan(sonde_context *context, const struct engine *engine, const struct engine_request *request,
		       const sonde_program_options *program);

#endif
