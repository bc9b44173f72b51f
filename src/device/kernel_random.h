/* Random numbers that are a function of a key and a counter, for kernels and the host: Philox 4x32 with ten rounds (Salmon,
 * Moraes, Dror and Shaw, SC11, "Parallel random numbers: as easy as 1, 2, 3"). Numbers do not depend on who draws them, or
 * when. Integer arithmetic only, so that all machines draw the same. */
#ifndef SONDE_DEVICE_KERNEL_RANDOM_H
#define SONDE_DEVICE_KERNEL_RANDOM_H

#include "device/kernel.h"

struct random_block {
	u32 word[4];
};

/* Unrolled, since nested loops prevent vectorization. */
#define RANDOM_ROUND(number, a, b, c, d, e, f, g, h)                                                                 \
	const u64 first_##number = (u64)0xD2511F53u * (a), third_##number = (u64)0xCD9E8D57u * (c);                  \
	const u32 e = (u32)(third_##number >> 32) ^ (b) ^ (key_low + (number)*0x9E3779B9u), f = (u32)third_##number; \
	const u32 g = (u32)(first_##number >> 32) ^ (d) ^ (key_high + (number)*0xBB67AE85u), h = (u32)first_##number;

DEVICE_INLINE struct random_block random_philox(struct random_block counter, u32 key_low, u32 key_high)
{
	struct random_block result;

	RANDOM_ROUND(0u, counter.word[0], counter.word[1], counter.word[2], counter.word[3], a0, b0, c0, d0)
	RANDOM_ROUND(1u, a0, b0, c0, d0, a1, b1, c1, d1)
	RANDOM_ROUND(2u, a1, b1, c1, d1, a2, b2, c2, d2)
	RANDOM_ROUND(3u, a2, b2, c2, d2, a3, b3, c3, d3)
	RANDOM_ROUND(4u, a3, b3, c3, d3, a4, b4, c4, d4)
	RANDOM_ROUND(5u, a4, b4, c4, d4, a5, b5, c5, d5)
	RANDOM_ROUND(6u, a5, b5, c5, d5, a6, b6, c6, d6)
	RANDOM_ROUND(7u, a6, b6, c6, d6, a7, b7, c7, d7)
	RANDOM_ROUND(8u, a7, b7, c7, d7, a8, b8, c8, d8)
	RANDOM_ROUND(9u, a8, b8, c8, d8, a9, b9, c9, d9)
	result.word[0] = a9;
	result.word[1] = b9;
	result.word[2] = c9;
	result.word[3] = d9;
	return result;
}

/* Between 0 and 1, both excluded: the midpoints of 2^23 intervals, exact in float32. */
DEVICE_INLINE f32 random_uniform(u32 word)
{
	return ((f32)(word >> 9) + 0.5f) * (1.0f / 8388608.0f);
}

#endif
