/* Atoms in the order required by the kernels. */
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "debye/debye.h"
#include "matter/atoms/compact_atoms.h"

#define TASK_ATOMS 16384 /* copied at a time by a thread */

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
	const struct compact_atom *entries;
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

/* The places between species and after the last one. */
static void clear_padding(const sonde_atoms *atoms, struct arranged_atoms *arranged)
{
	for (int s = 0; s < atoms->species_count; ++s) {
		const uint64_t from = place_species(atoms, s) + (uint64_t)atoms->species[s].atoms,
			       to = s + 1 < atoms->species_count ? place_species(atoms, s + 1) : arranged->size;
		for (uint64_t i = from; i < to; ++i) {
			arranged->x[i] = arranged->y[i] = arranged->z[i] = 0.0;
			arranged->atom[i] = 0;
		}
	}
}

/* Copies the sorted atoms to their places. */
static void copy_sorted(const sonde_context *context, const sonde_atoms *atoms, const struct compact_atom *entries,
			struct arranged_atoms *arranged)
{
	for (int s = 0; s < atoms->species_count; ++s) {
		struct copying copying = {entries, place_species(atoms, s), arranged};
		threads_for(context_threads(context), atoms->species[s].atoms, TASK_ATOMS, copy_some, &copying);
		entries += atoms->species[s].atoms;
	}
}

static sonde_status begin(const sonde_atoms *atoms, struct arranged_atoms *arranged)
{
	const uint64_t size = place_species(atoms, atoms->species_count) + ARRANGED_ALIGNMENT;

	*arranged = (struct arranged_atoms){0};
	if (size > UINT32_MAX)
		return status_fail(SONDE_INVALID, "too many atoms and species: %llu places in arrays of 32 bits",
				   (unsigned long long)size);
	arranged->size = (uint32_t)size;
	return SONDE_OK;
}

sonde_status arrange_tiles(const sonde_atoms *atoms, uint32_t atoms_per_tile, struct arranged_atoms *arranged,
			   uint32_t **places)
{
	CHECK(begin(atoms, arranged));
	CHECK(memory_allocate(places, (size_t)atoms->species_count, sizeof **places, "tiles"));
	for (int s = 0; s < atoms->species_count; ++s)
		(*places)[s] = (uint32_t)place_species(atoms, s);
	const sonde_status status = cut_into_tiles(atoms, atoms_per_tile, arranged);
	if (status != SONDE_OK)
		arranged_atoms_free(arranged);
	return status;
}

sonde_status arrange_atoms(const sonde_context *context, const sonde_atoms *atoms, uint32_t atoms_per_tile,
			   uint32_t tiles_per_unit, struct arranged_atoms *arranged)
{
	struct compact_atom *entries = NULL;
	double **axis[3] = {&arranged->x, &arranged->y, &arranged->z};
	sonde_status status;

	CHECK(begin(atoms, arranged));
	CHECK_GOTO(status, compact_atoms_sort(context, atoms, atoms_per_tile, tiles_per_unit, &entries), failed);
	for (int k = 0; k < 3; ++k)
		CHECK_GOTO(status,
			   memory_allocate_to_fill(axis[k], arranged->size, sizeof(double), "the sorted atoms"),
			   failed);
	CHECK_GOTO(
	    status,
	    memory_allocate_to_fill(&arranged->atom, arranged->size, sizeof *arranged->atom, "the sorted atoms"),
	    failed);
	copy_sorted(context, atoms, entries, arranged);
	clear_padding(atoms, arranged);
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
	free(arranged->boxes);
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
