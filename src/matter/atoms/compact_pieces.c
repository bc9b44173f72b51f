#include "matter/atoms/compact_pieces.h"

bool compact_is_whole(const struct compact_piece *piece)
{
	return piece->count <= piece->part;
}

size_t compact_middle(const struct compact_piece *piece)
{
	return (piece->count + piece->part - 1) / piece->part / 2 * piece->part;
}

void compact_halve(const struct compact_piece *piece, struct compact_piece halves[2])
{
	const size_t middle = compact_middle(piece);

	for (int half = 0; half < 2; ++half)
		halves[half] = (struct compact_piece){.part = piece->part, .away = piece->away};
	halves[0].first = piece->first;
	halves[0].count = middle;
	halves[1].first = piece->first + middle;
	halves[1].count = piece->count - middle;
}

/* A total order: no two entries are equal, so that the result does not depend on the algorithm. The other axes come
 * second, so that a plane of a crystal is not split at random. */
static bool before(const struct compact_atom *a, const struct compact_atom *b, int axis)
{
	for (int k = 0; k < 3; ++k, axis = (axis + 1) % 3)
		if (a->r[axis] != b->r[axis])
			return a->r[axis] < b->r[axis];
	return a->atom < b->atom;
}

static void swap_entries(struct compact_atom *a, struct compact_atom *b)
{
	struct compact_atom kept = *a;

	*a = *b;
	*b = kept;
}

/* Hoare's selection. */
void compact_select(struct compact_atom *entries, size_t count, size_t middle, int axis)
{
	size_t low = 0, high = count;

	while (high - low > 1) {
		struct compact_atom pivot = entries[low + (high - low) / 2];
		size_t i = low, j = high; /* nothing in [low, i) is above the pivot, nothing in [j, high) below it */
		while (i < j) {
			while (before(&entries[i], &pivot, axis))
				++i;
			while (before(&pivot, &entries[j - 1], axis))
				--j;
			if (i < j)
				swap_entries(&entries[i++], &entries[--j]);
		}
		/* here j <= i <= j + 1, and an entry between them is the pivot */
		if (middle <= j)
			high = j;
		else if (middle >= i)
			low = i;
		else
			return;
	}
}

static void widen(double r, double *low, double *high)
{
	*low = r < *low ? r : *low;
	*high = r > *high ? r : *high;
}

/* In one pass, with separate variables, which compilers keep in registers. */
int compact_longest_axis(const struct compact_atom *entries, size_t count)
{
	double low_x = entries[0].r[0], low_y = entries[0].r[1], low_z = entries[0].r[2];
	double high_x = low_x, high_y = low_y, high_z = low_z;

	for (size_t i = 1; i < count; ++i) {
		widen(entries[i].r[0], &low_x, &high_x);
		widen(entries[i].r[1], &low_y, &high_y);
		widen(entries[i].r[2], &low_z, &high_z);
	}
	const double x = high_x - low_x, y = high_y - low_y, z = high_z - low_z;
	const int longest = y > x ? 1 : 0;
	return z > (longest == 1 ? y : x) ? 2 : longest;
}
