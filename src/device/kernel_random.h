/* Random numbers that are a function of a key and a counter, for kernels and the host: Philox 4x32 with ten rounds (Salmon,
 * Moraes, Dror and Shaw, SC11, "Parallel random numbers: as easy as 1, 2, 3"). Who draws which number, and when, does not
 * matter. Integer arithmetic only, so that all machines draw the same. */
#ifndef SONDE_DEVICE_KERNEL_RANDOM_H
#define SONDE_DEVICE_KERNEL_RANDOM_H

#include "device/kernel.h"

struct random_block {
	u32 word[4];
};

DEVICE_FUNCTION struct random_block random_philox(struct random_block counter, u32 key_low, u32 key_high)
{
	for (u32 round = 0; round < 10u; ++round) {
		const u64 first = (u64)0xD2511F53u * counter.word[0], third = (u64)0xCD9E8D57u * counter.word[2];
		const u32 second = counter.word[1], fourth = counter.word[3];
		counter.word[0] = (u32)(third >> 32) ^ second ^ key_low;
		counter.word[1] = (u32)third;
		counter.word[2] = (u32)(first >> 32) ^ fourth ^ key_high;
		counter.word[3] = (u32)first;
		key_low += 0x9E3779B9u;
		key_high += 0xBB67AE85u;
	}
	return counter;
}

/* From 0 (never) to 1 (never): the middles of 2^23 intervals, which float32 holds exactly. */
DEVICE_FUNCTION f32 random_uniform(u32 word)
{
	return ((f32)(word >> 9) + 0.5f) * (1.0f / 8388608.0f);
}

#endif
