/* Large pieces of a sample, which all threads cut in two together: compact_atoms.c. */
#ifndef SONDE_MATTER_LARGE_CUTS_H
#define SONDE_MATTER_LARGE_CUTS_H

#include "base/status.h"
#include "matter/atoms/compact_pieces.h"

/* A piece to be cut, and its halves; those that are not wanted are not moved. */
struct large_cut {
	struct compact_piece piece, halves[2];
	bool wants[2];
};
/* Cuts all of them; their entries change places between the two arrays. The order of entries depends on that before, and on nothing
 * else. */
sonde_status large_cuts_do(int threads, const struct compact_arrays *arrays, struct large_cut *cuts, size_t count);

#endif
