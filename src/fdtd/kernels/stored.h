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
#define WORD_INTEGER 0x3fffu         /* bits of an integer */
#define WORD_EXPONENT 0x3c000u       /* of half a word: four bits of the exponent, between two integers */
#define WORD_LEAST 16u               /* float32 exponent of the word's exponent 0 */
#define WORD_ROUNDS 12582912.0f      /* 1.5 * 2^23: a float32 from here on has no bits below 1 */
#define WORD_ROUNDS_BITS 0x4b002000u /* of 2^23 + 2^13 */
#define WORD_OFFSET 8396800.0f       /* 2^23 + 2^13 */

/* Below, products are exact, since one factor is a power of two or the result has few bits: fused or not, the sums are
 * the same, up to 2^104. */

/* A power of two for four cells: 2^12 units of the word. A magnitude that would be rounded to 8192 units belongs to the next
 * exponent. As the bits of a float32, from exponent WORD_LEAST on. */
DEVICE_INLINE u32 word_power(f32 a, f32 b, f32 c, f32 d)
{
	const f32 ab = LARGER_F32(a, b), cd = LARGER_F32(c, d);
	const u32 power = (F32_AS_U32(LARGER_F32(ab, cd)) + 0x400u) & 0xff800000u;

	return power > WORD_LEAST << 23 ? power : WORD_LEAST << 23;
}

/* 1 / unit of the integers, and this unit. */
DEVICE_INLINE f32 word_scale(u32 power)
{
	return U32_AS_F32(((WORD_LEAST + 250u) << 23) - power);
}

DEVICE_INLINE f32 word_unit(u32 power)
{
	return U32_AS_F32(power - ((WORD_LEAST - 4u) << 23));
}

/* A float32 whose lowest bits are those of the integer, in two's complement. */
DEVICE_INLINE f32 word_number(f32 cell, f32 scale)
{
	return FMA_F32(cell, scale, WORD_ROUNDS);
}

/* Two cells of half a word. */
DEVICE_INLINE u32 word_half(f32 first, f32 second, u32 exponent_bits)
{
	return F32_AS_U32(second) << 18 | (F32_AS_U32(first) & WORD_INTEGER) | (exponent_bits & WORD_EXPONENT);
}

DEVICE_INLINE u64 word_of_numbers(const f32 *numbers, u32 power)
{
	const u32 exponent = power - (WORD_LEAST << 23);

	return (u64)word_half(numbers[2], numbers[3], exponent >> 13) << 32 |
	       word_half(numbers[0], numbers[1], exponent >> 9);
}

/* Rounds four cells, and gives their word. */
DEVICE_INLINE u64 word_rounded(f32 *cells)
{
	const u32 power = word_power(cells[0], cells[1], cells[2], cells[3]);
	const f32 scale = word_scale(power), unit = word_unit(power), offset = -WORD_ROUNDS * unit;
	f32 numbers[WORD_CELLS];

	UNROLL
	for (u32 v = 0; v < WORD_CELLS; ++v) {
		numbers[v] = word_number(cells[v], scale);
		cells[v] = FMA_F32(numbers[v], unit, offset);
	}
	return word_of_numbers(numbers, power);
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

DEVICE_INLINE f32 word_unit_of(u32 low, u32 high)
{
	return U32_AS_F32(((low & WORD_EXPONENT) << 9) + ((high & WORD_EXPONENT) << 13) + (4u << 23));
}

/* The integer in the lowest bits, or in the only ones, times the unit. */
DEVICE_INLINE f32 word_cell(u32 integer, f32 unit)
{
	return FMA_F32(U32_AS_F32(integer ^ WORD_ROUNDS_BITS), unit, -WORD_OFFSET * unit);
}

DEVICE_INLINE void word_cells(u64 word, f32 *cells)
{
	const u32 low = (u32)word, high = (u32)(word >> 32);
	const f32 unit = word_unit_of(low, high);

	cells[0] = word_cell(low & WORD_INTEGER, unit);
	cells[1] = word_cell(low >> 18, unit);
	cells[2] = word_cell(high & WORD_INTEGER, unit);
	cells[3] = word_cell(high >> 18, unit);
}

DEVICE_INLINE f32 word_first(u64 word)
{
	const u32 low = (u32)word, high = (u32)(word >> 32);

	return word_cell(low & WORD_INTEGER, word_unit_of(low, high));
}

DEVICE_INLINE f32 word_last(u64 word)
{
	const u32 low = (u32)word, high = (u32)(word >> 32);

	return word_cell(high >> 18, word_unit_of(low, high));
}

/* Rounds four cells by separate products and sums, which compilers for CPUs make instructions of many cells from. */
DEVICE_INLINE void word_round(f32 *cells)
{
	const u32 power = word_power(cells[0], cells[1], cells[2], cells[3]);
	const f32 scale = word_scale(power), unit = word_unit(power);

	UNROLL
	for (u32 v = 0; v < WORD_CELLS; ++v)
		cells[v] = (cells[v] * scale + WORD_ROUNDS - WORD_ROUNDS) * unit;
}

#endif
