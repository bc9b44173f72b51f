/* SHA-256 (FIPS 180-4), to name inputs in results and entries in caches. */
#ifndef SONDE_BASE_SHA256_H
#define SONDE_BASE_SHA256_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct sha256 {
	uint32_t state[8];
	uint64_t size;
	unsigned char block[64];
	bool by_processor; /* the processor's SHA instructions are used */
};

void sha256_begin(struct sha256 *hash);
void sha256_add(struct sha256 *hash, const void *bytes, size_t size);
/* Writes the digest as 64 hexadecimal digits and a terminating zero. */
void sha256_end(struct sha256 *hash, char digest[65]);

#endif
