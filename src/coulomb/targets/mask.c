/* Excluded points: too near to an atom, too far from all, or outside a box. */
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "coulomb/targets/mask.h"

#include "base/memory.h"
#include "base/threads.h"
#include "coulomb/targets/spheres.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "run/context.h"

struct mask {
	double within, beyond; /* Angstrom; 0: none */
	bool boxed, mirrored;
	double low[3], high[3];
	struct spheres atoms;
};

static sonde_status read_mask(const sonde_coulomb_options *options, struct mask *mask)
{
	double corners[2][3];
	const char *rest = options->region;

	*mask = (struct mask){.within = options->exclude_within,
			      .beyond = options->exclude_beyond,
			      .boxed = options->region[0] != '\0'};
	if (!mask->boxed)
		return SONDE_OK;
	for (int k = 0; k < 2 && rest != NULL; ++k)
		rest = targets_read_point(rest, corners[k], k == 0 ? ':' : '\0');
	if (rest == NULL)
		return status_fail_option(SONDE_INVALID, "region", "'%.60s' is not x,y,z:x,y,z", options->region);
	for (int k = 0; k < 3; ++k) {
		mask->low[k] = fmin(corners[0][k], corners[1][k]);
		mask->high[k] = fmax(corners[0][k], corners[1][k]);
	}
	return SONDE_OK;
}

sonde_status mask_make(const sonde_atoms *atoms, const sonde_coulomb_options *options, bool mirrored,
		       struct mask **mask)
{
	struct mask read;
	sonde_status status;

	*mask = NULL;
	CHECK(read_mask(options, &read));
	if (!read.boxed && read.within == 0.0 && read.beyond == 0.0)
		return SONDE_OK;
	CHECK(memory_allocate(mask, 1, sizeof **mask, "the mask"));
	**mask = read;
	(*mask)->mirrored = mirrored;
	status = spheres_make(atoms->count, atoms->positions, NULL, fmax(read.within, read.beyond), &(*mask)->atoms);
	if (status != SONDE_OK)
		mask_free(mask);
	return status;
}

void mask_free(struct mask **mask)
{
	if (*mask == NULL)
		return;
	spheres_free(&(*mask)->atoms);
	free(*mask);
	*mask = NULL;
}

static bool is_excluded(const struct mask *mask, const double point[3])
{
	for (int k = 0; mask->boxed && k < 3; ++k)
		if (point[k] < mask->low[k] || point[k] > mask->high[k])
			return true;
	double reach = fmax(mask->within, mask->beyond);
	double distance = reach > 0.0 ? spheres_distance(&mask->atoms, point, reach, -1) : 0.0;
	return (mask->within > 0.0 && distance < mask->within) || (mask->beyond > 0.0 && distance >= mask->beyond);
}

#define POINTS_OF_PART 4096

/* Whether any point is left: searches for the first one. */
struct search {
	sonde_context *context;
	const struct mask *mask;
	const struct targets *targets;
	atomic_bool found, stopped;
};

static void search_some(void *state, int64_t first, int64_t end, int worker)
{
	struct search *search = state;

	(void)worker;
	if (atomic_load(&search->found) || atomic_load(&search->stopped))
		return;
	if (context_cancelled(search->context))
		atomic_store(&search->stopped, true);
	for (int64_t n = first; n < end; ++n) {
		double point[3];
		targets_point(search->targets, n, point);
		if (!is_excluded(search->mask, point)) {
			atomic_store(&search->found, true);
			return;
		}
	}
}

sonde_status mask_check(sonde_context *context, const struct mask *mask, const struct targets *targets)
{
	struct search search = {.context = context, .mask = mask, .targets = targets};

	if (mask == NULL)
		return SONDE_OK;
	threads_for(context_threads(context), targets->count, POINTS_OF_PART, search_some, &search);
	if (search.found)
		return SONDE_OK;
	if (search.stopped)
		return status_fail(SONDE_CANCELLED, "stopped on request at the mask");
	return status_fail(SONDE_INVALID,
			   "exclude-within, exclude-beyond and region leave none of the %lld points: nothing "
			   "is left to compute",
			   (long long)targets->count);
}

struct masking {
	const struct mask *mask;
	const struct targets *targets;
	const struct target_range *range;
	struct values *values;
	atomic_int_fast64_t masked;
};

static void mask_some(void *state, int64_t first, int64_t end, int worker)
{
	struct masking *masking = state;
	const struct mask *mask = masking->mask;
	struct values *values = masking->values;
	int64_t masked = 0;

	(void)worker;
	for (int64_t n = masking->range->first + first; n < masking->range->first + end; ++n) {
		double point[3];
		targets_point(masking->targets, n, point);
		if (mask->mirrored) {
			double x = point[2];
			point[2] = point[0];
			point[0] = x;
		}
		if (!is_excluded(mask, point))
			continue;
		++masked;
		int64_t at = n - values->first;
		for (uint32_t s = 0; s < values->sets; ++s, at += values->stride) {
			values->potential[at] = NAN;
			for (int k = 0; values->field != NULL && k < 3; ++k)
				values->field[3 * at + k] = NAN;
		}
	}
	atomic_fetch_add(&masking->masked, masked);
}

int64_t mask_apply(const sonde_context *context, const struct mask *mask, const struct targets *targets,
		   const struct target_range *range, struct values *values)
{
	if (mask == NULL)
		return 0;
	struct masking masking = {mask, targets, range, values, 0};
	threads_for(context_threads(context), range->count, POINTS_OF_PART, mask_some, &masking);
	return masking.masked;
}
