/* Atoms in the order that kernels want. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "debye/debye.h"

#define CURVE_BITS 16 /* per axis */

struct sort_entry {
	uint64_t key; /* species, then place on the curve */
	uint32_t atom;
};

/* Moves bit i of a 16-bit number to bit 3 i. */
static uint64_t spread_bits(uint64_t v)
{
	v = (v | v << 16) & UINT64_C(0x0000FF0000FF);
	v = (v | v << 8) & UINT64_C(0x00F00F00F00F);
	v = (v | v << 4) & UINT64_C(0x0C30C30C30C3);
	v = (v | v << 2) & UINT64_C(0x249249249249);
	return v;
}

/* Sorts by key, least significant digits first, so that equal keys keep their order. Both arrays have `count`
 * entries; the sorted one is *entries. */
static sonde_status sort_entries(const sonde_context *context, struct sort_entry **entries, struct sort_entry **spare,
				 size_t count, int key_bits)
{
	enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

	for (int shift = 0; shift < key_bits; shift += DIGIT_BITS) {
		size_t place[DIGITS] = {0}, next = 0;
		for (size_t i = 0; i < count; ++i)
			++place[(*entries)[i].key >> shift & (DIGITS - 1)];
		for (int digit = 0; digit < DIGITS; ++digit) {
			size_t here = place[digit];
			place[digit] = next;
			next += here;
		}
		for (size_t i = 0; i < count; ++i)
			(*spare)[place[(*entries)[i].key >> shift & (DIGITS - 1)]++] = (*entries)[i];
		struct sort_entry *sorted = *spare;
		*spare = *entries;
		*entries = sorted;
		if (context_cancelled(context))
			return status_fail(SONDE_CANCELLED, "stopped on request while sorting the atoms");
	}
	return SONDE_OK;
}

static void box_of_atoms(const sonde_atoms *atoms, double low[3], double high[3])
{
	for (int k = 0; k < 3; ++k)
		low[k] = high[k] = atoms->positions[k];
	for (int64_t i = 0; i < atoms->count; ++i) {
		for (int k = 0; k < 3; ++k) {
			low[k] = fmin(low[k], atoms->positions[3 * i + k]);
			high[k] = fmax(high[k], atoms->positions[3 * i + k]);
		}
	}
}

/* Sorts the atoms by species and along Morton's curve through a cubic grid over the sample. */
static sonde_status sort_atoms(const sonde_context *context, const sonde_atoms *atoms, struct sort_entry **entries)
{
	double low[3], high[3], edge = 0.0;
	struct sort_entry *spare = NULL;
	int species_bits = 1;
	sonde_status status;

	box_of_atoms(atoms, low, high);
	for (int k = 0; k < 3; ++k)
		edge = fmax(edge, high[k] - low[k]);
	double cells = edge > 0.0 ? ((1 << CURVE_BITS) - 1) / edge : 0.0;
	CHECK(memory_allocate(entries, (size_t)atoms->count, sizeof **entries, "sorting the atoms"));
	for (int64_t i = 0; i < atoms->count; ++i) {
		uint64_t key = 0;
		for (int k = 0; k < 3; ++k)
			key |= spread_bits((uint64_t)((atoms->positions[3 * i + k] - low[k]) * cells)) << k;
		(*entries)[i] =
		    (struct sort_entry){(uint64_t)atoms->species_of[i] << (3 * CURVE_BITS) | key, (uint32_t)i};
	}
	while (atoms->species_count >> species_bits != 0)
		++species_bits;
	CHECK(memory_allocate(&spare, (size_t)atoms->count, sizeof *spare, "sorting the atoms"));
	status = sort_entries(context, entries, &spare, (size_t)atoms->count, 3 * CURVE_BITS + species_bits);
	free(spare);
	return status;
}

/* Where a species begins in the arrays; for the number of species, where the last one ends. */
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

/* Copies one coordinate of the sorted atoms into place. */
static sonde_status copy_axis(const sonde_atoms *atoms, const struct sort_entry *entries, int axis, uint32_t size,
			      double **values)
{
	int64_t sorted = 0;

	CHECK(memory_allocate(values, size, sizeof(double), "the sorted atoms"));
	for (int s = 0; s < atoms->species_count; ++s) {
		double *place = *values + place_species(atoms, s);
		for (int64_t i = 0; i < atoms->species[s].atoms; ++i)
			place[i] = atoms->positions[3 * (int64_t)entries[sorted++].atom + axis];
	}
	return SONDE_OK;
}

sonde_status arrange_atoms(const sonde_context *context, const sonde_atoms *atoms, uint32_t atoms_per_tile,
			   struct arranged_atoms *arranged)
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
	CHECK_GOTO(status, sort_atoms(context, atoms, &entries), failed);
	for (int k = 0; k < 3; ++k)
		CHECK_GOTO(status, copy_axis(atoms, entries, k, arranged->size, axis[k]), failed);
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

double grid_value(const sonde_grid *grid, int64_t k)
{
	if (k == grid->points - 1)
		return grid->last;
	return grid->first + (grid->last - grid->first) * ((double)k / (double)(grid->points - 1));
}
