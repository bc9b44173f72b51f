/* How many of the remaining pieces one of several takers, devices or ranks, should take now, so that all end together. */
#ifndef SONDE_RUN_PART_H
#define SONDE_RUN_PART_H

#include <stdbool.h>
#include <stdint.h>

/* What is known of a taker. */
struct taker {
	bool takes_part;
	double began;   /* time at which its first pieces began */
	uint64_t taken; /* pieces, including those in progress */
	uint64_t done;  /* pieces completed, */
	double when;    /* at this time */
};

/* `most`, or less near the end: the part of taker `self`, at time `now`, of the `left` pieces. 0: it should complete the pieces that it has
 * in progress before it asks again. */
uint64_t part_of(const struct taker *takers, int count, int self, double now, uint64_t left, uint64_t most);

#endif
