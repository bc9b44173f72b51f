/* The compressed positions of XTC: integers, a few bits each. */
#ifndef SONDE_IO_TRAJECTORY_XTC_NUMBERS_H
#define SONDE_IO_TRAJECTORY_XTC_NUMBERS_H

#include <stdint.h>

#include "base/status.h"

/* Bytes after the compressed ones that may be read: they are to be 0. */
#define XTC_PADDING 8

struct xtc_numbers {
	int32_t least[3], largest[3]; /* of the coordinates */
	int32_t small;                /* size of differences between neighbors at the beginning, a number of bits */
	const unsigned char *bytes;   /* with XTC_PADDING more of them */
	uint64_t size;
};

/* Receives coordinates 3 atom + axis. */
typedef sonde_status xtc_place(void *user, int64_t atom, const int64_t coordinates[3]);

/* Expands the coordinates of all atoms, in order. *what: null, or what is wrong with the bytes; the status is that of
 * `place`. */
sonde_status xtc_expand(const struct xtc_numbers *numbers, int64_t atoms, xtc_place *place, void *user,
			const char **what);

#endif
