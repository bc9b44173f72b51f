/* The seal of a file: a checksum of all its bytes, after its end, where readers of its format do not look
 * (HDF5 allows this). It is verified before the file is used, so that no third-party library has to parse
 * damaged data, and an absent dataset is one that was not written. It detects damage, not malice (base/checksum.h).
 *
 * Large arrays in HDF5 files that are written to the disk piece by piece, with a checksum of their own in the file, may be left out: gaps.
 * Their checksum is part of the sealed bytes and is verified when they are read. */
#ifndef SONDE_IO_SEAL_H
#define SONDE_IO_SEAL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/checksum.h"
#include "base/status.h"

/* A range of bytes that a seal leaves out. */
struct seal_gap {
	uint64_t offset, size;
};

/* State of the seal after the end of a file. */
enum seal {
	SEAL_NONE,  /* none: a file of another program or an earlier version, or one that was cut off */
	SEAL_SOUND, /* it matches */
	SEAL_BROKEN /* it does not */
};

/* Bytes of a seal without gaps. */
#define SEAL_SIZE 48
/* Creates the seal of bytes that were added up by checksum_add() as they were written; to be written after them. */
void seal_make(const struct checksum *checksum, unsigned char bytes[SEAL_SIZE]);
/* Writes a seal after the end of a complete file, reading it except for its gaps, which are ordered by offset and do
 * not overlap. */
sonde_status seal_file(const char *path, const struct seal_gap *gaps, size_t count);
/* Compares a file, from its beginning, with its seal; *size is the sealed size, 0 for SEAL_NONE. SONDE_RESOURCE where memory runs out or reading
 * fails; the position of the file is lost. `path` is for messages. */
sonde_status seal_check(FILE *file, const char *path, enum seal *seal, uint64_t *size);
/* SONDE_INVALID, with the message that the file does not match its seal. */
sonde_status seal_refuse(const char *path);

#endif
