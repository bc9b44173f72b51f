#include "fdtd/checkpoint.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_names.h"
#include "fdtd/option_tables.h"
#include "run/checkpoint.h"
#include "run/checkpoint_file.h"

static const struct state_kind kind = {0x37444f5345444653u /* "SFDESOD7" */, "a checkpoint of sonde fdtd"};

/* Whether the value in a line of the job may differ on resuming; the duration only where no reference run depends on
 * it. */
static bool may_change(const struct fdtd_run *run, const char *line)
{
	static const char *const durations[] = {"time", "steps", "until"};
	char name[64];

	snprintf(name, sizeof name, "%.*s", (int)strcspn(line, ": "), line);
	for (size_t k = 0; run->plan.runs > 1 && k < sizeof durations / sizeof *durations; ++k)
		if (strcmp(name, durations[k]) == 0)
			return false;
	const struct option_row *row = options_find(&fdtd_option_table, name);
	return row != NULL && option_may_change(row);
}

static sonde_status add_digest(const char *file, struct text *text)
{
	char digest[65];

	if (file[0] == '\0')
		return SONDE_OK;
	CHECK(file_sha256(file, NULL, NULL, digest));
	text_append(text, "contents of %s: %.16s\n", file_names_get(file), digest);
	return SONDE_OK;
}

extern const char data_optical_materials[], data_optical_poles[];

/* All input on which the results depend, one item per line. */
static sonde_status job_lines(const struct fdtd_run *run, struct text *text)
{
	const sonde_fdtd_job *job = run->job;
	struct text all = {0};

	checkpoint_append_version(text);
	checkpoint_append_table(text, "optical_materials.csv", data_optical_materials,
				strlen(data_optical_materials));
	checkpoint_append_table(text, "optical_poles.csv", data_optical_poles, strlen(data_optical_poles));
	fdtd_job_text(job, &all);
	for (const char *line = all.bytes; line != NULL && *line != '\0';) {
		size_t length = strcspn(line, "\n");
		if (!may_change(run, line))
			text_append(text, "%.*s\n", (int)length, line);
		line += length + (line[length] == '\n');
	}
	text->failed |= all.failed;
	text_free(&all);
	for (int64_t n = 0; n < job->bodies.count; ++n)
		CHECK(add_digest(job->bodies.items[n].file, text));
	for (int64_t n = 0; n < job->sources.count; ++n)
		CHECK(add_digest(job->sources.items[n].file, text));
	return text_status(text);
}

/* Writes these lines, or reads and compares them. */
static sonde_status job_state(const struct fdtd_run *run, struct state *state)
{
	struct text lines = {0};
	sonde_status status = job_lines(run, &lines);

	if (status == SONDE_OK)
		status = state_job(state, &lines);
	text_free(&lines);
	return status;
}

/* State of the run; `most` is the first of the job's runs. */
static sonde_status progress_state(struct state *state, enum job_pass most, struct checkpoint *checkpoint,
				   uint64_t *steps)
{
	uint64_t pass = checkpoint->pass, due = checkpoint->due;

	CHECK(state_number(state, &pass, 0, most, "number of the run"));
	checkpoint->pass = (enum job_pass)pass;
	CHECK(state_bytes(state, steps, sizeof *steps));
	CHECK(state_bytes(state, &checkpoint->largest, sizeof checkpoint->largest));
	CHECK(state_bytes(state, &checkpoint->last, sizeof checkpoint->last));
	CHECK(state_number(state, &due, 0, 1, "mark of a step with actions"));
	checkpoint->due = due != 0;
	return state->saving || (isfinite(checkpoint->largest) && isfinite(checkpoint->last))
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, state->path, "is damaged: its fields are not finite numbers");
}

static sonde_status sums_state(struct state *state, struct monitor_sums *sums)
{
	size_t capacity = state->saving ? sums->count : 0, room = capacity, count = sums->count;

	CHECK(state_array(state, &sums->e, &capacity, &sums->count, sizeof *sums->e));
	CHECK(state_array(state, &sums->h, &room, &count, sizeof *sums->h));
	return count == sums->count ? SONDE_OK : state_differs(state, "sums of H", count, sums->count);
}

static sonde_status monitor_state(struct job_monitor *monitor, struct state *state)
{
	size_t times = monitor->taken, numbers = monitor->values_count, room = times;
	uint64_t moved = monitor->moved;

	CHECK(state_bytes(state, &monitor->next_step, sizeof monitor->next_step));
	CHECK(state_number(state, &moved, 0, 1, "place of a monitor"));
	monitor->moved = moved != 0;
	CHECK(state_array(state, &monitor->values, &monitor->capacity, &numbers, sizeof(double)));
	CHECK(state_array(state, &monitor->times, &room, &times, sizeof(double)));
	monitor->values_count = numbers;
	monitor->taken = times;
	CHECK(sums_state(state, &monitor->reference));
	return sums_state(state, &monitor->wave);
}

/* Streamed grids may be turned (job/domain.h), and a cube's numbers would fit in any order of the axes. */
static sonde_status axes_state(const struct fdtd_run *run, struct state *state)
{
	const uint64_t here = (uint64_t)run->space.frame.turn;
	uint64_t there = here;

	CHECK(state_number(state, &there, 0, 2, "order of the axes"));
	return there == here ? SONDE_OK
			     : status_fail_option(SONDE_INVALID, "streaming",
						  "%s is of a grid with its axes in another order: whether planes go "
						  "through the device, or are on several devices, must be as it was",
						  state->path);
}

/* Everything but the simulation. */
static sonde_status run_state(struct fdtd_run *run, struct state *state, struct checkpoint *checkpoint)
{
	uint64_t steps = state->saving ? checkpoint->simulation->step : 0;

	CHECK(job_state(run, state));
	CHECK(progress_state(state, (enum job_pass)(run->plan.runs - 1), checkpoint, &steps));
	CHECK(axes_state(run, state));
	CHECK(settling_state(&checkpoint->settling, state));
	for (int64_t n = 0; n < run->monitors.count; ++n)
		CHECK(monitor_state(&run->monitors.monitors[n], state));
	return SONDE_OK;
}

struct saving {
	struct fdtd_run *run;
	struct checkpoint *checkpoint;
};

static sonde_status save(void *user, struct state *state)
{
	const struct saving *saving = user;

	CHECK(run_state(saving->run, state, saving->checkpoint));
	return simulation_state(saving->checkpoint->simulation, state);
}

sonde_status fdtd_checkpoint_save(struct fdtd_run *run, const char *path, struct checkpoint *checkpoint)
{
	struct saving saving = {run, checkpoint};

	if (context_writes(run->context))
		return checkpoint_save(path, &kind, save, &saving);
	/* unless the rank has a part of the grid, the first one has all */
	return run->on.ranks != NULL ? state_contribute(path, save, &saving) : SONDE_OK;
}

sonde_status fdtd_checkpoint_open(struct fdtd_run *run, const char *path, struct state *state,
				  struct checkpoint *checkpoint)
{
	struct text name = {0};
	const sonde_status status = checkpoint_name(path, &name);

	*state = (struct state){.path = name.bytes, .own_path = name.bytes};
	CHECK(status);
	if (access(name.bytes, R_OK) != 0)
		return status_fail_option(SONDE_INVALID, "resume", "%s cannot be read: %s", name.bytes,
					  strerror(errno));
	CHECK(state_open(&kind, name.bytes, state));
	return run_state(run, state, checkpoint);
}

sonde_status fdtd_checkpoint_restore(struct state *state, struct checkpoint *checkpoint)
{
	sonde_status status = simulation_state(checkpoint->simulation, state);

	if (status == SONDE_OK)
		status = state_end(state);
	state_close(state);
	return status;
}

bool fdtd_checkpoint_is_one(const char *file)
{
	return state_is_of(&kind, file);
}

sonde_status fdtd_checkpoint_summarize(const char *file, struct checkpoint_summary *summary)
{
	struct state state = {.path = file};
	struct checkpoint checkpoint = {.pass = PASS_BODIES};
	sonde_status status;

	*summary = (struct checkpoint_summary){.job = NULL};
	CHECK_GOTO(status, state_open(&kind, file, &state), done);
	CHECK_GOTO(status, state_job_there(&state, &summary->job), done);
	CHECK_GOTO(status, progress_state(&state, PASS_WAVE, &checkpoint, &summary->steps), done);
	summary->pass = checkpoint.pass;
	summary->largest = checkpoint.largest;
	summary->last = checkpoint.last;
done:
	state_close(&state);
	if (status != SONDE_OK) {
		free(summary->job);
		summary->job = NULL;
	}
	return status;
}
