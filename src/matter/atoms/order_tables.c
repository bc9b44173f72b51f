#include "matter/atoms/order_tables.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

#define LEAST_BLOCK 1024u /* atoms, of pieces with fewer than ORDER_BLOCKS blocks */

/* A piece on the way, in the words of the last ones. */
struct piece {
	uint32_t words[ORDER_LAST_WORDS];
};

struct pieces {
	struct piece *list;
	size_t count, capacity;
};

static sonde_status add_piece(struct pieces *pieces, struct piece piece)
{
	CHECK(memory_grow(&pieces->list, &pieces->capacity, pieces->count + 1, sizeof *pieces->list,
			  "the order of the atoms"));
	pieces->list[pieces->count++] = piece;
	return SONDE_OK;
}

static sonde_status add_words(struct order_tables *tables, const uint32_t *words, size_t count)
{
	CHECK(memory_grow(&tables->words, &tables->capacity, tables->count + count, sizeof *tables->words,
			  "the order of the atoms"));
	memcpy(tables->words + tables->count, words, count * sizeof *words);
	tables->count += count;
	return SONDE_OK;
}

static uint32_t blocks_of(uint32_t count)
{
	const uint32_t blocks = (count + LEAST_BLOCK - 1) / LEAST_BLOCK;

	return blocks < ORDER_BLOCKS ? blocks : ORDER_BLOCKS;
}

/* The blocks of a piece, number `number` of its level. */
static sonde_status add_blocks(struct order_tables *tables, const struct piece *piece, uint32_t number)
{
	const uint32_t count = piece->words[ORDER_LAST_COUNT], blocks = blocks_of(count),
		       each = (count + blocks - 1) / blocks, first = piece->words[ORDER_LAST_FIRST];

	for (uint32_t b = 0; b < blocks; ++b) {
		const uint32_t from = b * each < count ? b * each : count, left = count - from,
			       block[ORDER_BLOCK_WORDS] = {number, first + from,
							   first + from + (left < each ? left : each)};
		CHECK(add_words(tables, block, ORDER_BLOCK_WORDS));
	}
	return SONDE_OK;
}

/* Half of a piece. */
static struct piece half_of(const struct piece *piece, uint32_t middle, bool second)
{
	const uint32_t skipped = second ? middle : 0,
		       count = second ? piece->words[ORDER_LAST_COUNT] - middle : middle;
	const struct piece half = {{piece->words[ORDER_LAST_FIRST] + skipped, count,
				    1 - piece->words[ORDER_LAST_ARRAY], piece->words[ORDER_LAST_PLACE] + skipped,
				    piece->words[ORDER_LAST_TILE] + skipped / ORDER_TILE}};

	return half;
}

/* Cuts all pieces, of which the halves are to be cut further, or are among the last. */
static sonde_status add_level(struct order_tables *tables, struct pieces *pieces, struct pieces *last)
{
	struct pieces halves = {0};
	sonde_status status = SONDE_OK;
	uint32_t block = 0;

	tables->level[tables->levels].pieces = (uint32_t)tables->count;
	tables->level[tables->levels].piece_count = (uint32_t)pieces->count;
	for (size_t n = 0; n < pieces->count && status == SONDE_OK; ++n) {
		const struct piece *piece = &pieces->list[n];
		const uint32_t count = piece->words[ORDER_LAST_COUNT],
			       middle = (count + tables->unit - 1) / tables->unit / 2 * tables->unit,
			       words[ORDER_PIECE_WORDS] = {piece->words[ORDER_LAST_FIRST], middle, block,
							   blocks_of(count)};
		status = add_words(tables, words, ORDER_PIECE_WORDS);
		block += blocks_of(count);
		for (int second = 0; second < 2 && status == SONDE_OK; ++second) {
			const struct piece half = half_of(piece, middle, second == 1);
			status = add_piece(half.words[ORDER_LAST_COUNT] > ORDER_FINISHED ? &halves : last, half);
		}
	}
	tables->level[tables->levels].blocks = (uint32_t)tables->count;
	tables->level[tables->levels++].block_count = block;
	for (size_t n = 0; n < pieces->count && status == SONDE_OK; ++n)
		status = add_blocks(tables, &pieces->list[n], (uint32_t)n);
	tables->most_pieces = pieces->count > tables->most_pieces ? (uint32_t)pieces->count : tables->most_pieces;
	tables->most_blocks = block > tables->most_blocks ? block : tables->most_blocks;
	free(pieces->list);
	*pieces = halves;
	return status;
}

sonde_status order_tables_make(const sonde_atoms *atoms, const uint32_t *places, uint32_t unit,
			       struct order_tables *tables)
{
	struct pieces pieces = {0}, last = {0};
	sonde_status status = SONDE_OK;
	uint32_t first = 0;

	tables->unit = unit;
	for (int s = 0; s < atoms->species_count && status == SONDE_OK; ++s) {
		const uint32_t count = (uint32_t)atoms->species[s].atoms;
		const struct piece piece = {{first, count, 0, places[s], tables->tile_count}};
		if (count > 0)
			status = add_piece(count > ORDER_FINISHED ? &pieces : &last, piece);
		first += count;
		tables->tile_count += (count + ORDER_TILE - 1) / ORDER_TILE;
	}
	while (status == SONDE_OK && pieces.count > 0)
		status = add_level(tables, &pieces, &last);
	tables->last = (uint32_t)tables->count;
	tables->last_count = (uint32_t)last.count;
	for (size_t n = 0; n < last.count && status == SONDE_OK; ++n)
		status = add_words(tables, last.list[n].words, ORDER_LAST_WORDS);
	free(pieces.list);
	free(last.list);
	return status;
}
