#include "coulomb/check/candidates.h"

#define MEANS_OF 4096

/* The finalizer of SplitMix64. */
double candidates_chance(uint64_t index)
{
	uint64_t x = (index + 1) * 0x9e3779b97f4a7c15u;

	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return ((double)((x ^ (x >> 31)) >> 11) + 0.5) * 0x1p-53;
}

int64_t candidates_of_group(int64_t group, int64_t of)
{
	return group * of + (int64_t)(candidates_chance(~(uint64_t)group) * (double)of);
}

int64_t candidates_step(int64_t count)
{
	return count > MEANS_OF ? count / MEANS_OF : 1;
}
