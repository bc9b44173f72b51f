#include "fdtd/media/media_numbers.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define WHAT "the media"

sonde_status media_numbers_make(const struct fdtd_grid *grid, struct media_numbers **made)
{
	struct media_numbers *numbers;

	CHECK(memory_allocate(made, 1, sizeof **made, WHAT));
	numbers = *made;
	numbers->nodes = (size_t)grid->cells[2] + 1;
	numbers->segments = (numbers->nodes + SEGMENT - 1) / SEGMENT;
	numbers->rows = ((size_t)grid->cells[0] + 1) * ((size_t)grid->cells[1] + 1);
	const size_t heads = numbers->rows * numbers->segments;
	if (heads > (UINT32_MAX - 2 * SEGMENT_TILE) / 2)
		return memory_missing(WHAT);
	numbers->block_count =
	    (uint32_t)(2 * heads / TILES_OF_BLOCK + 2); /* with room for unused ones: make_tile() */
	CHECK(memory_allocate(&numbers->heads, heads, sizeof *numbers->heads, WHAT));
	return memory_allocate(&numbers->blocks, numbers->block_count, sizeof *numbers->blocks, WHAT);
}

void media_numbers_free(struct media_numbers **numbers)
{
	if (*numbers == NULL)
		return;
	for (size_t n = 0; (*numbers)->blocks != NULL && n < (*numbers)->block_count; ++n)
		free((*numbers)->blocks[n]);
	free((*numbers)->blocks);
	free((*numbers)->heads);
	free(*numbers);
	*numbers = NULL;
}

/* Another thread may allocate the same block. */
static bool make_block(struct media_numbers *numbers, uint32_t block)
{
	uint16_t *none = NULL, *made;

	if (__atomic_load_n(&numbers->blocks[block], __ATOMIC_ACQUIRE) != NULL)
		return true;
	if (memory_allocate(&made, TILES_OF_BLOCK * SEGMENT, sizeof *made, WHAT) != SONDE_OK)
		return false;
	if (!__atomic_compare_exchange_n(&numbers->blocks[block], &none, made, false, __ATOMIC_ACQ_REL,
					 __ATOMIC_ACQUIRE))
		free(made);
	return true;
}

/* Gives a segment a tile of its own, unless another thread does so at the same time: the last tile is then unused,
 * at most one for each thread and segment. */
static sonde_status make_tile(struct media_numbers *numbers, uint32_t *head, uint32_t *now)
{
	const uint32_t tile = __atomic_fetch_add(&numbers->tiles, 1, __ATOMIC_RELAXED), own = SEGMENT_TILE + tile;

	const uint32_t block = tile / TILES_OF_BLOCK;

	if (block >= numbers->block_count || !make_block(numbers, block))
		return memory_missing(WHAT);
	/* the next block in time, by one thread: else all would make it when this one ends */
	if (tile % TILES_OF_BLOCK == TILES_OF_BLOCK / 2 && block + 1 < numbers->block_count)
		(void)make_block(numbers, block + 1);
	uint16_t *to = media_tile(numbers, own);
	for (size_t k = 0; k < SEGMENT; ++k)
		to[k] = (uint16_t)*now;
	if (__atomic_compare_exchange_n(head, now, own, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
		*now = own;
	return SONDE_OK;
}

/* Nodes begin to end - 1 of a segment. */
static sonde_status fill_part(struct media_numbers *numbers, uint32_t *head, size_t begin, size_t end,
			      uint16_t number)
{
	uint32_t now = __atomic_load_n(head, __ATOMIC_ACQUIRE);

	if (now == number)
		return SONDE_OK;
	while (now < SEGMENT_TILE)
		CHECK(make_tile(numbers, head, &now));
	uint16_t *tile = media_tile(numbers, now);
	for (size_t k = begin; k < end; ++k)
		tile[k] = number;
	return SONDE_OK;
}

sonde_status media_set_number(struct media_numbers *numbers, size_t at, uint16_t number)
{
	const size_t k = at % numbers->nodes;

	return fill_part(numbers, &numbers->heads[at / numbers->nodes * numbers->segments + k / SEGMENT], k % SEGMENT,
			 k % SEGMENT + 1, number);
}

sonde_status media_fill(struct media_numbers *numbers, size_t at, size_t begin, size_t end, uint16_t number)
{
	uint32_t *heads = &numbers->heads[at / numbers->nodes * numbers->segments];

	for (size_t k = begin; k < end;) {
		const size_t segment = k / SEGMENT, first = segment * SEGMENT,
			     all = first + SEGMENT < numbers->nodes ? first + SEGMENT : numbers->nodes,
			     to = end < all ? end : all;
		if (k == first && to == all && heads[segment] < SEGMENT_TILE)
			heads[segment] = number;
		else
			CHECK(fill_part(numbers, &heads[segment], k - first, to - first, number));
		k = to;
	}
	return SONDE_OK;
}

bool media_segment(const struct media_numbers *numbers, size_t at, size_t segment, uint16_t *number)
{
	const uint32_t head = numbers->heads[at / numbers->nodes * numbers->segments + segment];

	*number = (uint16_t)head;
	return head < SEGMENT_TILE;
}

void media_copy_segment(const struct media_numbers *numbers, size_t at, size_t segment, uint16_t to[SEGMENT])
{
	const uint32_t head = numbers->heads[at / numbers->nodes * numbers->segments + segment];

	if (head >= SEGMENT_TILE)
		memcpy(to, media_tile(numbers, head), SEGMENT * sizeof *to);
	else
		for (size_t k = 0; k < SEGMENT; ++k)
			to[k] = (uint16_t)head;
}

void media_renumber(struct media_numbers *of, size_t first, size_t end, const uint16_t *numbers)
{
	const size_t begin = first / of->nodes * of->segments, behind = end / of->nodes * of->segments;

	for (size_t n = begin; n < behind; ++n) {
		const uint32_t head = of->heads[n];
		if (head < SEGMENT_TILE) {
			of->heads[n] = numbers[head];
			continue;
		}
		uint16_t *tile = media_tile(of, head);
		for (size_t k = 0; k < SEGMENT; ++k)
			tile[k] = numbers[tile[k]];
	}
}

size_t media_numbers_bytes(const struct media_numbers *numbers)
{
	const size_t heads = numbers->rows * numbers->segments,
		     blocks = (numbers->tiles + TILES_OF_BLOCK - 1) / TILES_OF_BLOCK;

	return heads * sizeof *numbers->heads + numbers->block_count * sizeof *numbers->blocks +
	       blocks * TILES_OF_BLOCK * SEGMENT * sizeof **numbers->blocks;
}
