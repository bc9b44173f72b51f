#include "fdtd/media/media_part.h"

#include <stdlib.h>

#include "base/memory.h"
#include "parallel/parallel.h"

/* Planes around those with complete lists: what is painted at an edge of a surface depends on edges and nodes at most
 * three planes away (smooth.c, answers.c), of which the outermost are not cut by conductors; and some more. */
#define SURROUNDINGS 6

void media_part_find(const struct fdtd_grid *grid, int first, int behind, struct media_part *part)
{
	const int planes = grid->cells[0] + 1, low = grid->layers[0][0].cells,
		  high = grid->cells[0] - grid->layers[0][1].cells;

	part->first = first;
	part->behind = behind;
	part->begin = first > SURROUNDINGS ? first - SURROUNDINGS : 0;
	part->end = behind < planes - SURROUNDINGS ? behind + SURROUNDINGS : planes;
	/* planes in layers are those of their inner side: as paint_next_slab() */
	if (low > 0 && part->begin < low + 2)
		part->begin = 0;
	if (low > 0 && part->end < low + 2)
		part->end = low + 2;
	if (high < grid->cells[0] && part->end > high - 1)
		part->end = planes;
	if (high < grid->cells[0] && part->begin > high - 1)
		part->begin = high - 1;
}

static bool is_whole(const struct media_part *part)
{
	return part == NULL || part->end == 0;
}

struct plane_span media_part_painted(const struct fdtd_grid *grid, const struct media_part *part)
{
	return is_whole(part) ? (struct plane_span){0, grid->cells[0] + 1}
			      : (struct plane_span){part->begin, part->end};
}

struct plane_span media_part_inner(const struct fdtd_grid *grid, const struct media_part *part)
{
	struct plane_span span = media_part_painted(grid, part);

	span.end -= span.end <= grid->cells[0] ? 1 : 0;
	return span;
}

struct plane_span media_part_listed(const struct fdtd_grid *grid, const struct media_part *part)
{
	return is_whole(part) ? media_part_painted(grid, part) : (struct plane_span){part->first, part->behind};
}

struct plane_span media_part_own(const struct fdtd_grid *grid, const struct media_part *part)
{
	return is_whole(part) ? media_part_painted(grid, part) : (struct plane_span){part->own_begin, part->own_end};
}

sonde_status media_agree_any(const struct media *media, bool *any)
{
	uint64_t count = *any;

	CHECK(parallel_sum(media->part.ranks, &count, 1));
	*any = count > 0;
	return SONDE_OK;
}

/* A medium of a rank, and its place in the order of painting. */
struct placed_medium {
	struct medium medium;
	uint64_t place, order;
};

static int compare_places(const void *a, const void *b)
{
	const struct placed_medium *x = a, *y = b;

	if (x->place != y->place)
		return x->place < y->place ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

static sonde_status gather_media(const struct media *media, struct placed_medium **all, size_t *count)
{
	struct placed_medium *own;
	void *bytes;
	size_t size;

	CHECK(memory_allocate(&own, media->count, sizeof *own, "the media"));
	for (size_t n = 0; n < media->count; ++n)
		own[n] = (struct placed_medium){media->media[n], media->places[n], 0};
	const sonde_status status =
	    parallel_gather(media->part.ranks, own, media->count * sizeof *own, &bytes, &size);
	free(own);
	CHECK(status);
	*all = bytes;
	*count = size / sizeof **all;
	for (size_t n = 0; n < *count; ++n)
		(*all)[n].order = n;
	qsort(*all, *count, sizeof **all, compare_places);
	return SONDE_OK;
}

/* The other numbers of a medium, where they are different: in the rows of painted planes. */
static void renumber(const struct fdtd_grid *grid, const struct media_part *part, const uint16_t *numbers,
		     struct media *media)
{
	const struct plane_span span = media_part_painted(grid, part);
	const size_t first = media_at(grid, span.begin, 0, 0), end = media_at(grid, span.end, 0, 0);

	for (int a = 0; a < 3; ++a) {
		if (media->edges[a] != NULL)
			media_renumber(media->edges[a], first, end, numbers);
		if (media->faces[a] != NULL)
			media_renumber(media->faces[a], first, end, numbers);
	}
}

static sonde_status take(const struct fdtd_grid *grid, const struct media *merged, struct media *media)
{
	uint16_t *numbers;
	bool differ = false;

	CHECK(memory_allocate(&numbers, media->count, sizeof *numbers, "the media"));
	for (size_t n = 0; n < media->count; ++n) {
		size_t k = 0;
		while (k + 1 < merged->count && !medium_is_same(&merged->media[k], &media->media[n]))
			++k;
		numbers[n] = (uint16_t)k;
		differ |= k != n;
	}
	if (differ)
		renumber(grid, &media->part, numbers, media);
	free(numbers);
	return SONDE_OK;
}

sonde_status media_agree(const struct fdtd_grid *grid, struct media *media, bool *fit)
{
	struct media merged = {.count = 0};
	struct placed_medium *all;
	sonde_status status = SONDE_OK;
	bool full = media->count == MOST_MEDIA;
	uint16_t number;
	size_t count;

	*fit = true;
	if (parallel_size(media->part.ranks) == 1)
		return SONDE_OK;
	CHECK(media_agree_any(media, &full));
	*fit = !full;
	if (full)
		return SONDE_OK;
	CHECK(gather_media(media, &all, &count));
	for (size_t n = 0; n < count && status == SONDE_OK && *fit; ++n) {
		merged.place = all[n].place;
		*fit = merged.count < MOST_MEDIA;
		if (*fit)
			status = media_add(&merged, &all[n].medium, &number);
	}
	free(all);
	if (status == SONDE_OK && *fit)
		status = take(grid, &merged, media);
	if (status != SONDE_OK || !*fit) {
		media_free(&merged);
		return status;
	}
	free(media->media);
	free(media->places);
	media->media = merged.media;
	media->places = merged.places;
	media->count = merged.count;
	return SONDE_OK;
}
