#include "base/checksum.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define BLOCK ((size_t)1 << 20)

/* The finalizer of Steele, Lea and Flood's SplitMix64 (OOPSLA 2014, 453): one to one. */
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

static uint64_t word_of(const unsigned char *bytes, size_t size)
{
	uint64_t word = 0;

	for (size_t b = 0; b < size; ++b)
		word |= (uint64_t)bytes[b] << (8 * b);
	return word;
}

uint64_t checksum_bytes(uint64_t first, const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;
	const size_t words = size / sizeof(uint64_t), rest = size % sizeof(uint64_t);
	uint64_t sum = 0;

	for (size_t k = 0; k < words; ++k)
		sum += mix_at(first + k, word_of(byte + k * sizeof sum, sizeof sum));
	return rest > 0 ? sum + mix_at(first + words, word_of(byte + words * sizeof sum, rest)) : sum;
}

void checksum_add(struct checksum *checksum, const void *bytes, size_t size)
{
	const unsigned char *byte = bytes;
	const size_t word = sizeof checksum->rest, before = (size_t)(checksum->size % word);
	size_t missing = before > 0 ? word - before : 0;

	if (size == 0)
		return; /* possibly of an empty array */
	missing = missing < size ? missing : size;
	if (missing > 0)
		memcpy(checksum->rest + before, byte, missing);
	if (before > 0 && before + missing == word)
		checksum->sum += checksum_bytes(checksum->size / word, checksum->rest, word);
	checksum->size += missing;
	const size_t whole = (size - missing) / word * word, left = size - missing - whole;
	checksum->sum += checksum_bytes(checksum->size / word, byte + missing, whole);
	if (left > 0)
		memcpy(checksum->rest, byte + missing + whole, left);
	checksum->size += whole + left;
}

uint64_t checksum_end(const struct checksum *checksum)
{
	const size_t word = sizeof checksum->rest;

	/* the size, at a position beyond those of bytes */
	return checksum->sum +
	       checksum_bytes(checksum->size / word, checksum->rest, (size_t)(checksum->size % word)) +
	       mix_at(UINT64_MAX, checksum->size);
}

sonde_status checksum_add_file(struct checksum *checksum, FILE *file, const char *path, uint64_t size)
{
	unsigned char *block;
	sonde_status status = SONDE_OK;

	CHECK(memory_allocate(&block, BLOCK, 1, "a part of a file"));
	while (size > 0 && status == SONDE_OK) {
		const size_t wanted = size < BLOCK ? (size_t)size : BLOCK, got = fread(block, 1, wanted, file);
		checksum_add(checksum, block, got);
		size -= got;
		if (got != wanted)
			status = status_fail_file(SONDE_INVALID, path, "cannot be read, or ends too early");
	}
	free(block);
	return status;
}
