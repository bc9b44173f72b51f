#include "pattern/average/picture.h"

#include <stdlib.h>

#include "base/clock.h"
#include "base/memory.h"
#include "pattern/average/kept.h"
#include "run/checkpoint.h"
#include "run/checkpoint_file.h"
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

/* The pixels that the sets of a piece own, at most PIXELS_OF_PIECE; returns their number. */
static int find_points(const struct picture *picture, uint64_t piece, int64_t points[PIXELS_OF_PIECE])
{
	const int64_t of_piece = pixel_sets_of_piece(&picture->sets), first = (int64_t)piece * of_piece,
		      end = first + of_piece < picture->sets.count ? first + of_piece : picture->sets.count;
	int64_t pixels[MOST_SET_PIXELS];
	bool owned[MOST_SET_PIXELS];
	int count = 0;

	for (int64_t set = first; set < end; ++set) {
		pixel_sets_get(&picture->sets, set, pixels, owned);
		for (int v = 0; v < picture->sets.pixels_of_set; ++v)
			if (owned[v])
				points[count++] = pixels[v];
	}
	return count;
}

static int64_t finished_points(const struct picture *picture)
{
	int64_t points = 0, of_piece[PIXELS_OF_PIECE];

	for (uint64_t piece = 0; piece < picture->pieces.count; ++piece)
		if (picture->pieces.finished[piece] != 0)
			points += find_points(picture, piece, of_piece);
	return points;
}

static sonde_status walk_pieces(const struct picture *picture, struct state *state)
{
	double *const rows[] = {picture->values->intensity, picture->values->real, picture->values->imaginary};
	int64_t points[PIXELS_OF_PIECE];
	double values[PIXELS_OF_PIECE];

	for (uint64_t piece = 0; piece < picture->pieces.count; ++piece) {
		const int count = picture->pieces.finished[piece] != 0 ? find_points(picture, piece, points) : 0;
		for (size_t k = 0; count > 0 && k < sizeof rows / sizeof *rows; ++k) {
			for (int n = 0; n < count; ++n)
				values[n] = rows[k][points[n]];
			CHECK(state_bytes(state, values, (size_t)count * sizeof *values));
			for (int n = 0; n < count && !state->saving; ++n)
				rows[k][points[n]] = values[n];
		}
	}
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
	CHECK(state_same(state, picture->pieces.count, "pieces"));
	CHECK(state_bytes(state, picture->pieces.finished, picture->pieces.count));
	CHECK(walk_pieces(picture, state));
	if (!state->saving)
		picture->earlier = seconds;
	return SONDE_OK;
}

static sonde_status save(struct picture *picture)
{
	const sonde_status status = checkpoint_save(picture->output, &kind, walk, picture);

	picture->saved = clock_seconds();
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
	CHECK(describe_job(picture));
	plan->pieces = &picture->pieces;
	return SONDE_OK;
}

static sonde_status take_pieces(void *user, const struct pixel_sets *sets, uint64_t count)
{
	struct picture *picture = user;

	picture->sets = *sets;
	free(picture->pieces.finished);
	picture->pieces.count = 0;
	CHECK(memory_allocate(&picture->pieces.finished, count, 1, "the picture"));
	picture->pieces.count = count;
	return picture->plan->options.resume ? checkpoint_restore(picture->output, &kind, walk, picture) : SONDE_OK;
}

sonde_status picture_begin(struct pattern_plan *plan, const struct pattern_values *values, const char *output,
			   struct picture *picture)
{
	const double now = clock_seconds();

	*picture = (struct picture){.plan = plan, .values = values, .output = output, .began = now, .saved = now};
	picture->pieces.begin = take_pieces;
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
