/* Checksums that detect damage, not malice: sums over words of 64 bits, mixed with their positions. A change of one
 * word is always found, a change of several is missed once in 2^64. Parts of an array may be added in any order. */
#ifndef SONDE_BASE_CHECKSUM_H
#define SONDE_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/* Checksum of `count` numbers of 64 bits, the first of which is number `first` of their array. */
uint64_t checksum_numbers(uint64_t first, const void *numbers, size_t count);
/* Checksum of bytes; those after the last one count as zero. */
uint64_t checksum_bytes(uint64_t first, const void *bytes, size_t size);

/* The same for bytes that arrive in pieces; zeroed at first. */
struct checksum {
	uint64_t sum, size; /* of all pieces so far, without the bytes in `rest` */
	unsigned char rest[8];
};
void checksum_add(struct checksum *checksum, const void *bytes, size_t size);
/* Checksum of all pieces and of their total size. */
uint64_t checksum_end(const struct checksum *checksum);
/* Adds `size` bytes of a file, from its position on. `path` is for the message. */
sonde_status checksum_add_file(struct checksum *checksum, FILE *file, const char *path, uint64_t size);

#endif
