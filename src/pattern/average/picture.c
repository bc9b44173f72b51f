#include "pattern/average/picture.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "pattern/average/kept.h"
#include "run/checkpoint.h"
#include "run/result_file.h"
#include "run/state.h"

static const struct state_kind kind = {0x0145525554434950ull, "a checkpoint of a picture of sonde pattern"};

#define SECONDS_OF_CHECKPOINT 60.0 /* between two of them */
#define MOST_POINTS INT64_C(9000000000000000)

/* The job ----------------------------------------------------------------------------------------------------- */

/* The atoms, and what they scatter. */
static void append_sample(const struct pattern_sample *sample, struct text *job)
{
	const size_t count = (size_t)sample->view.count;

	for (int c = 0; c < sample->class_count; ++c) {
		const struct pattern_class *class = &sample->classes[c];
		text_append(job, "atoms %d = %lld %s, %.17g present\n", c + 1,
			    (long long)sample->view.species[c].atoms, class->label, class->occupancy);
		checkpoint_append_digest(job, "displacement", class->u, sizeof class->u);
	}
	checkpoint_append_digest(job, "positions of the sample", sample->view.positions,
				 3 * count * sizeof *sample->view.positions);
	checkpoint_append_digest(job, "labels of the sample", sample->view.species_of,
				 count * sizeof *sample->view.species_of);
}

static sonde_status describe_job(struct picture *picture)
{
	struct text *job = &picture->job;

	CHECK(kept_append_files(&picture->plan->options, job));
	kept_append_options(&picture->plan->options, job);
	append_sample(&picture->plan->sample, job);
	return text_status(job);
}

/* The state ----------------------------------------------------------------------------------------------------- */

static int64_t points_of(const struct picture *picture, uint64_t piece)
{
	const int64_t left = picture->plan->pixels.count - (int64_t)piece * PATTERN_PIECE;

	return left < PATTERN_PIECE ? left : PATTERN_PIECE;
}

static int64_t finished_points(const struct picture *picture)
{
	int64_t points = 0;

	for (uint64_t piece = 0; piece < picture->pieces.count; ++piece)
		if (picture->pieces.finished[piece] != 0)
			points += points_of(picture, piece);
	return points;
}

static sonde_status walk_pieces(const struct picture *picture, struct state *state)
{
	double *const rows[] = {picture->values->intensity, picture->values->real, picture->values->imaginary};

	for (uint64_t piece = 0; piece < picture->pieces.count; ++piece)
		for (size_t k = 0; picture->pieces.finished[piece] != 0 && k < sizeof rows / sizeof *rows; ++k)
			CHECK(state_bytes(state, rows[k] + piece * PATTERN_PIECE,
					  (size_t)points_of(picture, piece) * sizeof(double)));
	return SONDE_OK;
}

static sonde_status walk(void *user, struct state *state)
{
	struct picture *picture = user;
	double seconds = picture->earlier + clock_seconds() - picture->began;
	uint64_t points = (uint64_t)finished_points(picture);

	CHECK(state_job(state, &picture->job));
	CHECK(state_number(state, &points, 0, MOST_POINTS, "number of points"));
	CHECK(state_same(state, (uint64_t)picture->plan->pixels.count, "points"));
	CHECK(state_bytes(state, &seconds, sizeof seconds));
	CHECK(state_bytes(state, picture->pieces.finished, picture->pieces.count));
	CHECK(walk_pieces(picture, state));
	if (!state->saving)
		picture->earlier = seconds;
	return SONDE_OK;
}

static sonde_status save(struct picture *picture)
{
	struct text name = {0};
	sonde_status status = checkpoint_name(picture->output, &name);

	if (status == SONDE_OK)
		status = state_save(&kind, name.bytes, walk, picture);
	text_free(&name);
	picture->saved = clock_seconds();
	return status;
}

static sonde_status restore(struct picture *picture)
{
	struct state state = {0};
	struct text name = {0};
	sonde_status status = checkpoint_name(picture->output, &name);

	if (status == SONDE_OK)
		status = state_open(&kind, name.bytes, &state);
	if (status == SONDE_OK)
		status = walk(picture, &state);
	if (status == SONDE_OK)
		status = state_end(&state);
	state_close(&state);
	text_free(&name);
	return status;
}

/* A run --------------------------------------------------------------------------------------------------------- */

/* Devices report their pieces at any time; only finished ones are saved, which nobody changes. */
static sonde_status mark(void *user, const uint64_t *pieces, uint64_t count)
{
	struct picture *picture = user;
	sonde_status status = SONDE_OK;

	pthread_mutex_lock(&picture->saving);
	for (uint64_t k = 0; k < count; ++k)
		picture->pieces.finished[pieces[k]] = 1;
	if (clock_seconds() - picture->saved >= SECONDS_OF_CHECKPOINT)
		status = save(picture);
	pthread_mutex_unlock(&picture->saving);
	return status;
}

static sonde_status begin(struct picture *picture)
{
	struct pattern_plan *plan = picture->plan;

	if (plan->options.resume && plan->fast.chosen)
		return status_fail_option(SONDE_INVALID, "resume",
					  "is for means, shots, and pictures by `method direct`");
	if (plan->options.resume && picture->output == NULL)
		return status_fail_option(SONDE_INVALID, "resume",
					  "no file to resume from is given; name it by `output`");
	if (plan->fast.chosen || picture->output == NULL)
		return SONDE_OK;
	picture->pieces.count = ((uint64_t)plan->pixels.count + PATTERN_PIECE - 1) / PATTERN_PIECE;
	CHECK(memory_allocate(&picture->pieces.finished, picture->pieces.count, 1, "the picture"));
	CHECK(describe_job(picture));
	if (plan->options.resume)
		CHECK(restore(picture));
	plan->pieces = &picture->pieces;
	return SONDE_OK;
}

sonde_status picture_begin(struct pattern_plan *plan, const struct pattern_values *values, const char *output,
			   struct picture *picture)
{
	const double now = clock_seconds();

	*picture = (struct picture){.plan = plan, .values = values, .output = output, .began = now, .saved = now};
	picture->pieces.after = mark;
	picture->pieces.user = picture;
	pthread_mutex_init(&picture->saving, NULL);
	return begin(picture);
}

static sonde_status keep(struct picture *picture)
{
	const int64_t points = picture->plan->pieces != NULL ? finished_points(picture) : 0;

	if (points == 0)
		return SONDE_CANCELLED;
	CHECK(save(picture));
	return status_fail(SONDE_SUSPENDED,
			   "stopped; %lld of %lld points are kept in %s.checkpoint, continue with `resume`",
			   (long long)points, (long long)picture->plan->pixels.count, picture->output);
}

sonde_status picture_end(struct picture *picture, sonde_status status)
{
	if (status == SONDE_CANCELLED)
		status = keep(picture);
	picture->plan->pieces = NULL;
	pthread_mutex_destroy(&picture->saving);
	free(picture->pieces.finished);
	picture->pieces.finished = NULL;
	text_free(&picture->job);
	return status;
}

/* Descriptions -------------------------------------------------------------------------------------------------- */

bool picture_is_checkpoint(const char *path)
{
	return state_is_of(&kind, path);
}

sonde_status picture_describe(const char *path, struct report *report)
{
	struct state state = {0};
	uint64_t points = 0;
	char *job = NULL;
	sonde_status status = state_open(&kind, path, &state);

	if (status == SONDE_OK)
		status = state_job_there(&state, &job);
	if (status == SONDE_OK)
		status = state_number(&state, &points, 0, MOST_POINTS, "number of points");
	state_close(&state);
	if (status == SONDE_OK) {
		result_file_checkpoint(report, "pattern");
		report_line(report, "points", "%llu done", (unsigned long long)points);
		report_integer(report, "points_done", (int64_t)points);
		result_file_resume(report, path, job);
	}
	free(job);
	return status;
}
