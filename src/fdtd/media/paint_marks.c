/* Edges and faces near surfaces. */
#include <math.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/media/paint.h"

#define PLANES_OF_PART 2

void paint_marks_free(struct paint_marks *marks)
{
	for (int c = 0; c < 6; ++c)
		memory_release_pages(marks->words[c]);
	*marks = (struct paint_marks){.slab = {0, 0}};
}

/* Marks made by a line along an axis. */
struct marker {
	const struct scene *scene;
	const struct body *body;
	const struct paint_slab *slab;
	double reach, shift[3];
	int axis;
	uint32_t *words;
};

static bool bring_inside(const struct fdtd_grid *grid, int axis, int *at)
{
	const int cells = grid->cells[axis];

	if (grid->walls[axis][0] == WALL_PERIODIC)
		*at = ((*at % cells) + cells) % cells;
	return *at >= 0 && *at <= cells;
}

/* Lines of other threads may mark the same word; most nodes are marked already. */
static inline void mark_bit(uint32_t *words, size_t bit)
{
	const uint32_t mark = (uint32_t)1 << (bit % 32);

	if ((__atomic_load_n(&words[bit / 32], __ATOMIC_RELAXED) & mark) == 0)
		__atomic_fetch_or(&words[bit / 32], mark, __ATOMIC_RELAXED);
}

/* The node and its neighbors across the line, if all of them are in the slab and away from the grid's sides. */
static bool mark_inner_node(const struct marker *marker, const int place[3])
{
	const struct fdtd_grid *grid = marker->scene->grid;
	const int u = (marker->axis + 1) % 3, v = (marker->axis + 2) % 3;
	const size_t steps[3] = {media_at(grid, 1, 0, 0), media_at(grid, 0, 1, 0), 1};

	for (int a = 0; a < 3; ++a)
		if (place[a] < 1 || place[a] > grid->cells[a] - 2)
			return false;
	if (place[0] <= marker->slab->first || place[0] >= marker->slab->end - 1)
		return false;
	size_t bit = media_at(grid, place[0] - marker->slab->first, place[1], place[2]) - steps[u] - steps[v];
	for (int n = 0; n < 3; ++n, bit += steps[v])
		for (int m = 0; m < 3; ++m)
			mark_bit(marker->words, bit + (size_t)m * steps[u]);
	return true;
}

/* Marks a node together with its neighbors across the line: the cell of a neighbor beyond a body's corner may contain
 * a part of the body that no line through the middle of the cell meets. */
static void mark_node(const struct marker *marker, const int node[3], int at)
{
	const int u = (marker->axis + 1) % 3, v = (marker->axis + 2) % 3;

	int place[3] = {node[0], node[1], node[2]};

	place[marker->axis] = at;
	if (mark_inner_node(marker, place))
		return;
	for (int n = 0; n < 9; ++n) {
		place[marker->axis] = at;
		place[u] = node[u] + n % 3 - 1;
		place[v] = node[v] + n / 3 - 1;
		bool inside = true;
		for (int a = 0; a < 3; ++a)
			inside = bring_inside(marker->scene->grid, a, &place[a]) && inside;
		if (!inside || place[0] < marker->slab->first || place[0] >= marker->slab->end)
			continue;
		mark_bit(marker->words,
			 media_at(marker->scene->grid, place[0] - marker->slab->first, place[1], place[2]));
	}
}

static void mark_line(const struct marker *marker, struct scene_view *view, const int node[3])
{
	const struct paint_frame *frame = &marker->scene->frame;
	const int axis = marker->axis, cells = marker->scene->grid->cells[axis];
	double point[3];

	for (int a = 0; a < 3; ++a)
		point[a] = frame->origin[a] + (node[a] + marker->shift[a]) * frame->spacing[a];
	int count = scene_body_line(view, marker->body, axis, point);
	for (int n = 0; n < 2 * count; ++n) {
		double end = n % 2 == 0 ? view->intervals[n / 2].begin : view->intervals[n / 2].end,
		       place = (end - frame->origin[axis]) / frame->spacing[axis] - marker->shift[axis];
		if (!(place > -marker->reach - 1.0 && place < cells + marker->reach + 1.0))
			continue;
		for (int at = (int)ceil(place - marker->reach); at <= (int)floor(place + marker->reach); ++at)
			mark_node(marker, node, at);
	}
}

/* Nodes of an axis whose lines may meet the body. */
static void find_nodes(const struct marker *marker, int axis, int *begin, int *end)
{
	const struct paint_frame *frame = &marker->scene->frame;
	const int cells = marker->scene->grid->cells[axis];
	double low[3], high[3];

	shape_bounds(marker->body->shape, low, high);
	double from = floor((low[axis] - frame->origin[axis]) / frame->spacing[axis] - 1.0),
	       to = ceil((high[axis] - frame->origin[axis]) / frame->spacing[axis] + 2.0);
	*begin = from < 0.0 ? 0 : from > cells ? cells + 1 : (int)from;
	*end = to < 0.0 ? 0 : to > cells ? cells + 1 : (int)to;
}

/* Whether lines in a plane mark nodes of the slab: those of the plane and of its neighbors. */
static bool plane_matters(const struct marker *marker, int plane)
{
	for (int n = -1; n <= 1; ++n) {
		int at = plane + n;
		if (bring_inside(marker->scene->grid, 0, &at) && at >= marker->slab->first && at < marker->slab->end)
			return true;
	}
	return false;
}

struct line_marking {
	const struct marker *marker;
	struct scene_views views;
	int begin[2], end[2];
};

static void mark_planes(void *state, int64_t first, int64_t finish, int worker)
{
	struct line_marking *marking = state;
	const int axis = marking->marker->axis, u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
	struct scene_view *view = scene_views_of(&marking->views, worker);

	if (view == NULL)
		return;
	for (int i = marking->begin[0] + (int)first; i < marking->begin[0] + (int)finish; ++i) {
		if (axis != 0 && !plane_matters(marking->marker, i))
			continue;
		for (int j = marking->begin[1]; j < marking->end[1]; ++j) {
			int node[3] = {0, 0, 0};
			node[u] = i;
			node[v] = j;
			mark_line(marking->marker, view, node);
		}
	}
}

static sonde_status mark_lines(const struct marker *marker)
{
	const int u = marker->axis == 0 ? 1 : 0, v = marker->axis == 2 ? 1 : 2;
	const struct scene one = scene_of_body(marker->scene, marker->body);
	struct line_marking marking = {.marker = marker};

	find_nodes(marker, u, &marking.begin[0], &marking.end[0]);
	find_nodes(marker, v, &marking.begin[1], &marking.end[1]);
	CHECK(scene_views_make(&one, &marking.views));
	threads_for(one.threads, marking.end[0] - marking.begin[0], PLANES_OF_PART, mark_planes, &marking);
	return scene_views_end(&marking.views, "find the surfaces of a body");
}

sonde_status paint_marks_make(const struct scene *scene, double reach, const bool wanted[6],
			      const struct paint_slab *slab, struct paint_marks *marks)
{
	const size_t words = media_at(scene->grid, slab->end - slab->first, 0, 0) / 32 + 1;
	struct marker marker = {.scene = scene, .slab = slab, .reach = reach};

	*marks = (struct paint_marks){.slab = *slab};
	for (int c = 0; c < 6; ++c)
		if (wanted[c])
			CHECK(memory_allocate_pages(&marks->words[c], words * sizeof **marks->words,
						    "surfaces of bodies"));
	for (int n = 0; n < 18 * scene->count; ++n) {
		marker.body = &scene->bodies[n / 18];
		marker.axis = n % 3;
		marker.words = marks->words[n / 3 % 6];
		paint_shift(n / 3 % 6, marker.shift);
		if (marker.words != NULL && marker.body->voxels == NULL)
			CHECK(mark_lines(&marker));
	}
	for (int c = 0; c < 6; ++c) {
		paint_shift(c, marker.shift);
		if (marks->words[c] != NULL)
			paint_marks_in_layers(scene, slab, marker.shift, marks->words[c]);
	}
	return SONDE_OK;
}

size_t paint_marks_next(const struct fdtd_grid *grid, const struct paint_marks *marks, int component, size_t from,
			size_t end)
{
	const size_t before = media_at(grid, marks->slab.first, 0, 0), last = end - before;
	const uint32_t *words = marks->words[component];

	for (size_t bit = from - before; bit < last; bit = bit / 32 * 32 + 32) {
		const uint32_t left = words[bit / 32] >> (bit % 32);
		if (left == 0)
			continue;
		bit += (size_t)__builtin_ctz(left);
		return before + (bit < last ? bit : last);
	}
	return end;
}
