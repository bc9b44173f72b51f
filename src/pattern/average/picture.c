#include "pattern/average/picture.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "pattern/average/kept.h"
#include "run/checkpoint.h"
#include "run/checkpoint_file.h"
#include "run/result_file.h"
#include "run/state.h"

static const struct state_kind kind = {0x0145525554434950ull, "a checkpoint of a picture of sonde pattern"};

/* The job ----------------------------------------------------------------------------------------------------- */

/* The atoms, and what they scatter. */
static void append_sample(const struct pattern_sample *sample, struct text *job)
{
	const struct pattern_copies *copies = &sample->copies;
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
	if (copies->count > 0)
		checkpoint_append_digest(job, "placements", copies->placements,
					 (size_t)pattern_copy_count(sample) * sizeof *copies->placements);
}

static sonde_status describe_job(struct picture *picture)
{
	struct text *job = &picture->job;

	CHECK(kept_append_files(&picture->plan->options, job));
	kept_append_options(&picture->plan->options, job);
	append_sample(&picture->plan->sample, job);
	/* a GPU may take other ways than the CPU, of which pieces have other points */
	text_append(job, "direct sum = %s\n", picture->plan->products ? "by products of matrices" : "by points");
	return text_status(job);
}

/* The state ----------------------------------------------------------------------------------------------------- */

/* The next pixels that sets from *set on own, before `end` and at most PIXELS_OF_PIECE; returns their number. */
static int find_points(const struct picture *picture, int64_t *set, int64_t end, int64_t points[PIXELS_OF_PIECE])
{
	const int of_set = picture->sets.pixels_of_set;
	int64_t pixels[MOST_SET_PIXELS];
	bool owned[MOST_SET_PIXELS];
	int count = 0;

	for (; *set < end && count + of_set <= PIXELS_OF_PIECE; ++*set) {
		pixel_sets_get(&picture->sets, *set, pixels, owned);
		for (int v = 0; v < of_set; ++v)
			if (owned[v])
				points[count++] = pixels[v];
	}
	return count;
}

/* Sets of a piece: the first one, and the end. */
static int64_t sets_of_piece(const struct picture *picture, uint64_t piece, int64_t *end)
{
	const int64_t of_piece = pixel_sets_of_piece(&picture->sets), first = (int64_t)piece * of_piece;

	*end = first + of_piece < picture->sets.count ? first + of_piece : picture->sets.count;
	return first;
}

static int64_t finished_points(const struct picture *picture)
{
	const unsigned char *finished = picture->patches.finished;
	int64_t points = 0, some[PIXELS_OF_PIECE], end;

	for (int64_t n = 0; finished != NULL && n < picture->plan->pixels.count; ++n)
		points += finished[n] != 0;

	for (uint64_t piece = 0; piece < picture->pieces.count; ++piece)
		for (int64_t set = sets_of_piece(picture, piece, &end);
		     picture->pieces.finished[piece] != 0 && set < end;)
			points += find_points(picture, &set, end, some);
	return points;
}

static sonde_status walk_piece(const struct picture *picture, uint64_t piece, struct state *state)
{
	double *const rows[] = {picture->values->intensity, picture->values->real, picture->values->imaginary};
	int64_t points[PIXELS_OF_PIECE], end, set = sets_of_piece(picture, piece, &end);
	double values[PIXELS_OF_PIECE];

	while (set < end) {
		const int count = find_points(picture, &set, end, points);
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

static sonde_status walk_pieces(const struct picture *picture, struct state *state)
{
	for (uint64_t piece = 0; piece < picture->pieces.count; ++piece)
		if (picture->pieces.finished[piece] != 0)
			CHECK(walk_piece(picture, piece, state));
	return SONDE_OK;
}

/* The next finished points from *from on, at most PIXELS_OF_PIECE. */
static int next_points(const struct picture *picture, int64_t *from, int64_t points[PIXELS_OF_PIECE])
{
	int count = 0;

	for (; *from < picture->plan->pixels.count && count < PIXELS_OF_PIECE; ++*from)
		if (picture->patches.finished[*from] != 0)
			points[count++] = *from;
	return count;
}

/* The sums of a picture by the fast method; its intensities follow from them. */
static sonde_status walk_patches(struct picture *picture, struct state *state)
{
	double *const rows[] = {picture->values->real, picture->values->imaginary};
	struct pattern_division *division = &picture->division;
	const int32_t on_gpu = division->on_gpu;
	int64_t points[PIXELS_OF_PIECE], from = 0;
	double values[PIXELS_OF_PIECE];
	int count;

	CHECK(state_bytes(state, division, sizeof *division));
	if (division->on_gpu != on_gpu)
		return status_fail_option(SONDE_INVALID, "resume", "%s was begun by %s", state->path,
					  on_gpu ? "the CPU, not by a GPU" : "a GPU, not by the CPU");
	CHECK(state_bytes(state, picture->patches.finished, (size_t)picture->plan->pixels.count));
	while ((count = next_points(picture, &from, points)) > 0)
		for (size_t k = 0; k < sizeof rows / sizeof *rows; ++k) {
			for (int n = 0; n < count; ++n)
				values[n] = rows[k][points[n]];
			CHECK(state_bytes(state, values, (size_t)count * sizeof *values));
			for (int n = 0; n < count && !state->saving; ++n)
				rows[k][points[n]] = values[n];
		}
	return SONDE_OK;
}

static sonde_status walk(void *user, struct state *state)
{
	struct picture *picture = user;
	double seconds = picture->earlier + clock_seconds() - picture->began;
	uint64_t points = (uint64_t)finished_points(picture);

	CHECK(state_job(state, &picture->job));
	CHECK(state_number(state, &points, 0, KEPT_MOST, "number of points"));
	CHECK(state_same(state, (uint64_t)picture->plan->pixels.count, "points"));
	CHECK(state_bytes(state, &seconds, sizeof seconds));
	if (picture->patches.finished != NULL) {
		CHECK(walk_patches(picture, state));
	} else {
		CHECK(state_same(state, picture->pieces.count, "pieces"));
		CHECK(state_bytes(state, picture->pieces.finished, picture->pieces.count));
		CHECK(walk_pieces(picture, state));
	}
	if (!state->saving)
		picture->earlier = seconds;
	return SONDE_OK;
}

static sonde_status save(struct picture *picture)
{
	picture->saved = clock_seconds();
	if (!picture->writes)
		return SONDE_OK;
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
	if (checkpoint_is_due(picture->plan->options.checkpoint, picture->saved))
		status = save(picture);
	pthread_mutex_unlock(&picture->saving);
	return status;
}

static sonde_status mark_points(void *user, int64_t count, int64_t (*point)(const void *of, int64_t n),
				const void *of)
{
	struct picture *picture = user;
	sonde_status status = SONDE_OK;

	pthread_mutex_lock(&picture->saving);
	for (int64_t n = 0; n < count; ++n)
		picture->patches.finished[point(of, n)] = 1;
	if (checkpoint_is_due(picture->plan->options.checkpoint, picture->saved))
		status = save(picture);
	pthread_mutex_unlock(&picture->saving);
	return status;
}

/* The first sums may continue those of an earlier run; others, by a wider window or another device, begin again. */
static sonde_status take_patches(void *user, struct pattern_division *division)
{
	struct picture *picture = user;
	const bool resumes = picture->plan->options.resume && !picture->begun;

	if (picture->patches.finished == NULL)
		CHECK(memory_allocate(&picture->patches.finished, (size_t)picture->plan->pixels.count, 1,
				      "the picture"));
	else
		memset(picture->patches.finished, 0, (size_t)picture->plan->pixels.count);
	picture->begun = true;
	picture->division = *division;
	if (resumes)
		CHECK(checkpoint_restore(picture->output, &kind, walk, picture));
	*division = picture->division;
	return SONDE_OK;
}

static sonde_status begin(struct picture *picture)
{
	struct pattern_plan *plan = picture->plan;

	if (plan->options.resume && picture->output == NULL)
		return status_fail_option(SONDE_INVALID, "resume",
					  "no file to resume from is given; name it by `output`");
	if (picture->output == NULL)
		return SONDE_OK;
	CHECK(describe_job(picture));
	if (plan->fast.chosen)
		plan->patches = &picture->patches;
	else
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

sonde_status picture_begin(const sonde_context *context, struct pattern_plan *plan,
			   const struct pattern_values *values, const char *output, struct picture *picture)
{
	const double now = clock_seconds();

	*picture = (struct picture){.plan = plan,
				    .values = values,
				    .output = output,
				    .writes = context_writes(context),
				    .began = now,
				    .saved = now};
	picture->pieces.begin = take_pieces;
	picture->pieces.after = mark;
	picture->pieces.user = picture;
	picture->patches.begin = take_patches;
	picture->patches.after = mark_points;
	picture->patches.user = picture;
	pthread_mutex_init(&picture->saving, NULL);
	return begin(picture);
}

static sonde_status keep(struct picture *picture)
{
	const bool kept = picture->plan->pieces != NULL || picture->plan->patches != NULL;
	const int64_t points = kept ? finished_points(picture) : 0;

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
	picture->plan->patches = NULL;
	pthread_mutex_destroy(&picture->saving);
	free(picture->pieces.finished);
	free(picture->patches.finished);
	picture->pieces.finished = picture->patches.finished = NULL;
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
	static const char *const names[] = {"number of points"};
	uint64_t points;
	char *job;

	const sonde_status status = kept_read_numbers(&kind, path, 1, names, &points, &job);
	if (status == SONDE_OK) {
		result_file_checkpoint(report, "pattern");
		report_line(report, "points", "%llu done", (unsigned long long)points);
		report_integer(report, "points_done", (int64_t)points);
		result_file_resume(report, path, job);
	}
	free(job);
	return status;
}
