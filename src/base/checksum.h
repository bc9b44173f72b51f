/* Checksums that tell damage, not malice: sums over words of 64 bits, mixed with their positions. A change of one word is found for
 * sure, one of several but once in 2^64. Parts of an array may be added in any order. */
#ifndef SONDE_BASE_CHECKSUM_H
#define SONDE_BASE_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/status.h"

/* Of `count` numbers of 64 bits, whose first one is number `first` of their array. */
uint64_t checksum_numbers(uint64_t first, const void *numbers, size_t count);
/* Of bytes; those after the last one count as zero. */
uint64_t checksum_bytes(uint64_t first, const void *bytes, size_t size);
/* Of the first `size` bytes of a file; the file's position is lost. `path` is for the message. */
sonde_status checksum_file(FILE *file, const char *path, uint64_t size, uint64_t *sum);

#endif
