/* Means of media at the flat faces of bodies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/media/paint.h"
#include "fdtd/media/unit_cell.h"

#define LEAST UNIT_CELL_LEAST
#define LINES 16  /* through a section that is not flat */
#define COARSE 64 /* shares of it are multiples of one over this */

struct unit_cell unit_cell_at(const struct fdtd_grid *grid, const int node[3], const double shift[3],
			      bool in_layer[3])
{
	struct unit_cell cell;

	for (int a = 0; a < 3; ++a) {
		cell.middle[a] = paint_place(grid, a, node[a], shift[a], &in_layer[a]);
		cell.half[a] = grid_is_uniform(grid, a) ? 0.0 : 0.5;
	}
	return cell;
}

struct unit_cell unit_cell_cut(struct unit_cell cell, const bool in_layer[3])
{
	for (int a = 0; a < 3; ++a)
		cell.half[a] = in_layer[a] ? 0.0 : cell.half[a];
	return cell;
}

static bool is_known(const struct cell_lines *lines, const struct unit_cell *cell)
{
	bool same = lines->any;

	for (int a = 0; a < 3; ++a)
		same = same && lines->middle[a] == cell->middle[a] && lines->half[a] == cell->half[a];
	return same;
}

bool unit_cell_look(struct scene_view *view, const struct unit_cell *cell)
{
	struct cell_lines *lines = view->lines;
	double low[3], high[3];

	if (is_known(lines, cell))
		return lines->looked;
	for (int a = 0; a < 3; ++a) {
		lines->middle[a] = cell->middle[a];
		lines->half[a] = cell->half[a];
		low[a] = cell->middle[a] - cell->half[a];
		high[a] = cell->middle[a] + cell->half[a];
	}
	memset(lines->known, 0, sizeof lines->known);
	lines->any = true;
	lines->looked = scene_look_at(view, low, high);
	return lines->looked;
}

bool unit_cell_lines(struct scene_view *view, const struct unit_cell *cell, int axis, int count, const double *u,
		     const double *v, struct line_parts *parts)
{
	const int b = (axis + 1) % 3, c = (axis + 2) % 3;
	const double x = cell->middle[axis], half = cell->half[axis];
	double places[2][LINES_AT_ONCE];

	for (int n = 0; n < count; ++n) {
		places[0][n] = cell->middle[b] + u[n];
		places[1][n] = cell->middle[c] + v[n];
	}
	return scene_lines(view, axis, count, places[0], places[1], x - half, x + half, LEAST, parts);
}

/* All nine lines along an axis at once, where that is fast. */
static void find_known(struct scene_view *view, const struct unit_cell *cell, int axis)
{
	struct cell_lines *lines = view->lines;
	const double of_u = fmax(cell->half[(axis + 1) % 3] - LEAST, 0.0),
		     of_v = fmax(cell->half[(axis + 2) % 3] - LEAST, 0.0);
	double u[9], v[9];

	for (int n = 0; n < 9; ++n) {
		const int row = n / 3;
		u[n] = (row - 1) * of_u;
		v[n] = (n % 3 - 1) * of_v;
		lines->known[9 * axis + n] = lines->few[9 * axis + n] = true;
	}
	(void)unit_cell_lines(view, cell, axis, 9, u, v, &lines->parts[9 * axis]);
}

bool unit_cell_known_line(struct scene_view *view, const struct unit_cell *cell, int axis, const int sides[3],
			  const struct line_parts **parts)
{
	struct cell_lines *lines = view->lines;
	const int u = (axis + 1) % 3, v = (axis + 2) % 3, n = 9 * axis + 3 * (sides[u] + 1) + sides[v] + 1;

	*parts = &lines->parts[n];
	if (lines->known[n])
		return lines->few[n];
	if (view->plain) {
		find_known(view, cell, axis);
		return true;
	}
	const double of_u = sides[u] * fmax(cell->half[u] - LEAST, 0.0),
		     of_v = sides[v] * fmax(cell->half[v] - LEAST, 0.0);
	lines->known[n] = true;
	lines->few[n] = unit_cell_lines(view, cell, axis, 1, &of_u, &of_v, &lines->parts[n]);
	return lines->few[n];
}

static bool alike(const struct line_parts *a, const struct line_parts *b)
{
	bool same = a->count == b->count;

	for (int n = 0; same && n < a->count; ++n)
		same = a->medium[n] == b->medium[n] && fabs(a->end[n] - b->end[n]) < LEAST;
	return same;
}

/* Lines along an axis, through the cell's middle and near its edges. */
struct bundle {
	const struct line_parts *middle;
	bool known;         /* all are known */
	bool alike, single; /* all lines are equal; each has one medium */
};

static void look_along(struct scene_view *view, const struct unit_cell *cell, int axis, int across, int also,
		       struct bundle *bundle)
{
	*bundle = (struct bundle){.known = true, .alike = true, .single = true};
	for (int n = 0; n < 9; ++n) {
		/* the middle first; then -, 0, + of both directions */
		const int place = n == 0 ? 4 : n <= 4 ? n - 1 : n, row = place / 3;
		int sides[3] = {0};
		const struct line_parts *parts;
		sides[across] = place % 3 - 1;
		sides[also] = row - 1;
		if ((sides[across] != 0 && cell->half[across] == 0.0) ||
		    (sides[also] != 0 && cell->half[also] == 0.0))
			continue;
		bundle->known &= unit_cell_known_line(view, cell, axis, sides, &parts);
		if (n == 0)
			bundle->middle = parts;
		bundle->alike = bundle->alike && alike(bundle->middle, parts);
		bundle->single &= parts->count == 1;
		if (!bundle->known || (!bundle->alike && !bundle->single))
			return;
	}
}

static bool mixture_of_parts(const struct line_parts *parts, bool in_series, struct mixture *mixture)
{
	double shares[MOST_PARTS], begin = parts->begin, whole = parts->end[parts->count - 1] - parts->begin;

	for (int n = 0; n < parts->count; ++n) {
		shares[n] = (parts->end[n] - begin) / whole;
		begin = parts->end[n];
	}
	return mixture_of(parts->medium, shares, parts->count, in_series, MIXTURE_PARTS, mixture);
}

/* Lines along one axis, side by side along another, `height` off the middle along the edge. */
struct section {
	struct line_parts lines[LINES];
};

static bool cut_section(struct scene_view *view, const struct unit_cell *cell, const int axes[3], double height,
			struct section *section)
{
	double along[LINES], across[LINES];

	for (int n = 0; n < LINES; ++n) {
		along[n] = height;
		across[n] = ((n + 0.5) / LINES - 0.5) * 2.0 * cell->half[axes[2]];
	}
	const bool edge_first = axes[0] == (axes[1] + 1) % 3;
	return unit_cell_lines(view, cell, axes[1], LINES, edge_first ? along : across, edge_first ? across : along,
			       section->lines);
}

/* Shares of a section without layers, if it is the same all along the edge. axes: the edge's, the lines', and the
 * third. */
static bool mix_lines(struct scene_view *view, const struct unit_cell *cell, const int axes[3],
		      struct mixture *mixture)
{
	uint16_t media[LINES * MOST_PARTS];
	double shares[LINES * MOST_PARTS], end = fmax(cell->half[axes[0]] - LEAST, 0.0);
	struct section section, other;
	int count = 0;

	if (!cut_section(view, cell, axes, 0.0, &section))
		return false;
	for (int side = -1; side <= 1; side += 2) {
		if (!cut_section(view, cell, axes, side * end, &other))
			return false;
		for (int n = 0; n < LINES; ++n)
			if (!alike(&section.lines[n], &other.lines[n]))
				return false;
	}
	for (int n = 0; n < LINES; ++n) {
		const struct line_parts *parts = &section.lines[n];
		double begin = parts->begin, whole = parts->end[parts->count - 1] - begin;
		for (int p = 0; p < parts->count; ++p) {
			media[count] = parts->medium[p];
			shares[count++] = (parts->end[p] - begin) / (whole * LINES);
			begin = parts->end[p];
		}
	}
	return mixture_of(media, shares, count, false, COARSE, mixture);
}

/* Each line along the edge has one medium: shares of the section across it. Flat faces are found to the last digit. */
static bool mix_section(struct scene_view *view, const struct unit_cell *cell, int edge, struct mixture *mixture)
{
	const int u = (edge + 1) % 3, v = (edge + 2) % 3, axes[3] = {edge, u, v};
	struct bundle bundle;
	int uniform = 0;

	for (int k = 0; k < 2; ++k) {
		const int along = k == 0 ? u : v, across = k == 0 ? v : u;
		if (cell->half[along] == 0.0)
			continue;
		look_along(view, cell, along, across, edge, &bundle);
		if (!bundle.known)
			return false;
		if (bundle.alike && bundle.middle->count > 1)
			return mixture_of_parts(bundle.middle, false, mixture);
		uniform += bundle.alike;
		if (uniform == 2 || (bundle.alike && cell->half[across] == 0.0))
			return false;
	}
	return cell->half[u] > 0.0 && cell->half[v] > 0.0 && mix_lines(view, cell, axes, mixture);
}

bool unit_cell_mixture(struct scene_view *view, const struct unit_cell *cell, int edge, struct mixture *mixture)
{
	struct bundle bundle;

	if (!unit_cell_look(view, cell) || view->near_count == 0)
		return false;
	look_along(view, cell, edge, (edge + 1) % 3, (edge + 2) % 3, &bundle);
	if (!bundle.known)
		return false;
	if (bundle.single)
		return mix_section(view, cell, edge, mixture);
	return bundle.alike && mixture_of_parts(bundle.middle, true, mixture);
}

/* Whether the media of a mixture differ for the field. */
static bool matters(const struct media *media, const struct mixture *mixture, bool of_h)
{
	const struct medium *first = &media->media[mixture->media[0]];

	for (int n = 1; n < mixture->count; ++n) {
		const struct medium *one = &media->media[mixture->media[n]];
		if (of_h && (one->permeability != first->permeability ||
			     one->magnetic_conductivity != first->magnetic_conductivity))
			return true;
		if (!of_h && (one->permittivity != first->permittivity || one->conductivity != first->conductivity ||
			      one->conductor != first->conductor || one->poles > 0 || first->poles > 0))
			return true;
	}
	return false;
}

/* A place of a component, and its mixture. */
struct mixed_place {
	size_t at;
	struct mixture mixture;
};

/* One component of a slab: the places of each plane whose media are mixed. */
struct slab_work {
	const struct scene *scene;
	const struct media *media;
	const struct paint_marks *marks;
	int component;
	struct plane_places {
		size_t count, capacity;
		struct mixed_place *places;
	} * planes;
	struct scene_views views;
	atomic_bool failed;
};

static bool mix_place(const struct slab_work *work, size_t at, struct scene_view *view, struct mixture *mixture)
{
	const struct fdtd_grid *grid = work->scene->grid;
	const size_t plane = media_at(grid, 1, 0, 0), row = (size_t)grid->cells[2] + 1;
	const int node[3] = {(int)(at / plane), (int)(at % plane / row), (int)(at % row)};
	double shift[3];
	bool in_layer[3];

	paint_shift(work->component, shift);
	const struct unit_cell cell = unit_cell_at(grid, node, shift, in_layer);
	return unit_cell_mixture(view, &cell, work->component % 3, mixture) &&
	       matters(work->media, mixture, work->component >= 3);
}

static sonde_status mix_plane(const struct slab_work *work, int plane, struct scene_view *view,
			      struct plane_places *places)
{
	const struct fdtd_grid *grid = work->scene->grid;
	const size_t end = media_at(grid, plane + 1, 0, 0);
	struct mixture mixture;

	places->count = 0;
	for (size_t at = media_at(grid, plane, 0, 0);
	     (at = paint_marks_next(grid, work->marks, work->component, at, end)) < end; ++at) {
		if (!mix_place(work, at, view, &mixture))
			continue;
		CHECK(memory_grow(&places->places, &places->capacity, places->count + 1, sizeof *places->places,
				  "surfaces of bodies"));
		places->places[places->count++] = (struct mixed_place){at, mixture};
	}
	return SONDE_OK;
}

static void mix_planes(void *state, int64_t first, int64_t end, int worker)
{
	struct slab_work *work = state;
	struct scene_view *view = scene_views_of(&work->views, worker);

	for (int n = (int)first; n < (int)end && view != NULL; ++n)
		if (mix_plane(work, work->marks->slab.first + n, view, &work->planes[n]) != SONDE_OK)
			atomic_store(&work->failed, true);
}

/* Mixtures get their numbers in the order of the places. */
static sonde_status write_plane(const struct slab_work *work, const struct plane_places *places,
				struct mixtures *mixtures)
{
	struct media *media = mixtures->media;
	struct media_numbers *numbers = (work->component >= 3 ? media->faces : media->edges)[work->component % 3];
	uint16_t number;

	for (size_t n = 0; n < places->count; ++n) {
		media->place = media_place(mixtures->step, work->component, places->places[n].at);
		CHECK(mixtures_number(mixtures, &places->places[n].mixture, &number));
		if (number != 0)
			CHECK(media_set_number(numbers, places->places[n].at, number));
	}
	return SONDE_OK;
}

static sonde_status mix_slab(struct slab_work *work, struct mixtures *mixtures)
{
	const int planes = work->marks->slab.end - work->marks->slab.first;
	sonde_status status;

	work->media = mixtures->media;
	CHECK(memory_allocate(&work->planes, (size_t)planes, sizeof *work->planes, "surfaces of bodies"));
	CHECK_GOTO(status, scene_views_make(work->scene, &work->views), done);
	threads_for(work->scene->threads, planes, 1, mix_planes, work);
	CHECK_GOTO(status, scene_views_end(&work->views, "mix media"), done);
	if (atomic_load(&work->failed))
		CHECK_GOTO(status, memory_missing("surfaces of bodies"), done);
	for (int n = 0; n < planes; ++n)
		CHECK_GOTO(status, write_plane(work, &work->planes[n], mixtures), done);
done:
	for (int n = 0; n < planes; ++n)
		free(work->planes[n].places);
	free(work->planes);
	return status;
}

static sonde_status mix_component(const struct scene *scene, int component, struct mixtures *mixtures)
{
	struct paint_slab slab = {0, 0};
	bool wanted[6] = {false};

	wanted[component] = true;
	while (paint_next_slab(scene->grid, &mixtures->media->part, &slab)) {
		struct paint_marks marks;
		struct slab_work work = {.scene = scene, .marks = &marks, .component = component};
		sonde_status status = paint_marks_make(scene, 1.0, wanted, &slab, &marks);
		if (status == SONDE_OK)
			status = mix_slab(&work, mixtures);
		paint_marks_free(&marks);
		CHECK(status);
	}
	return SONDE_OK;
}

sonde_status paint_means(const struct scene *scene, struct media *media, struct mixtures_count *count)
{
	int axis = 0;

	while (axis < 2 && media->edges[axis] == NULL)
		++axis;
	struct mixtures mixtures = {.media = media, .step = PAINTING_MEANS + (uint32_t)axis};
	sonde_status status = SONDE_OK;

	*count = (struct mixtures_count){0};
	for (int component = 0; component < 6 && status == SONDE_OK; ++component)
		if ((component < 3 ? media->edges : media->faces)[component % 3] != NULL)
			status = mix_component(scene, component, &mixtures);
	if (status == SONDE_OK)
		*count = mixtures.count;
	mixtures_free(&mixtures);
	return status;
}
