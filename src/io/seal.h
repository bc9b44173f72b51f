/* The seal of a file: a checksum of all its bytes, behind its end, where readers of its format do not look (HDF5 allows it). It is checked
 * before anything of the file is believed, so that no other program's library has to parse what is damaged, and so that a dataset
 * that is absent is one that was not written. It tells damage, not malice (base/checksum.h).
 *
 * Large arrays in HDF5 files that are written to the disk piece by piece, and that have a checksum of their own in the file, may be left out:
 * gaps. Their checksum is part of the sealed bytes and is compared when they are read. */
#ifndef SONDE_IO_SEAL_H
#define SONDE_IO_SEAL_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/checksum.h"
#include "base/status.h"

/* Bytes that a seal leaves out. */
struct seal_gap {
	uint64_t offset, size;
};

/* What is found behind a file's end. */
enum seal {
	SEAL_NONE,  /* none: a file of another program, of an earlier version, or one that was cut off */
	SEAL_SOUND, /* it matches */
	SEAL_BROKEN /* it does not */
};

/* Bytes of a seal without gaps. */
#define SEAL_SIZE 48
/* Makes the seal of bytes that were added up by checksum_add() as they were written; to be written behind them. */
void seal_make(const struct checksum *checksum, unsigned char bytes[SEAL_SIZE]);
/* Writes one behind the end of a file that is complete, reading it but for its gaps, which are in the order of their offsets and do not overlap. */
sonde_status seal_file(const char *path, const struct seal_gap *gaps, size_t count);
/* Compares a file, from its beginning, with its seal; *size is that of what was sealed, 0 for SEAL_NONE. SONDE_RESOURCE where memory runs out or
 * reading fails; the position of the file is lost. `path` is for messages. */
sonde_status seal_check(FILE *file, const char *path, enum seal *seal, uint64_t *size);
/* SONDE_INVALID, with a message that the file does not match its seal. */
sonde_status seal_refuse(const char *path);

#endif
