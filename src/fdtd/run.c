#include "fdtd/job/prepared.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
#include "fdtd/streaming_choice.h"
#include "fdtd/job/settling.h"
#include "fdtd/fields/kernels_ahead.h"
#include "fdtd/fields/survey.h"
#include "fdtd/grid/list_layout.h"
#include "run/checkpoint.h"

#define SURVEY_STEPS STEPS_OF_SUMS /* between checks of the field strength */

/* Nothing grows after the sources have ended, except by interference: fields are compared in intervals of time each
 * as long as all before it. */
#define FIRST_STRETCH 4096.0 /* steps, minimum */
#define GROWN 3.0            /* from one to the next, which causes a warning */
#define BURST 1e4            /* from the first, which aborts the run */
struct stretches {
	uint64_t end; /* of the current one; 0: none */
	double first, before, most;
};

/* A simulation in progress. */
struct stepping {
	struct fdtd_run *run;
	struct simulation *simulation;
	struct survey survey;
	struct stage stage;
	double largest, last; /* component of E away from point sources, its peak and its present value */
	double anywhere;      /* present */
	struct settling settling;
	double change; /* of the monitors' powers; infinite: not yet known */
	struct stretches stretches;
	enum job_pass pass;
	bool due;           /* the actions of the present step: it was stopped before them */
	uint64_t next, end; /* the next step with actions; the last one */
	uint64_t first;     /* step at which it began, or was resumed */
	double seconds, saved;
};

/* Whether the fields have decayed, up to a factor, to the requested level. */
static bool has_fallen(const struct stepping *stepping, double factor)
{
	double until = stepping->run->job->options.until;

	return until > 0.0 && (double)stepping->simulation->step > stepping->run->sources.end &&
	       stepping->largest > 0.0 && stepping->last <= factor * until * stepping->largest;
}

/* The same, and the data of the monitors have settled as well. */
static bool has_decayed(const struct stepping *stepping)
{
	return has_fallen(stepping, 1.0) && stepping->change <= stepping->run->job->options.until;
}

#define SOON 10.0 /* relative to the final field, the level at which powers are first compared */

static sonde_status watch_powers(struct stepping *stepping)
{
	stepping->change = INFINITY;
	if (!has_fallen(stepping, SOON))
		return SONDE_OK;
	return settling_look(&stepping->settling, &stepping->run->monitors, stepping->simulation, &stepping->change);
}

/* Time for the waves of the sources to reach any focusing structure: crossing all axes, at half the speed of light. */
static double first_stretch(const struct stepping *stepping)
{
	const int64_t *cells = stepping->run->plan.cells;

	return 4.0 * (double)(cells[0] + cells[1] + cells[2]);
}

/* Aborts a run whose fields grow, due to layers that feed evanescent waves or media that create energy. */
static sonde_status watch_growth(struct stepping *stepping)
{
	struct stretches *stretches = &stepping->stretches;
	const uint64_t step = stepping->simulation->step;

	if (!((double)step > stepping->run->sources.end))
		return SONDE_OK;
	if (stretches->end == 0)
		stretches->end = step + (uint64_t)fmax(fmax((double)step, FIRST_STRETCH), first_stretch(stepping));
	stretches->most = fmax(stretches->most, stepping->anywhere);
	if (stretches->first > 0.0 && stepping->anywhere > BURST * stretches->first)
		return status_fail(SONDE_INVALID,
				   "the fields grow without bound: they are %.3g times as strong at step %llu as "
				   "when the sources ended. More cells, or a larger kappa, of absorbing layers may "
				   "help, or a smaller courant, or a material creates energy",
				   stepping->anywhere / stretches->first, (unsigned long long)step);
	if (step < stretches->end)
		return SONDE_OK;
	if (stretches->before > 0.0 && stretches->most > GROWN * stretches->before && !stepping->run->growth_noted) {
		stepping->run->growth_noted = true;
		context_notef(stepping->run->context,
			      "the fields grow %.3g times before step %llu, though the sources have ended: results "
			      "are wrong. More cells, or a larger kappa, of absorbing layers may help",
			      stretches->most / stretches->before, (unsigned long long)step);
	}
	stretches->before = stretches->most;
	stretches->first = stretches->first > 0.0 ? stretches->first : stretches->most;
	stretches->most = 0.0;
	stretches->end = 2 * step;
	return SONDE_OK;
}

static sonde_status look(struct stepping *stepping)
{
	struct fields *fields = &stepping->simulation->fields;

	CHECK(survey_end(fields, &stepping->survey, &stepping->anywhere, &stepping->last));
	if (!isfinite(stepping->anywhere))
		return status_fail(SONDE_INVALID,
				   "the fields have grown without bound and are not finite any more, before step "
				   "%llu: a smaller courant may help, or a material creates energy",
				   (unsigned long long)stepping->simulation->step);
	stepping->largest = fmax(stepping->largest, stepping->last);
	CHECK(watch_powers(stepping));
	return watch_growth(stepping);
}

/* Steps from one survey to the next: whole passes where these are long. */
static uint64_t survey_steps(const struct stepping *stepping)
{
	const struct streaming *streaming = stepping->simulation->fields.streaming;

	if (streaming == NULL)
		return SURVEY_STEPS;
	const uint64_t chain = streaming->schedule.chain, pass = streaming->schedule.height * (chain > 1 ? chain : 1);
	return (pass + SURVEY_STEPS - 1) / SURVEY_STEPS * SURVEY_STEPS;
}

/* The next step with an action. */
static uint64_t next_stop(const struct stepping *stepping, uint64_t end)
{
	const uint64_t every = survey_steps(stepping);
	uint64_t step = stepping->simulation->step, survey = (step / every + 1) * every;
	uint64_t next = survey < end ? survey : end, monitors = job_monitors_next(&stepping->run->monitors);

	return monitors > step && monitors < next ? monitors : next;
}

static sonde_status save(struct stepping *stepping)
{
	struct checkpoint checkpoint = {stepping->pass, stepping->largest,  stepping->last,
					stepping->due,  stepping->settling, stepping->simulation};

	return fdtd_checkpoint_save(stepping->run, stepping->run->path, &checkpoint);
}

/* Long runs leave a checkpoint now and then. */
static sonde_status save_now_and_then(struct stepping *stepping)
{
	double now = clock_seconds(), every = stepping->run->job->options.checkpoint;

	if (stepping->run->path == NULL || every == 0.0 || now - stepping->saved < every)
		return SONDE_OK;
	CHECK(save(stepping));
	stepping->saved = clock_seconds();
	return SONDE_OK;
}

/* Completed steps are kept, if possible. */
static sonde_status stopped(struct stepping *stepping)
{
	static const char *const words[] = {"", " of the reference run", " of the run of the wave alone"};
	const struct fdtd_run *run = stepping->run;

	if (stepping->simulation->step == 0)
		return SONDE_CANCELLED;
	if (run->path == NULL)
		return context_lose_work(run->context);
	CHECK(save(stepping));
	return status_fail(SONDE_SUSPENDED, "stopped; %llu steps%s are kept in %s.checkpoint, continue with `resume`",
			   (unsigned long long)stepping->simulation->step, words[stepping->pass], run->path);
}

/* Whether the strength of the fields is checked at the step. */
static bool is_surveyed(const struct stepping *stepping, uint64_t step)
{
	return step % survey_steps(stepping) == 0 || step == stepping->end;
}

/* The actions of a step, for some of its planes. */
static sonde_status look_at_planes(void *user, struct fields *fields, uint32_t first, uint32_t count)
{
	const struct stepping *stepping = user;

	if (stepping->pass == PASS_BODIES)
		CHECK(job_monitors_gather(&stepping->run->monitors, fields, stepping->next, first, count));
	return is_surveyed(stepping, stepping->next) ? survey_planes(fields, &stepping->survey, first, count)
						     : SONDE_OK;
}

/* Prepares the actions of a step to come, or of the present one. */
static sonde_status expect(struct stepping *stepping, uint64_t next, uint64_t end)
{
	struct simulation *simulation = stepping->simulation;

	stepping->next = next;
	stepping->end = end;
	simulation->look = look_at_planes;
	simulation->look_user = stepping;
	return survey_begin(&simulation->fields, &stepping->survey);
}

/* Performs the actions of the present step. */
static sonde_status arrive(struct stepping *stepping)
{
	struct simulation *simulation = stepping->simulation;

	CHECK(simulation_show(simulation));
	CHECK(simulation_finish(simulation));
	if (stepping->pass == PASS_BODIES)
		CHECK(job_monitors_look(&stepping->run->monitors, simulation));
	if (is_surveyed(stepping, simulation->step))
		CHECK(look(stepping));
	stepping->due = false;
	return SONDE_OK;
}

/* Steps to the next step with actions, and performs them, unless it is stopped: then they are due. */
static sonde_status advance(struct stepping *stepping, uint64_t end)
{
	struct simulation *simulation = stepping->simulation;

	if (!stepping->due) {
		const uint64_t next = next_stop(stepping, end);
		CHECK(expect(stepping, next, end));
		const sonde_status status = simulation_run(simulation, next - simulation->step, &stepping->stage);
		stepping->due = simulation->step == next;
		CHECK(status);
	} else if (!simulation->looked) {
		CHECK(expect(stepping, simulation->step, end));
	}
	return arrive(stepping);
}

/* Steps to `end`, or until the field has decayed; snapshots only of the run with bodies. */
static sonde_status step_to(struct stepping *stepping, uint64_t end)
{
	struct simulation *simulation = stepping->simulation;
	double began = clock_seconds();

	if (stepping->pass == PASS_BODIES && !stepping->due &&
	    job_monitors_next(&stepping->run->monitors) == simulation->step) {
		CHECK(expect(stepping, simulation->step, end));
		CHECK(simulation_show(simulation));
		CHECK(job_monitors_look(&stepping->run->monitors, simulation));
	}
	while (stepping->due || (simulation->step < end && !has_decayed(stepping))) {
		const sonde_status status = advance(stepping, end);
		if (status == SONDE_CANCELLED)
			return stopped(stepping);
		CHECK(status);
		CHECK(save_now_and_then(stepping));
	}
	stepping->seconds += clock_seconds() - began;
	stepping->run->seconds.stepping += clock_seconds() - began;
	return SONDE_OK;
}

static double cells_of(const sonde_fdtd_plan *plan)
{
	return (double)plan->cells[0] * (double)plan->cells[1] * (double)plan->cells[2];
}

/* The end of a run that stops by itself is estimated for the progress. */
static void begin_stage(struct stepping *stepping, const char *name)
{
	const struct fdtd_run *run = stepping->run;
	struct simulation *simulation = stepping->simulation;
	double cells = cells_of(&run->plan),
	       steps = run->plan.steps > 0 ? (double)run->plan.steps : run->sources.end + 20.0 * cbrt(cells);
	sonde_device_description description;

	simulation->progress_unit = cells;
	simulation->progress_from = simulation->step;
	stage_begin(&stepping->stage, run->context, name, "cell steps", (steps - (double)simulation->step) * cells);
	device_identify(simulation->fields.device, &description);
	stepping->stage.ceiling =
	    run->on.count * description.peak_bandwidth / fields_bytes_of_step(&simulation->fields);
}

static sonde_status set_up(struct fdtd_run *run, struct device *device, enum job_pass pass,
			   struct simulation *simulation)
{
	bool single = run->job->options.precision == SONDE_FDTD_PRECISION_FLOAT32;
	struct kernels_ahead ahead[FIELDS_MOST_DEVICES];

	for (int n = 0; n < run->on.count; ++n)
		kernels_ahead_begin(run->on.devices[n], single, &ahead[n]);
	const sonde_status painted = job_space_paint(&run->space, pass);
	for (int n = 0; n < run->on.count; ++n)
		kernels_ahead_end(&ahead[n]);
	CHECK(painted);
	if (run->on.count > 1)
		CHECK(simulation_make_on(&run->on, &run->space.grid, &run->space.media, single, simulation));
	else
		CHECK(simulation_make_streamed(device, &run->space.grid, &run->space.media, single,
					       run->streamed ? &run->schedule : NULL, simulation));
	CHECK(job_sources_add(&run->space, &run->sources, simulation));
	return job_monitors_add(&run->space, &run->sources, pass, &run->monitors, simulation);
}

/* Where the windows of a streamed grid do not fit, because less memory is left than was thought, with smaller ones. */
static sonde_status set_up_to_fit(struct fdtd_run *run, struct device *device, enum job_pass pass,
				  struct simulation *simulation)
{
	sonde_status status = set_up(run, device, pass, simulation);

	while (status == SONDE_RESOURCE && fdtd_may_stream_with_less(run) && !fdtd_failed_to_store()) {
		job_monitors_remove(&run->monitors, simulation);
		simulation_release(simulation);
		CHECK(fdtd_stream_with_less(run, device));
		status = set_up(run, device, pass, simulation);
	}
	return status;
}

/* Before the first step there is nothing to keep: a stop ends all loops immediately. */
static sonde_status make_simulation(struct fdtd_run *run, struct device *device, enum job_pass pass,
				    struct simulation *simulation)
{
	const double began = clock_seconds();

	threads_end_when(context_cancel_flag(run->context));
	const sonde_status status = set_up_to_fit(run, device, pass, simulation);
	threads_end_when(NULL);
	run->seconds.set_up += clock_seconds() - began;
	if (context_cancelled(run->context))
		return status_fail(SONDE_CANCELLED, "stopped on request before the first step");
	return status;
}

static uint64_t last_step(const struct fdtd_run *run)
{
	return run->plan.steps > 0 ? (uint64_t)run->plan.steps : UINT64_MAX / 2;
}

/* Point sources have near fields that grow as the inverse cube of the cell size, and do not measure the radiated
 * field. */
static sonde_status make_survey(struct stepping *stepping)
{
	const struct job_sources *sources = &stepping->run->sources;
	struct survey_box *boxes;
	int count;

	CHECK(job_sources_near(&stepping->run->space, sources, &boxes, &count));
	const sonde_status status = survey_make(&stepping->simulation->fields, boxes, count, &stepping->survey);
	free(boxes);
	return status;
}

/* Resumes a run that was stopped here. */
static sonde_status take_up(struct stepping *stepping, struct state *state, struct checkpoint *checkpoint)
{
	stepping->saved = clock_seconds();
	if (state->file == NULL || checkpoint->pass != stepping->pass)
		return SONDE_OK;
	checkpoint->simulation = stepping->simulation;
	CHECK(job_monitors_check_restored(&stepping->run->monitors, stepping->pass,
					  stepping->run->plan.runs > PASS_WAVE, stepping->simulation, state));
	CHECK(settling_check(&checkpoint->settling, &stepping->run->monitors, state));
	CHECK(fdtd_checkpoint_restore(state, checkpoint));
	stepping->first = stepping->simulation->step;
	if (stepping->first > last_step(stepping->run))
		return status_fail_option(SONDE_INVALID, "resume",
					  "%llu steps are completed, but the job has only %lld: give it more time, "
					  "or run it again from the start",
					  (unsigned long long)stepping->first, (long long)stepping->run->plan.steps);
	stepping->largest = checkpoint->largest;
	stepping->last = checkpoint->last;
	stepping->due = checkpoint->due;
	stepping->settling = checkpoint->settling;
	checkpoint->settling = (struct settling){.count = 0};
	return SONDE_OK;
}

/* Errors in bodies, sources and monitors together, before the long reference run instead of after it. */
static sonde_status try_bodies(struct fdtd_run *run, struct device *device)
{
	struct simulation simulation = {0};
	sonde_status status = make_simulation(run, device, PASS_BODIES, &simulation);

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

	CHECK_GOTO(status, make_simulation(run, device, pass, &simulation), done);
	CHECK_GOTO(status, make_survey(&stepping), done);
	CHECK_GOTO(status, take_up(&stepping, state, checkpoint), done);
	CHECK_GOTO(status, fdtd_note_job(run), done); /* after possible errors of the job */
	begin_stage(&stepping, pass == PASS_WAVE ? "wave" : "reference");
	CHECK_GOTO(status, step_to(&stepping, last_step(run)), done);
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

	CHECK_GOTO(status, make_simulation(run, device, PASS_BODIES, &simulation), done);
	CHECK_GOTO(status, make_survey(&stepping), done);
	CHECK_GOTO(status, take_up(&stepping, state, checkpoint), done);
	CHECK_GOTO(status, fdtd_note_job(run), done); /* after possible errors of the job */
	begin_stage(&stepping, "steps");
	CHECK_GOTO(status, step_to(&stepping, last_step(run)), done);
	result->resumed = (int64_t)stepping.first;
	result->steps = (int64_t)simulation.step;
	result->time = (double)simulation.step * run->space.frame.time_step;
	result->left = stepping.largest > 0.0 ? stepping.last / stepping.largest : 0.0;
	result->until_missed = run->job->options.until > 0.0 && !has_decayed(&stepping);
	fdtd_note_rest(run, result->left);
	result->rate =
	    (double)(simulation.step - stepping.first) * cells_of(&run->plan) / fmax(stepping.seconds, 1e-9);
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
	result->provenance->run.peak_memory = memory_peak();
done:
	settling_free(&checkpoint.settling);
	state_close(&state);
	return status;
}

static sonde_status run_job(sonde_context *context, const sonde_fdtd_job *job, const char *path,
			    sonde_fdtd_result **result);

/* Before the job's own run, which takes longer, so that invalid input is reported early. */
static sonde_status run_companion(const struct fdtd_run *run, sonde_fdtd_result **companion)
{
	sonde_fdtd_job *coarser;

	CHECK(fdtd_check_run(run->job, run->path));
	CHECK(fdtd_make_companion(run, &coarser));
	const sonde_status status = run_job(run->context, coarser, NULL, companion);
	free(coarser);
	return status == SONDE_OK ? SONDE_OK
				  : status_prefix(status, "`error`: the companion, whose cells are %g times as long",
						  COMPANION_COARSER);
}

static sonde_status run_job(sonde_context *context, const sonde_fdtd_job *job, const char *path,
			    sonde_fdtd_result **result)
{
	double began = clock_seconds();
	struct fdtd_run run;
	sonde_fdtd_result *companion = NULL;
	sonde_status status;

	*result = NULL;
	CHECK_GOTO(status, fdtd_run_prepare(context, job, &run), done);
	run.seconds.set_up = clock_seconds() - began;
	run.path = path;
	if (job->options.error == SONDE_FDTD_ERROR_COMPANION)
		CHECK_GOTO(status, run_companion(&run, &companion), done);
	CHECK_GOTO(status, memory_allocate(result, 1, sizeof **result, "the result"), done);
	status = go(&run, *result);
	if (status == SONDE_OK)
		fdtd_estimate_errors(&run, *result);
	if (status == SONDE_OK)
		(*result)->provenance->seconds = run.seconds;
	if (status == SONDE_OK && companion != NULL)
		status = fdtd_add_errors(job, companion, *result);
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
	return run_job(context, job, NULL, result);
}

sonde_status sonde_fdtd_run_to_file(sonde_context *context, const sonde_fdtd_job *job, const char *path,
				    int overwrite, sonde_fdtd_result **result)
{
	if (context == NULL || job == NULL || path == NULL || result == NULL)
		return status_fail(SONDE_INVALID, "context, job, file and result are needed, one of them is null");
	*result = NULL;
	CHECK(fdtd_check_format(path));
	CHECK(file_check_output(path, overwrite != 0));
	struct output_lock lock;
	sonde_status status = output_lock_take(path, &lock);
	if (status == SONDE_OK)
		status = run_job(context, job, path, result);
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
		free((*result)->provenance->file);
		free((*result)->provenance);
	}
	free(*result);
	*result = NULL;
}
