/* Numbers of media at the nodes of a component: parts of rows with one number take no memory for each node. */
#ifndef SONDE_FDTD_MEDIA_MEDIA_NUMBERS_H
#define SONDE_FDTD_MEDIA_MEDIA_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "fdtd/grid/grid.h"
#include "fdtd/grid/step_layout.h"

/* Nodes are counted as by media_at(). Rows are divided into segments of SEGMENT nodes; the head of a segment is its
 * number, or SEGMENT_TILE and the number of its tile, which has those of its nodes. */
#define SEGMENT_TILE 65536u
#define TILES_OF_BLOCK 1024u
struct media_numbers {
	size_t nodes, segments; /* of a row */
	size_t rows;
	uint32_t *heads;
	uint16_t **blocks; /* of tiles; null: none yet */
	uint32_t block_count, tiles;
};

/* All numbers are 0. To be freed by media_numbers_free(), which accepts null and sets it. */
sonde_status media_numbers_make(const struct fdtd_grid *grid, struct media_numbers **numbers);
void media_numbers_free(struct media_numbers **numbers);

/* The numbers of a segment's nodes, from the number of their tile. */
static inline uint16_t *media_tile(const struct media_numbers *numbers, uint32_t head)
{
	const uint32_t tile = head - SEGMENT_TILE;

	return __atomic_load_n(&numbers->blocks[tile / TILES_OF_BLOCK], __ATOMIC_ACQUIRE) +
	       (size_t)(tile % TILES_OF_BLOCK) * SEGMENT;
}
/* The number at a node; 0 if `numbers` is null. */
static inline uint16_t media_number(const struct media_numbers *numbers, size_t at)
{
	if (numbers == NULL)
		return 0;
	const size_t row = at / numbers->nodes, k = at - row * numbers->nodes;
	const uint32_t head = numbers->heads[row * numbers->segments + k / SEGMENT];
	return head < SEGMENT_TILE ? (uint16_t)head : media_tile(numbers, head)[k % SEGMENT];
}
/* Any number of threads may set those of different nodes, while none reads. SONDE_RESOURCE if memory is lacking. */
sonde_status media_set_number(struct media_numbers *numbers, size_t at, uint16_t number);
/* The same for nodes begin to end - 1 of the row of node `at`, which is its first one. */
sonde_status media_fill(struct media_numbers *numbers, size_t at, size_t begin, size_t end, uint16_t number);
/* The numbers of a segment of the row of node `at`, its first one. */
void media_copy_segment(const struct media_numbers *numbers, size_t at, size_t segment, uint16_t to[SEGMENT]);
/* If a segment of the row of node `at`, its first one, has one head for all nodes: true, and its number. */
bool media_segment(const struct media_numbers *numbers, size_t at, size_t segment, uint16_t *number);
/* Replaces each number by numbers[number], of the rows from node `first` on, before node `end`; all others are 0, which is
 * replaced by 0. No tile is that of another row. */
void media_renumber(struct media_numbers *of, size_t first, size_t end, const uint16_t *numbers);
/* Bytes that they take at the moment. */
size_t media_numbers_bytes(const struct media_numbers *numbers);

#endif
