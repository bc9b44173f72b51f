/* The unit of a work-group and its partners in the order of their distance, shared by the kernels that count the pairs
 * of units with tiles: histogram_ring.k, which describes units and partners, and histogram_matrix.k. */
#ifndef SONDE_DEBYE_HISTOGRAM_PARTNERS_H
#define SONDE_DEBYE_HISTOGRAM_PARTNERS_H

#include "debye/kernels/ring_of_bins.h"

#define KEYS (2u * RING_BINS) /* of the sort by distance, whose counters use the memory of the ring */

/* The unit of a work-group: its atoms, the number of its quad, and its center in bins. */
struct unit {
	u32 i_first, i_count, quad;
	f64 x, y, z;
};

/* Whether a quad has the pairs with another quad of the same species. */
DEVICE_FUNCTION u32 is_partner(u32 quad, u32 partner, u32 quads)
{
	const u32 ahead = partner >= quad ? partner - quad : partner + quads - quad;

	return ahead * 2u < quads || (ahead * 2u == quads && quad < partner);
}

/* The key of a tile: the distance of its center from that of the unit in steps of 2^key_shift bins. */
DEVICE_FUNCTION u32 key_of(GLOBAL const f64 *centers, u32 tile, struct unit unit, u32 key_shift)
{
	const f64 dx = centers[3u * tile] - unit.x, dy = centers[3u * tile + 1u] - unit.y;
	const f64 dz = centers[3u * tile + 2u] - unit.z;
	const u32 key = (u32)sqrt(dx * dx + dy * dy + dz * dz) >> key_shift;

	return key < KEYS ? key : KEYS - 1u;
}

/* Sorts the partners of a unit by key into order[0 ..]; returns their number. */
DEVICE_FUNCTION u32 sort_partners(struct ring ring, GLOBAL const f64 *centers, struct unit unit, u32 quads, u32 like,
				  u32 b_first, u32 b_count, u32 key_shift, GLOBAL u32 *order)
{
	const u32 keys_each = (KEYS + LOCAL_SIZE - 1u) / LOCAL_SIZE;
	const u32 key_first = LOCAL_ID * keys_each;
	u32 sum = 0;

	for (u32 key = LOCAL_ID; key < KEYS; key += LOCAL_SIZE)
		ring.words[key] = 0;
	BARRIER();
	for (u32 t = LOCAL_ID; t < b_count; t += LOCAL_SIZE)
		if (!like || is_partner(unit.quad, t / QUAD, quads))
			(void)LOCAL_ATOMIC_ADD_U32(ring.words + key_of(centers, b_first + t, unit, key_shift), 1u);
	BARRIER();
	/* prefix sums of the counts: within each work-item's segment of keys, over the segments, and combined */
	for (u32 key = key_first; key < key_first + keys_each && key < KEYS; ++key)
		sum += ring.words[key];
	ring.segments[LOCAL_ID] = sum;
	BARRIER();
	if (LOCAL_ID == 0) {
		u32 total = 0;
		for (u32 item = 0; item < LOCAL_SIZE; ++item) {
			const u32 here = ring.segments[item];
			ring.segments[item] = total;
			total += here;
		}
		ring.shared[0] = total;
	}
	BARRIER();
	sum = ring.segments[LOCAL_ID];
	for (u32 key = key_first; key < key_first + keys_each && key < KEYS; ++key) {
		const u32 here = ring.words[key];
		ring.words[key] = sum;
		sum += here;
	}
	BARRIER();
	for (u32 t = LOCAL_ID; t < b_count; t += LOCAL_SIZE)
		if (!like || is_partner(unit.quad, t / QUAD, quads))
			order[LOCAL_ATOMIC_ADD_U32(ring.words + key_of(centers, b_first + t, unit, key_shift), 1u)] =
			    b_first + t;
	sum = ring.shared[0];
	BARRIER();
	return sum;
}

/* Copies the atoms of a unit, tiles [tile_first, tile_end), to the local memory, and finds its center. */
DEVICE_FUNCTION struct unit copy_unit(struct ring ring, GLOBAL const f64 *x, GLOBAL const f64 *y, GLOBAL const f64 *z,
				      GLOBAL const u32 *tiles, GLOBAL const f64 *centers, u32 tile_first,
				      u32 tile_end)
{
	struct unit unit = {tiles[2u * tile_first], 0, 0, 0.0, 0.0, 0.0};

	unit.i_count = tiles[2u * tile_end - 1u] - unit.i_first;
	load_unit(ring, x, y, z, unit.i_first, unit.i_count);
	for (u32 t = tile_first; t < tile_end; ++t) {
		unit.x += centers[3u * t] / (f64)(tile_end - tile_first);
		unit.y += centers[3u * t + 1u] / (f64)(tile_end - tile_first);
		unit.z += centers[3u * t + 2u] / (f64)(tile_end - tile_first);
	}
	return unit;
}

DEVICE_FUNCTION void clear_ring(LOCAL u32 *words)
{
	for (u32 w = LOCAL_ID; w < 2u * RING_BINS; w += LOCAL_SIZE)
		words[w] = 0;
}

#endif
