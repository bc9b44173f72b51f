/* A piece is divided by blocks of its entries: their numbers in buckets of coordinates along the longest axis give the bucket with
 * the middle, and the places of those below, in, and above it, which each block then fills; those of that bucket are divided by a
 * selection. That takes two passes over the entries: the boxes of both halves, for the next cut, are found while they are moved. */
#include "matter/atoms/large_cuts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

#define BLOCK_ENTRIES 16384
#define BUCKETS 1024 /* of coordinates */

enum { BELOW, INSIDE, ABOVE, SIDES };

/* The smallest box around some entries. */
struct box {
	double low[3], high[3];
};
static const struct box no_box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

struct block {
	size_t cut;          /* its number */
	size_t first, end;   /* entries, numbered in their piece */
	struct box boxes[2]; /* of all of them before the cut; then of those below, and above */
	uint32_t counts[BUCKETS];
	size_t places[SIDES]; /* of the next entry of each side */
};

/* The buckets of a cut. */
struct division {
	int axis;
	double low, scale;
	uint32_t bucket;      /* with the middle, */
	size_t below, inside; /* entries before it, and in it */
	size_t first_block, end_block;
};

struct cutting {
	const struct compact_arrays *arrays;
	struct large_cut *cuts;
	struct division *divisions;
	struct block *blocks;
};

static void widen(double r, double *low, double *high)
{
	*low = r < *low ? r : *low;
	*high = r > *high ? r : *high;
}

static void extend(struct box *box, const double r[3])
{
	for (int k = 0; k < 3; ++k)
		widen(r[k], &box->low[k], &box->high[k]);
}

static void join(struct box *box, const struct box *by)
{
	for (int k = 0; k < 3; ++k) {
		box->low[k] = by->low[k] < box->low[k] ? by->low[k] : box->low[k];
		box->high[k] = by->high[k] > box->high[k] ? by->high[k] : box->high[k];
	}
}

static struct compact_atom *entries_of(const struct compact_arrays *arrays, const struct compact_piece *piece)
{
	return (piece->away ? arrays->away : arrays->home) + piece->first;
}

static void measure_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct cutting *cutting = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		struct block *block = &cutting->blocks[n];
		const struct compact_piece *piece = &cutting->cuts[block->cut].piece;
		const struct compact_atom *entries = entries_of(cutting->arrays, piece);
		struct box box = no_box;
		if (piece->measured)
			continue;
		for (size_t i = block->first; i < block->end; ++i)
			extend(&box, entries[i].r);
		block->boxes[0] = box;
	}
}

/* The box of a piece, and the buckets along its longest axis. */
static void choose_buckets(const struct cutting *cutting, size_t k)
{
	struct compact_piece *piece = &cutting->cuts[k].piece;
	struct division *division = &cutting->divisions[k];
	struct box box = no_box;

	for (size_t n = division->first_block; n < division->end_block && !piece->measured; ++n)
		join(&box, &cutting->blocks[n].boxes[0]);
	if (!piece->measured) {
		memcpy(piece->low, box.low, sizeof piece->low);
		memcpy(piece->high, box.high, sizeof piece->high);
	}
	for (int axis = 1; axis < 3; ++axis)
		if (piece->high[axis] - piece->low[axis] > piece->high[division->axis] - piece->low[division->axis])
			division->axis = axis;
	const double width = piece->high[division->axis] - piece->low[division->axis];
	division->low = piece->low[division->axis];
	division->scale = width > 0.0 ? BUCKETS / width : 0.0;
}

static uint32_t bucket_of(const struct division *division, const struct compact_atom *entry)
{
	const double place = (entry->r[division->axis] - division->low) * division->scale;

	return place < BUCKETS - 1 ? (uint32_t)place : BUCKETS - 1;
}

static void count_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct cutting *cutting = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		struct block *block = &cutting->blocks[n];
		const struct division division = cutting->divisions[block->cut];
		const struct compact_atom *entries = entries_of(cutting->arrays, &cutting->cuts[block->cut].piece);
		memset(block->counts, 0, sizeof block->counts);
		for (size_t i = block->first; i < block->end; ++i)
			++block->counts[bucket_of(&division, &entries[i])];
	}
}

/* The bucket of entry `middle`. */
static void choose_bucket(const struct cutting *cutting, struct division *division, size_t middle)
{
	size_t counts[BUCKETS] = {0};

	for (size_t n = division->first_block; n < division->end_block; ++n)
		for (uint32_t bucket = 0; bucket < BUCKETS; ++bucket)
			counts[bucket] += cutting->blocks[n].counts[bucket];
	division->below = 0;
	for (division->bucket = 0; division->below + counts[division->bucket] <= middle; ++division->bucket)
		division->below += counts[division->bucket];
	division->inside = counts[division->bucket];
}

/* Where each block puts its entries. */
static void choose_places(const struct cutting *cutting, const struct division *division)
{
	size_t next[SIDES] = {0, division->below, division->below + division->inside};

	for (size_t n = division->first_block; n < division->end_block; ++n) {
		struct block *block = &cutting->blocks[n];
		size_t below = 0;
		for (uint32_t bucket = 0; bucket < division->bucket; ++bucket)
			below += block->counts[bucket];
		const size_t inside = block->counts[division->bucket],
			     own[SIDES] = {below, inside, block->end - block->first - below - inside};
		for (int side = 0; side < SIDES; ++side) {
			block->places[side] = next[side];
			next[side] += own[side];
		}
	}
}

static void choose_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct cutting *cutting = state;

	(void)worker;
	for (int64_t k = first; k < end; ++k) {
		choose_bucket(cutting, &cutting->divisions[k], compact_middle(&cutting->cuts[k].piece));
		choose_places(cutting, &cutting->divisions[k]);
	}
}

/* In the order that they have. */
static void move_block(const struct cutting *cutting, struct block *block)
{
	const struct large_cut *cut = &cutting->cuts[block->cut];
	const struct division division = cutting->divisions[block->cut];
	const struct compact_atom *entries = entries_of(cutting->arrays, &cut->piece);
	struct compact_atom *to =
	    (cut->piece.away ? cutting->arrays->home : cutting->arrays->away) + cut->piece.first;
	struct box below = no_box, above = no_box;
	size_t places[SIDES];

	memcpy(places, block->places, sizeof places);
	for (size_t i = block->first; i < block->end; ++i) {
		const uint32_t bucket = bucket_of(&division, &entries[i]);
		if (bucket == division.bucket) {
			to[places[INSIDE]++] = entries[i];
		} else if (bucket < division.bucket && cut->wants[0]) {
			extend(&below, entries[i].r);
			to[places[BELOW]++] = entries[i];
		} else if (bucket > division.bucket && cut->wants[1]) {
			extend(&above, entries[i].r);
			to[places[ABOVE]++] = entries[i];
		}
	}
	block->boxes[0] = below;
	block->boxes[1] = above;
}

static void move_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct cutting *cutting = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n)
		move_block(cutting, &cutting->blocks[n]);
}

/* Of a half: the blocks' boxes, and that of the entries of the middle bucket that belong to it. */
static void measure_half(const struct cutting *cutting, size_t k, int half)
{
	const struct division *division = &cutting->divisions[k];
	struct compact_piece *piece = &cutting->cuts[k].halves[half];
	const struct compact_atom *entries = entries_of(cutting->arrays, piece);
	const size_t apart = half == 0 ? division->below
				       : cutting->cuts[k].piece.count - division->below - division->inside,
		     first = half == 0 ? apart : 0, end = half == 0 ? piece->count : piece->count - apart;
	struct box box = no_box;

	for (size_t n = division->first_block; n < division->end_block; ++n)
		join(&box, &cutting->blocks[n].boxes[half]);
	for (size_t i = first; i < end; ++i)
		extend(&box, entries[i].r);
	memcpy(piece->low, box.low, sizeof piece->low);
	memcpy(piece->high, box.high, sizeof piece->high);
	piece->measured = true;
}

static void select_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct cutting *cutting = state;

	(void)worker;
	for (int64_t k = first; k < end; ++k) {
		struct large_cut *cut = &cutting->cuts[k];
		const struct division *division = &cutting->divisions[k];
		struct compact_piece moved = cut->piece;
		moved.away = !moved.away;
		compact_select(entries_of(cutting->arrays, &moved) + division->below, division->inside,
			       compact_middle(&moved) - division->below, division->axis);
		compact_halve(&moved, cut->halves);
		for (int half = 0; half < 2; ++half)
			if (cut->wants[half])
				measure_half(cutting, (size_t)k, half);
	}
}

static void cut_all(int threads, struct cutting *cutting, int64_t count, int64_t blocks)
{
	bool measured = true;

	for (int64_t k = 0; k < count; ++k)
		measured = measured && cutting->cuts[k].piece.measured;
	if (!measured)
		threads_for(threads, blocks, 1, measure_some, cutting);
	for (int64_t k = 0; k < count; ++k)
		choose_buckets(cutting, (size_t)k);
	threads_for(threads, blocks, 1, count_some, cutting);
	threads_for(threads, count, 1, choose_some, cutting);
	threads_for(threads, blocks, 1, move_some, cutting);
	threads_for(threads, count, 1, select_some, cutting);
}

static int64_t blocks_of(const struct compact_piece *piece)
{
	return (int64_t)((piece->count + BLOCK_ENTRIES - 1) / BLOCK_ENTRIES);
}

/* The blocks of all pieces. */
static void divide(struct cutting *cutting, size_t count)
{
	size_t block = 0;

	for (size_t k = 0; k < count; ++k) {
		const size_t entries = cutting->cuts[k].piece.count;
		cutting->divisions[k].first_block = block;
		for (size_t first = 0; first < entries; first += BLOCK_ENTRIES, ++block) {
			const size_t end = first + BLOCK_ENTRIES;
			cutting->blocks[block].cut = k;
			cutting->blocks[block].first = first;
			cutting->blocks[block].end = end < entries ? end : entries;
		}
		cutting->divisions[k].end_block = block;
	}
}

sonde_status large_cuts_do(int threads, const struct compact_arrays *arrays, struct large_cut *cuts, size_t count)
{
	struct cutting cutting = {.arrays = arrays, .cuts = cuts};
	int64_t blocks = 0;

	for (size_t k = 0; k < count; ++k)
		blocks += blocks_of(&cuts[k].piece);
	CHECK(memory_allocate(&cutting.divisions, count, sizeof *cutting.divisions, "sorting the atoms"));
	const sonde_status status =
	    memory_allocate_to_fill(&cutting.blocks, (size_t)blocks, sizeof *cutting.blocks, "sorting the atoms");
	if (status == SONDE_OK) {
		divide(&cutting, count);
		cut_all(threads, &cutting, (int64_t)count, blocks);
	}
	free(cutting.blocks);
	free(cutting.divisions);
	return status;
}
