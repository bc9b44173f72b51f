/* Access to fields at places of lists, whether they are stored in words (stored.h) or not. No include guard: once for
 * each variant of a kernel.
 *
 * Where fields are in words, one work-item changes all places of a list that lie in a word: that of the first one. They are
 * one after the other in lists. */
#include "fdtd/kernels/real.h"
#include "fdtd/kernels/stored.h"

#undef STORED
#undef FIELD_AT
#undef IN_ONE_WORD
#if !defined(STORED_16)
#define STORED_16 0
#endif
#if STORED_16 == 1
#define STORED u64
#define FIELD_AT(field, place) stored_cell((field), (place))
#else
#define STORED REAL
#define FIELD_AT(field, place) ((field)[place])
#endif
#define IN_ONE_WORD(place, other) (STORED_16 != 0 && (place) / WORD_CELLS == (other) / WORD_CELLS)

#if !defined(SONDE_FDTD_PLACES_KERNEL_H)
#define SONDE_FDTD_PLACES_KERNEL_H

DEVICE_INLINE f32 stored_cell(const GLOBAL u64 *field, u64 place)
{
	f32 cells[WORD_CELLS];

	word_cells(field[place / WORD_CELLS], cells);
	return cells[place % WORD_CELLS];
}

/* Some cells of a word, from a place on. */
DEVICE_INLINE void set_stored_cells(GLOBAL u64 *field, u64 place, const u32 count, const f32 *values)
{
	f32 cells[WORD_CELLS];

	if (count < WORD_CELLS)
		word_cells(field[place / WORD_CELLS], cells);
	for (u32 v = 0; v < count; ++v)
		cells[place % WORD_CELLS + v] = values[v];
	field[place / WORD_CELLS] = word_of(cells[0], cells[1], cells[2], cells[3]);
}

/* The same where they are float32. */
DEVICE_INLINE void set_rounded_cells(GLOBAL f32 *field, u64 place, const u32 count, const f32 *values)
{
	GLOBAL f32 *const word = field + place / WORD_CELLS * WORD_CELLS;
	f32 cells[WORD_CELLS];

	for (u32 v = 0; v < WORD_CELLS; ++v)
		cells[v] = word[v];
	for (u32 v = 0; v < count; ++v)
		cells[place % WORD_CELLS + v] = values[v];
	word_round(cells);
	for (u32 v = 0; v < WORD_CELLS; ++v)
		word[v] = cells[v];
}
#endif

#undef SET_CELLS_AT
#if STORED_16 == 1
#define SET_CELLS_AT(field, place, count, values) set_stored_cells((field), (place), (count), (values))
#elif STORED_16
#define SET_CELLS_AT(field, place, count, values) set_rounded_cells((field), (place), (count), (values))
#else
#define SET_CELLS_AT(field, place, count, values) ((field)[place] = (values)[0])
#endif
