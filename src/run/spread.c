#include "run/spread.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

sonde_status spread_begin(struct spread *spread, int64_t size)
{
	spread->size = size;
	CHECK(memory_allocate(&spread->block, (size_t)size, sizeof(double), "the standard errors"));
	CHECK(memory_allocate(&spread->mean, (size_t)size, sizeof(double), "the standard errors"));
	return memory_allocate(&spread->squares, (size_t)size, sizeof(double), "the standard errors");
}

void spread_free(struct spread *spread)
{
	free(spread->block);
	free(spread->mean);
	free(spread->squares);
	*spread = (struct spread){0};
}

void spread_add(struct spread *spread, int64_t place, const double *numbers, int64_t count)
{
	for (int64_t k = 0; k < count; ++k)
		spread->block[place + k] += numbers[k];
}

/* The mean of the block becomes a value. */
static void end_block(struct spread *spread)
{
	const double frames = (double)spread->in_block, values = (double)++spread->values;

	for (int64_t k = 0; k < spread->size; ++k) {
		const double value = spread->block[k] / frames, difference = value - spread->mean[k];
		spread->mean[k] += difference / values;
		spread->squares[k] += difference * (value - spread->mean[k]);
		spread->block[k] = 0.0;
	}
	spread->in_block = 0;
}

/* Whether the block in progress is complete: block b of n has the samples from b M/n to (b + 1) M/n - 1. */
static bool block_ends(const struct spread *spread, int64_t blocks, int64_t expected)
{
	/* 128 bits hold the product of any two numbers */
	return blocks == 0 || spread->frames == (int64_t)((__int128)(spread->values + 1) * expected / blocks);
}

void spread_end_sample(struct spread *spread, int64_t blocks, int64_t expected)
{
	++spread->in_block;
	++spread->frames;
	if (block_ends(spread, blocks, expected))
		end_block(spread);
}

double spread_error(const struct spread *spread, int64_t place)
{
	const double values = (double)spread->values;

	return sqrt(spread->squares[place] / (values * (values - 1.0)));
}
