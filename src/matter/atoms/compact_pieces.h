/* Pieces of a sample that are cut in two, again and again: compact_atoms.c. */
#ifndef SONDE_MATTER_COMPACT_PIECES_H
#define SONDE_MATTER_COMPACT_PIECES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct compact_atom {
	double r[3];
	uint32_t atom; /* its number in the sample */
};

/* Atoms of one species to be cut into compact parts of `part` atoms, except the last one: across the longest edge, recursively in
 * halves of whole parts. */
struct compact_piece {
	size_t first, count, part;
	bool away;     /* where its entries are: in the second of two arrays */
	bool measured; /* the smallest box around them is known: */
	double low[3], high[3];
};

/* Entry n of the order is at n in one of two arrays. */
struct compact_arrays {
	struct compact_atom *home, *away;
};

bool compact_is_whole(const struct compact_piece *piece);
/* The place of the cut: so many entries are in the first half. */
size_t compact_middle(const struct compact_piece *piece);
/* The halves of a piece that is cut, whose boxes are not known. */
void compact_halve(const struct compact_piece *piece, struct compact_piece halves[2]);
/* Puts the `middle` smallest of `count` entries along an axis first. */
void compact_select(struct compact_atom *entries, size_t count, size_t middle, int axis);
/* The longest edge of the smallest box around entries, of which there is one at least. */
int compact_longest_axis(const struct compact_atom *entries, size_t count);

#endif
