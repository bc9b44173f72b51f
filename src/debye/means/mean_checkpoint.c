#include "debye/means/mean_checkpoint.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/clock.h"
#include "matter/atoms/placed_atoms.h"
#include "run/checkpoint.h"
#include "run/checkpoint_file.h"
#include "run/result_file.h"
#include "run/state.h"

static const struct state_kind kind = {0x024d45414e444231ull, "a checkpoint of sonde debye"};

#define MOST_SAMPLES INT64_C(9000000000000000)
#define MOST_NAMES (UINT64_C(1) << 32) /* bytes */

/* A list is compared by its digest; that of a trajectory, which may be long, is not known yet. */
static sonde_status append_source(struct samples *samples, struct text *job)
{
	char sha256[65] = "";

	text_append(job, "samples = %lld of %s\n", (long long)samples_count(samples), samples_source(samples));
	if (samples_are_frames(samples)) {
		text_append(job, "size of the file = %lld\n", (long long)samples_bytes(samples));
		return SONDE_OK;
	}
	CHECK(samples_sha256(samples, sha256));
	text_append(job, "sha256 of the list = %s\n", sha256);
	return SONDE_OK;
}

sonde_status mean_checkpoint_job(const struct sonde_debye_mean *mean, struct samples *samples,
				 const sonde_atoms *first, struct text *job)
{
	text_append(job, "engine = debye\n");
	checkpoint_append_version(job);
	CHECK(append_source(samples, job));
	if (mean->options.form_factors[0] != '\0') {
		char sha256[65];
		CHECK(file_sha256(mean->options.form_factors, NULL, NULL, sha256));
		text_append(job, "sha256 of form-factors = %s\n", sha256);
	}
	if (mean->options.placements[0] != '\0') {
		char sha256[65];
		CHECK(file_sha256(mean->options.placements, NULL, NULL, sha256));
		text_append(job, "sha256 of placements = %s\n", sha256);
	}
	for (size_t k = 0; k < debye_option_table.count; ++k) {
		const struct option_row *row = &debye_option_table.rows[k];
		if (option_may_change(row))
			continue;
		provenance_append_option(job, row, &mean->options);
		text_append(job, "\n");
	}
	checkpoint_append_digest(job, "positions of the first sample", first->positions,
				 3 * (size_t)first->count * sizeof *first->positions);
	if (first->placements != NULL)
		checkpoint_append_digest(job, "placements", first->placements,
					 (size_t)atoms_copy_count(first) * sizeof *first->placements);
	return text_status(job);
}

/* Everything passes through one walk, which saves or restores. */
struct mean_walk {
	struct sonde_debye_mean *mean;
	struct text *job;
};

static sonde_status walk_reals(struct state *state, double *values, int64_t count)
{
	return count > 0 ? state_bytes(state, values, (size_t)count * sizeof *values) : SONDE_OK;
}

static sonde_status walk_species(struct mean_sums *sums, struct state *state)
{
	uint64_t count = sums->species_count;

	CHECK(state_number(state, &count, 1, UINT16_MAX, "number of species"));
	for (size_t s = 0; s < count; ++s) {
		char label[SONDE_LABEL_SIZE] = "";
		struct species_sum *species;
		if (state->saving)
			memcpy(label, sums->species[s].label, sizeof label);
		CHECK(state_bytes(state, label, sizeof label));
		label[sizeof label - 1] = '\0';
		CHECK(mean_sums_species(sums, label, s, &species));
		CHECK(state_bytes(state, &species->atoms, sizeof species->atoms));
		CHECK(state_bytes(state, &species->present, sizeof species->present));
	}
	return SONDE_OK;
}

static sonde_status walk_pair(struct mean_sums *sums, struct state *state, size_t p)
{
	char labels[2][SONDE_LABEL_SIZE] = {"", ""};
	struct pair_sum *pair;

	if (state->saving) {
		memcpy(labels[0], sums->pairs[p].a, sizeof labels[0]);
		memcpy(labels[1], sums->pairs[p].b, sizeof labels[1]);
	}
	CHECK(state_bytes(state, labels, sizeof labels));
	labels[0][SONDE_LABEL_SIZE - 1] = labels[1][SONDE_LABEL_SIZE - 1] = '\0';
	/* the first pair is that of the first sample, which shows whether there are counts */
	CHECK(mean_sums_pair(sums, labels[0], labels[1], p, sums->pairs[0].radial != NULL, &pair));
	uint64_t bins = (uint64_t)pair->bins;
	CHECK(state_number(state, &bins, 0, INT32_MAX, "number of bins"));
	CHECK(mean_sums_grow_bins(pair, (int64_t)bins));
	CHECK(state_bytes(state, &pair->pairs, sizeof pair->pairs));
	CHECK(walk_reals(state, pair->intensity, sums->q_count));
	CHECK(walk_reals(state, pair->sinc, sums->q_count));
	CHECK(walk_reals(state, pair->intensity_error, sums->q_count));
	CHECK(walk_reals(state, pair->sinc_error, sums->q_count));
	CHECK(walk_reals(state, pair->counted, (int64_t)bins));
	CHECK(walk_reals(state, pair->distances, (int64_t)bins));
	if (pair->radial == NULL)
		return SONDE_OK;
	CHECK(walk_reals(state, pair->radial, sums->r_count));
	return walk_reals(state, pair->coordination, sums->r_count);
}

static sonde_status walk_blocks(struct mean_sums *sums, struct state *state)
{
	struct mean_blocks *blocks = &sums->blocks;
	uint64_t count = blocks->count;

	CHECK(state_number(state, &count, 0, ATOMS_MOST_GROUPS, "number of blocks"));
	if (!state->saving)
		CHECK(mean_blocks_grow(blocks, (size_t)count, sums->q_count));
	for (size_t b = 0; b < count; ++b)
		CHECK(state_bytes(state, &blocks->blocks[b], sizeof blocks->blocks[b]));
	const int64_t numbers = (int64_t)(count * (count + 1) / 2) * sums->q_count;
	CHECK(walk_reals(state, blocks->rows, numbers));
	return walk_reals(state, blocks->errors, numbers);
}

static sonde_status walk_sums(struct mean_sums *sums, struct state *state)
{
	uint64_t pairs;

	CHECK(state_same(state, (uint64_t)sums->q_count, "points of q"));
	CHECK(state_same(state, (uint64_t)sums->r_count, "points of r"));
	CHECK(state_bytes(state, &sums->weight, sizeof sums->weight));
	CHECK(state_bytes(state, &sums->atoms, sizeof sums->atoms));
	CHECK(state_bytes(state, &sums->present, sizeof sums->present));
	CHECK(state_bytes(state, &sums->bin_count, sizeof sums->bin_count));
	CHECK(state_bytes(state, &sums->checked_points, sizeof sums->checked_points));
	CHECK(walk_reals(state, sums->over_q, MEAN_ROWS_OVER_Q * sums->q_count));
	CHECK(walk_reals(state, sums->over_r, MEAN_ROWS_OVER_R * sums->r_count));
	CHECK(walk_species(sums, state));
	pairs = sums->pair_count;
	CHECK(state_number(state, &pairs, 1, INT32_MAX, "number of pairs of species"));
	for (size_t p = 0; p < pairs; ++p)
		CHECK(walk_pair(sums, state, p));
	return walk_blocks(sums, state);
}

static sonde_status walk_spread(struct spread *spread, struct state *state)
{
	CHECK(state_same(state, (uint64_t)spread->size, "values of a frame"));
	CHECK(state_bytes(state, &spread->frames, sizeof spread->frames));
	CHECK(state_bytes(state, &spread->in_block, sizeof spread->in_block));
	CHECK(state_bytes(state, &spread->values, sizeof spread->values));
	CHECK(walk_reals(state, spread->block, spread->size));
	CHECK(walk_reals(state, spread->mean, spread->size));
	return walk_reals(state, spread->squares, spread->size);
}

static sonde_status walk_names(struct text *names, struct state *state)
{
	uint64_t size = names->size;

	CHECK(state_number(state, &size, 0, MOST_NAMES, "size of the names"));
	if (!state->saving) {
		names->size = 0;
		if (text_room(names, (size_t)size + 1) == NULL)
			return text_status(names);
		text_grow(names, (size_t)size);
	}
	return size > 0 ? state_bytes(state, names->bytes, (size_t)size) : SONDE_OK;
}

static sonde_status walk(void *user, struct state *state)
{
	const struct mean_walk *all = user;
	struct sonde_debye_mean *mean = all->mean;
	uint64_t samples = (uint64_t)mean->sums.samples, several = mean->several_methods;
	double seconds = mean->earlier_seconds + clock_seconds() - mean->began;

	CHECK(state_job(state, all->job));
	CHECK(state_number(state, &samples, 1, MOST_SAMPLES, "number of samples"));
	CHECK(state_bytes(state, &seconds, sizeof seconds));
	CHECK(state_number(state, &several, 0, 1, "choice of methods"));
	CHECK(state_bytes(state, &mean->bin_width, sizeof mean->bin_width));
	CHECK(state_bytes(state, &mean->check.largest, sizeof mean->check.largest));
	CHECK(state_bytes(state, &mean->check.times_q, sizeof mean->check.times_q));
	CHECK(walk_sums(&mean->sums, state));
	CHECK(walk_spread(&mean->spread, state));
	size_t weights = mean->kind == SONDE_DEBYE_MIXTURE ? (size_t)mean->sums.samples : 0;
	CHECK(state_array(state, &mean->weights, &mean->weights_room, &weights, sizeof *mean->weights));
	CHECK(walk_names(&mean->names, state));
	if (state->saving)
		return SONDE_OK;
	mean->sums.samples = (int64_t)samples;
	mean->several_methods = several != 0;
	mean->earlier_seconds = seconds;
	return mean->kind == SONDE_DEBYE_FRAMES || weights == samples
		   ? SONDE_OK
		   : status_fail_file(SONDE_INVALID, state->path, "is damaged: it lacks weights");
}

sonde_status mean_checkpoint_save(const char *path, struct sonde_debye_mean *mean, struct text *job)
{
	struct mean_walk all = {mean, job};

	return checkpoint_save(path, &kind, walk, &all);
}

sonde_status mean_checkpoint_restore(const char *path, struct sonde_debye_mean *mean, struct text *job)
{
	struct mean_walk all = {mean, job};

	return checkpoint_restore(path, &kind, walk, &all);
}

bool mean_is_checkpoint(const char *path)
{
	return state_is_of(&kind, path);
}

sonde_status mean_describe_checkpoint(const char *path, struct report *report)
{
	struct state state = {0};
	uint64_t samples = 0;
	char *job = NULL;
	sonde_status status = state_open(&kind, path, &state);

	if (status == SONDE_OK)
		status = state_job_there(&state, &job);
	if (status == SONDE_OK)
		status = state_number(&state, &samples, 1, MOST_SAMPLES, "number of samples");
	state_close(&state);
	if (status == SONDE_OK) {
		result_file_checkpoint(report, "debye");
		report_line(report, "samples", "%llu done", (unsigned long long)samples);
		report_integer(report, "samples_done", (int64_t)samples);
		result_file_resume(report, path, job);
	}
	free(job);
	return status;
}
