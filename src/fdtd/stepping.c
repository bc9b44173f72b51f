#include "fdtd/stepping.h"

#include <math.h>
#include <stdlib.h>

#include "base/clock.h"
#include "fdtd/checkpoint.h"
#include "fdtd/grid/list_layout.h"
#include "parallel/parallel.h"
#include "run/checkpoint.h"

#define SURVEY_STEPS STEPS_OF_SUMS /* between checks of the field strength */

/* Nothing grows after the sources have ended, except by interference: fields are compared in intervals of time each
 * as long as all before it. */
#define FIRST_STRETCH 4096.0 /* steps, minimum */
#define GROWN 3.0            /* from one to the next, which causes a warning */
#define BURST 1e4            /* from the first, which aborts the run */

/* Whether the fields have decayed, up to a factor, to the requested level. */
static bool has_fallen(const struct stepping *stepping, double factor)
{
	double until = stepping->run->job->options.until;

	return until > 0.0 && (double)stepping->simulation->step > stepping->run->sources.end &&
	       stepping->largest > 0.0 && stepping->last <= factor * until * stepping->largest;
}

bool stepping_has_decayed(const struct stepping *stepping)
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
	if (stepping->run->path == NULL)
		return SONDE_OK;
	int is_due = checkpoint_is_due(stepping->run->job->options.checkpoint, stepping->saved);
	CHECK(parallel_broadcast(context_ranks(stepping->run->context), &is_due, sizeof is_due));
	if (!is_due)
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
		CHECK(parallel_agree(context_ranks(stepping->run->context), status));
	} else if (!simulation->looked) {
		CHECK(expect(stepping, simulation->step, end));
	}
	return arrive(stepping);
}

sonde_status stepping_go_to(struct stepping *stepping, uint64_t end)
{
	struct simulation *simulation = stepping->simulation;
	double began = clock_seconds();

	if (stepping->pass == PASS_BODIES && !stepping->due &&
	    job_monitors_next(&stepping->run->monitors) == simulation->step) {
		CHECK(expect(stepping, simulation->step, end));
		CHECK(simulation_show(simulation));
		CHECK(job_monitors_look(&stepping->run->monitors, simulation));
	}
	while (stepping->due || (simulation->step < end && !stepping_has_decayed(stepping))) {
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

void stepping_begin_stage(struct stepping *stepping, const char *name)
{
	const struct fdtd_run *run = stepping->run;
	struct simulation *simulation = stepping->simulation;
	double cells = stepping_cells(&run->plan),
	       steps = run->plan.steps > 0 ? (double)run->plan.steps : run->sources.end + 20.0 * cbrt(cells);
	sonde_device_description description;

	simulation->progress_unit = cells;
	simulation->progress_from = simulation->step;
	stage_begin(&stepping->stage, run->context, name, "cell steps", (steps - (double)simulation->step) * cells);
	device_identify(simulation->fields.device, &description);
	stepping->stage.ceiling = (run->on.all > 0 ? run->on.all : run->on.count) * description.peak_bandwidth /
				  fields_bytes_of_step(&simulation->fields);
}

uint64_t stepping_last_step(const struct fdtd_run *run)
{
	return run->plan.steps > 0 ? (uint64_t)run->plan.steps : UINT64_MAX / 2;
}

sonde_status stepping_make_survey(struct stepping *stepping)
{
	const struct job_sources *sources = &stepping->run->sources;
	struct survey_box *boxes;
	int count;

	CHECK(job_sources_near(&stepping->run->space, sources, &boxes, &count));
	const sonde_status status = survey_make(&stepping->simulation->fields, boxes, count, &stepping->survey);
	free(boxes);
	return status;
}

sonde_status stepping_take_up(struct stepping *stepping, struct state *state, struct checkpoint *checkpoint)
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
	if (stepping->first > stepping_last_step(stepping->run))
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
