/* Bodies continue through absorbing layers unchanged from their inner side. */
#include "base/threads.h"
#include "fdtd/media/paint.h"

#define PLANES_OF_PART 4
#define NODES_OF_SLAB 268435456.0 /* 32 MB of marks for a component */
#define LEAST_SLAB 16             /* planes */

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

/* Bits of words that several threads may write. */
static bool is_marked(const uint32_t *words, size_t bit)
{
	return __atomic_load_n(&words[bit / 32], __ATOMIC_RELAXED) >> (bit % 32) & 1;
}

static void set_mark(uint32_t *words, size_t bit, bool marked)
{
	const uint32_t one = (uint32_t)1 << bit % 32;

	if (is_marked(words, bit) == marked) /* as nearly everywhere */
		return;
	if (marked)
		__atomic_fetch_or(&words[bit / 32], one, __ATOMIC_RELAXED);
	else
		__atomic_fetch_and(&words[bit / 32], ~one, __ATOMIC_RELAXED);
}

/* Nodes first to last of an axis get the combined marks of two others. */
struct copying {
	const struct fdtd_grid *grid;
	int axis, from[2], first, last;
	int begin[3], end[3]; /* of the nodes; along the axis one */
	int outer;            /* the axis that threads share */
	size_t before;        /* nodes before the slab */
	uint32_t *words;
};

static void copy_node(const struct copying *copying, const int node[3])
{
	const struct fdtd_grid *grid = copying->grid;
	int at[3] = {node[0], node[1], node[2]};
	bool marked = false;

	for (int n = 0; n < 2; ++n) {
		at[copying->axis] = copying->from[n];
		marked |= is_marked(copying->words, media_at(grid, at[0], at[1], at[2]) - copying->before);
	}
	for (at[copying->axis] = copying->first; at[copying->axis] <= copying->last; ++at[copying->axis])
		set_mark(copying->words, media_at(grid, at[0], at[1], at[2]) - copying->before, marked);
}

static void copy_some(void *state, int64_t first, int64_t finish, int worker)
{
	const struct copying *copying = state;
	int begin[3], end[3], node[3];

	(void)worker;
	for (int a = 0; a < 3; ++a) {
		begin[a] = copying->begin[a];
		end[a] = copying->end[a];
	}
	begin[copying->outer] = copying->begin[copying->outer] + (int)first;
	end[copying->outer] = copying->begin[copying->outer] + (int)finish;
	for (node[0] = begin[0]; node[0] < end[0]; ++node[0])
		for (node[1] = begin[1]; node[1] < end[1]; ++node[1])
			for (node[2] = begin[2]; node[2] < end[2]; ++node[2])
				copy_node(copying, node);
}

static void copy_marks(const struct scene *scene, const struct paint_slab *slab, int axis, const int from[2],
		       int first, int last, uint32_t *words)
{
	const struct fdtd_grid *grid = scene->grid;
	struct copying copying = {.grid = grid,
				  .axis = axis,
				  .from = {from[0], from[1]},
				  .first = first,
				  .last = last,
				  .begin = {slab->first, 0, 0},
				  .end = {slab->end, grid->cells[1] + 1, grid->cells[2] + 1},
				  .outer = axis == 0 ? 1 : 0,
				  .before = media_at(grid, slab->first, 0, 0),
				  .words = words};

	if (axis == 0 && (last < slab->first || first >= slab->end))
		return;
	copying.begin[axis] = 0;
	copying.end[axis] = 1;
	threads_for(scene->threads, copying.end[copying.outer] - copying.begin[copying.outer], PLANES_OF_PART,
		    copy_some, &copying);
}

void paint_marks_in_layers(const struct scene *scene, const struct paint_slab *slab, const double shift[3],
			   uint32_t *words)
{
	const struct fdtd_grid *grid = scene->grid;

	for (int axis = 0; axis < 3; ++axis) {
		const int low = grid->layers[axis][0].cells, high = grid->cells[axis] - grid->layers[axis][1].cells,
			  half = shift[axis] != 0.0;
		if (low > 0)
			copy_marks(scene, slab, axis, (const int[2]){low, low + 1 - half}, 0, low - half, words);
		if (high < grid->cells[axis])
			copy_marks(scene, slab, axis, (const int[2]){high - 1, high - half}, high, grid->cells[axis],
				   words);
	}
}

bool paint_next_slab(const struct fdtd_grid *grid, const struct media_part *part, struct paint_slab *slab)
{
	const struct plane_span span = media_part_painted(grid, part);
	const int planes = span.end, low = grid->layers[0][0].cells, high = grid->cells[0] - grid->layers[0][1].cells;
	const double fit = NODES_OF_SLAB / (double)media_at(grid, 1, 0, 0);

	slab->first = slab->end > span.begin ? slab->end : span.begin;
	int end = slab->first + (fit < LEAST_SLAB ? LEAST_SLAB : fit < planes ? (int)fit : planes);
	if (low > 0 && end < low + 2)
		end = low + 2;
	slab->end = end > planes || (high < grid->cells[0] && end > high - 1) ? planes : end;
	return slab->first < planes;
}
