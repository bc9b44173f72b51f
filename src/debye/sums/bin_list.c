#include "debye/sums/bin_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

#define BLOCK_BINS 2048 /* whatever the number of threads: sums over blocks are added in their order */

/* A block of bins, and its part of the list: distances from `place` on, two for each filled bin at most. */
struct part {
	uint64_t first, end; /* of the bins to be listed */
	uint64_t pairs;
	size_t filled, place, count;
	double coincident, all;
	struct histogram_error error;
};

struct listing {
	const struct bins_to_list *bins;
	struct bin_list *list;
	struct part *parts;
	int64_t part_count;
	bool with_errors;
	struct pair_counts *counts;
	int pair;
};

static sonde_status divide(const struct bins_to_list *bins, uint64_t block, struct listing *listing)
{
	listing->part_count = (int64_t)((bins->count + block - 1) / block);
	CHECK(memory_allocate(&listing->parts, (size_t)listing->part_count, sizeof *listing->parts, "the distances"));
	for (int64_t p = 0; p < listing->part_count; ++p) {
		const uint64_t first = block * (uint64_t)p;
		listing->parts[p] =
		    (struct part){.first = first, .end = bins->count - first < block ? bins->count : first + block};
	}
	return SONDE_OK;
}

static void count_parts(void *state, int64_t first, int64_t end, int worker)
{
	const struct listing *listing = state;
	const struct bins_to_list *bins = listing->bins;

	(void)worker;
	for (int64_t p = first; p < end; ++p) {
		struct part *part = &listing->parts[p];
		for (uint64_t b = part->first; b < part->end; ++b) {
			const uint64_t pairs = bins->words[b * bins->words_per_bin];
			part->pairs += pairs;
			part->filled += pairs != 0;
		}
	}
}

static void add_distance(struct bin_list *list, struct part *part, double r, double weight)
{
	r = fabs(r); /* the two distances may lie on both sides of zero: sin(q r)/(q r) is even */
	part->all += weight;
	if (r == 0.0) {
		part->coincident += weight;
		return;
	}
	list->r[part->place + part->count] = r;
	list->weight_over_r[part->place + part->count++] = weight / r;
}

static void add_bin(const struct listing *listing, struct part *part, uint64_t b)
{
	const struct bins_to_list *bins = listing->bins;
	const struct bin_moments bin = bins->read(bins->words + b * bins->words_per_bin);
	const uint64_t number = bins->first + b;
	const double r = ((double)number * bins->units_per_bin + bin.mean) * bins->unit,
		     deviation = sqrt(bin.variance) * bins->unit;

	if (bin.variance < 1.0) {
		add_distance(listing->list, part, r, bin.pairs * periodic_factor(bins->periodic, r));
	} else {
		const double near = r - deviation, far = r + deviation;
		add_distance(listing->list, part, near,
			     0.5 * bin.pairs * periodic_factor(bins->periodic, fabs(near)));
		add_distance(listing->list, part, far, 0.5 * bin.pairs * periodic_factor(bins->periodic, far));
	}
	if (listing->with_errors) {
		bin_errors_add(&part->error, &bin, r, bins->unit, bins->units_per_bin);
		part->error.nearest = part->error.farthest == 0.0 ? r : part->error.nearest;
		part->error.farthest = r;
	}
	if (listing->counts != NULL)
		pair_counts_add(listing->counts, listing->pair, (int64_t)number, bin.pairs, r);
}

static void list_parts(void *state, int64_t first, int64_t end, int worker)
{
	const struct listing *listing = state;
	const struct bins_to_list *bins = listing->bins;

	(void)worker;
	for (int64_t p = first; p < end; ++p) {
		struct part *part = &listing->parts[p];
		for (uint64_t b = part->first; b < part->end; ++b)
			if (bins->words[b * bins->words_per_bin] != 0)
				add_bin(listing, part, b);
	}
}

/* Makes room for two distances per filled bin. */
static sonde_status reserve(struct bin_list *list, size_t count, bool moving)
{
	const size_t needed = count + LIST_PADDING;

	if (needed <= list->capacity)
		return SONDE_OK;
	bin_list_free(list);
	CHECK(memory_allocate_to_fill(&list->r, needed, sizeof(double), "the distances"));
	CHECK(memory_allocate_to_fill(&list->weight_over_r, needed, sizeof(double), "the distances"));
	if (moving)
		CHECK(memory_allocate_to_fill(&list->s, needed, sizeof(double), "the distances"));
	list->capacity = needed;
	return SONDE_OK;
}

/* Closes the gaps between the parts, and adds up. */
static void join_parts(const struct listing *listing, struct bin_list *list, struct histogram_error *error)
{
	list->count = 0;
	list->pairs = 0;
	list->coincident = list->all = 0.0;
	for (int64_t p = 0; p < listing->part_count; ++p) {
		const struct part *part = &listing->parts[p];
		memmove(list->r + list->count, list->r + part->place, part->count * sizeof *list->r);
		memmove(list->weight_over_r + list->count, list->weight_over_r + part->place,
			part->count * sizeof *list->r);
		list->count += part->count;
		list->pairs += part->pairs;
		list->coincident += part->coincident;
		list->all += part->all;
		if (error != NULL)
			bin_errors_join(error, &part->error);
	}
	memset(list->r + list->count, 0, LIST_PADDING * sizeof *list->r);
	memset(list->weight_over_r + list->count, 0, LIST_PADDING * sizeof *list->r);
	if (list->s != NULL)
		memset(list->s + list->count, 0, LIST_PADDING * sizeof *list->s);
}

sonde_status bin_list_make(int threads, const struct bins_to_list *bins, bool moving, struct bin_list *list,
			   struct histogram_error *error, struct pair_counts *counts, int pair)
{
	struct listing listing = {
	    .bins = bins, .list = list, .with_errors = error != NULL, .counts = counts, .pair = pair};
	/* weights that are no integers are added in one order, and counts by one thread */
	const bool whole = counts != NULL || bins->periodic != NULL;
	size_t filled = 0;

	CHECK(divide(bins, whole ? bins->count : BLOCK_BINS, &listing));
	threads_for(threads, listing.part_count, 1, count_parts, &listing);
	for (int64_t p = 0; p < listing.part_count; ++p) {
		listing.parts[p].place = 2 * filled;
		filled += listing.parts[p].filled;
	}
	const sonde_status status = reserve(list, 2 * filled, moving);
	if (status == SONDE_OK) {
		threads_for(threads, listing.part_count, 1, list_parts, &listing);
		join_parts(&listing, list, error);
	}
	free(listing.parts);
	return status;
}

void bin_list_free(struct bin_list *list)
{
	free(list->r);
	free(list->weight_over_r);
	free(list->s);
	*list = (struct bin_list){.count = 0};
}
