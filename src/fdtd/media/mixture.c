#include "fdtd/media/mixture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct mixture_entry {
	struct mixture mixture; /* count 0: none */
	uint16_t number;
};

bool mixture_of(const uint16_t *media, const double *shares, int count, bool in_series, int steps,
		struct mixture *mixture)
{
	double sums[MOST_MIXED] = {0.0};
	int whole = MIXTURE_PARTS / steps, kept = 0, left = steps, largest = 0;

	*mixture = (struct mixture){.in_series = in_series};
	for (int n = 0; n < count; ++n) {
		int m = 0;
		while (m < mixture->count && mixture->media[m] != media[n])
			++m;
		if (m == MOST_MIXED)
			return false;
		mixture->media[m] = media[n];
		mixture->count = (uint16_t)(m == mixture->count ? m + 1 : mixture->count);
		sums[m] += shares[n];
	}
	/* in the order of their numbers, so that equal mixtures compare equal */
	for (int n = 1; n < mixture->count; ++n)
		for (int m = n; m > 0 && mixture->media[m - 1] > mixture->media[m]; --m) {
			const uint16_t medium = mixture->media[m];
			const double sum = sums[m];
			mixture->media[m] = mixture->media[m - 1];
			sums[m] = sums[m - 1];
			mixture->media[m - 1] = medium;
			sums[m - 1] = sum;
		}
	for (int n = 0; n < mixture->count; ++n) {
		int share = (int)lround(sums[n] * steps);
		share = share < left ? share : left;
		left -= share;
		mixture->parts[n] = (uint16_t)(share * whole);
		largest = mixture->parts[n] > mixture->parts[largest] ? n : largest;
	}
	mixture->parts[largest] = (uint16_t)(mixture->parts[largest] + left * whole);
	for (int n = 0; n < mixture->count; ++n)
		if (mixture->parts[n] > 0) {
			mixture->media[kept] = mixture->media[n];
			mixture->parts[kept++] = mixture->parts[n];
		}
	for (int n = kept; n < MOST_MIXED; ++n)
		mixture->media[n] = mixture->parts[n] = 0;
	mixture->count = (uint16_t)kept;
	return kept > 1;
}

/* The polarization of a share of a medium is that share of its own: strengths are in b and d only. */
static bool add_pole(struct medium *medium, const struct medium_pole *pole, double share)
{
	int p = 0;

	while (p < medium->poles && (medium->pole[p].a != pole->a || medium->pole[p].c != pole->c))
		++p;
	if (p == MOST_POLES)
		return false;
	if (p == medium->poles)
		medium->pole[medium->poles++] = (struct medium_pole){pole->a, 0.0, pole->c, 0.0};
	medium->pole[p].b += share * pole->b;
	medium->pole[p].d += share * pole->d;
	return true;
}

static bool mix_beside(const struct media *media, const struct mixture *mixture, struct medium *medium)
{
	for (int n = 0; n < mixture->count; ++n) {
		const struct medium *one = &media->media[mixture->media[n]];
		double share = (double)mixture->parts[n] / MIXTURE_PARTS;
		medium->permittivity += share * one->permittivity;
		medium->conductivity += share * one->conductivity;
		medium->permeability += share * one->permeability;
		medium->magnetic_conductivity += share * one->magnetic_conductivity;
		for (int p = 0; p < one->poles; ++p)
			if (!add_pole(medium, &one->pole[p], share))
				return false;
	}
	return true;
}

/* D passes through all of them, and so does B. */
static bool mix_in_series(const struct media *media, const struct mixture *mixture, struct medium *medium)
{
	bool lossless = true;

	for (int n = 0; n < mixture->count; ++n) {
		const struct medium *one = &media->media[mixture->media[n]];
		double share = (double)mixture->parts[n] / MIXTURE_PARTS;
		if (one->magnetic_conductivity != 0.0)
			return false;
		lossless = lossless && medium_is_lossless(one);
		medium->permittivity += share / one->permittivity;
		medium->permeability += share / one->permeability;
	}
	medium->permittivity = 1.0 / medium->permittivity;
	medium->permeability = 1.0 / medium->permeability;
	return lossless || mixture_series(media, mixture, medium);
}

bool mixture_medium(const struct media *media, const struct mixture *mixture, struct medium *medium,
		    struct mixtures_count *why)
{
	*medium = (struct medium){0};
	for (int n = 0; n < mixture->count; ++n)
		if (media->media[mixture->media[n]].conductor) {
			++why->conductors;
			return false;
		}
	if (mixture->in_series ? mix_in_series(media, mixture, medium) : mix_beside(media, mixture, medium))
		return true;
	++why->poles;
	return false;
}

/* Fowler-Noll-Vo hash. A mixture has no padding between its numbers. */
static size_t hash_of(const struct mixture *mixture)
{
	const unsigned char *bytes = (const unsigned char *)mixture;
	uint64_t hash = 14695981039346656037u;

	for (size_t n = 0; n < sizeof *mixture; ++n)
		hash = (hash ^ bytes[n]) * 1099511628211u;
	return (size_t)(hash >> 16);
}

static struct mixture_entry *find(const struct mixtures *mixtures, const struct mixture *mixture)
{
	size_t at = hash_of(mixture) % mixtures->capacity;

	while (mixtures->entries[at].mixture.count != 0 &&
	       memcmp(&mixtures->entries[at].mixture, mixture, sizeof *mixture) != 0)
		at = at + 1 < mixtures->capacity ? at + 1 : 0;
	return &mixtures->entries[at];
}

static sonde_status make_room(struct mixtures *mixtures)
{
	struct mixtures larger = {.capacity = mixtures->capacity > 0 ? 2 * mixtures->capacity : 256};

	if (2 * mixtures->used < mixtures->capacity)
		return SONDE_OK;
	CHECK(memory_allocate(&larger.entries, larger.capacity, sizeof *larger.entries, "the media"));
	for (size_t n = 0; n < mixtures->capacity; ++n)
		if (mixtures->entries[n].mixture.count != 0)
			*find(&larger, &mixtures->entries[n].mixture) = mixtures->entries[n];
	free(mixtures->entries);
	mixtures->entries = larger.entries;
	mixtures->capacity = larger.capacity;
	return SONDE_OK;
}

sonde_status mixtures_number(struct mixtures *mixtures, const struct mixture *mixture, uint16_t *number)
{
	struct medium medium;

	CHECK(make_room(mixtures));
	struct mixture_entry *entry = find(mixtures, mixture);
	*number = entry->number;
	mixtures->count.mixed += entry->mixture.count != 0;
	if (entry->mixture.count != 0)
		return SONDE_OK;
	if (!mixture_medium(mixtures->media, mixture, &medium, &mixtures->count))
		return SONDE_OK;
	if (mixtures->media->count == MOST_MEDIA) {
		++mixtures->count.full;
		return SONDE_OK;
	}
	CHECK(media_add(mixtures->media, &medium, &entry->number));
	entry->mixture = *mixture;
	++mixtures->used;
	++mixtures->count.mixed;
	*number = entry->number;
	return SONDE_OK;
}

void mixtures_free(struct mixtures *mixtures)
{
	free(mixtures->entries);
	mixtures->entries = NULL;
}
