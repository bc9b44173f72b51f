/* Pairs of points of a lattice by distance, counted by all devices of a context: pieces of work for share_work(). */
#ifndef SONDE_DEBYE_LATTICE_COUNT_H
#define SONDE_DEBYE_LATTICE_COUNT_H

#include "debye/sums/lattice_device.h"
#include "run/share.h"

/* Lags [first, end) of the rows of two sheets, and their work in the unit of the stage. */
struct lag_piece {
	int a, b;
	uint64_t first, end;
	double work;
};

struct lattice_count {
	sonde_context *context;
	const sonde_lattice *lattice;
	struct lattice_bins bins;
	struct lattice_device devices[CONTEXT_MOST_DEVICES];
	const struct lag_piece *pieces;
	uint64_t *totals; /* LATTICE_WORDS for each bin, which grow by the counts of the pieces */
};

/* The pieces, whose number the caller enters, as work; its `user` is the count. Released by share_release(). */
struct shared_work lattice_count_work(struct lattice_count *count);

#endif
