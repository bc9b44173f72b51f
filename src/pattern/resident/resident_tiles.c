/* Tiles of the direct sum, cut by the device. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "pattern/kernels/pattern_layout.h"
#include "pattern/resident/resident.h"

#define PARTS (TILE_ATOMS / ORDER_TILE) /* tiles of the order in one of the sum */

_Static_assert(TILE_ATOMS == 2 * ORDER_UNIT, "tiles are units of the order");

static sonde_status find_order(const struct pattern_sample *sample, struct device_order *order)
{
	const sonde_atoms *view = &sample->view;
	uint32_t *places;

	CHECK(memory_allocate(&places, (size_t)view->species_count, sizeof *places, "the sorted atoms"));
	for (int c = 1; c < view->species_count; ++c)
		places[c] = places[c - 1] + (uint32_t)view->species[c - 1].atoms;
	const struct device_order_form form = {
	    .places = places, .size = (uint32_t)view->count, .factor = 1.0, .unit = TILE_ATOMS};
	const sonde_status status =
	    device_order_find(sample->resident.device, view, sample->resident.from, &form, order);
	free(places);
	return status;
}

/* The middle of a tile, from the boxes of its parts. */
static void find_middle(const struct pattern_sample *sample, const double (*boxes)[ORDER_BOX], uint32_t parts,
			uint32_t tile, struct pattern_tiles *tiles)
{
	struct tile_reach reach = {.radius = 0.0};
	double square = 0.0;

	for (int k = 0; k < 3; ++k) {
		double low = boxes[0][k], high = boxes[0][3 + k];
		for (uint32_t part = 1; part < parts; ++part) {
			low = fmin(low, boxes[part][k]);
			high = fmax(high, boxes[part][3 + k]);
		}
		tiles->middles[tile][k] = 0.5 * (low + high);
		tiles->centers[3 * (size_t)tile + (size_t)k] = tiles->middles[tile][k] - sample->center[k];
		reach.half[k] = 0.5 * (high - low);
		square += 0.25 * (high - low) * (high - low);
	}
	tiles->reach.radius = fmax(tiles->reach.radius, sqrt(square));
	for (int k = 0; k < 3; ++k)
		tiles->reach.half[k] = fmax(tiles->reach.half[k], reach.half[k]);
}

static sonde_status fill(const struct pattern_sample *sample, struct pattern_tiles *tiles)
{
	const sonde_atoms *view = &sample->view;
	const size_t count = tiles->count;
	uint32_t tile = 0, part = 0, place = 0;

	CHECK(memory_allocate(&tiles->centers, 3 * count, sizeof(double), "the sorted atoms"));
	CHECK(memory_allocate(&tiles->tiles, 2 * count, sizeof *tiles->tiles, "the sorted atoms"));
	CHECK(memory_allocate(&tiles->ordered, count, sizeof *tiles->ordered, "the sorted atoms"));
	CHECK(memory_allocate(&tiles->middles, count, sizeof *tiles->middles, "the sorted atoms"));
	for (int c = 0; c < view->species_count; ++c)
		for (uint32_t left = (uint32_t)view->species[c].atoms; left > 0; ++tile) {
			const uint32_t atoms = left < TILE_ATOMS ? left : TILE_ATOMS,
				       parts = (atoms + ORDER_TILE - 1) / ORDER_TILE;
			tiles->tiles[2 * tile] = (uint32_t)c;
			tiles->tiles[2 * tile + 1] = atoms;
			tiles->ordered[tile] = (struct device_order_tile){place, atoms};
			find_middle(sample, (const double(*)[ORDER_BOX])tiles->order.boxes + part, parts, tile,
				    tiles);
			place += atoms;
			part += parts;
			left -= atoms;
		}
	return SONDE_OK;
}

sonde_status pattern_resident_tiles(const struct pattern_sample *sample, struct pattern_tiles *tiles)
{
	for (int c = 0; c < sample->view.species_count; ++c)
		tiles->count += (uint32_t)((sample->view.species[c].atoms + TILE_ATOMS - 1) / TILE_ATOMS);
	tiles->stored = tiles->count;
	CHECK(find_order(sample, &tiles->order));
	return fill(sample, tiles);
}

sonde_status pattern_resident_load(const struct pattern_tiles *tiles, uint32_t first, uint32_t count, bool single,
				   struct device_buffer *atoms)
{
	return device_order_center(&tiles->order, tiles->ordered + first, (const double(*)[3])tiles->middles + first,
				   count, TILE_ATOMS, single, atoms);
}
