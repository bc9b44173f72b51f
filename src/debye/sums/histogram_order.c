#include "debye/sums/histogram_order.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "debye/kernels/ring_layout.h"

_Static_assert(ORDER_TILE == RING_TILE && ORDER_UNIT == QUAD * RING_TILE,
	       "the tiles of rings are those of the order");
_Static_assert(sizeof(struct box) == ORDER_BOX * sizeof(double), "boxes of tiles are those of the order");

static void set_cell(const struct periodic *periodic, double cell[ORDER_CELL_NUMBERS])
{
	cell[ORDER_CELL_ON] = 1.0;
	memcpy(cell + ORDER_CELL_INVERSE, periodic->inverse, sizeof periodic->inverse);
	memcpy(cell + ORDER_CELL_EDGES, periodic->edges, sizeof periodic->edges);
	memcpy(cell + ORDER_CELL_LOW, periodic->low, sizeof periodic->low);
	for (int k = 0; k < 3; ++k)
		cell[ORDER_CELL_OPEN + k] = periodic->open[k] ? 1.0 : 0.0;
}

sonde_status histogram_order(struct device *device, const sonde_atoms *atoms, const struct device_positions *from,
			     const struct histogram_bins *bins, struct device_order *order, struct tiled_atoms *tiled)
{
	double cell[ORDER_CELL_NUMBERS];
	struct arranged_atoms arranged = {0};
	uint32_t *places = NULL;

	sonde_status status = arrange_tiles(atoms, RING_TILE, &arranged, &places);
	if (status == SONDE_OK) {
		const bool moves = from != NULL && bins->periodic != NULL;
		if (moves)
			set_cell(bins->periodic, cell);
		const struct device_order_form form = {.places = places,
						       .size = arranged.size,
						       .cell = moves ? cell : NULL,
						       .factor = bins->per_angstrom * bins->units_per_bin,
						       .fractions = bins->fractions};
		status = device_order_find(device, atoms, from, &form, order);
	}
	if (status == SONDE_OK)
		status = memory_allocate(&arranged.boxes, arranged.tile_count, sizeof *arranged.boxes, "the tiles");
	free(places);
	if (status != SONDE_OK) {
		arranged_atoms_free(&arranged);
		return status;
	}
	memcpy(arranged.boxes, order->boxes, arranged.tile_count * sizeof *arranged.boxes);
	arranged.ordered = order;
	*tiled = (struct tiled_atoms){.ready = true, .atoms = arranged};
	return SONDE_OK;
}

/* Adds copies of the coordinates of some quads to the queue: those of quad n to numbers + 3 UNIT n, axis by axis. */
static sonde_status fetch_quads(const struct arranged_atoms *atoms, const uint32_t *tiles, uint32_t count,
				double *numbers)
{
	const struct device_order *order = atoms->ordered;
	const struct device_buffer *const axes[] = {&order->x, &order->y, &order->z};

	for (uint32_t n = 0; n < count; ++n) {
		const uint32_t first = atoms->tiles[tiles[n]].first, end = atoms->tiles[tiles[n] + QUAD - 1].end;
		for (size_t k = 0; k < 3; ++k)
			CHECK(device_fetch(order->device, axes[k], first * sizeof(double),
					   numbers + (3 * (size_t)n + k) * ORDER_UNIT,
					   (end - first) * sizeof(double)));
	}
	return SONDE_OK;
}

sonde_status histogram_order_repeats(const struct arranged_atoms *atoms, int species,
				     const struct histogram_bins *bins, bool *repeats)
{
	struct device *device = atoms->ordered->device;
	uint32_t tiles[QUADS_LOOKED_AT];
	void *memory;

	*repeats = false;
	CHECK(device_host_allocate(device, sizeof(double[QUADS_LOOKED_AT][3][ORDER_UNIT]), "the order of the atoms",
				   &memory));
	sonde_status status = SONDE_OK;
	for (int s = 0; s < species && status == SONDE_OK && !*repeats; ++s) {
		const uint32_t count = histogram_quads_looked_at(atoms, s, tiles);
		double(*quads)[3][ORDER_UNIT] = memory;
		status = fetch_quads(atoms, tiles, count, memory);
		if (status == SONDE_OK)
			status = device_wait(device);
		if (status == SONDE_OK)
			*repeats = histogram_quads_repeat(atoms, tiles, count, quads, 1.0 / bins->units_per_bin);
	}
	if (status != SONDE_OK)
		(void)device_wait(device); /* copies may be in progress */
	device_host_release(device, memory);
	return status;
}
