/* Bodies continue through absorbing layers unchanged from their inner side. */
#include "fdtd/media/paint.h"

double paint_place(const struct fdtd_grid *grid, int axis, int node, double shift, bool *in_layer)
{
	const struct absorbing_layer *layers = grid->layers[axis];
	const int low = layers[0].cells, high = grid->cells[axis] - layers[1].cells;
	const double place = node + shift;

	*in_layer = true;
	if (low > 0 && place <= low)
		return low + 0.5;
	if (layers[1].cells > 0 && place >= high)
		return high - 0.5;
	*in_layer = false;
	return place;
}

static bool is_marked(const uint32_t *words, size_t bit)
{
	return words[bit / 32] >> (bit % 32) & 1;
}

static void set_mark(uint32_t *words, size_t bit, bool marked)
{
	const uint32_t one = (uint32_t)1 << bit % 32;

	words[bit / 32] = marked ? words[bit / 32] | one : words[bit / 32] & ~one;
}

/* Gives nodes first to last of an axis the combined marks of two others. */
static void copy_marks(const struct fdtd_grid *grid, int axis, const int from[2], int first, int last,
		       uint32_t *words)
{
	int end[3] = {grid->cells[0] + 1, grid->cells[1] + 1, grid->cells[2] + 1}, node[3];

	end[axis] = 1;
	for (node[0] = 0; node[0] < end[0]; ++node[0])
		for (node[1] = 0; node[1] < end[1]; ++node[1])
			for (node[2] = 0; node[2] < end[2]; ++node[2]) {
				int at[3] = {node[0], node[1], node[2]};
				bool marked = false;
				for (int n = 0; n < 2; ++n) {
					at[axis] = from[n];
					marked |= is_marked(words, media_at(grid, at[0], at[1], at[2]));
				}
				for (at[axis] = first; at[axis] <= last; ++at[axis])
					set_mark(words, media_at(grid, at[0], at[1], at[2]), marked);
			}
}

void paint_marks_in_layers(const struct fdtd_grid *grid, const double shift[3], uint32_t *words)
{
	for (int axis = 0; axis < 3; ++axis) {
		const int low = grid->layers[axis][0].cells, high = grid->cells[axis] - grid->layers[axis][1].cells,
			  half = shift[axis] != 0.0;
		if (low > 0)
			copy_marks(grid, axis, (const int[2]){low, low + 1 - half}, 0, low - half, words);
		if (high < grid->cells[axis])
			copy_marks(grid, axis, (const int[2]){high - 1, high - half}, high, grid->cells[axis], words);
	}
}
