/* Weighted sums of the parts of I by pairs of blocks, from samples whose blocks are found by their names. */
#ifndef SONDE_DEBYE_MEAN_BLOCKS_H
#define SONDE_DEBYE_MEAN_BLOCKS_H

#include "debye/debye.h"

struct block_sum {
	char label[SONDE_LABEL_SIZE];
	double atoms;
};

/* Begins as {0}. Blocks are in the order in which they come first; the pair of blocks a <= b has the row b (b + 1)/2 + a of
 * N I_AB, and one of its errors, so that the rows stay where they are when blocks are added. */
struct mean_blocks {
	struct block_sum *blocks;
	double *rows, *errors;
	size_t count, room, rows_room, errors_room;
};

void mean_blocks_free(struct mean_blocks *sums);
/* Adds blocks up to the given number, with rows of zeros over q. */
sonde_status mean_blocks_grow(struct mean_blocks *sums, size_t count, int64_t q_count);
sonde_status mean_blocks_add(struct mean_blocks *sums, const sonde_debye_result *sample, double weight);
/* `weight`: the sum of the weights. The result has its number of atoms. */
sonde_status mean_blocks_deliver(const struct mean_blocks *sums, double weight, sonde_debye_result *result);

#endif
