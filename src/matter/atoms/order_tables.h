/* The pieces of the order of atoms (device_order.h), which follow from the numbers of atoms alone. */
#ifndef SONDE_MATTER_ORDER_TABLES_H
#define SONDE_MATTER_ORDER_TABLES_H

#include "matter/atoms/atoms.h"
#include "matter/kernels/order_layout.h"

#define ORDER_MOST_LEVELS 32

/* All pieces that are cut in two are those of the levels; the last ones are cut into tiles at once. Level l takes the atoms from the
 * array l % 2 to the other one. */
struct order_tables {
	uint32_t *words;
	size_t count, capacity;
	int levels;
	struct {
		uint32_t pieces, piece_count, blocks, block_count;
	} level[ORDER_MOST_LEVELS];
	uint32_t last, last_count; /* the last pieces */
	uint32_t most_pieces, most_blocks, tile_count, unit;
};

/* Makes the tables for atoms whose species have these places in the order, in units of `unit` atoms. The words are to be freed, also after a failure. */
sonde_status order_tables_make(const sonde_atoms *atoms, const uint32_t *places, uint32_t unit,
			       struct order_tables *tables);

#endif
