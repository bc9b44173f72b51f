#include "fdtd/grid/layout.h"

#include "fdtd/kernels/stored.h"

#define ROW_PLACES 16u /* rows begin at multiples of this many numbers */
/* On GPUs long rows begin at multiples of this many: lines of 128 bytes. A line moves at the speed of memory, two
 * separate halves at half of it. */
#define LINE_PLACES 32u
#define LONG_ROW 64u
/* Numbers before the first one, on GPUs: so both ends of rows, which have separate kernels, are one line, and the
 * part between begins with a line. */
#define PLACES_BEFORE 16u
#define LOADED 4u /* numbers per load of a GPU work-item, at most */
#define NO_LAYER UINT32_MAX
#define PSI_PARTS 4u /* convolutions of a place and an axis: two components of both fields */

static uint32_t round_up(uint32_t count, uint32_t to)
{
	return (count + to - 1) / to * to;
}

/* If y is uniform all its nodes share one place, and differences along y are of a number with itself. */
static bool has_one_row(const struct fdtd_grid *grid)
{
	return grid_is_uniform(grid, 1) && grid_end_node(grid, 1) == 1;
}

/* Fields on two conductors are 0: the next row holds them at its beginning. */
static uint32_t places_of_row(const struct fdtd_grid *grid, bool on_gpu)
{
	const uint32_t cells = (uint32_t)grid->cells[2];
	const bool conductors = grid->walls[2][0] == WALL_CONDUCTOR && grid->walls[2][1] == WALL_CONDUCTOR &&
				!grid_is_uniform(grid, 2) && !has_one_row(grid);

	/* the last place of a row is changed together with its word: that must not have cells which are read meanwhile */
	const uint32_t beyond = grid->in_words ? 1 + WORD_CELLS : 2;
	if (!on_gpu || cells < LONG_ROW)
		return round_up(cells + beyond, ROW_PLACES);
	return round_up(conductors ? cells : cells + beyond, LINE_PLACES);
}

/* A plane lies before the first one; two nodes after the last one may be accessed, and the last place of a row
 * precedes the next one's first. */
static uint64_t lay_out_fields(const struct fdtd_grid *grid, bool on_gpu, struct fdtd_step *layout)
{
	layout->rows = has_one_row(grid) ? 1 : (uint32_t)grid->cells[1] + 2;
	layout->planes = (uint32_t)grid->cells[0] + 3;
	layout->row = places_of_row(grid, on_gpu);
	layout->to_next_row = has_one_row(grid) ? 0 : layout->row;
	layout->plane = layout->rows * layout->row;
	layout->volume = layout->planes * layout->plane;
	layout->before = on_gpu ? PLACES_BEFORE : 0;
	layout->row_segments = (uint32_t)(layout->row + SEGMENT - 1) / SEGMENT;
	for (int a = 0; a < 3; ++a) {
		layout->first[a] = (uint32_t)grid_first_node(grid, a);
		layout->end[a] = (uint32_t)grid_end_node(grid, a);
		layout->low[a] = (uint32_t)grid->layers[a][0].cells;
		layout->high[a] =
		    grid->layers[a][1].cells > 0 ? (uint32_t)(grid->cells[a] - grid->layers[a][1].cells) : NO_LAYER;
	}
	return layout->before + 3 * layout->volume;
}

/* Along the rows layers of whole registers: their nodes outside the layer have convolutions that stay 0. */
static void widen_layers(const struct fdtd_grid *grid, struct fdtd_step *layout)
{
	uint32_t cells = (uint32_t)grid->cells[2], low = round_up(layout->low[2], ROW_PLACES),
		 high = layout->high[2] == NO_LAYER ? 0 : round_up(cells - layout->high[2], ROW_PLACES);

	if (low + high > cells)
		return;
	layout->low[2] = low;
	if (high > 0)
		layout->high[2] = cells - high;
}

/* Layers of whole loads. */
static void widen_layers_on_gpu(const struct fdtd_grid *grid, struct fdtd_step *layout)
{
	layout->low[2] = round_up(layout->low[2], LOADED);
	if (layout->high[2] != NO_LAYER)
		layout->high[2] = layout->high[2] / LOADED * LOADED;
	if (layout->low[2] <= layout->high[2])
		return;
	layout->low[2] = round_up((uint32_t)grid->cells[2] + 1, LOADED);
	layout->high[2] = NO_LAYER;
}

/* Along the rows whole loads of GPUs. */
static uint32_t layer_nodes(const struct fdtd_step *layout, const struct fdtd_grid *grid, int axis)
{
	const uint32_t nodes = layout->high[axis] == NO_LAYER ? 0 : (uint32_t)grid->cells[axis] - layout->high[axis];

	return layout->low[axis] + (axis == 2 ? round_up(nodes, LOADED) : nodes);
}

/* Returns the total number of convolutions. */
static uint64_t lay_out_psi(const struct fdtd_grid *grid, struct fdtd_step *layout)
{
	uint64_t at = 0;

	for (int a = 0; a < 3; ++a) {
		const uint64_t nodes = layer_nodes(layout, grid, a);
		layout->psi_row[a] = a == 2 ? nodes : layout->row;
		layout->psi_size[a] = nodes == 0 ? 0 : (a == 1 ? nodes : layout->rows) * layout->psi_row[a];
		layout->psi_plane[a] = PSI_PARTS * layout->psi_size[a];
		layout->psi_planes[a] = nodes == 0 ? 0 : a == 0 ? (uint32_t)nodes : (uint32_t)grid->cells[0] + 2;
		layout->e_psi[a] = at;
		layout->h_psi[a] = at + 2 * layout->psi_size[a];
		at += layout->psi_planes[a] * layout->psi_plane[a];
	}
	return at;
}

static uint64_t lay_out_profile(const struct fdtd_grid *grid, struct fdtd_step *layout)
{
	uint64_t at = 0;

	for (int a = 0; a < 3; ++a) {
		layout->profile_length[a] = round_up((uint32_t)grid->cells[a] + 2, ROW_PLACES);
		layout->node_profile[a] = at;
		layout->half_profile[a] = at + PROFILE_KINDS * layout->profile_length[a];
		at += 2 * PROFILE_KINDS * layout->profile_length[a];
	}
	return at;
}

uint64_t layout_psi(const struct fdtd_step *layout)
{
	uint64_t all = 0;

	for (int a = 0; a < 3; ++a)
		all += layout->psi_planes[a] * layout->psi_plane[a];
	return all;
}

void layout_make(const struct fdtd_grid *grid, bool on_gpu, struct fdtd_step *layout, struct layout_sizes *sizes)
{
	*layout = (struct fdtd_step){0};
	sizes->field = lay_out_fields(grid, on_gpu, layout);
	if (on_gpu)
		widen_layers_on_gpu(grid, layout);
	else
		widen_layers(grid, layout);
	sizes->psi = lay_out_psi(grid, layout);
	sizes->profile = lay_out_profile(grid, layout);
}

uint64_t layout_place(const struct fdtd_step *layout, int component, int i, int j, int k)
{
	uint64_t row = layout->rows > 1 ? (uint64_t)j : 0, place = (uint64_t)k;

	if (place >= layout->row) {
		row = layout->rows - 1;
		place = 0;
	}
	return layout->before + (uint64_t)component * layout->volume + (uint64_t)(i + 1) * layout->plane +
	       row * layout->row + place;
}

int layout_node(const struct fdtd_step *layout, uint64_t place, int node[3])
{
	const uint64_t from_first = place - layout->before;

	node[0] = (int)(from_first % layout->volume / layout->plane) - 1;
	node[1] = (int)(from_first % layout->plane / layout->row);
	node[2] = (int)(from_first % layout->row);
	return (int)(from_first / layout->volume);
}
