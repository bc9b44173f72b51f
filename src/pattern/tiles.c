/* The atoms of a sample in compact tiles. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matter/atoms/compact_atoms.h"
#include "matter/atoms/placed_atoms.h"
#include "parallel/parallel.h"
#include "pattern/kernels/pattern_layout.h"
#include "pattern/pattern.h"
#include "pattern/resident/resident.h"

#define TILES_OF_THREAD 64
#define MOST_TILES 4e9
#define MOST_WASTE 1.5
#define BYTES_OF_SORTING 90.0 /* for each atom */
#define LEAST_SHARED 65536    /* atoms that several ranks order together */

struct filling {
	const double *origin; /* of the centers */
	const struct compact_atom *sorted;
	const int64_t *first;     /* atom of each tile */
	struct tile_reach *reach; /* of each tile */
	struct pattern_tiles *tiles;
};

static void fill_tile(const struct filling *filling, int64_t tile)
{
	const struct compact_atom *atoms = filling->sorted + filling->first[tile];
	const uint32_t count = filling->tiles->tiles[2 * tile + 1];
	double square = 0.0;

	for (int k = 0; k < 3; ++k) {
		double *to = filling->tiles->atoms + (3 * tile + k) * TILE_ATOMS, low = atoms[0].r[k], high = low;
		for (uint32_t a = 1; a < count; ++a) {
			low = fmin(low, atoms[a].r[k]);
			high = fmax(high, atoms[a].r[k]);
		}
		const double center = 0.5 * (low + high);
		filling->tiles->centers[3 * tile + k] = center - filling->origin[k];
		for (uint32_t a = 0; a < count; ++a)
			to[a] = atoms[a].r[k] - center;
		memset(to + count, 0, (TILE_ATOMS - count) * sizeof *to);
		filling->reach[tile].half[k] = 0.5 * (high - low);
		square += 0.25 * (high - low) * (high - low);
	}
	filling->reach[tile].radius = sqrt(square);
}

static void extend(const struct tile_reach *by, struct tile_reach *reach)
{
	reach->radius = fmax(reach->radius, by->radius);
	for (int k = 0; k < 3; ++k)
		reach->half[k] = fmax(reach->half[k], by->half[k]);
}

static void fill_some(void *state, int64_t first, int64_t end, int worker)
{
	(void)worker;
	for (int64_t tile = first; tile < end; ++tile)
		fill_tile(state, tile);
}

/* The atoms of each tile: those of one class. */
static void cut(const sonde_atoms *view, int64_t *first, struct pattern_tiles *tiles)
{
	int64_t tile = 0, atom = 0;

	for (int c = 0; c < view->species_count; ++c)
		for (int64_t left = view->species[c].atoms; left > 0; ++tile) {
			const int64_t count = left < (int64_t)TILE_ATOMS ? left : (int64_t)TILE_ATOMS;
			first[tile] = atom;
			tiles->tiles[2 * tile] = (uint32_t)c;
			tiles->tiles[2 * tile + 1] = (uint32_t)count;
			atom += count;
			left -= count;
		}
}

static sonde_status make(const sonde_context *context, const sonde_atoms *view, const double origin[3],
			 const struct compact_atom *sorted, struct pattern_tiles *tiles)
{
	struct filling filling = {.origin = origin, .sorted = sorted, .tiles = tiles};
	const size_t count = tiles->count;
	int64_t *first;

	CHECK(memory_allocate_to_fill(&tiles->atoms, 3 * TILE_ATOMS * count, sizeof(double), "the sorted atoms"));
	CHECK(memory_allocate(&tiles->centers, 3 * count, sizeof(double), "the sorted atoms"));
	CHECK(memory_allocate(&tiles->tiles, 2 * count, sizeof *tiles->tiles, "the sorted atoms"));
	CHECK(memory_allocate(&first, count, sizeof *first, "the sorted atoms"));
	const sonde_status status = memory_allocate(&filling.reach, count, sizeof *filling.reach, "the sorted atoms");
	if (status != SONDE_OK) {
		free(first);
		return status;
	}
	cut(view, first, tiles);
	filling.first = first;
	threads_for(context != NULL ? context_threads(context) : 1, (int64_t)count, TILES_OF_THREAD, fill_some,
		    &filling);
	for (size_t tile = 0; tile < count; ++tile)
		extend(&filling.reach[tile], &tiles->reach);
	free(filling.reach);
	free(first);
	return SONDE_OK;
}

/* All ranks come to this, with the same atoms. */
static sonde_status sort(const sonde_context *context, const sonde_atoms *view, struct compact_atom **sorted)
{
	return context != NULL && parallel_size(context_ranks(context)) > 1 && view->count >= LEAST_SHARED
		   ? compact_atoms_sort_by_ranks(context, view, TILE_ATOMS, sorted)
		   : compact_atoms_sort(context, view, TILE_ATOMS, 1, sorted);
}

/* Of atoms that are stored, of classes as species. */
static sonde_status make_tiles(const sonde_context *context, const sonde_atoms *view, const double origin[3],
			       struct pattern_tiles *tiles)
{
	struct compact_atom *sorted = NULL;

	if (view->count > (int64_t)UINT32_MAX)
		return status_fail(SONDE_INVALID, "%lld atoms are more than %u", (long long)view->count, UINT32_MAX);
	for (int c = 0; c < view->species_count; ++c)
		tiles->count += (uint32_t)((view->species[c].atoms + TILE_ATOMS - 1) / TILE_ATOMS);
	tiles->stored = tiles->count;
	sonde_status status = sort(context, view, &sorted);
	if (status == SONDE_OK)
		status = make(context, view, origin, sorted, tiles);
	free(sorted);
	return status;
}

/* Copies -------------------------------------------------------------------------------------------------------- */

/* Appends the tiles of a structure. */
static sonde_status append(const struct pattern_tiles *part, struct pattern_tiles *tiles)
{
	const size_t before = tiles->stored, count = part->stored;

	CHECK(memory_grow(&tiles->atoms, &tiles->atoms_capacity, 3 * TILE_ATOMS * (before + count), sizeof(double),
			  "the sorted atoms"));
	CHECK(memory_grow(&tiles->centers, &tiles->centers_capacity, 3 * (before + count), sizeof(double),
			  "the sorted atoms"));
	CHECK(memory_grow(&tiles->tiles, &tiles->tiles_capacity, 2 * (before + count), sizeof *tiles->tiles,
			  "the sorted atoms"));
	memcpy(tiles->atoms + 3 * TILE_ATOMS * before, part->atoms, 3 * TILE_ATOMS * count * sizeof(double));
	memcpy(tiles->centers + 3 * before, part->centers, 3 * count * sizeof(double));
	memcpy(tiles->tiles + 2 * before, part->tiles, 2 * count * sizeof *part->tiles);
	tiles->stored += part->stored;
	/* copies are turned */
	const double radius = part->reach.radius;
	extend(&(struct tile_reach){radius, {radius, radius, radius}}, &tiles->reach);
	return SONDE_OK;
}

/* The atoms of the structure of a group; *species are those of the part. */
static sonde_atoms take_structure(const struct pattern_sample *sample, const struct pattern_copies_of *group,
				  struct species *species)
{
	sonde_atoms part = sample->view;

	part.positions += 3 * group->first;
	part.species_of += group->first;
	part.count = group->atoms;
	part.species = species;
	for (int c = 0; c < part.species_count; ++c)
		species[c].atoms = 0;
	for (int64_t i = 0; i < part.count; ++i)
		++species[part.species_of[i]].atoms;
	return part;
}

static sonde_status make_copies(const sonde_context *context, const struct pattern_sample *sample,
				struct species *species, struct pattern_tiles *tiles)
{
	static const double origin[3] = {0.0, 0.0, 0.0};
	double all = 0.0;

	tiles->copies = &sample->copies;
	for (int g = 0; g < sample->copies.count; ++g) {
		const struct pattern_copies_of *group = &sample->copies.groups[g];
		const sonde_atoms structure = take_structure(sample, group, species);
		struct pattern_tiles part = {.count = 0};
		sonde_status status = make_tiles(context, &structure, origin, &part);
		if (status == SONDE_OK)
			status = append(&part, tiles);
		tiles->of_group[g] = part.stored;
		all += (double)part.stored * (double)group->copies;
		pattern_tiles_free(&part);
		CHECK(status);
	}
	if (all > MOST_TILES)
		return status_fail(SONDE_INVALID, "%.3g tiles of atoms are too many for the direct sum", all);
	tiles->count = (uint32_t)all;
	return SONDE_OK;
}

/* Atoms of small structures would fill their tiles in part only: those of all copies are sorted, if there is room for them. */
static bool is_wasteful(const sonde_context *context, const struct pattern_sample *sample,
			const struct pattern_tiles *tiles)
{
	return (double)tiles->count * TILE_ATOMS > MOST_WASTE * (double)sample->count &&
	       (context == NULL ||
		BYTES_OF_SORTING * (double)sample->count < 0.5 * (double)context_host_memory(context));
}

/* The view with the atoms of all copies. */
static sonde_status make_expanded(const sonde_context *context, const struct pattern_sample *sample,
				  struct pattern_tiles *tiles)
{
	sonde_atoms all = sample->view;
	int64_t n = 0;

	all.count = sample->count;
	CHECK(memory_allocate(&all.positions, 3 * (size_t)all.count, sizeof(double), "the atoms"));
	sonde_status status =
	    memory_allocate(&all.species_of, (size_t)all.count, sizeof *all.species_of, "the atoms");
	for (int g = 0; g < sample->copies.count && status == SONDE_OK; ++g) {
		const struct pattern_copies_of *group = &sample->copies.groups[g];
		for (int64_t copy = 0; copy < group->copies; ++copy)
			for (int64_t i = group->first; i < group->first + group->atoms; ++i, ++n) {
				placement_apply(&sample->copies.placements[group->first_copy + copy],
						sample->view.positions + 3 * i, all.positions + 3 * n);
				all.species_of[n] = sample->view.species_of[i];
			}
	}
	if (status == SONDE_OK)
		status = make_tiles(context, &all, sample->center, tiles);
	free(all.positions);
	free(all.species_of);
	return status;
}

sonde_status pattern_tiles_make(const sonde_context *context, const struct pattern_sample *sample,
				struct pattern_tiles *tiles)
{
	struct species *species;

	*tiles = (struct pattern_tiles){.count = 0};
	if (pattern_is_resident(sample))
		return pattern_resident_tiles(sample, tiles);
	if (sample->copies.count == 0)
		return make_tiles(context, &sample->view, sample->center, tiles);
	CHECK(memory_allocate(&species, (size_t)sample->class_count, sizeof *species, "the species"));
	sonde_status status = make_copies(context, sample, species, tiles);
	if (status == SONDE_OK && is_wasteful(context, sample, tiles)) {
		pattern_tiles_free(tiles);
		status = make_expanded(context, sample, tiles);
	}
	free(species);
	return status;
}

void pattern_tiles_free(struct pattern_tiles *tiles)
{
	free(tiles->atoms);
	free(tiles->centers);
	free(tiles->tiles);
	free(tiles->ordered);
	free(tiles->middles);
	device_order_release(&tiles->order);
	*tiles = (struct pattern_tiles){.count = 0};
}
