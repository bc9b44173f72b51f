#include "debye/sums/exact_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "debye/classes/resident.h"
#include "matter/atoms/atoms_gpu.h"

#define FETCHED 1024 /* tiles that are copied together */

static sonde_status find(struct device *device, const sonde_atoms *atoms, const struct device_positions *from,
			 struct device_order *order)
{
	struct arranged_atoms arranged = {0};
	uint32_t *places = NULL;

	sonde_status status = arrange_tiles(atoms, ORDER_TILE, &arranged, &places);
	if (status == SONDE_OK) {
		const struct device_order_form form = {.places = places, .size = arranged.size, .factor = 1.0};
		status = device_order_find(device, atoms, from, &form, order);
	}
	arranged_atoms_free(&arranged);
	free(places);
	return status;
}

sonde_status exact_order_find(sonde_context *context, const sonde_atoms *atoms, struct exact_order *order)
{
	struct device *device;

	*order = (struct exact_order){.lost = false};
	if (!atoms_are_resident(atoms))
		return SONDE_OK;
	CHECK(context_device(context, &device));
	const struct device_positions *from = atoms_on_gpu(atoms, device_name(device));
	if (from == NULL)
		return SONDE_OK;
	const sonde_status status = find(device, atoms, from, &order->of);
	if (status != SONDE_OK)
		device_order_release(&order->of);
	return status == SONDE_RESOURCE ? SONDE_OK : status;
}

void exact_order_release(struct exact_order *order)
{
	device_order_release(&order->of);
}

/* Extends a box by that of a tile of the order. */
static void include(const double from[ORDER_BOX], struct box *box)
{
	for (int k = 0; k < 3; ++k) {
		box->low[k] = fmin(box->low[k], from[k]);
		box->high[k] = fmax(box->high[k], from[3 + k]);
	}
}

static const struct box nothing = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};

double exact_order_extent(const struct exact_order *order)
{
	struct box all = nothing;
	double squares = 0.0;

	for (uint32_t tile = 0; tile < order->of.tile_count; ++tile)
		include(order->of.boxes[tile], &all);
	for (int k = 0; k < 3; ++k)
		squares += (all.high[k] - all.low[k]) * (all.high[k] - all.low[k]);
	return sqrt(squares);
}

/* The boxes of the tiles: each has some of those of the order, the last one of a species fewer. */
static void join_boxes(const struct device_order *order, struct arranged_atoms *arranged)
{
	uint32_t part = 0;

	for (uint32_t tile = 0; tile < arranged->tile_count; ++tile) {
		const uint32_t atoms = arranged->tiles[tile].end - arranged->tiles[tile].first;
		arranged->boxes[tile] = nothing;
		for (uint32_t first = 0; first < atoms; first += ORDER_TILE)
			include(order->boxes[part++], &arranged->boxes[tile]);
	}
}

sonde_status exact_order_arrange(const struct exact_order *order, const sonde_atoms *atoms, uint32_t atoms_per_tile,
				 struct arranged_atoms *arranged)
{
	uint32_t *places = NULL;

	sonde_status status = arrange_tiles(atoms, atoms_per_tile, arranged, &places);
	free(places);
	if (status == SONDE_OK)
		status =
		    memory_allocate(&arranged->boxes, arranged->tile_count, sizeof *arranged->boxes, "the tiles");
	if (status != SONDE_OK) {
		arranged_atoms_free(arranged);
		return status;
	}
	join_boxes(&order->of, arranged);
	arranged->ordered = &order->of;
	return SONDE_OK;
}

/* Some tiles ------------------------------------------------------------------------------------------------------ */

/* Adds the copies of some tiles to the queue, and waits for them. */
static sonde_status fetch_some(const struct device_order *order, const struct arranged_tile *tiles, size_t count,
			       double *const axes[3], double *numbers)
{
	const struct device_buffer *const from[] = {&order->x, &order->y, &order->z};
	double *to = numbers;

	for (size_t n = 0; n < count; ++n)
		for (int k = 0; k < 3; ++k, to += ORDER_UNIT)
			CHECK(device_fetch(order->device, from[k], tiles[n].first * sizeof(double), to,
					   (tiles[n].end - tiles[n].first) * sizeof(double)));
	CHECK(device_wait(order->device));
	to = numbers;
	for (size_t n = 0; n < count; ++n)
		for (int k = 0; k < 3; ++k, to += ORDER_UNIT)
			memcpy(axes[k] + tiles[n].first, to, (tiles[n].end - tiles[n].first) * sizeof(double));
	return SONDE_OK;
}

static sonde_status allocate_axes(struct arranged_atoms *arranged)
{
	double **axes[] = {&arranged->x, &arranged->y, &arranged->z};

	for (int k = 0; k < 3; ++k)
		if (*axes[k] == NULL)
			CHECK(memory_allocate_to_fill(axes[k], arranged->size, sizeof(double), "the sorted atoms"));
	return SONDE_OK;
}

sonde_status exact_order_fetch(const struct exact_order *order, const struct arranged_tile *tiles, size_t count,
			       struct arranged_atoms *arranged)
{
	const size_t most = count < FETCHED ? count : FETCHED;
	struct device *device = order->of.device;
	void *numbers;

	if (count == 0)
		return SONDE_OK;
	CHECK(allocate_axes(arranged));
	double *const axes[] = {arranged->x, arranged->y, arranged->z};
	CHECK(
	    device_host_allocate(device, most * 3 * ORDER_UNIT * sizeof(double), "the order of the atoms", &numbers));
	sonde_status status = SONDE_OK;
	for (size_t first = 0; first < count && status == SONDE_OK; first += most)
		status =
		    fetch_some(&order->of, tiles + first, count - first < most ? count - first : most, axes, numbers);
	if (status != SONDE_OK)
		(void)device_wait(device); /* copies may be in progress */
	device_host_release(device, numbers);
	return status;
}

sonde_status exact_order_return(struct exact_order *order, const struct arranged_tile *tiles, size_t count,
				const struct arranged_atoms *arranged)
{
	struct device_buffer *const to[] = {&order->of.x, &order->of.y, &order->of.z};
	const double *const axes[] = {arranged->x, arranged->y, arranged->z};

	for (size_t n = 0; n < count; ++n)
		for (int k = 0; k < 3; ++k)
			CHECK(device_write(order->of.device, to[k], tiles[n].first * sizeof(double),
					   axes[k] + tiles[n].first,
					   (tiles[n].end - tiles[n].first) * sizeof(double)));
	return SONDE_OK;
}

/* Devices --------------------------------------------------------------------------------------------------------- */

void exact_order_forget(struct exact_order *order, const struct device *device)
{
	if (exact_order_is_found(order) && order->of.device == device) {
		device_order_release(&order->of);
		order->lost = true;
	}
}

sonde_status exact_order_suits(const struct exact_order *order, const struct device *device)
{
	return order == NULL || (!order->lost && (order->of.device == NULL || order->of.device == device))
		   ? SONDE_OK
		   : status_fail(SONDE_INTERNAL, "the order of the atoms is that of another device");
}
