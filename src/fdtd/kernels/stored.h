/* Fields stored in 16 bits: a word of 64 bits has four cells side by side along z, the first one of which has a place
 * that is a multiple of four. It has an exponent of 8 bits that they share, and an integer of 14 bits for each, with
 * sign: cell = integer 2^(exponent - 123), rounded to nearest, where the largest magnitude of the four has 4096 to 8191
 * unless it is below 2^-111. What has been rounded remains the same when it is rounded once more.
 *
 * STORED_16: 0: fields are stored as REAL; 1: in such words, on GPUs; 2: as float32, rounded to numbers of such words, on
 * CPUs. All places are counted in numbers. */
#ifndef SONDE_FDTD_STORED_H
#define SONDE_FDTD_STORED_H

#include "device/kernel.h"

#define WORD_CELLS 4u
#define WORD_INTEGER 0x3fffu   /* bits of an integer */
#define WORD_EXPONENT 0x3c000u /* of half a word: four bits of the exponent, between two integers */
#define WORD_LEAST 16u         /* float32 exponent of the word's exponent 0 */

/* Cells are rounded to multiples of the word's unit, and made from integers, by adding and subtracting some 2^23 units: so
 * much that a float32 has no bits below the unit, while its lowest bits are those of the integer in two's complement. The
 * sums are exact, or rounded once, up to 2^104. */
#define WORD_ADDED 0x05c00000u  /* bits of 1.5 * 2^23 units, less those of 2^12 units */
#define WORD_OFFSET 0x0d802000u /* bits of 2^23 + 2^13 units, of the word's exponent 0 */

/* A power of two for four cells: 2^12 units of the word. A magnitude that would be rounded to 8192 units belongs to the next
 * exponent. As the bits of a float32, from exponent WORD_LEAST on. */
DEVICE_INLINE u32 word_power(f32 a, f32 b, f32 c, f32 d)
{
	const f32 ab = LARGER_F32(a, b), cd = LARGER_F32(c, d);
	const u32 power = (F32_AS_U32(LARGER_F32(ab, cd)) + 0x400u) & 0xff800000u;

	return power > WORD_LEAST << 23 ? power : WORD_LEAST << 23;
}

/* Two cells of half a word. */
DEVICE_INLINE u32 word_half(f32 first, f32 second, u32 exponent_bits)
{
	return F32_AS_U32(second) << 18 | (F32_AS_U32(first) & WORD_INTEGER) | (exponent_bits & WORD_EXPONENT);
}

/* Rounds four cells, and gives their word. */
DEVICE_INLINE u64 word_rounded(f32 *cells)
{
	const u32 power = word_power(cells[0], cells[1], cells[2], cells[3]), exponent = power - (WORD_LEAST << 23);
	const f32 added = U32_AS_F32(power + WORD_ADDED);
	f32 sums[WORD_CELLS];

	UNROLL
	for (u32 v = 0; v < WORD_CELLS; ++v) {
		sums[v] = cells[v] + added;
		cells[v] = sums[v] - added;
	}
	return (u64)word_half(sums[2], sums[3], exponent >> 13) << 32 | word_half(sums[0], sums[1], exponent >> 9);
}

DEVICE_INLINE u64 word_of(f32 a, f32 b, f32 c, f32 d)
{
	f32 cells[WORD_CELLS];

	cells[0] = a;
	cells[1] = b;
	cells[2] = c;
	cells[3] = d;
	return word_rounded(cells);
}

/* The bits of 2^23 + 2^13 units. */
DEVICE_INLINE u32 word_offset(u32 low, u32 high)
{
	return (((low & WORD_EXPONENT) + ((high & WORD_EXPONENT) << 4)) << 9) + WORD_OFFSET;
}

/* From an integer without other bits. */
DEVICE_INLINE f32 word_cell(u32 integer, u32 offset)
{
	return U32_AS_F32(integer ^ offset) - U32_AS_F32(offset);
}

DEVICE_INLINE void word_cells(u64 word, f32 *cells)
{
	const u32 low = (u32)word, high = (u32)(word >> 32), offset = word_offset(low, high);

	cells[0] = word_cell(low & WORD_INTEGER, offset);
	cells[1] = word_cell(low >> 18, offset);
	cells[2] = word_cell(high & WORD_INTEGER, offset);
	cells[3] = word_cell(high >> 18, offset);
}

DEVICE_INLINE f32 word_first(u64 word)
{
	const u32 low = (u32)word, high = (u32)(word >> 32);

	return word_cell(low & WORD_INTEGER, word_offset(low, high));
}

DEVICE_INLINE f32 word_last(u64 word)
{
	const u32 low = (u32)word, high = (u32)(word >> 32);

	return word_cell(high >> 18, word_offset(low, high));
}

/* Rounds four cells on CPUs. */
DEVICE_INLINE void word_round(f32 *cells)
{
	const u32 power = word_power(cells[0], cells[1], cells[2], cells[3]);
	const f32 added = U32_AS_F32(power + WORD_ADDED);

	UNROLL
	for (u32 v = 0; v < WORD_CELLS; ++v)
		cells[v] = cells[v] + added - added;
}

#endif
