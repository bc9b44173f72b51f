#include "cli/plot/plot.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/status.h"
#include "cli/plot/drawings.h"
#include "fdtd/engine.h"

static sonde_status draw_debye(sonde_context *context, const void *result, const sonde_program_options *program)
{
	return plot_debye(context, result, program);
}

static sonde_status draw_pattern(sonde_context *context, const void *result, const sonde_program_options *program)
{
	return plot_pattern(context, result, program);
}

static sonde_status check_pattern(const struct engine_request *request)
{
	const sonde_pattern_options *options = request->options;

	return options->q_list[0] != '\0'
		   ? status_fail(SONDE_INVALID, "plot: pictures are drawn, lists of scattering vectors are not")
		   : SONDE_OK;
}

static sonde_status draw_coulomb(sonde_context *context, const void *result, const sonde_program_options *program)
{
	return plot_coulomb(context, result, program->plot, program->force != 0);
}

static sonde_status draw_ions(sonde_context *context, const void *result, const sonde_program_options *program)
{
	return plot_ions(context, result, program);
}

static sonde_status draw_stopping(sonde_context *context, const void *result, const sonde_program_options *program)
{
	return plot_stopping(context, result, program);
}

static sonde_status draw_fdtd(sonde_context *context, const void *result, const sonde_program_options *program)
{
	return plot_fdtd(context, result, program);
}

static sonde_status check_fdtd(const struct engine_request *request)
{
	sonde_fdtd_job *job;

	CHECK(memory_allocate(&job, 1, sizeof *job, "a job"));
	fdtd_job_of(request, job);
	const sonde_status status = plot_fdtd_check(job);
	free(job);
	return status;
}

static sonde_status draw_fdtd_plan(sonde_context *context, const struct engine_request *request,
				   const sonde_program_options *program)
{
	sonde_fdtd_job *job;

	CHECK(memory_allocate(&job, 1, sizeof *job, "a job"));
	fdtd_job_of(request, job);
	const sonde_status status = plot_fdtd_geometry(context, job, program->plot, program->force != 0);
	free(job);
	return status;
}

/* The engines whose results have a picture of their own. */
static const struct drawing_of_engine {
	const char *engine;
	sonde_status (*check)(const struct engine_request *request); /* null: all of them can be drawn */
	sonde_status (*draw)(sonde_context *context, const void *result, const sonde_program_options *program);
	sonde_status (*draw_plan)(sonde_context *context, const struct engine_request *request,
				  const sonde_program_options *program); /* null: none */
} drawings[] = {
    {.engine = "debye", .draw = draw_debye},
    {.engine = "pattern", .check = check_pattern, .draw = draw_pattern},
    {.engine = "coulomb", .draw = draw_coulomb},
    {.engine = "ions", .draw = draw_ions},
    {.engine = "stopping", .draw = draw_stopping},
    {.engine = "fdtd", .check = check_fdtd, .draw = draw_fdtd, .draw_plan = draw_fdtd_plan},
};

static const struct drawing_of_engine *find(const struct engine *engine)
{
	for (size_t k = 0; k < sizeof drawings / sizeof *drawings; ++k)
		if (strcmp(drawings[k].engine, engine->name) == 0)
			return &drawings[k];
	return NULL;
}

sonde_status plot_check(const struct engine *engine, const struct engine_request *request)
{
	const struct drawing_of_engine *drawing = find(engine);

	return drawing != NULL && drawing->check != NULL ? drawing->check(request) : SONDE_OK;
}

sonde_status plot_result(sonde_context *context, const struct engine *engine, const void *result,
			 const sonde_program_options *program)
{
	const struct drawing_of_engine *drawing = find(engine);

	if (drawing == NULL && engine->pieces != NULL)
		return plot_tables(context, result, program);
	if (drawing == NULL)
		return status_fail(SONDE_INVALID, "plot: results of sonde %s have no picture", engine->name);
	return drawing->draw(context, result, program);
}

sonde_status plot_plan(sonde_context *context, const struct engine *engine, const struct engine_request *request,
		       const sonde_program_options *program)
{
	const struct drawing_of_engine *drawing = find(engine);

	if (drawing == NULL || drawing->draw_plan == NULL)
		return status_fail(SONDE_INVALID, "plot: plans of sonde %s have no picture; omit --plot or --plan",
				   engine->name);
	return drawing->draw_plan(context, request, program);
}
