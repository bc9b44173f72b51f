#include "matter/atoms/compact_atoms.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"

#define TASK_ATOMS 16384 /* larger parts are split by separate threads */
#define BLOCK_ATOMS ((int64_t)65536)

/* A total order: no two entries are equal, so that the result does not depend on the algorithm. The other axes come
 * second, so that a plane of a crystal is not split at random. */
static bool before(const struct compact_atom *a, const struct compact_atom *b, int axis)
{
	for (int k = 0; k < 3; ++k, axis = (axis + 1) % 3)
		if (a->r[axis] != b->r[axis])
			return a->r[axis] < b->r[axis];
	return a->atom < b->atom;
}

static void swap_entries(struct compact_atom *a, struct compact_atom *b)
{
	struct compact_atom kept = *a;

	*a = *b;
	*b = kept;
}

/* Puts the `middle` smallest of `count` entries first (Hoare's selection). */
static void select_smallest(struct compact_atom *entries, size_t count, size_t middle, int axis)
{
	size_t low = 0, high = count;

	while (high - low > 1) {
		struct compact_atom pivot = entries[low + (high - low) / 2];
		size_t i = low, j = high; /* nothing in [low, i) is above the pivot, nothing in [j, high) below it */
		while (i < j) {
			while (before(&entries[i], &pivot, axis))
				++i;
			while (before(&pivot, &entries[j - 1], axis))
				--j;
			if (i < j)
				swap_entries(&entries[i++], &entries[--j]);
		}
		/* here j <= i <= j + 1, and an entry between them is the pivot */
		if (middle <= j)
			high = j;
		else if (middle >= i)
			low = i;
		else
			return;
	}
}

static void widen(double r, double *low, double *high)
{
	*low = r < *low ? r : *low;
	*high = r > *high ? r : *high;
}

/* In one pass, with separate variables, which compilers keep in registers. */
static int longest_axis(const struct compact_atom *entries, size_t count)
{
	double low_x = entries[0].r[0], low_y = entries[0].r[1], low_z = entries[0].r[2];
	double high_x = low_x, high_y = low_y, high_z = low_z;

	for (size_t i = 1; i < count; ++i) {
		widen(entries[i].r[0], &low_x, &high_x);
		widen(entries[i].r[1], &low_y, &high_y);
		widen(entries[i].r[2], &low_z, &high_z);
	}
	const double x = high_x - low_x, y = high_y - low_y, z = high_z - low_z;
	const int longest = y > x ? 1 : 0;
	return z > (longest == 1 ? y : x) ? 2 : longest;
}

/* Atoms of one species to be cut into compact parts of `part` atoms, except the last one: across the
 * longest edge, recursively in halves of whole parts. */
struct piece {
	struct compact_atom *entries;
	size_t count, part;
};

/* A piece so large that threads cut it together, whatever their number: the order of the atoms depends on how. */
#define LARGE_PIECE ((size_t)1 << 17)
#define CUT_BLOCK ((int64_t)16384)
#define BUCKETS 1024 /* of coordinates */

/* A large piece, by blocks of its entries: their range; numbers of entries in buckets along an axis; then the places of those below,
 * in, and above the bucket that is cut. */
struct large_cut {
	const struct piece *piece;
	int64_t blocks;
	int axis;
	double low, scale; /* of the buckets */
	uint32_t bucket;
	double (*ranges)[6];
	uint32_t (*counts)[BUCKETS];
	size_t (*places)[3];
	struct compact_atom *sorted;
};

static void range_of_blocks(void *state, int64_t first, int64_t end, int worker)
{
	const struct large_cut *cut = state;

	(void)worker;
	for (int64_t block = first; block < end; ++block) {
		const size_t last = (size_t)(block + 1) * CUT_BLOCK;
		double range[6] = {INFINITY, INFINITY, INFINITY, -INFINITY, -INFINITY, -INFINITY};
		for (size_t i = (size_t)(block * CUT_BLOCK); i < last && i < cut->piece->count; ++i)
			for (int k = 0; k < 3; ++k)
				widen(cut->piece->entries[i].r[k], &range[k], &range[3 + k]);
		memcpy(cut->ranges[block], range, sizeof range);
	}
}

static uint32_t bucket_of(const struct large_cut *cut, const struct compact_atom *entry)
{
	const double place = (entry->r[cut->axis] - cut->low) * cut->scale;

	return place < BUCKETS - 1 ? (uint32_t)place : BUCKETS - 1;
}

static void count_blocks(void *state, int64_t first, int64_t end, int worker)
{
	const struct large_cut *cut = state;

	(void)worker;
	for (int64_t block = first; block < end; ++block) {
		const size_t last = (size_t)(block + 1) * CUT_BLOCK;
		for (size_t i = (size_t)(block * CUT_BLOCK); i < last && i < cut->piece->count; ++i)
			++cut->counts[block][bucket_of(cut, &cut->piece->entries[i])];
	}
}

static void move_blocks(void *state, int64_t first, int64_t end, int worker)
{
	const struct large_cut *cut = state;

	(void)worker;
	for (int64_t block = first; block < end; ++block) {
		const size_t last = (size_t)(block + 1) * CUT_BLOCK;
		size_t *places = cut->places[block];
		for (size_t i = (size_t)(block * CUT_BLOCK); i < last && i < cut->piece->count; ++i) {
			const uint32_t bucket = bucket_of(cut, &cut->piece->entries[i]);
			const int side = bucket < cut->bucket ? 0 : bucket == cut->bucket ? 1 : 2;
			cut->sorted[places[side]++] = cut->piece->entries[i];
		}
	}
}

static void copy_blocks_back(void *state, int64_t first, int64_t end, int worker)
{
	const struct large_cut *cut = state;
	const size_t from = (size_t)(first * CUT_BLOCK), to = (size_t)(end * CUT_BLOCK);

	(void)worker;
	memcpy(cut->piece->entries + from, cut->sorted + from,
	       ((to < cut->piece->count ? to : cut->piece->count) - from) * sizeof *cut->sorted);
}

/* The buckets along the longest axis. */
static void choose_buckets(struct large_cut *cut)
{
	double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};

	for (int64_t block = 0; block < cut->blocks; ++block)
		for (int k = 0; k < 3; ++k) {
			low[k] = fmin(low[k], cut->ranges[block][k]);
			high[k] = fmax(high[k], cut->ranges[block][3 + k]);
		}
	for (int k = 1; k < 3; ++k)
		cut->axis = high[k] - low[k] > high[cut->axis] - low[cut->axis] ? k : cut->axis;
	const double width = high[cut->axis] - low[cut->axis];
	cut->low = low[cut->axis];
	cut->scale = width > 0.0 ? BUCKETS / width : 0.0;
}

/* The bucket of entry `middle`, and where each block puts its entries. Returns the first place of that bucket; *inside: its entries. */
static size_t choose_places(struct large_cut *cut, size_t middle, size_t *inside)
{
	size_t below = 0, totals[3] = {0};

	*inside = 0;
	for (cut->bucket = 0; cut->bucket < BUCKETS; ++cut->bucket) {
		*inside = 0;
		for (int64_t block = 0; block < cut->blocks; ++block)
			*inside += cut->counts[block][cut->bucket];
		if (below + *inside > middle)
			break;
		below += *inside;
	}
	totals[1] = below;
	totals[2] = below + *inside;
	for (int64_t block = 0; block < cut->blocks; ++block) {
		size_t own[3] = {0};
		for (uint32_t bucket = 0; bucket < BUCKETS; ++bucket)
			own[bucket < cut->bucket ? 0 : bucket == cut->bucket ? 1 : 2] += cut->counts[block][bucket];
		for (int side = 0; side < 3; ++side) {
			cut->places[block][side] = totals[side];
			totals[side] += own[side];
		}
	}
	return below;
}

static sonde_status cut_large(int threads, size_t middle, struct large_cut *cut)
{
	const struct piece *piece = cut->piece;
	size_t inside;

	cut->blocks = ((int64_t)piece->count + CUT_BLOCK - 1) / CUT_BLOCK;
	CHECK(memory_allocate(&cut->ranges, (size_t)cut->blocks, sizeof *cut->ranges, "sorting the atoms"));
	CHECK(memory_allocate(&cut->counts, (size_t)cut->blocks, sizeof *cut->counts, "sorting the atoms"));
	CHECK(memory_allocate(&cut->places, (size_t)cut->blocks, sizeof *cut->places, "sorting the atoms"));
	threads_for(threads, cut->blocks, 1, range_of_blocks, cut);
	choose_buckets(cut);
	threads_for(threads, cut->blocks, 1, count_blocks, cut);
	const size_t below = choose_places(cut, middle, &inside);
	threads_for(threads, cut->blocks, 1, move_blocks, cut);
	threads_for(threads, cut->blocks, 1, copy_blocks_back, cut);
	select_smallest(piece->entries + below, inside, middle - below, cut->axis);
	return SONDE_OK;
}

/* Puts the `middle` smallest entries of a large piece first, along its longest axis. `room`: for all of them. */
static sonde_status select_smallest_of_large(int threads, const struct piece *piece, size_t middle,
					     struct compact_atom *room)
{
	struct large_cut cut = {.piece = piece, .sorted = room};
	const sonde_status status = cut_large(threads, middle, &cut);

	free(cut.ranges);
	free(cut.counts);
	free(cut.places);
	return status;
}

static bool is_whole(const struct piece *piece)
{
	return piece->count <= piece->part;
}

static size_t middle_of(const struct piece *piece)
{
	return (piece->count + piece->part - 1) / piece->part / 2 * piece->part;
}

static void halve(const struct piece *piece, struct piece halves[2])
{
	const size_t middle = middle_of(piece);

	halves[0] = (struct piece){piece->entries, middle, piece->part};
	halves[1] = (struct piece){piece->entries + middle, piece->count - middle, piece->part};
}

static void cut_in_two(const struct piece *piece, struct piece halves[2])
{
	select_smallest(piece->entries, piece->count, middle_of(piece), longest_axis(piece->entries, piece->count));
	halve(piece, halves);
}

static void cut_in_halves(const sonde_context *context, const struct piece *piece)
{
	struct piece halves[2];

	if (is_whole(piece) || context_cancelled(context))
		return;
	cut_in_two(piece, halves);
	cut_in_halves(context, &halves[0]);
	cut_in_halves(context, &halves[1]);
}

static bool is_large(const struct piece *piece)
{
	return piece->count >= LARGE_PIECE && !is_whole(piece);
}

/* Pieces cut in parallel by threads: large ones, which were cut together, not again, others once, into `halves`, and those below
 * TASK_ATOMS completely. */
struct cutting {
	const sonde_context *context;
	const struct piece *pieces;
	struct piece (*halves)[2];
};

static void cut_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct cutting *cutting = state;

	(void)worker;
	for (int64_t n = first; n < end && !context_cancelled(cutting->context); ++n) {
		if (is_large(&cutting->pieces[n]))
			continue;
		if (cutting->pieces[n].count > TASK_ATOMS && !is_whole(&cutting->pieces[n]))
			cut_in_two(&cutting->pieces[n], cutting->halves[n]);
		else
			cut_in_halves(cutting->context, &cutting->pieces[n]);
	}
}

/* The remaining halves replace the pieces; returns their number. */
static size_t take_halves(struct piece (*halves)[2], size_t count, struct piece *pieces)
{
	size_t left = 0;

	for (size_t n = 0; n < count; ++n)
		for (int half = 0; half < 2; ++half)
			if (halves[n][half].entries != NULL && !is_whole(&halves[n][half]))
				pieces[left++] = halves[n][half];
	return left;
}

/* *room: memory for the largest piece, allocated for the first one, which is as large as any. */
static sonde_status cut_large_pieces(const sonde_context *context, const struct piece *pieces, size_t count,
				     struct compact_atom **room, struct piece (*halves)[2])
{
	size_t most = 0;

	for (size_t n = 0; n < count; ++n)
		most = is_large(&pieces[n]) && pieces[n].count > most ? pieces[n].count : most;
	if (most > 0 && *room == NULL)
		CHECK(memory_allocate_to_fill(room, most, sizeof **room, "sorting the atoms"));
	for (size_t n = 0; n < count; ++n) {
		if (!is_large(&pieces[n]) || context_cancelled(context))
			continue;
		CHECK(select_smallest_of_large(context_threads(context), &pieces[n], middle_of(&pieces[n]), *room));
		halve(&pieces[n], halves[n]);
	}
	return SONDE_OK;
}

/* Halves every piece, then the halves, until none is left. `pieces` has room for `room`. */
static sonde_status cut_pieces(const sonde_context *context, struct piece *pieces, size_t count, size_t room)
{
	struct piece(*halves)[2];

	CHECK(memory_allocate(&halves, room, sizeof *halves, "sorting the atoms"));
	struct compact_atom *room_of_large = NULL;
	sonde_status status = SONDE_OK;
	while (count > 0 && status == SONDE_OK && !context_cancelled(context)) {
		struct cutting cutting = {context, pieces, halves};
		memset(halves, 0, count * sizeof *halves);
		status = cut_large_pieces(context, pieces, count, &room_of_large, halves);
		threads_for(context_threads(context), (int64_t)count, 1, cut_some, &cutting);
		count = take_halves(halves, count, pieces);
	}
	free(room_of_large);
	free(halves);
	return status;
}

/* Cuts the atoms of all species into parts; they are already cut into units of `parts_per_unit` parts, or, if 1,
 * not at all. */
static sonde_status cut_into_parts(const sonde_context *context, const sonde_atoms *atoms, size_t part,
				   size_t parts_per_unit, struct compact_atom *entries)
{
	size_t count = 0, unit = part * parts_per_unit,
	       /* a half that is cut again has more than TASK_ATOMS/4 atoms */
	    room = (size_t)atoms->count / unit + (size_t)atoms->count / (TASK_ATOMS / 4) +
		   (size_t)atoms->species_count + 1;
	struct piece *pieces;

	CHECK(memory_allocate(&pieces, room, sizeof *pieces, "sorting the atoms"));
	for (int s = 0; s < atoms->species_count; ++s) {
		size_t left = (size_t)atoms->species[s].atoms;
		while (left > 0) {
			size_t own = parts_per_unit > 1 && left > unit ? unit : left;
			pieces[count++] = (struct piece){entries, own, part};
			entries += own;
			left -= own;
		}
	}
	sonde_status status = cut_pieces(context, pieces, count, room);
	free(pieces);
	return status;
}

/* Atoms in the order of their species, by blocks of the sample: counts of blocks give the places of their atoms. */
struct gathering {
	const sonde_atoms *atoms;
	struct compact_atom *entries;
	int64_t *next; /* [block][species] */
	bool counts;
};

static void gather_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct gathering *gathering = state;
	const sonde_atoms *atoms = gathering->atoms;

	(void)worker;
	for (int64_t block = first; block < end; ++block) {
		int64_t *next = gathering->next + block * atoms->species_count, last = (block + 1) * BLOCK_ATOMS;
		last = last < atoms->count ? last : atoms->count;
		for (int64_t i = block * BLOCK_ATOMS; i < last; ++i) {
			const double *r = atoms->positions + 3 * i;
			const int64_t place = next[atoms->species_of[i]]++;
			if (!gathering->counts)
				gathering->entries[place] = (struct compact_atom){{r[0], r[1], r[2]}, (uint32_t)i};
		}
	}
}

static sonde_status gather(const sonde_context *context, const sonde_atoms *atoms, struct compact_atom *entries)
{
	const int64_t blocks = (atoms->count + BLOCK_ATOMS - 1) / BLOCK_ATOMS, species = atoms->species_count;
	struct gathering gathering = {.atoms = atoms, .entries = entries, .counts = true};
	int64_t place = 0;

	CHECK(memory_allocate(&gathering.next, (size_t)(blocks * species + 1), sizeof *gathering.next,
			      "sorting the atoms"));
	threads_for(context_threads(context), blocks, 1, gather_some, &gathering);
	for (int64_t s = 0; s < species; ++s)
		for (int64_t block = 0; block < blocks; ++block) {
			const int64_t own = gathering.next[block * species + s];
			gathering.next[block * species + s] = place;
			place += own;
		}
	gathering.counts = false;
	threads_for(context_threads(context), blocks, 1, gather_some, &gathering);
	free(gathering.next);
	return SONDE_OK;
}

sonde_status compact_atoms_sort(const sonde_context *context, const sonde_atoms *atoms, uint32_t atoms_per_tile,
				uint32_t tiles_per_unit, struct compact_atom **entries)
{
	CHECK(memory_allocate_to_fill(entries, (size_t)atoms->count, sizeof **entries, "sorting the atoms"));
	CHECK(gather(context, atoms, *entries));
	CHECK(cut_into_parts(context, atoms, (size_t)atoms_per_tile * tiles_per_unit, 1, *entries));
	if (tiles_per_unit > 1)
		CHECK(cut_into_parts(context, atoms, atoms_per_tile, tiles_per_unit, *entries));
	return context_cancelled(context) ? status_fail(SONDE_CANCELLED, "stopped on request while sorting the atoms")
					  : SONDE_OK;
}
