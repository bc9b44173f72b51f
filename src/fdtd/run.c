#include "fdtd/job/prepared.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/lock.h"
#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/checkpoint.h"
#include "fdtd/device_choice.h"
#include "fdtd/error.h"
#include "fdtd/fdtd_result.h"
#include "fdtd/record.h"
#include "fdtd/stepping.h"
#include "fdtd/streaming_choice.h"
#include "fdtd/fields/kernels_ahead.h"
#include "fdtd/fields/shared_lists.h"
#include "parallel/parallel.h"
#include "run/checkpoint.h"

/* Adds the time since *began to a part, and begins the next one. */
static void lap(double *began, double *part)
{
	const double now = clock_seconds();

	*part += now - *began;
	*began = now;
}

static sonde_status set_up(struct fdtd_run *run, struct device *device, enum job_pass pass,
			   struct simulation *simulation)
{
	bool single = run->job->options.precision != SONDE_FDTD_PRECISION_FLOAT64;
	const struct kernels_wanted wanted = {.grid = &run->space.grid,
					      .single = single,
					      .bodies = run->job->bodies.count > 0,
					      .pairs = step_pairs_are_likely(run->plan.cells, run->plan.steps)};
	struct kernels_ahead ahead[FIELDS_MOST_DEVICES];
	struct fdtd_seconds *seconds = &run->seconds;
	double began = clock_seconds();

	for (int n = 0; n < run->on.count; ++n)
		kernels_ahead_begin(run->on.devices[n], &wanted, &ahead[n]);
	run->space.part = fields_part(&run->on, &run->space.grid);
	sonde_status painted = job_space_paint(&run->space, pass);
	if (painted == SONDE_OK)
		painted = shared_lists_make(&run->space.grid, &run->space.media);
	lap(&began, &seconds->painting);
	for (int n = 0; n < run->on.count; ++n)
		kernels_ahead_end(&ahead[n]);
	lap(&began, &seconds->kernels);
	CHECK(painted);
	if (run->on.count > 1 || run->on.ranks != NULL)
		CHECK(simulation_make_on(&run->on, &run->space.grid, &run->space.media, single, simulation));
	else
		CHECK(simulation_make_streamed(device, &run->space.grid, &run->space.media, single,
					       run->streamed ? &run->schedule : NULL, simulation));
	simulation->expected = (uint64_t)run->plan.steps;
	lap(&began, &seconds->fields);
	CHECK(job_sources_add(&run->space, &run->sources, simulation));
	lap(&began, &seconds->sources);
	CHECK(job_monitors_add(&run->space, &run->sources, pass, &run->monitors, simulation));
	lap(&began, &seconds->lists);
	return SONDE_OK;
}

/* Where a grid does not fit, because less memory is left than was thought, it is streamed; and where its windows do not,
 * with smaller ones. */
static sonde_status set_up_to_fit(struct fdtd_run *run, struct device *device, enum job_pass pass,
				  struct simulation *simulation)
{
	sonde_status status = set_up(run, device, pass, simulation);

	while (status == SONDE_RESOURCE && fdtd_may_stream_with_less(run, device) && !fdtd_failed_to_store()) {
		job_monitors_remove(&run->monitors, simulation);
		simulation_release(simulation);
		CHECK(fdtd_stream_with_less(run, device));
		status = set_up(run, device, pass, simulation);
	}
	return status;
}

/* Before the first step there is nothing to keep: a stop ends all loops immediately. Ranks stop after it, as what one has
 * left out would not match the others. */
static sonde_status make_simulation(struct fdtd_run *run, struct device *device, enum job_pass pass,
				    struct simulation *simulation)
{
	const double began = clock_seconds();

	threads_end_when(parallel_size(context_ranks(run->context)) == 1 ? context_cancel_flag(run->context) : NULL);
	const sonde_status status = set_up_to_fit(run, device, pass, simulation);
	threads_end_when(NULL);
	run->seconds.set_up += clock_seconds() - began;
	if (context_cancelled(run->context))
		return status_fail(SONDE_CANCELLED, "stopped on request before the first step");
	return status;
}

/* The same for all ranks: none begins to step while another has failed, or was stopped. */
static sonde_status make_simulations(struct fdtd_run *run, struct device *device, enum job_pass pass,
				     struct simulation *simulation)
{
	return parallel_agree(context_ranks(run->context), make_simulation(run, device, pass, simulation));
}

/* Errors in bodies, sources and monitors together, before the long reference run instead of after it. */
static sonde_status try_bodies(struct fdtd_run *run, struct device *device)
{
	struct simulation simulation = {0};
	sonde_status status = make_simulations(run, device, PASS_BODIES, &simulation);

	if (status == SONDE_OK)
		job_space_keep(&run->space);
	job_monitors_remove(&run->monitors, &simulation);
	simulation_release(&simulation);
	return status;
}

/* The reference run, or that of the wave alone, for monitors that are normalized by it. */
static sonde_status run_reference(struct fdtd_run *run, enum job_pass pass, struct device *device,
				  struct state *state, struct checkpoint *checkpoint)
{
	struct simulation simulation = {0};
	struct stepping stepping = {.run = run, .simulation = &simulation, .pass = pass, .change = INFINITY};
	sonde_status status;

	CHECK_GOTO(status, make_simulations(run, device, pass, &simulation), done);
	CHECK_GOTO(status, stepping_make_survey(&stepping), done);
	CHECK_GOTO(status, stepping_take_up(&stepping, state, checkpoint), done);
	CHECK_GOTO(status, fdtd_note_job(run), done); /* after possible errors of the job */
	stepping_begin_stage(&stepping, pass == PASS_WAVE ? "wave" : "reference");
	CHECK_GOTO(status, stepping_go_to(&stepping, stepping_last_step(run)), done);
	status = job_monitors_keep(&run->monitors, pass, &simulation);
done:
	settling_free(&stepping.settling);
	survey_release(&simulation.fields, &stepping.survey);
	simulation_release(&simulation);
	return status;
}

static sonde_status collect(struct fdtd_run *run, struct simulation *simulation, sonde_fdtd_result *result)
{
	const sonde_fdtd_job *job = run->job;
	const double began = clock_seconds();

	CHECK(
	    memory_allocate(&result->monitors, (size_t)run->monitors.count, sizeof *result->monitors, "the result"));
	for (int64_t n = 0; n < run->monitors.count; ++n) {
		sonde_fdtd_monitor *monitor = &result->monitors[n];
		job_monitor_label(&run->monitors, n, monitor);
		++result->monitor_count;
		CHECK(job_prefix(
		    job,
		    job_monitor_result(&run->space, &run->sources, &run->monitors.monitors[n], simulation, monitor),
		    "monitors", job->monitors.lines, n));
	}
	run->seconds.monitors += clock_seconds() - began;
	return SONDE_OK;
}

static sonde_status run_bodies(struct fdtd_run *run, struct device *device, struct state *state,
			       struct checkpoint *checkpoint, sonde_fdtd_result *result)
{
	struct simulation simulation = {0};
	struct stepping stepping = {.run = run, .simulation = &simulation, .change = INFINITY};
	sonde_status status;

	CHECK_GOTO(status, make_simulations(run, device, PASS_BODIES, &simulation), done);
	CHECK_GOTO(status, stepping_make_survey(&stepping), done);
	CHECK_GOTO(status, stepping_take_up(&stepping, state, checkpoint), done);
	CHECK_GOTO(status, fdtd_note_job(run), done); /* after possible errors of the job */
	stepping_begin_stage(&stepping, "steps");
	CHECK_GOTO(status, stepping_go_to(&stepping, stepping_last_step(run)), done);
	result->resumed = (int64_t)stepping.first;
	result->steps = (int64_t)simulation.step;
	result->time = (double)simulation.step * run->space.frame.time_step;
	result->left = stepping.largest > 0.0 ? stepping.last / stepping.largest : 0.0;
	result->until_missed = run->job->options.until > 0.0 && !stepping_has_decayed(&stepping);
	fdtd_note_rest(run, result->left);
	result->rate =
	    (double)(simulation.step - stepping.first) * stepping_cells(&run->plan) / fmax(stepping.seconds, 1e-9);
	CHECK_GOTO(status, collect(run, &simulation, result), done);
	fdtd_note_quotients(run, result);
done:
	settling_free(&stepping.settling);
	survey_release(&simulation.fields, &stepping.survey);
	job_monitors_remove(&run->monitors, &simulation);
	simulation_release(&simulation);
	return status;
}

/* Earlier progress is lost if this run continues to its end. */
static void note_checkpoint(const struct fdtd_run *run)
{
	if (run->path != NULL && checkpoint_exists(run->path))
		context_notef(run->context, "%s.checkpoint of an earlier run will be replaced: `resume` continues it",
			      run->path);
}

sonde_status fdtd_check_run(const sonde_fdtd_job *job, const char *path)
{
	if (job->monitors.count == 0)
		return status_fail(SONDE_INVALID, "%s%smonitors: none given; the run would produce no output",
				   job->file != NULL ? job->file : "", job->file != NULL ? ": fdtd: " : "");
	if (job->options.resume && path == NULL)
		return status_fail_option(SONDE_INVALID, "resume", "`output` must name the file to continue");
	return SONDE_OK;
}

static sonde_status go(struct fdtd_run *run, sonde_fdtd_result *result)
{
	struct checkpoint checkpoint = {.pass = PASS_BODIES};
	struct state state = {.file = NULL};
	struct device *device;
	sonde_status status = SONDE_OK;

	CHECK(context_device(run->context, &device));
	CHECK(fdtd_check_memory(run, device));
	CHECK(fdtd_note_devices(run));
	CHECK(fdtd_record(run, result));
	CHECK(fdtd_check_run(run->job, run->path));
	if (run->job->options.resume)
		CHECK_GOTO(status, fdtd_checkpoint_open(run, run->path, &state, &checkpoint), done);
	if (!run->job->options.resume)
		note_checkpoint(run);
	if (run->plan.runs > 1 && state.file == NULL)
		CHECK_GOTO(status, try_bodies(run, device), done);
	/* the monitors already have the data of completed earlier runs */
	for (int pass = run->plan.runs - 1; pass > PASS_BODIES; --pass)
		if (state.file == NULL || (int)checkpoint.pass >= pass)
			CHECK_GOTO(status, run_reference(run, (enum job_pass)pass, device, &state, &checkpoint),
				   done);
	CHECK_GOTO(status, run_bodies(run, device, &state, &checkpoint, result), done);
	fdtd_record_plan(run, result);
	provenance_end(run->context, &result->provenance->run);
done:
	settling_free(&checkpoint.settling);
	state_close(&state);
	return status;
}

static sonde_status run_job(sonde_context *context, const sonde_fdtd_job *job, const char *path, bool is_companion,
			    sonde_fdtd_result **result);

/* Before the job's own run, which takes longer, so that invalid input is reported early. */
static sonde_status run_companion(const struct fdtd_run *run, sonde_fdtd_result **companion)
{
	sonde_fdtd_job *coarser;

	CHECK(fdtd_check_run(run->job, run->path));
	CHECK(fdtd_make_companion(run, &coarser));
	const sonde_status status = run_job(run->context, coarser, NULL, true, companion);
	free(coarser);
	return status == SONDE_OK ? SONDE_OK
				  : status_prefix(status, "`error`: the companion, whose cells are %g times as long",
						  COMPANION_COARSER);
}

static sonde_status measure_storage_with(const struct fdtd_run *run, double times, double *error)
{
	sonde_fdtd_result *results[2] = {NULL, NULL};
	sonde_status status = SONDE_OK;

	for (int n = 0; n < 2 && status == SONDE_OK; ++n) {
		sonde_fdtd_job *coarser = NULL;
		status = fdtd_make_storage_companion(run, times, n == 0, &coarser);
		if (status == SONDE_OK)
			status = run_job(run->context, coarser, NULL, true, &results[n]);
		free(coarser);
	}
	if (status == SONDE_OK)
		*error = fdtd_storage_error(times, results[0], results[1]);
	for (int n = 0; n < 2; ++n)
		sonde_fdtd_result_free(&results[n]);
	return status;
}

/* Measures the error of fields in 16 bits. Where coarser cells are not possible, it stays negative, with a note. */
static sonde_status measure_storage(const struct fdtd_run *run, double *error)
{
	CHECK(fdtd_check_run(run->job, run->path));
	sonde_status status = measure_storage_with(run, STORAGE_COARSER, error);
	if (status == SONDE_INVALID)
		status = measure_storage_with(run, COMPANION_COARSER, error);
	if (status != SONDE_INVALID)
		return status;
	context_note(run->context, "the error of fields in 16 bits is a formula's, as the job does not allow the "
				   "coarser cells by which it would be measured");
	return SONDE_OK;
}

static sonde_status run_job(sonde_context *context, const sonde_fdtd_job *job, const char *path, bool is_companion,
			    sonde_fdtd_result **result)
{
	double began = clock_seconds(), of_storage = -1.0;
	struct fdtd_run run;
	sonde_fdtd_result *companion = NULL;
	sonde_status status;

	*result = NULL;
	CHECK_GOTO(status, fdtd_run_prepare(context, job, &run), done);
	run.seconds.set_up = run.seconds.planning = clock_seconds() - began;
	run.path = path;
	run.is_companion = is_companion;
	if (job->options.error == SONDE_FDTD_ERROR_COMPANION)
		CHECK_GOTO(status, run_companion(&run, &companion), done);
	if (run.space.grid.in_words && job->options.error != SONDE_FDTD_ERROR_NONE)
		CHECK_GOTO(status, measure_storage(&run, &of_storage), done);
	CHECK_GOTO(status, memory_allocate(result, 1, sizeof **result, "the result"), done);
	status = go(&run, *result);
	if (status == SONDE_OK)
		fdtd_estimate_errors(&run, *result);
	if (status == SONDE_OK && of_storage >= 0.0)
		(*result)->rounding_error = of_storage;
	if (status == SONDE_OK)
		(*result)->provenance->seconds = run.seconds;
	if (status == SONDE_OK && companion != NULL)
		status = fdtd_add_errors(job, companion, *result);
	if (status == SONDE_OK)
		status = fdtd_add_signal_errors(&run, companion, *result);
	if (status == SONDE_OK)
		fdtd_add_resonance_errors(&run, companion, *result);
	(*result)->seconds = clock_seconds() - began;
done:
	fdtd_run_free(&run);
	sonde_fdtd_result_free(&companion);
	if (status != SONDE_OK)
		sonde_fdtd_result_free(result);
	return status;
}

sonde_status sonde_fdtd_run(sonde_context *context, const sonde_fdtd_job *job, sonde_fdtd_result **result)
{
	if (context == NULL || job == NULL || result == NULL)
		return status_fail(SONDE_INVALID, "context, job and result are needed, one of them is null");
	return run_job(context, job, NULL, false, result);
}

static sonde_status check_output(const char *path, int overwrite)
{
	CHECK(fdtd_check_format(path));
	return file_check_output(path, overwrite != 0);
}

sonde_status sonde_fdtd_run_to_file(sonde_context *context, const sonde_fdtd_job *job, const char *path,
				    int overwrite, sonde_fdtd_result **result)
{
	if (context == NULL || job == NULL || path == NULL || result == NULL)
		return status_fail(SONDE_INVALID, "context, job, file and result are needed, one of them is null");
	*result = NULL;
	/* before the first rank writes, which the others would find */
	CHECK(parallel_agree(context_ranks(context), check_output(path, overwrite)));
	if (!context_writes(context))
		return run_job(context, job, path, false, result);
	struct output_lock lock;
	sonde_status status = output_lock_take(path, &lock);
	if (status == SONDE_OK)
		status = run_job(context, job, path, false, result);
	if (status == SONDE_OK)
		status = sonde_fdtd_result_write(*result, path, overwrite);
	if (status == SONDE_OK)
		checkpoint_remove(path);
	else
		sonde_fdtd_result_free(result);
	output_lock_release(&lock);
	return status;
}

void sonde_fdtd_result_free(sonde_fdtd_result **result)
{
	if (result == NULL || *result == NULL)
		return;
	for (int n = 0; n < (*result)->monitor_count; ++n)
		job_monitor_result_free(&(*result)->monitors[n]);
	free((*result)->monitors);
	if ((*result)->provenance != NULL) {
		provenance_free(&(*result)->provenance->run);
		free((*result)->provenance->job);
		free((*result)->provenance);
	}
	free(*result);
	*result = NULL;
}
