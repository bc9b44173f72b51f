/* Atoms in the order required by the kernels. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "debye/debye.h"

#define TASK_ATOMS 16384 /* larger parts are split by separate threads */

struct sort_entry {
	double r[3];
	uint32_t atom;
};

/* A total order: no two entries are equal, so that the result does not depend on the algorithm. The other axes come
 * second, so that a plane of a crystal is not split at random. */
static bool before(const struct sort_entry *a, const struct sort_entry *b, int axis)
{
	for (int k = 0; k < 3; ++k, axis = (axis + 1) % 3)
		if (a->r[axis] != b->r[axis])
			return a->r[axis] < b->r[axis];
	return a->atom < b->atom;
}

static void swap_entries(struct sort_entry *a, struct sort_entry *b)
{
	struct sort_entry kept = *a;

	*a = *b;
	*b = kept;
}

/* Puts the `middle` smallest of `count` entries first (Hoare's selection). */
static void select_smallest(struct sort_entry *entries, size_t count, size_t middle, int axis)
{
	size_t low = 0, high = count;

	while (high - low > 1) {
		struct sort_entry pivot = entries[low + (high - low) / 2];
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

static int longest_axis(const struct sort_entry *entries, size_t count)
{
	double low[3], high[3];
	int longest = 0;

	for (int k = 0; k < 3; ++k) {
		low[k] = high[k] = entries[0].r[k];
		for (size_t i = 1; i < count; ++i) {
			low[k] = entries[i].r[k] < low[k] ? entries[i].r[k] : low[k];
			high[k] = entries[i].r[k] > high[k] ? entries[i].r[k] : high[k];
		}
		if (high[k] - low[k] > high[longest] - low[longest])
			longest = k;
	}
	return longest;
}

/* Atoms of one species to be cut into compact parts of `part` atoms, except the last one: across the
 * longest edge, recursively in halves of whole parts. */
struct piece {
	struct sort_entry *entries;
	size_t count, part;
};

static bool is_whole(const struct piece *piece)
{
	return piece->count <= piece->part;
}

static void cut_in_two(const struct piece *piece, struct piece halves[2])
{
	size_t parts = (piece->count + piece->part - 1) / piece->part, middle = parts / 2 * piece->part;

	select_smallest(piece->entries, piece->count, middle, longest_axis(piece->entries, piece->count));
	halves[0] = (struct piece){piece->entries, middle, piece->part};
	halves[1] = (struct piece){piece->entries + middle, piece->count - middle, piece->part};
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

/* Pieces cut in parallel by threads: large ones once, into `halves`, smaller ones completely. */
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

/* Halves every piece, then the halves, until none is left. `pieces` has room for `room`. */
static sonde_status cut_pieces(const sonde_context *context, struct piece *pieces, size_t count, size_t room)
{
	struct piece(*halves)[2];

	CHECK(memory_allocate(&halves, room, sizeof *halves, "sorting the atoms"));
	while (count > 0 && !context_cancelled(context)) {
		struct cutting cutting = {context, pieces, halves};
		memset(halves, 0, count * sizeof *halves);
		threads_for(context_threads(context), (int64_t)count, 1, cut_some, &cutting);
		count = take_halves(halves, count, pieces);
	}
	free(halves);
	return SONDE_OK;
}

/* Cuts the atoms of all species into parts; they are already cut into units of `parts_per_unit` parts, or, if 1,
 * not at all. */
static sonde_status cut_into_parts(const sonde_context *context, const sonde_atoms *atoms, size_t part,
				   size_t parts_per_unit, struct sort_entry *entries)
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

/* The atoms, species by species, each cut into compact tiles. */
static sonde_status sort_atoms(const sonde_context *context, const sonde_atoms *atoms, uint32_t atoms_per_tile,
			       uint32_t tiles_per_unit, struct sort_entry **entries)
{
	int64_t *next = NULL;

	CHECK(memory_allocate(entries, (size_t)atoms->count, sizeof **entries, "sorting the atoms"));
	CHECK(memory_allocate(&next, (size_t)atoms->species_count + 1, sizeof *next, "sorting the atoms"));
	for (int s = 0; s < atoms->species_count; ++s)
		next[s + 1] = next[s] + atoms->species[s].atoms;
	for (int64_t i = 0; i < atoms->count; ++i) {
		const double *r = atoms->positions + 3 * i;
		(*entries)[next[atoms->species_of[i]]++] = (struct sort_entry){{r[0], r[1], r[2]}, (uint32_t)i};
	}
	free(next);
	CHECK(cut_into_parts(context, atoms, (size_t)atoms_per_tile * tiles_per_unit, 1, *entries));
	if (tiles_per_unit > 1)
		CHECK(cut_into_parts(context, atoms, atoms_per_tile, tiles_per_unit, *entries));
	return context_cancelled(context) ? status_fail(SONDE_CANCELLED, "stopped on request while sorting the atoms")
					  : SONDE_OK;
}

/* Start of a species in the arrays; for index species_count, the end of the last one. */
static uint64_t place_species(const sonde_atoms *atoms, int species)
{
	uint64_t place = 0;

	for (int s = 0; s < species; ++s)
		place += ((uint64_t)atoms->species[s].atoms + ARRANGED_ALIGNMENT - 1) / ARRANGED_ALIGNMENT *
			 ARRANGED_ALIGNMENT;
	return place;
}

static sonde_status cut_into_tiles(const sonde_atoms *atoms, uint32_t atoms_per_tile, struct arranged_atoms *arranged)
{
	int species = atoms->species_count;
	uint32_t tile = 0;

	CHECK(memory_allocate(&arranged->species_first_tile, (size_t)species + 1,
			      sizeof *arranged->species_first_tile, "tiles"));
	for (int s = 0; s < species; ++s) {
		arranged->species_first_tile[s] = tile;
		tile += (uint32_t)((atoms->species[s].atoms + atoms_per_tile - 1) / atoms_per_tile);
	}
	arranged->species_first_tile[species] = arranged->tile_count = tile;
	CHECK(memory_allocate(&arranged->tiles, tile, sizeof *arranged->tiles, "tiles"));
	tile = 0;
	for (int s = 0; s < species; ++s) {
		uint32_t first = (uint32_t)place_species(atoms, s), last = first + (uint32_t)atoms->species[s].atoms;
		for (; first < last; first += atoms_per_tile) {
			uint32_t end = last - first < atoms_per_tile ? last : first + atoms_per_tile;
			arranged->tiles[tile++] = (struct arranged_tile){first, end};
			if (end == last)
				break;
		}
	}
	return SONDE_OK;
}

struct copying {
	const struct sort_entry *entries;
	uint64_t place;
	struct arranged_atoms *arranged;
};

static void copy_some(void *state, int64_t first, int64_t end, int worker)
{
	const struct copying *copying = state;
	struct arranged_atoms *arranged = copying->arranged;

	(void)worker;
	for (int64_t i = first; i < end; ++i) {
		const double *r = copying->entries[i].r;
		arranged->x[copying->place + (uint64_t)i] = r[0];
		arranged->y[copying->place + (uint64_t)i] = r[1];
		arranged->z[copying->place + (uint64_t)i] = r[2];
		arranged->atom[copying->place + (uint64_t)i] = copying->entries[i].atom;
	}
}

/* Copies the sorted atoms to their places. */
static void copy_sorted(const sonde_context *context, const sonde_atoms *atoms, const struct sort_entry *entries,
			struct arranged_atoms *arranged)
{
	for (int s = 0; s < atoms->species_count; ++s) {
		struct copying copying = {entries, place_species(atoms, s), arranged};
		threads_for(context_threads(context), atoms->species[s].atoms, TASK_ATOMS, copy_some, &copying);
		entries += atoms->species[s].atoms;
	}
}

sonde_status arrange_atoms(const sonde_context *context, const sonde_atoms *atoms, uint32_t atoms_per_tile,
			   uint32_t tiles_per_unit, struct arranged_atoms *arranged)
{
	struct sort_entry *entries = NULL;
	double **axis[3] = {&arranged->x, &arranged->y, &arranged->z};
	uint64_t size = place_species(atoms, atoms->species_count) + ARRANGED_ALIGNMENT;
	sonde_status status;

	*arranged = (struct arranged_atoms){0};
	if (size > UINT32_MAX)
		return status_fail(SONDE_INVALID, "too many atoms and species: %llu places in arrays of 32 bits",
				   (unsigned long long)size);
	arranged->size = (uint32_t)size;
	CHECK_GOTO(status, sort_atoms(context, atoms, atoms_per_tile, tiles_per_unit, &entries), failed);
	for (int k = 0; k < 3; ++k)
		CHECK_GOTO(status, memory_allocate(axis[k], arranged->size, sizeof(double), "the sorted atoms"),
			   failed);
	CHECK_GOTO(status,
		   memory_allocate(&arranged->atom, arranged->size, sizeof *arranged->atom, "the sorted atoms"),
		   failed);
	copy_sorted(context, atoms, entries, arranged);
	free(entries);
	entries = NULL;
	CHECK_GOTO(status, cut_into_tiles(atoms, atoms_per_tile, arranged), failed);
	return SONDE_OK;
failed:
	free(entries);
	arranged_atoms_free(arranged);
	return status;
}

void arranged_atoms_free(struct arranged_atoms *arranged)
{
	free(arranged->x);
	free(arranged->y);
	free(arranged->z);
	free(arranged->atom);
	free(arranged->u);
	free(arranged->tiles);
	free(arranged->species_first_tile);
	*arranged = (struct arranged_atoms){0};
}

struct tile_walk tile_walk_begin(const struct arranged_atoms *arranged, int species_a, int species_b)
{
	const uint32_t *first = arranged->species_first_tile;
	struct tile_walk walk = {.a = first[species_a],
				 .a_end = first[species_a + 1],
				 .b = first[species_b],
				 .b_first = first[species_b],
				 .b_end = first[species_b + 1],
				 .like = species_a == species_b};
	return walk;
}

bool tile_walk_next(struct tile_walk *walk, struct tile_pair *pair)
{
	if (walk->a >= walk->a_end || walk->b >= walk->b_end)
		return false;
	*pair = (struct tile_pair){.a = walk->a, .b = walk->b};
	if (++walk->b == walk->b_end) {
		++walk->a;
		walk->b = walk->like ? walk->a : walk->b_first;
	}
	return true;
}

/* Number of pairs of the first `rows` of `tiles` tiles of one species with themselves and the following ones. */
static uint64_t pairs_of_rows(uint64_t rows, uint64_t tiles)
{
	return rows > 0 ? rows * tiles - rows * (rows - 1) / 2 : 0;
}

uint64_t tile_walk_count(const struct arranged_atoms *arranged, int species_a, int species_b)
{
	const uint32_t *first = arranged->species_first_tile;
	uint64_t m = first[species_a + 1] - first[species_a], n = first[species_b + 1] - first[species_b];

	return species_a == species_b ? pairs_of_rows(m, m) : m * n;
}

struct tile_walk tile_walk_at(const struct arranged_atoms *arranged, int species_a, int species_b, uint64_t number)
{
	struct tile_walk walk = tile_walk_begin(arranged, species_a, species_b);
	uint64_t tiles = walk.b_end - walk.b_first, low = 0, high = walk.a_end - walk.a;

	if (!walk.like) {
		walk.a += (uint32_t)(number / tiles);
		walk.b += (uint32_t)(number % tiles);
		return walk;
	}
	/* the last row that begins at or before the number */
	while (high - low > 1) {
		uint64_t middle = (low + high) / 2;
		if (pairs_of_rows(middle, tiles) <= number)
			low = middle;
		else
			high = middle;
	}
	walk.a += (uint32_t)low;
	walk.b = walk.a + (uint32_t)(number - pairs_of_rows(low, tiles));
	return walk;
}

double tile_pair_pairs(const struct arranged_atoms *arranged, const struct tile_pair *pair)
{
	double m = arranged->tiles[pair->a].end - arranged->tiles[pair->a].first;
	double n = arranged->tiles[pair->b].end - arranged->tiles[pair->b].first;

	return pair->a == pair->b ? m * (m - 1) / 2 : m * n;
}

int species_pair_count(int species)
{
	return species * (species + 1) / 2;
}

int species_pair_index(int species, int a, int b)
{
	return a * species - a * (a - 1) / 2 + (b - a);
}

double pair_sums_q(const struct pair_sums *sums, int64_t k)
{
	return sums->q_values != NULL ? sums->q_values[k] : grid_value(&sums->q, k);
}
