#include "fdtd/media/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void scene_view_release(struct scene_view *view)
{
	free(view->intervals);
	free(view->bounds);
	free(view->near);
	free(view->lines);
	*view = (struct scene_view){0};
}

/* The box around a body, in cells. */
static void find_bounds(const struct scene *scene, const struct body *body, double bounds[2][3])
{
	double low[3], high[3];

	if (body->voxels != NULL)
		voxels_bounds(body->voxels, low, high);
	else
		shape_bounds(body->shape, low, high);
	for (int a = 0; a < 3; ++a) {
		bounds[0][a] = (low[a] - scene->frame.origin[a]) / scene->frame.spacing[a];
		bounds[1][a] = (high[a] - scene->frame.origin[a]) / scene->frame.spacing[a];
	}
}

sonde_status scene_view_make(const struct scene *scene, struct scene_view *view)
{
	size_t bodies = (size_t)(scene->count > 0 ? scene->count : 1);

	*view = (struct scene_view){.scene = scene, .room = 1};
	for (int n = 0; n < scene->count; ++n) {
		const struct body *body = &scene->bodies[n];
		const int room = body->voxels != NULL ? 1 : shape_room(body->shape);
		view->room = room > view->room ? room : view->room;
	}
	CHECK(memory_allocate(&view->intervals, (size_t)view->room, sizeof *view->intervals, "lines through bodies"));
	CHECK(memory_allocate(&view->bounds, bodies, sizeof *view->bounds, "bodies"));
	CHECK(memory_allocate(&view->near, bodies, sizeof *view->near, "bodies"));
	CHECK(memory_allocate(&view->lines, 1, sizeof *view->lines, "lines through bodies"));
	for (int n = 0; n < scene->count; ++n)
		find_bounds(scene, &scene->bodies[n], view->bounds[n]);
	return SONDE_OK;
}

sonde_status scene_views_make(const struct scene *scene, struct scene_views *views)
{
	*views = (struct scene_views){.scene = scene};
	return memory_allocate(&views->views, (size_t)(scene->threads > 1 ? scene->threads : 1), sizeof *views->views,
			       "lines through bodies");
}

struct scene_view *scene_views_of(struct scene_views *views, int worker)
{
	struct scene_view *view = &views->views[worker];

	if (view->scene == NULL && scene_view_make(views->scene, view) != SONDE_OK) {
		scene_view_release(view);
		atomic_store(&views->failed, true);
	}
	return view->scene != NULL ? view : NULL;
}

sonde_status scene_views_end(struct scene_views *views, const char *what)
{
	for (int n = 0; views->views != NULL && n < (views->scene->threads > 1 ? views->scene->threads : 1); ++n)
		scene_view_release(&views->views[n]);
	free(views->views);
	return atomic_load(&views->failed) ? status_fail(SONDE_RESOURCE, "not enough memory to %s", what) : SONDE_OK;
}

#define MOST_COVERED 4 /* bodies of one interval that a later one may hide: fewer than fill struct line_parts */
#define ROUNDING 1e-6  /* cells */

/* Where the region lies in a body of a shape. Positions beyond walls are those of mirror images: not certain. */
static enum shape_side side_of(const struct scene *scene, const struct body *body, const double low[3],
			       const double high[3])
{
	double from[3], to[3];

	for (int a = 0; a < 3; ++a) {
		if (low[a] < 0.0 || high[a] > scene->grid->cells[a])
			return SHAPE_PERHAPS_ACROSS;
		from[a] = scene->frame.origin[a] + (low[a] - ROUNDING) * scene->frame.spacing[a];
		to[a] = scene->frame.origin[a] + (high[a] + ROUNDING) * scene->frame.spacing[a];
	}
	return shape_side_of_box(body->shape, from, to);
}

/* Whether lines through the bodies found so far always fit into struct line_parts. */
static bool are_few(const struct scene_view *view)
{
	for (int n = 0; n < view->near_count; ++n)
		if (shape_room(view->scene->bodies[view->near[n]].shape) > 1)
			return false;
	return view->near_count <= MOST_COVERED;
}

/* Whether lines of the region meet neither walls nor more than one interval of a body. */
static bool is_plain(const struct scene_view *view, const double low[3], const double high[3])
{
	bool within = true;

	for (int a = 0; a < 3; ++a)
		within = within && low[a] >= 0.0 && high[a] <= view->scene->grid->cells[a];
	return within && (view->near_count == 0 ||
			  (view->near_count == 1 && shape_room(view->scene->bodies[view->near[0]].shape) == 1));
}

bool scene_look_at(struct scene_view *view, const double low[3], const double high[3])
{
	const struct scene *scene = view->scene;

	view->near_count = 0;
	view->background = scene->background;
	for (int n = 0; n < scene->count; ++n) {
		bool near = true;
		for (int a = 0; a < 3; ++a) /* positions beyond a wall are mirrored inside */
			near &= low[a] < 0.0 || high[a] > scene->grid->cells[a] ||
				(view->bounds[n][0][a] <= high[a] && view->bounds[n][1][a] >= low[a]);
		if (near && scene->bodies[n].voxels != NULL)
			return false;
		if (!near)
			continue;
		const enum shape_side side = side_of(scene, &scene->bodies[n], low, high);
		if (side == SHAPE_INSIDE && are_few(view)) {
			view->near_count = 0;
			view->background = scene->bodies[n].medium;
		} else if (side != SHAPE_OUTSIDE) {
			view->near[view->near_count++] = n;
		}
	}
	view->plain = is_plain(view, low, high);
	return true;
}

/* As fmin() and fmax() of numbers, of which there are many here, without their calls. */
static inline double lesser(double a, double b)
{
	return a < b ? a : b;
}

static inline double greater(double a, double b)
{
	return a > b ? a : b;
}

static inline void add_part(struct line_parts *parts, double end, uint16_t medium)
{
	parts->medium[parts->count] = medium;
	parts->end[parts->count++] = end;
}

/* The same as lay_over() below for a line that is of one part so far, as most are. */
static void lay_over_one(struct line_parts *parts, double from, double to, uint16_t medium)
{
	const double end = parts->end[0];
	const uint16_t below = parts->medium[0];

	parts->count = 0;
	if (parts->begin < from)
		add_part(parts, from, below);
	add_part(parts, to, medium);
	if (end > to)
		add_part(parts, end, below);
}

/* Overwrites the part between two positions with a medium. */
static bool lay_over(struct line_parts *parts, double from, double to, uint16_t medium)
{
	struct line_parts made;
	double last = parts->end[parts->count - 1], begin = parts->begin;
	bool laid = false;

	from = greater(from, parts->begin);
	to = lesser(to, last);
	if (!(from < to))
		return true;
	if (parts->count == 1) {
		lay_over_one(parts, from, to, medium);
		return true;
	}
	made.count = 0;
	for (int n = 0; n < parts->count; ++n) {
		double end = parts->end[n];
		if (made.count + 3 > MOST_PARTS)
			return false;
		if (begin < from)
			add_part(&made, lesser(end, from), parts->medium[n]);
		if (!laid && end > from) {
			add_part(&made, to, medium);
			laid = true;
		}
		if (end > to)
			add_part(&made, end, parts->medium[n]);
		begin = end;
	}
	parts->count = 0;
	for (int n = 0; n < made.count; ++n)
		add_part(parts, made.end[n], made.medium[n]);
	return true;
}

/* Removes short parts, and merges adjacent ones of one medium. */
static void tidy_all(struct line_parts *parts, double least)
{
	double begin = parts->begin, last = parts->end[parts->count - 1];
	int kept = 0;

	for (int n = 0; n < parts->count; ++n) {
		double end = parts->end[n];
		if (end - begin > least && kept > 0 && parts->medium[kept - 1] == parts->medium[n]) {
			parts->end[kept - 1] = end;
		} else if (end - begin > least) {
			parts->medium[kept] = parts->medium[n];
			parts->end[kept++] = end;
		}
		begin = end;
	}
	kept += kept == 0; /* shorter than `least` as a whole */
	parts->count = kept;
	parts->end[kept - 1] = last;
}

/* The same: most lines are in order, those of two parts among them. */
static inline void tidy(struct line_parts *parts, double least)
{
	const bool two = parts->count == 2 && parts->medium[0] != parts->medium[1] &&
			 parts->end[0] - parts->begin > least && parts->end[1] - parts->end[0] > least;

	if (parts->count > 1 && !two)
		tidy_all(parts, least);
}

/* A piece of a line that lies within the grid; it appears shifted by `shift` cells. */
static bool add_piece(struct scene_view *view, int axis, const double point[3], double shift,
		      struct line_parts *parts)
{
	const struct scene *scene = view->scene;
	const struct paint_frame *frame = &scene->frame;
	double place[3];

	for (int a = 0; a < 3; ++a)
		place[a] = frame->origin[a] + point[a] * frame->spacing[a];
	for (int n = 0; n < view->near_count; ++n) {
		const struct body *body = &scene->bodies[view->near[n]];
		int count = scene_body_line(view, body, axis, place);
		for (int k = 0; k < count; ++k) {
			const struct interval *interval = &view->intervals[k];
			double from = (interval->begin - frame->origin[axis]) / frame->spacing[axis] - shift,
			       to = (interval->end - frame->origin[axis]) / frame->spacing[axis] - shift;
			if (!lay_over(parts, from, to, body->medium))
				return false;
		}
	}
	return true;
}

/* Positions across the line that lie beyond walls. */
static void bring_inside(const struct fdtd_grid *grid, int axis, double point[3])
{
	for (int a = 0; a < 3; ++a) {
		const double cells = grid->cells[a];
		const bool periodic = grid->walls[a][0] == WALL_PERIODIC;
		if (a == axis)
			continue;
		if (point[a] < 0.0)
			point[a] = periodic ? point[a] + cells : -point[a];
		else if (point[a] > cells)
			point[a] = periodic ? point[a] - cells : 2.0 * cells - point[a];
	}
}

bool scene_line(struct scene_view *view, int axis, const double point[3], double begin, double end, double least,
		struct line_parts *parts)
{
	const struct fdtd_grid *grid = view->scene->grid;
	const double cells = grid->cells[axis];
	const bool periodic = grid->walls[axis][0] == WALL_PERIODIC;
	double inside[3] = {point[0], point[1], point[2]};

	bring_inside(grid, axis, inside);
	if (!periodic) { /* mirror images have the same shares */
		begin = greater(begin, 0.0);
		end = lesser(end, cells);
	}
	parts->count = 0;
	parts->begin = begin;
	add_part(parts, end, view->background);
	if (!add_piece(view, axis, inside, 0.0, parts))
		return false;
	if (periodic && begin < 0.0 && !add_piece(view, axis, inside, cells, parts))
		return false;
	if (periodic && end > cells && !add_piece(view, axis, inside, -cells, parts))
		return false;
	tidy(parts, least);
	return true;
}

/* Intervals of lines of a plain region, in cells; with one body at most. */
static void find_intervals(const struct scene_view *view, int axis, int count, const double *u, const double *v,
			   struct interval *intervals)
{
	const struct paint_frame *frame = &view->scene->frame;
	const int b = (axis + 1) % 3, c = (axis + 2) % 3;
	double places[2][LINES_AT_ONCE];

	places[0][0] = places[1][0] = 0.0; /* the others only where they are used: this is called for each cell */
	for (int n = 0; n < count; ++n) {
		places[0][n] = frame->origin[b] + u[n] * frame->spacing[b];
		places[1][n] = frame->origin[c] + v[n] * frame->spacing[c];
	}
	shape_lines(view->scene->bodies[view->near[0]].shape, axis, count, places[0], places[1], intervals);
	for (int n = 0; n < count; ++n) {
		intervals[n].begin = (intervals[n].begin - frame->origin[axis]) / frame->spacing[axis];
		intervals[n].end = (intervals[n].end - frame->origin[axis]) / frame->spacing[axis];
	}
}

bool scene_lines(struct scene_view *view, int axis, int count, const double *u, const double *v, double begin,
		 double end, double least, struct line_parts *parts)
{
	struct interval intervals[LINES_AT_ONCE];
	double point[3] = {0.0};

	if (!view->plain) {
		for (int n = 0; n < count; ++n) {
			point[(axis + 1) % 3] = u[n];
			point[(axis + 2) % 3] = v[n];
			if (!scene_line(view, axis, point, begin, end, least, &parts[n]))
				return false;
		}
		return true;
	}
	if (view->near_count > 0)
		find_intervals(view, axis, count, u, v, intervals);
	for (int n = 0; n < count; ++n) {
		parts[n].begin = begin;
		parts[n].end[0] = end;
		parts[n].medium[0] = view->background;
		parts[n].count = 1;
		const double from = view->near_count > 0 ? greater(intervals[n].begin, begin) : end,
			     to = view->near_count > 0 ? lesser(intervals[n].end, end) : end;
		if (!(from < to))
			continue;
		lay_over_one(&parts[n], from, to, view->scene->bodies[view->near[0]].medium);
		tidy(&parts[n], least);
	}
	return true;
}
