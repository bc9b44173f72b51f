/* A ring of bins in local memory, shared by the kernels that count distances in work-groups: histogram_ring.k and
 * histogram_images_ring.k. histogram.k describes distances, offsets and g.
 *
 * A bin of the ring has two words of 32 bits, RING_BINS apart, so that all memory banks are used:
 *     sum of d        sum of g(d) | pairs << SQUARES_BITS
 * Both words, and the sum within the second, wrap around.  An addition returns the previous value.  The addends are
 * small, so that a number has wrapped if its highest bit falls from 1 to 0; then the lost carry is added to the
 * totals: 2^32 to the sum of d; 2^(32 - SQUARES_BITS) pairs; 2^SQUARES_BITS to the sum of g, minus the 1 carried into
 * the pairs.
 */
#ifndef SONDE_DEBYE_RING_OF_BINS_H
#define SONDE_DEBYE_RING_OF_BINS_H

#include "device/kernel.h"
#include "debye/kernels/histogram_layout.h"
#include "debye/kernels/ring_layout.h"

#if !defined(RING_BINS)
#define RING_BINS DEFAULT_RING_BINS
#endif
#if !defined(UNIT_TILES)
#define UNIT_TILES DEFAULT_UNIT_TILES
#endif
#define SQUARES_BITS 22u
#define SQUARES_MASK ((1u << SQUARES_BITS) - 1u)
#define HIGHEST 0x80000000u
#define HIGHEST_OF_SQUARES (1u << (SQUARES_BITS - 1u))
#define OFFSET_MASK ((1u << OFFSET_BITS) - 1u)
#define UNIT_ATOMS (RING_TILE * UNIT_TILES)
#if !defined(AT_ONCE)
#define AT_ONCE DEFAULT_AT_ONCE /* atoms of the unit that a work-item pairs at once with two of its own; even */
#endif
#define ATOMS_OF_ITEM (LOCAL_SIZE * 2u > RING_TILE ? 2u : RING_TILE / LOCAL_SIZE) /* of a batch of tiles */
#define BATCH_TILES (LOCAL_SIZE * ATOMS_OF_ITEM / RING_TILE)
#define TWO_52 4503599627370496.0

/* The local memory of a work-group. */
struct ring {
	LOCAL f64 *atoms;    /* x of all atoms of the unit, then y, then z */
	LOCAL u32 *segments; /* one word per work-item */
	LOCAL u32 *shared;   /* shared words */
	LOCAL u32 *words;    /* the bins' first words, then the second ones; or the counters of the sort */
};

DEVICE_FUNCTION void add_to_totals(GLOBAL u64 *totals, u64 bin, u64 pairs, u64 sum, u64 squares)
{
	ATOMIC_ADD_U64(totals + TOTAL_WORDS * bin, pairs);
	ATOMIC_ADD_U64(totals + TOTAL_WORDS * bin + 1, sum);
	ATOMIC_ADD_U64(totals + TOTAL_WORDS * bin + 2, squares);
}

/* The bits that fell from 1 to 0 when `added` was added to the word `before`. */
DEVICE_FUNCTION u32 fallen(u32 before, u32 added)
{
	return before & ~(before + added);
}

DEVICE_FUNCTION void add_carries(GLOBAL u64 *totals, u64 bin, u32 fallen_of_sum, u32 fallen_of_packed)
{
	const u64 squares = (fallen_of_packed & HIGHEST_OF_SQUARES) != 0 ? 1 : 0;

	add_to_totals(totals, bin, ((fallen_of_packed & HIGHEST) != 0 ? (u64)1 << (32 - SQUARES_BITS) : 0) - squares,
		      (fallen_of_sum & HIGHEST) != 0 ? (u64)1 << 32 : 0, squares << SQUARES_BITS);
}

/* Empties bins [from, to) of the ring, with bin `base` at place `head`; each bin by one work-item. */
DEVICE_FUNCTION void empty_bins(LOCAL u32 *words, GLOBAL u64 *totals, u32 base, u32 head, u32 from, u32 to)
{
	for (u32 bin = from + LOCAL_ID; bin < to; bin += LOCAL_SIZE) {
		u32 place = bin - base + head;
		place = place >= RING_BINS ? place - RING_BINS : place;
		const u32 sum = words[place], packed = words[RING_BINS + place];
		if ((sum | packed) != 0) {
			add_to_totals(totals, bin, packed >> SQUARES_BITS, sum, packed & SQUARES_MASK);
			words[place] = 0;
			words[RING_BINS + place] = 0;
		}
	}
}

DEVICE_FUNCTION f64 length(f64 dx, f64 dy, f64 dz)
{
	return SQRT_IN_RANGE(dx * dx + dy * dy + dz * dz);
}

/* The distance of atom i of the unit from a point. */
DEVICE_FUNCTION f64 find_distance(struct ring ring, u32 i, f64 x, f64 y, f64 z)
{
	return length(x - ring.atoms[i], y - ring.atoms[UNIT_ATOMS + i], z - ring.atoms[2u * UNIT_ATOMS + i]);
}

/* One atom of a work-item, to be paired with the unit. */
struct held_atom {
	f64 x, y, z;
	u32 i_end; /* partners in the unit */
};

/* The distances of atoms i and i + 1 of the unit, i even, from the two atoms of a work-item. */
DEVICE_FUNCTION void find_four(struct ring ring, u32 i, const struct held_atom *held, f64 *distances)
{
	const f64x2 x = ((LOCAL const f64x2 *)ring.atoms)[i / 2u];
	const f64x2 y = ((LOCAL const f64x2 *)(ring.atoms + UNIT_ATOMS))[i / 2u];
	const f64x2 z = ((LOCAL const f64x2 *)(ring.atoms + 2u * UNIT_ATOMS))[i / 2u];

	UNROLL
	for (u32 h = 0; h < 2u; ++h) {
		distances[h] = length(held[h].x - x.x, held[h].y - y.x, held[h].z - z.x);
		distances[2u + h] = length(held[h].x - x.y, held[h].y - y.y, held[h].z - z.y);
	}
}

/* Position of the ring: bins [base, base + RING_BINS), the first at place `head`. */
struct window {
	u32 base, head;
	f64 bias; /* 2^52 minus the units before `base` */
};

/* Copies the atoms of a unit to the local memory. */
DEVICE_FUNCTION void load_unit(struct ring ring, GLOBAL const f64 *x, GLOBAL const f64 *y, GLOBAL const f64 *z,
			       u32 i_first, u32 i_count)
{
	for (u32 i = LOCAL_ID; i < i_count; i += LOCAL_SIZE) {
		ring.atoms[i] = x[i_first + i];
		ring.atoms[UNIT_ATOMS + i] = y[i_first + i];
		ring.atoms[2u * UNIT_ATOMS + i] = z[i_first + i];
	}
}

/* The window moved so that bin `middle` is not beyond its middle, if there are bins behind its end. */
DEVICE_FUNCTION struct window follow(struct ring ring, GLOBAL u64 *totals, struct window window, u32 middle)
{
	if (middle > window.base + RING_BINS / 2u + RING_BINS / 32u) {
		const u32 move = middle - window.base - RING_BINS / 2u;
		BARRIER();
		empty_bins(ring.words, totals, window.base, window.head, window.base,
			   window.base + (move < RING_BINS ? move : RING_BINS));
		window.base += move;
		window.head = (window.head + move) % RING_BINS;
		window.bias = TWO_52 - (f64)((u64)window.base << OFFSET_BITS);
		BARRIER();
	}
	return window;
}

/* A pair beyond the ends of the ring. */
DEVICE_FUNCTION void deposit_far(GLOBAL u64 *totals, f64 distance)
{
	const u64 R = LANES_AS_U64(distance + TWO_52);
	const u32 offset = (u32)R & OFFSET_MASK, coarse = offset >> (OFFSET_BITS - 16);

	add_to_totals(totals, (u32)(R >> OFFSET_BITS) & 0x7FFFFFFFu, 1, offset,
		      coarse * coarse >> (32 - SQUARE_BITS));
}

/* The bin of a distance, relative to the ring's base, plus HIGHEST.  Adding 2^52 leaves the nearest integer in the
 * low 52 bits of the word; with the bias it is relative to the base, and the exponent's last bit, which becomes
 * HIGHEST, shows that it is not below the base.  So places in the ring are the lowest signed numbers; the others
 * are above LAST_PLACE. */
DEVICE_FUNCTION int find_place(struct window window, f64 distance, u32 *offset)
{
	const u64 units = LANES_AS_U64(distance + window.bias);

	*offset = (u32)units & OFFSET_MASK;
	return (int)(u32)(units >> OFFSET_BITS);
}
#define LAST_PLACE ((int)(HIGHEST + RING_BINS - 1u))

/* A deposit of a pair into the ring: the addends, and the previous words. */
struct deposit {
	u32 offset, packed, sum, before;
};

DEVICE_FUNCTION struct deposit add_to_ring(struct ring ring, struct window window, int place, u32 offset)
{
	const u32 coarse = offset >> (OFFSET_BITS - 16), square = coarse * coarse >> (32 - SQUARE_BITS);
	const u32 ahead = (u32)place + (window.head - HIGHEST), back = ahead - RING_BINS;
	const u32 turned = ahead < back ? ahead : back;
	struct deposit done;

	done.offset = offset;
	done.packed = square + (1u << SQUARES_BITS);
	done.sum = LOCAL_ATOMIC_ADD_U32(ring.words + turned, done.offset);
	done.before = LOCAL_ATOMIC_ADD_U32(ring.words + RING_BINS + turned, done.packed);
	return done;
}

/* Adds the carries of a deposit to the totals. */
DEVICE_FUNCTION void settle(GLOBAL u64 *totals, struct window window, int place, struct deposit done)
{
	const u32 of_sum = fallen(done.sum, done.offset), of_packed = fallen(done.before, done.packed);

	if (((of_sum & HIGHEST) | (of_packed & (HIGHEST | HIGHEST_OF_SQUARES))) != 0)
		add_carries(totals, window.base + ((u32)place - HIGHEST), of_sum, of_packed);
}

DEVICE_FUNCTION void deposit(struct ring ring, GLOBAL u64 *totals, struct window window, f64 distance)
{
	u32 offset;
	const int place = find_place(window, distance, &offset);

	if (place > LAST_PLACE)
		deposit_far(totals, distance);
	else
		settle(totals, window, place, add_to_ring(ring, window, place, offset));
}

/* Several pairs: all are started before the first result is used, to hide latency. */
DEVICE_FUNCTION void deposit_all(struct ring ring, GLOBAL u64 *totals, struct window window, const f64 *distances)
{
	int places[2u * AT_ONCE], furthest = (int)HIGHEST;
	u32 offsets[2u * AT_ONCE], of_sum = 0, of_packed = 0;
	struct deposit done[2u * AT_ONCE];

	UNROLL
	for (u32 d = 0; d < 2u * AT_ONCE; ++d) {
		places[d] = find_place(window, distances[d], &offsets[d]);
		furthest = places[d] > furthest ? places[d] : furthest;
	}
	if (furthest > LAST_PLACE) {
		UNROLL
		for (u32 d = 0; d < 2u * AT_ONCE; ++d)
			deposit(ring, totals, window, distances[d]);
		return;
	}
	UNROLL
	for (u32 d = 0; d < 2u * AT_ONCE; ++d)
		done[d] = add_to_ring(ring, window, places[d], offsets[d]);
	UNROLL
	for (u32 d = 0; d < 2u * AT_ONCE; ++d) {
		of_sum |= fallen(done[d].sum, done[d].offset);
		of_packed |= fallen(done[d].before, done[d].packed);
	}
	if (((of_sum & HIGHEST) | (of_packed & (HIGHEST | HIGHEST_OF_SQUARES))) != 0) {
		UNROLL
		for (u32 d = 0; d < 2u * AT_ONCE; ++d)
			settle(totals, window, places[d], done[d]);
	}
}

/* The number of the i_count atoms from i_first on that precede atom j. */
DEVICE_FUNCTION u32 partners_before(u32 j, u32 i_first, u32 i_count)
{
	const u32 before = j > i_first ? j - i_first : 0u;

	return before < i_count ? before : i_count;
}

#endif
