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

/* The shared exponent of four cells. A magnitude that would be rounded to 8192 belongs to the next exponent. */
DEVICE_INLINE u32 word_exponent(f32 a, f32 b, f32 c, f32 d)
{
	const f32 ab = LARGER_F32(a, b), cd = LARGER_F32(c, d);
	const u32 exponent = (F32_AS_U32(LARGER_F32(ab, cd)) + 0x400u) >> 23;

	return exponent > WORD_LEAST ? exponent - WORD_LEAST : 0u;
}

/* 1 / unit of the integers, and this unit. */
DEVICE_INLINE f32 word_scale(u32 exponent)
{
	return U32_AS_F32((250u - exponent) << 23);
}

DEVICE_INLINE f32 word_unit(u32 exponent)
{
	return U32_AS_F32((exponent + 4u) << 23);
}

/* The bits of a float32 whose lowest ones are those of the integer, in two's complement. */
DEVICE_INLINE u32 word_integer(f32 cell, f32 scale)
{
	return F32_AS_U32(cell * scale + WORD_ROUNDS);
}

DEVICE_INLINE f32 word_rounded(f32 cell, f32 scale, f32 unit)
{
	return (cell * scale + WORD_ROUNDS - WORD_ROUNDS) * unit;
}

/* Two cells of half a word. */
DEVICE_INLINE u32 word_half(u32 first, u32 second, u32 exponent_bits)
{
	return (second << 18) | (first & WORD_INTEGER) | (exponent_bits & WORD_EXPONENT);
}

DEVICE_INLINE u64 word_of(f32 a, f32 b, f32 c, f32 d)
{
	const u32 exponent = word_exponent(a, b, c, d);
	const f32 scale = word_scale(exponent);
	const u32 low = word_half(word_integer(a, scale), word_integer(b, scale), exponent << 14),
		  high = word_half(word_integer(c, scale), word_integer(d, scale), exponent << 10);

	return (u64)high << 32 | low;
}

DEVICE_INLINE u32 word_exponent_of(u32 low, u32 high)
{
	return (low & WORD_EXPONENT) >> 14 | (high & WORD_EXPONENT) >> 10;
}

/* The integer in the lowest bits, times the unit. Product and difference are exact, fused or not. */
DEVICE_INLINE f32 word_cell(u32 bits, f32 unit)
{
	return (U32_AS_F32((bits & WORD_INTEGER) ^ WORD_ROUNDS_BITS) - WORD_OFFSET) * unit;
}

DEVICE_INLINE void word_cells(u64 word, f32 *cells)
{
	const u32 low = (u32)word, high = (u32)(word >> 32);
	const f32 unit = word_unit(word_exponent_of(low, high));

	cells[0] = word_cell(low, unit);
	cells[1] = word_cell(low >> 18, unit);
	cells[2] = word_cell(high, unit);
	cells[3] = word_cell(high >> 18, unit);
}

DEVICE_INLINE f32 word_first(u64 word)
{
	const u32 low = (u32)word, high = (u32)(word >> 32);

	return word_cell(low, word_unit(word_exponent_of(low, high)));
}

DEVICE_INLINE f32 word_last(u64 word)
{
	const u32 low = (u32)word, high = (u32)(word >> 32);

	return word_cell(high >> 18, word_unit(word_exponent_of(low, high)));
}

DEVICE_INLINE void word_round(f32 *cells)
{
	const u32 exponent = word_exponent(cells[0], cells[1], cells[2], cells[3]);
	const f32 scale = word_scale(exponent), unit = word_unit(exponent);

	UNROLL
	for (u32 v = 0; v < WORD_CELLS; ++v)
		cells[v] = word_rounded(cells[v], scale, unit);
}

#endif
