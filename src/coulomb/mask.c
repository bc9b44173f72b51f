#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "coulomb/mask.h"

#include "base/memory.h"
#include "base/threads.h"
#include "base/vectors.h"
#include "coulomb/periodic/cell.h"
#include "coulomb/targets/spheres.h"
#include "coulomb/targets/targets.h"
#include "coulomb/values.h"
#include "run/context.h"

struct mask {
	double within, beyond; /* Angstrom; 0: none */
	bool boxed, mirrored;
	double low[3], high[3];
	double reach;   /* farther atoms do not matter */
	int directions; /* of `cell` in which the atoms repeat: 0, 2, or 3 */
	struct cell cell;
	double *
	    images; /* coordinates of the atoms and their images within reach of the cell; null: they do not repeat */
	struct spheres atoms;
};

#define MOST_IMAGES 1e9
#define ROUNDING 1e-9 /* of fractions, and of distances */

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

/* Images of atoms ------------------------------------------------------------------------------------------------------------ */

/* Moves a point into the cell, along the directions in which it repeats; its fractional coordinates there. */
static void bring_home(const struct mask *mask, double point[3], double fractions[3])
{
	cell_fractions(&mask->cell, point, fractions);
	for (int k = 0; k < mask->directions; ++k) {
		const double whole = floor(fractions[k]);
		fractions[k] -= whole;
		for (int c = 0; c < 3; ++c)
			point[c] -= whole * mask->cell.edges[k][c];
	}
}

/* Images of an atom within `margins` of the cell, fractions of its edges: their number, and their coordinates if `to` is not null. */
static int64_t list_images(const struct mask *mask, const double position[3], const double margins[3], double *to)
{
	double home[3] = {position[0], position[1], position[2]}, f[3];
	int first[3] = {0}, last[3] = {0};
	int64_t count = 0;

	bring_home(mask, home, f);
	for (int k = 0; k < mask->directions; ++k) {
		first[k] = (int)ceil(-margins[k] - f[k]);
		last[k] = (int)floor(1.0 + margins[k] - f[k]);
	}
	for (int n = first[0]; n <= last[0]; ++n)
		for (int m = first[1]; m <= last[1]; ++m)
			for (int l = first[2]; l <= last[2]; ++l, ++count)
				for (int c = 0; to != NULL && c < 3; ++c)
					to[3 * count + c] = home[c] + n * mask->cell.edges[0][c] +
							    m * mask->cell.edges[1][c] + l * mask->cell.edges[2][c];
	return count;
}

/* No point is farther from the nearest image of an atom, along the directions in which it repeats. */
static double farthest(const struct mask *mask)
{
	double sum = 0.0;

	for (int k = 0; k < mask->directions; ++k)
		sum += 0.5 * sqrt(vector_dot(mask->cell.edges[k], mask->cell.edges[k]));
	return sum * (1.0 + ROUNDING);
}

/* Atoms and images that are the nearest of any point of the cell, and within reach of it. */
static sonde_status make_images(const sonde_atoms *atoms, struct mask *mask, int64_t *count)
{
	const double margin = fmin(mask->reach, farthest(mask));
	double margins[3] = {0.0}, estimate = (double)atoms->count;

	if (mask->directions == 3)
		mask->reach = margin;
	for (int k = 0; k < mask->directions; ++k) {
		margins[k] = margin * sqrt(vector_dot(mask->cell.inverse[k], mask->cell.inverse[k])) + ROUNDING;
		estimate *= 1.0 + 2.0 * margins[k];
	}
	if (estimate > MOST_IMAGES)
		return status_fail(SONDE_INVALID,
				   "exclude-within, exclude-beyond: the cell is too flat: more than %g images of "
				   "atoms are within reach",
				   MOST_IMAGES);
	*count = 0;
	for (int64_t i = 0; i < atoms->count; ++i)
		*count += list_images(mask, atoms->positions + 3 * i, margins, NULL);
	CHECK(memory_allocate(&mask->images, 3 * (size_t)*count + 1, sizeof(double), "the images of the atoms"));
	double *to = mask->images;
	for (int64_t i = 0; i < atoms->count; ++i)
		to += 3 * list_images(mask, atoms->positions + 3 * i, margins, to);
	return SONDE_OK;
}

static sonde_status sort_atoms(const sonde_atoms *atoms, const sonde_coulomb_options *options, struct mask *mask)
{
	const double *positions = atoms->positions;
	int64_t count = atoms->count;

	mask->reach = fmax(mask->within, mask->beyond);
	if (mask->reach == 0.0)
		return SONDE_OK;
	if (options->boundary != SONDE_COULOMB_BOUNDARY_OPEN) {
		mask->directions = options->boundary == SONDE_COULOMB_BOUNDARY_SLAB ? 2 : 3;
		CHECK(cell_lattice(atoms, options, false, &mask->cell));
		CHECK(make_images(atoms, mask, &count));
		positions = mask->images;
	}
	return spheres_make(count, positions, NULL, mask->reach, &mask->atoms);
}

sonde_status mask_make(const sonde_atoms *atoms, const sonde_coulomb_options *options, bool mirrored,
		       struct mask **mask)
{
	struct mask read;

	*mask = NULL;
	CHECK(read_mask(options, &read));
	if (!read.boxed && read.within == 0.0 && read.beyond == 0.0)
		return SONDE_OK;
	CHECK(memory_allocate(mask, 1, sizeof **mask, "the mask"));
	**mask = read;
	(*mask)->mirrored = mirrored;
	const sonde_status status = sort_atoms(atoms, options, *mask);
	if (status != SONDE_OK)
		mask_free(mask);
	return status;
}

void mask_free(struct mask **mask)
{
	if (*mask == NULL)
		return;
	spheres_free(&(*mask)->atoms);
	free((*mask)->images);
	free(*mask);
	*mask = NULL;
}

static double distance_from_atoms(const struct mask *mask, const double point[3])
{
	double home[3] = {point[0], point[1], point[2]}, fractions[3];

	if (mask->directions > 0)
		bring_home(mask, home, fractions);
	return spheres_distance(&mask->atoms, home, mask->reach, -1);
}

static bool is_excluded(const struct mask *mask, const double point[3])
{
	for (int k = 0; mask->boxed && k < 3; ++k)
		if (point[k] < mask->low[k] || point[k] > mask->high[k])
			return true;
	const double distance = mask->reach > 0.0 ? distance_from_atoms(mask, point) : 0.0;
	return (mask->within > 0.0 && distance < mask->within) || (mask->beyond > 0.0 && distance >= mask->beyond);
}

/* Points ----------------------------------------------------------------------------------------------------------------------- */

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
