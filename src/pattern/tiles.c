/* The atoms of a sample in compact tiles. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "matter/atoms/compact_atoms.h"
#include "pattern/kernels/pattern_layout.h"
#include "pattern/pattern.h"

#define TILES_OF_THREAD 64

struct filling {
	const struct pattern_sample *sample;
	const struct compact_atom *sorted;
	const int64_t *first; /* atom of each tile */
	double *reach;        /* of each tile */
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
		filling->tiles->centers[3 * tile + k] = center - filling->sample->center[k];
		for (uint32_t a = 0; a < count; ++a)
			to[a] = atoms[a].r[k] - center;
		square += 0.25 * (high - low) * (high - low);
	}
	filling->reach[tile] = sqrt(square);
}

static void fill_some(void *state, int64_t first, int64_t end, int worker)
{
	(void)worker;
	for (int64_t tile = first; tile < end; ++tile)
		fill_tile(state, tile);
}

/* The atoms of each tile: those of one class. */
static void cut(const struct pattern_sample *sample, int64_t *first, struct pattern_tiles *tiles)
{
	int64_t tile = 0, atom = 0;

	for (int c = 0; c < sample->class_count; ++c)
		for (int64_t left = sample->view.species[c].atoms; left > 0; ++tile) {
			const int64_t count = left < (int64_t)TILE_ATOMS ? left : (int64_t)TILE_ATOMS;
			first[tile] = atom;
			tiles->tiles[2 * tile] = (uint32_t)c;
			tiles->tiles[2 * tile + 1] = (uint32_t)count;
			atom += count;
			left -= count;
		}
}

static sonde_status make(const sonde_context *context, const struct pattern_sample *sample,
			 const struct compact_atom *sorted, struct pattern_tiles *tiles)
{
	struct filling filling = {.sample = sample, .sorted = sorted, .tiles = tiles};
	const size_t count = tiles->count;
	int64_t *first;

	CHECK(memory_allocate(&tiles->atoms, 3 * TILE_ATOMS * count, sizeof(double), "the sorted atoms"));
	CHECK(memory_allocate(&tiles->centers, 3 * count, sizeof(double), "the sorted atoms"));
	CHECK(memory_allocate(&tiles->tiles, 2 * count, sizeof *tiles->tiles, "the sorted atoms"));
	CHECK(memory_allocate(&first, count, sizeof *first, "the sorted atoms"));
	const sonde_status status = memory_allocate(&filling.reach, count, sizeof *filling.reach, "the sorted atoms");
	if (status != SONDE_OK) {
		free(first);
		return status;
	}
	cut(sample, first, tiles);
	filling.first = first;
	threads_for(context != NULL ? context_threads(context) : 1, (int64_t)count, TILES_OF_THREAD, fill_some,
		    &filling);
	for (size_t tile = 0; tile < count; ++tile)
		tiles->reach = fmax(tiles->reach, filling.reach[tile]);
	free(filling.reach);
	free(first);
	return SONDE_OK;
}

sonde_status pattern_tiles_make(const sonde_context *context, const struct pattern_sample *sample,
				struct pattern_tiles *tiles)
{
	struct compact_atom *sorted = NULL;

	*tiles = (struct pattern_tiles){.count = 0};
	if (sample->view.count > (int64_t)UINT32_MAX)
		return status_fail(SONDE_INVALID, "%lld atoms are more than %u", (long long)sample->view.count,
				   UINT32_MAX);
	for (int c = 0; c < sample->class_count; ++c)
		tiles->count += (uint32_t)((sample->view.species[c].atoms + TILE_ATOMS - 1) / TILE_ATOMS);
	sonde_status status = compact_atoms_sort(context, &sample->view, TILE_ATOMS, 1, &sorted);
	if (status == SONDE_OK)
		status = make(context, sample, sorted, tiles);
	free(sorted);
	return status;
}

void pattern_tiles_free(struct pattern_tiles *tiles)
{
	free(tiles->atoms);
	free(tiles->centers);
	free(tiles->tiles);
	*tiles = (struct pattern_tiles){.count = 0};
}
