/* The layout shared by the host and kernel lattice_rows. */
#ifndef SONDE_DEBYE_LATTICE_LAYOUT_H
#define SONDE_DEBYE_LATTICE_LAYOUT_H

#include "debye/kernels/lattice_words.h"
#include "device/kernel.h"

/* Largest number of copies of the counters, which are added in the end. On a CPU there are as many: one for each of the
 * four signs and ends, of even and of odd rows, so that an addition does not wait for the one before. On GPUs adjacent
 * work-items have different ones. */
#define LATTICE_COPIES 8u

/* Rows of a sheet, from number `at` of the buffer on: where runs begin, where they end, and for each line the first row
 * and the end of the rows. */
struct lattice_rows_at {
	u64 at;
	u32 length, width, height;
};

/* Pairs of cells of two sheets a and b, by the vector from one to the other:
 * offset + d1 a1 + d2 a2 + d3 a3, with d2 and d3 a lag of rows. */
struct lattice_lags {
	f64 vectors[9], offset[3];
	f64 per_angstrom; /* units */
	struct lattice_rows_at a, b;
	u64 first; /* number of the first lag of a launch: (d3 + a.height - 1)(a.width + b.width - 1) + d2 + a.width - 1 */
	u32 like;                   /* a and b are the same: of a vector and its negative only one is counted */
	u32 window, copies, stride; /* lags d1 counted at a time, copies of their counters, and their distance */
	u64 scratch_words;          /* of a worker, where local memory is not shared */
};

/* Local memory, in words of 8 bytes: two sums for each work-item, two of earlier windows, and the counters. */
#define LATTICE_LOCAL_WORDS(items, copies, stride) (2u * (items) + 2u + ((u64)(copies) * (stride) + 1u) / 2u)

#endif
