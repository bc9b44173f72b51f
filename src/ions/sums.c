#include "ions/plan.h"
#include "ions/sums.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define MOST_DEPTH 8388608.0 /* units */

static size_t tally_count(const struct ions_sums *sums)
{
	return (size_t)sums->groups * sums->rows * sums->stride;
}

static size_t spectrum_count(const struct ions_sums *sums)
{
	return (size_t)sums->kinds * sums->spectrum_bins;
}

static sonde_status allocate(struct ions_sums *sums)
{
	CHECK(memory_allocate(&sums->tallies, tally_count(sums), sizeof *sums->tallies, "the tallies"));
	CHECK(memory_allocate(&sums->moments, (size_t)IONS_GROUPS * MOMENTS, sizeof *sums->moments, "the moments"));
	return memory_allocate(&sums->spectra, spectrum_count(sums), sizeof *sums->spectra, "the spectra");
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
	free((*sums)->moments);
	free((*sums)->spectra);
	free((*sums)->exits);
	free(*sums);
	*sums = NULL;
}

void ions_sums_clear(struct ions_sums *sums)
{
	memset(sums->tallies, 0, tally_count(sums) * sizeof *sums->tallies);
	memset(sums->moments, 0, (size_t)IONS_GROUPS * MOMENTS * sizeof *sums->moments);
	memset(sums->spectra, 0, spectrum_count(sums) * sizeof *sums->spectra);
	sums->ions = sums->exit_count = 0;
}

void ions_sums_add_tallies(struct ions_sums *sums, const uint64_t *tallies, const uint64_t *spectra)
{
	size_t count = tally_count(sums), spectrum = spectrum_count(sums);

	/* fluctuations of losses may make a sum negative */
	for (size_t k = 0; k < count; ++k)
		sums->tallies[k] += (int64_t)tallies[k];
	for (size_t k = 0; k < spectrum; ++k)
		sums->spectra[k] += spectra[k];
}

/* As llround(), of float32 scaled by a power of two, but without a call. */
static inline int64_t round_half_away(double x)
{
	return (int64_t)(x + copysign(0.5, x));
}

static void add_end(double per_unit, const struct ions_end *end, ions_sum *moments)
{
	if (end->travelled < 0.0f) {
		++moments[MOMENT_FATES + (int)-end->travelled];
		return;
	}
	double y = fabs((double)end->y), z = fabs((double)end->z);
	/* so that sums of fourth powers stay in 128 bits, however far one has come */
	ions_sum x = round_half_away(fmin(fmax((double)end->x * per_unit, -MOST_DEPTH), MOST_DEPTH)), power = x;
	int64_t far = round_half_away(y * per_unit), wide = round_half_away(z * per_unit);
	++moments[MOMENT_FATES + FATE_IMPLANTED];
	for (int k = 0; k < 4; ++k, power *= x)
		moments[MOMENT_X + k] += power;
	moments[MOMENT_ASIDE] += far + wide;
	moments[MOMENT_ASIDE_SQUARES] += (ions_sum)far * far + (ions_sum)wide * wide;
	moments[MOMENT_RADIAL] += round_half_away(sqrt(y * y + z * z) * per_unit);
	moments[MOMENT_PATH] += round_half_away((double)end->travelled * per_unit);
}

static sonde_status add_exit(struct ions_sums *sums, const struct sums_exit *exit)
{
	CHECK(memory_grow(&sums->exits, &sums->exit_capacity, (size_t)sums->exit_count + 1, sizeof *sums->exits,
			  "what left the target"));
	sums->exits[sums->exit_count++] = *exit;
	return SONDE_OK;
}

#define NM_TO_ANGSTROM 10.0

void ions_sums_add_ends(struct ions_sums *sums, const struct ions_end *ends, uint64_t first, uint32_t count,
			int threads)
{
	const double per_unit = 1.0 / sums->depth_unit;
	const uint32_t offset = (uint32_t)(first % IONS_GROUPS);

#pragma omp parallel num_threads(threads) if (count > 10000)
	{
		ions_sum own[IONS_GROUPS * MOMENTS] = {0};
#pragma omp for nowait
		for (uint32_t n = 0; n < count; ++n)
			add_end(per_unit, &ends[n], own + (size_t)((offset + n) % IONS_GROUPS) * MOMENTS);
#pragma omp critical(sonde_ions_moments)
		for (size_t k = 0; k < (size_t)IONS_GROUPS * MOMENTS; ++k)
			sums->moments[k] += own[k];
	}
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

sonde_status ions_sums_merge(struct ions_sums *sums, struct ions_sums *other)
{
	for (int64_t k = 0; k < other->exit_count; ++k)
		CHECK(add_exit(sums, &other->exits[k]));
	for (size_t k = 0; k < tally_count(sums); ++k)
		sums->tallies[k] += other->tallies[k];
	for (size_t k = 0; k < (size_t)IONS_GROUPS * MOMENTS; ++k)
		sums->moments[k] += other->moments[k];
	for (size_t k = 0; k < spectrum_count(sums); ++k)
		sums->spectra[k] += other->spectra[k];
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

void ions_sums_sort_exits(struct ions_sums *sums)
{
	if (sums->exit_count > 1)
		qsort(sums->exits, (size_t)sums->exit_count, sizeof *sums->exits, by_ion);
}
