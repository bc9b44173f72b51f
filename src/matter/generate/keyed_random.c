#include "matter/generate/keyed_random.h"

#include <math.h>

#include "base/constants.h"
#include "device/kernel_random.h"

static double uniform_of(uint32_t high, uint32_t low)
{
	return ((double)(high >> 6) * 67108864.0 + (double)(low >> 6) + 0.5) / 4503599627370496.0;
}

void keyed_uniforms(struct random_key key, int64_t index, uint32_t draw, double uniform[2])
{
	const uint64_t number = (uint64_t)index, seed = (uint64_t)key.seed;
	const struct random_block counter = {{(u32)number, (u32)(number >> 32), key.purpose, draw}};
	const struct random_block block = random_philox(counter, (u32)seed, (u32)(seed >> 32));

	uniform[0] = uniform_of(block.word[0], block.word[1]);
	uniform[1] = uniform_of(block.word[2], block.word[3]);
}

/* Box and Muller, Ann. Math. Statist. 29, 610 (1958). */
void keyed_normals(struct random_key key, int64_t index, double normal[3])
{
	double a[2], b[2];

	keyed_uniforms(key, index, 0, a);
	keyed_uniforms(key, index, 1, b);
	const double radius = sqrt(-2.0 * log(a[0]));
	normal[0] = radius * cos(2.0 * PI * a[1]);
	normal[1] = radius * sin(2.0 * PI * a[1]);
	normal[2] = sqrt(-2.0 * log(b[0])) * cos(2.0 * PI * b[1]);
}
