/* Random numbers of atoms, copies, and pixels: functions of the seed, their purpose, and the index of the atom, copy, or pixel, so that
 * they do not depend on the threads that draw them. */
#ifndef SONDE_MATTER_KEYED_RANDOM_H
#define SONDE_MATTER_KEYED_RANDOM_H

#include <stdint.h>

/* Different purposes draw different numbers; for choices, that of item n of a list is the purpose + n. */
enum random_purpose {
	RANDOM_PACKING,
	RANDOM_DISPLACEMENT,
	RANDOM_PLACE,
	RANDOM_ORIENTATION,
	RANDOM_TURN, /* of a whole sample */
	RANDOM_SUBSTITUTION = 0x10000,
	RANDOM_VACANCY = 0x20000,
	RANDOM_COUNTS = 0x30000
};

struct random_key {
	int64_t seed;
	uint32_t purpose;
};

/* Two numbers between 0 and 1, both excluded: the midpoints of 2^52 intervals. `draw` numbers the pairs of an index. */
void keyed_uniforms(struct random_key key, int64_t index, uint32_t draw, double uniform[2]);
/* Three normally distributed numbers with mean 0 and variance 1. */
void keyed_normals(struct random_key key, int64_t index, double normal[3]);

#endif
