#include "ions/tallies/sums.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "ions/plan/plan.h"

#define MOST_DEPTH 8388608.0  /* units */
#define MOST_IONS_OF_EXIT 16u /* if exits are sorted by a list of the ions */

size_t ions_sums_tally_count(const struct ions_sums *sums)
{
	return (size_t)sums->groups * sums->rows * sums->stride;
}

static size_t block_count(const struct ions_sums *sums)
{
	return (ions_sums_tally_count(sums) + SUMS_OF_BLOCK - 1) / SUMS_OF_BLOCK;
}

bool ions_sums_next_filled(const struct ions_sums *sums, size_t *first, size_t *end)
{
	const size_t all = ions_sums_tally_count(sums);
	size_t block = (*first + SUMS_OF_BLOCK - 1) / SUMS_OF_BLOCK;

	while (block < block_count(sums) && !sums->filled[block])
		++block;
	*first = block * SUMS_OF_BLOCK;
	*end = *first + SUMS_OF_BLOCK < all ? *first + SUMS_OF_BLOCK : all;
	return block < block_count(sums);
}

size_t ions_sums_spectrum_count(const struct ions_sums *sums)
{
	return (size_t)SPECTRUM_GROUPS * sums->kinds * sums->spectrum_bins;
}

size_t ions_sums_leaving_count(const struct ions_sums *sums)
{
	return (size_t)LEAVING_GROUPS * sums->kinds * 2 * LEAVING_NUMBERS(sums->spectrum_bins);
}

static sonde_status allocate(struct ions_sums *sums)
{
	CHECK(memory_allocate(&sums->tallies, ions_sums_tally_count(sums), sizeof *sums->tallies, "the tallies"));
	CHECK(memory_allocate(&sums->filled, block_count(sums), sizeof *sums->filled, "the tallies"));
	CHECK(memory_allocate(&sums->moments, (size_t)IONS_GROUPS * MOMENTS, sizeof *sums->moments, "the moments"));
	CHECK(memory_allocate(&sums->leaving, ions_sums_leaving_count(sums), sizeof *sums->leaving,
			      "the spectra of leaving atoms"));
	return memory_allocate(&sums->spectra, ions_sums_spectrum_count(sums), sizeof *sums->spectra, "the spectra");
}

sonde_status ions_sums_make(const struct ions_job *job, double depth_unit, struct ions_sums **sums)
{
	CHECK(memory_allocate(sums, 1, sizeof **sums, "the tallies"));
	**sums = (struct ions_sums){.groups = job->groups,
				    .rows = job->rows,
				    .stride = job->cell_count + 1,
				    .kinds = job->kinds,
				    .spectrum_bins = job->spectrum_bins,
				    .depth_unit = depth_unit,
				    .depth_origin = job->origin};
	sonde_status status = allocate(*sums);
	if (status != SONDE_OK)
		ions_sums_free(sums);
	return status;
}

void ions_sums_free(struct ions_sums **sums)
{
	if (*sums == NULL)
		return;
	free((*sums)->tallies);
	free((*sums)->filled);
	free((*sums)->moments);
	free((*sums)->spectra);
	free((*sums)->leaving);
	free((*sums)->exits);
	free((*sums)->gaps);
	ions_aside_free(&(*sums)->aside);
	free(*sums);
	*sums = NULL;
}

void ions_sums_clear(struct ions_sums *sums)
{
	for (size_t first = 0, end; ions_sums_next_filled(sums, &first, &end); first = end)
		memset(sums->tallies + first, 0, (end - first) * sizeof *sums->tallies);
	memset(sums->filled, 0, block_count(sums) * sizeof *sums->filled);
	memset(sums->moments, 0, (size_t)IONS_GROUPS * MOMENTS * sizeof *sums->moments);
	memset(sums->spectra, 0, ions_sums_spectrum_count(sums) * sizeof *sums->spectra);
	memset(sums->leaving, 0, ions_sums_leaving_count(sums) * sizeof *sums->leaving);
	sums->ions = sums->exit_count = sums->gap_count = 0;
	sums->aside.place_count = sums->aside.atom_count = 0;
}

sonde_status ions_aside_add(struct ions_aside *aside, const struct ions_place *place, const struct ions_atom *atoms)
{
	CHECK(memory_grow(&aside->places, &aside->place_capacity, (size_t)aside->place_count + 1,
			  sizeof *aside->places, "the unfinished ions"));
	CHECK(memory_grow(&aside->atoms, &aside->atom_capacity, (size_t)aside->atom_count + place->depth,
			  sizeof *aside->atoms, "the unfinished ions"));
	aside->places[aside->place_count++] = *place;
	memcpy(aside->atoms + aside->atom_count, atoms, place->depth * sizeof *atoms);
	aside->atom_count += place->depth;
	return SONDE_OK;
}

sonde_status ions_aside_append(struct ions_aside *aside, const struct ions_aside *other, int64_t first)
{
	const struct ions_atom *atoms = other->atoms;

	for (int64_t k = 0; k < other->place_count; atoms += other->places[k++].depth)
		if (k >= first)
			CHECK(ions_aside_add(aside, &other->places[k], atoms));
	return SONDE_OK;
}

/* An ion of a list, and the position of its atoms. */
struct listed_place {
	struct ions_place place;
	int64_t at;
};

static int by_ion_of_place(const void *a, const void *b)
{
	const struct listed_place *x = a, *y = b;

	return (x->place.ion > y->place.ion) - (x->place.ion < y->place.ion);
}

sonde_status ions_aside_sort(struct ions_aside *aside)
{
	struct ions_aside sorted = {0};
	struct listed_place *list;
	int64_t at = 0;
	sonde_status status = SONDE_OK;

	CHECK(memory_allocate(&list, (size_t)aside->place_count, sizeof *list, "the unfinished ions"));
	for (int64_t k = 0; k < aside->place_count; at += aside->places[k++].depth)
		list[k] = (struct listed_place){aside->places[k], at};
	qsort(list, (size_t)aside->place_count, sizeof *list, by_ion_of_place);
	for (int64_t k = 0; k < aside->place_count && status == SONDE_OK; ++k)
		status = ions_aside_add(&sorted, &list[k].place, aside->atoms + list[k].at);
	free(list);
	ions_aside_free(status == SONDE_OK ? aside : &sorted);
	if (status == SONDE_OK)
		*aside = sorted;
	return status;
}

void ions_aside_free(struct ions_aside *aside)
{
	free(aside->places);
	free(aside->atoms);
	*aside = (struct ions_aside){0};
}

sonde_status ions_sums_add_gap(struct ions_sums *sums, uint64_t first, uint64_t count)
{
	CHECK(memory_grow(&sums->gaps, &sums->gap_capacity, (size_t)sums->gap_count + 1, sizeof *sums->gaps,
			  "the ions to be done"));
	sums->gaps[sums->gap_count++] = (struct ions_range){first, count};
	return SONDE_OK;
}

/* Whether any tallies are nonzero. */
static bool are_any(const uint64_t *tallies, size_t count)
{
	uint64_t all = 0;

	for (size_t k = 0; k < count; ++k)
		all |= tallies[k];
	return all != 0;
}

bool ions_sums_add_tallies(struct ions_sums *sums, size_t first, size_t count, const uint64_t *tallies)
{
	bool any = false;

	for (size_t from = 0; from < count; from += SUMS_OF_BLOCK) {
		size_t each = count - from < SUMS_OF_BLOCK ? count - from : SUMS_OF_BLOCK;
		if (!are_any(tallies + from, each))
			continue;
		/* fluctuations of losses may make a sum negative */
		for (size_t k = from; k < from + each; ++k)
			sums->tallies[first + k] += (int64_t)tallies[k];
		sums->filled[(first + from) / SUMS_OF_BLOCK] = 1;
		any = true;
	}
	return any;
}

void ions_sums_add_spectra(struct ions_sums *sums, const uint64_t *spectra)
{
	for (size_t k = 0; k < ions_sums_spectrum_count(sums); ++k)
		sums->spectra[k] += spectra[k];
}

void ions_sums_add_leaving(struct ions_sums *sums, const uint64_t *leaving)
{
	for (size_t k = 0; k < ions_sums_leaving_count(sums); ++k)
		sums->leaving[k] += leaving[k];
}

/* Like llround(), for float32 scaled by a power of two, but without a call. */
static inline int64_t round_half_away(double x)
{
	return (int64_t)(x + copysign(0.5, x));
}

static void add_end(double per_unit, const struct ions_end *end, ions_sum *moments)
{
	if (end->traveled == END_TO_COME)
		return;
	if (end->traveled < 0.0f) {
		++moments[MOMENT_FATES + (int)-end->traveled];
		return;
	}
	double y = fabs((double)end->y), z = fabs((double)end->z);
	/* so that sums of fourth powers fit into 128 bits at any depth */
	ions_sum x = round_half_away(fmin(fmax((double)end->x * per_unit, -MOST_DEPTH), MOST_DEPTH)), power = x;
	int64_t far = round_half_away(y * per_unit), wide = round_half_away(z * per_unit);
	++moments[MOMENT_FATES + FATE_IMPLANTED];
	for (int k = 0; k < 4; ++k, power *= x)
		moments[MOMENT_X + k] += power;
	moments[MOMENT_ASIDE] += far + wide;
	moments[MOMENT_ASIDE_SQUARES] += (ions_sum)far * far + (ions_sum)wide * wide;
	moments[MOMENT_RADIAL] += round_half_away(sqrt(y * y + z * z) * per_unit);
	moments[MOMENT_PATH] += round_half_away((double)end->traveled * per_unit);
}

static sonde_status add_exit(struct ions_sums *sums, const struct sums_exit *exit)
{
	CHECK(memory_grow(&sums->exits, &sums->exit_capacity, (size_t)sums->exit_count + 1, sizeof *sums->exits,
			  "the atoms that left"));
	sums->exits[sums->exit_count++] = *exit;
	return SONDE_OK;
}

#define NM_TO_ANGSTROM 10.0

#define ENDS_OF_PART 10000

struct adding {
	struct ions_sums *sums;
	const struct ions_end *ends;
	uint32_t offset;
	pthread_mutex_t mutex;
};

static void add_ends(void *state, int64_t first, int64_t end, int worker)
{
	struct adding *adding = state;
	const double per_unit = 1.0 / adding->sums->depth_unit;
	ions_sum own[IONS_GROUPS * MOMENTS] = {0};

	(void)worker;
	for (int64_t n = first; n < end; ++n)
		add_end(per_unit, &adding->ends[n],
			own + (size_t)((adding->offset + (uint64_t)n) % IONS_GROUPS) * MOMENTS);
	pthread_mutex_lock(&adding->mutex);
	for (size_t k = 0; k < (size_t)IONS_GROUPS * MOMENTS; ++k)
		adding->sums->moments[k] += own[k];
	pthread_mutex_unlock(&adding->mutex);
}

void ions_sums_add_ends(struct ions_sums *sums, const struct ions_end *ends, uint64_t first, uint32_t count,
			int threads)
{
	struct adding adding = {sums, ends, (uint32_t)(first % IONS_GROUPS), PTHREAD_MUTEX_INITIALIZER};

	threads_for(threads, count, ENDS_OF_PART, add_ends, &adding);
}

sonde_status ions_sums_add_left(struct ions_sums *sums, const struct ions_left *left, uint32_t count)
{
	for (uint32_t n = 0; n < count; ++n) {
		const struct ions_left *one = &left[n];
		const struct sums_exit exit = {
		    .ion = one->ion,
		    .path = one->path,
		    .exit = {.ion = (int64_t)one->ion,
			     .kind = (int)(one->kind_and_fate / 2),
			     .fate = (int)(one->kind_and_fate % 2) + 1,
			     .energy = (double)one->energy * (double)EV_PER_UNIT,
			     .position = {NM_TO_ANGSTROM * one->x, NM_TO_ANGSTROM * one->y, NM_TO_ANGSTROM * one->z},
			     .direction = {one->direction_x, one->direction_y, one->direction_z}}};
		CHECK(add_exit(sums, &exit));
	}
	return SONDE_OK;
}

/* The first list is handed over, as most exits are those of one device. */
static sonde_status merge_exits(struct ions_sums *sums, struct ions_sums *other)
{
	if (sums->exit_count == 0) {
		free(sums->exits);
		sums->exits = other->exits;
		sums->exit_count = other->exit_count;
		sums->exit_capacity = other->exit_capacity;
		other->exits = NULL;
		other->exit_count = 0;
		other->exit_capacity = 0;
	}
	for (int64_t k = 0; k < other->exit_count; ++k)
		CHECK(add_exit(sums, &other->exits[k]));
	return SONDE_OK;
}

sonde_status ions_sums_merge(struct ions_sums *sums, struct ions_sums *other)
{
	CHECK(merge_exits(sums, other));
	CHECK(ions_aside_append(&sums->aside, &other->aside, 0));
	for (size_t first = 0, end; ions_sums_next_filled(other, &first, &end); first = end) {
		for (size_t k = first; k < end; ++k)
			sums->tallies[k] += other->tallies[k];
		sums->filled[first / SUMS_OF_BLOCK] = 1;
	}
	for (size_t k = 0; k < (size_t)IONS_GROUPS * MOMENTS; ++k)
		sums->moments[k] += other->moments[k];
	for (size_t k = 0; k < ions_sums_spectrum_count(sums); ++k)
		sums->spectra[k] += other->spectra[k];
	for (size_t k = 0; k < ions_sums_leaving_count(sums); ++k)
		sums->leaving[k] += other->leaving[k];
	sums->ions += other->ions;
	ions_sums_clear(other);
	return SONDE_OK;
}

static int by_ion(const void *a, const void *b)
{
	const struct sums_exit *x = a, *y = b;

	if (x->ion != y->ion)
		return x->ion < y->ion ? -1 : 1;
	return (x->path > y->path) - (x->path < y->path);
}

/* Moves the exits to `sorted` in the order of their ions, of which `ends` has the end of each, from `first` on. */
static void distribute_exits(const struct ions_sums *sums, uint64_t first, uint64_t ions, uint32_t *ends,
			     struct sums_exit *sorted)
{
	uint32_t begin = 0;

	for (int64_t k = 0; k < sums->exit_count; ++k)
		++ends[sums->exits[k].ion - first];
	for (uint64_t ion = 0; ion < ions; ++ion) {
		const uint32_t count = ends[ion];
		ends[ion] = begin;
		begin += count;
	}
	for (int64_t k = 0; k < sums->exit_count; ++k)
		sorted[ends[sums->exits[k].ion - first]++] = sums->exits[k];
	begin = 0;
	for (uint64_t ion = 0; ion < ions; ++ion) {
		qsort(sorted + begin, ends[ion] - begin, sizeof *sorted, by_ion);
		begin = ends[ion];
	}
}

/* In one pass, as ions are numbered; false if these have too few exits for that, or there is no memory. */
static bool sort_by_number(struct ions_sums *sums)
{
	const uint64_t count = (uint64_t)sums->exit_count;
	uint64_t first = UINT64_MAX, last = 0;
	struct sums_exit *sorted = NULL;
	uint32_t *ends = NULL;

	for (uint64_t k = 0; k < count; ++k) {
		first = sums->exits[k].ion < first ? sums->exits[k].ion : first;
		last = sums->exits[k].ion > last ? sums->exits[k].ion : last;
	}
	const bool dense = last - first < MOST_IONS_OF_EXIT * count && count < UINT32_MAX;
	if (dense)
		ends = calloc((size_t)(last - first + 1), sizeof *ends);
	if (ends != NULL)
		sorted = malloc((size_t)count * sizeof *sorted);
	if (sorted != NULL) {
		distribute_exits(sums, first, last - first + 1, ends, sorted);
		free(sums->exits);
		sums->exits = sorted;
		sums->exit_capacity = (size_t)count;
	}
	free(ends);
	return sorted != NULL;
}

void ions_sums_sort_exits(struct ions_sums *sums)
{
	if (sums->exit_count > 1 && !sort_by_number(sums))
		qsort(sums->exits, (size_t)sums->exit_count, sizeof *sums->exits, by_ion);
}
