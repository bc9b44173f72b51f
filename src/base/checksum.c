#include "base/checksum.h"

#include <string.h>

#define BLOCK ((size_t)1 << 16)

/* The finaliser of Steele, Lea and Flood's SplitMix64 (OOPSLA 2014, 453): one to one. */
static uint64_t mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

static uint64_t mix_at(uint64_t position, uint64_t word)
{
	return mix(word + mix(position + 0x9e3779b97f4a7c15u));
}

uint64_t checksum_numbers(uint64_t first, const void *numbers, size_t count)
{
	const char *bytes = numbers;
	uint64_t sum = 0, word;

	for (size_t k = 0; k < count; ++k) {
		memcpy(&word, bytes + k * sizeof word, sizeof word);
		sum += mix_at(first + k, word);
	}
	return sum;
}

uint64_t checksum_bytes(uint64_t first, const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;
	uint64_t sum = 0;

	for (size_t k = 0; k < size; k += sizeof sum) {
		uint64_t word = 0;
		for (size_t b = 0; b < sizeof word && k + b < size; ++b)
			word |= (uint64_t)byte[k + b] << (8 * b);
		sum += mix_at(first + k / sizeof word, word);
	}
	return sum;
}

sonde_status checksum_file(FILE *file, const char *path, uint64_t size, uint64_t *sum)
{
	unsigned char block[BLOCK];

	*sum = 0;
	if (fseeko(file, 0, SEEK_SET) != 0)
		return status_fail(SONDE_INVALID, "%s: cannot be read from its beginning", path);
	for (uint64_t at = 0; at < size;) {
		size_t wanted = size - at < BLOCK ? (size_t)(size - at) : BLOCK;
		if (fread(block, 1, wanted, file) != wanted)
			return status_fail(SONDE_INVALID, "%s: cannot be read, or ends too early", path);
		*sum += checksum_bytes(at / sizeof *sum, block, wanted);
		at += wanted;
	}
	return SONDE_OK;
}
