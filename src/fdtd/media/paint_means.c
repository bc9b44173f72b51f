/* Means of media at the flat faces of bodies. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/media/paint.h"
#include "fdtd/media/unit_cell.h"

#define LEAST UNIT_CELL_LEAST
#define LINES 16 /* through a section that is not flat */
#define PLACES_OF_PART 64
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

bool unit_cell_known_line(struct scene_view *view, const struct unit_cell *cell, int axis, const int sides[3],
			  const struct line_parts **parts)
{
	struct cell_lines *lines = view->lines;
	const int u = (axis + 1) % 3, v = (axis + 2) % 3, n = 9 * axis + 3 * (sides[u] + 1) + sides[v] + 1;

	*parts = &lines->parts[n];
	if (lines->known[n])
		return lines->few[n];
	double offset[3];
	offset[axis] = 0.0;
	offset[u] = sides[u] * fmax(cell->half[u] - LEAST, 0.0);
	offset[v] = sides[v] * fmax(cell->half[v] - LEAST, 0.0);
	lines->known[n] = true;
	lines->few[n] = unit_cell_line(view, cell, axis, offset, &lines->parts[n]);
	return lines->few[n];
}

bool unit_cell_line(struct scene_view *view, const struct unit_cell *cell, int axis, const double offset[3],
		    struct line_parts *parts)
{
	const double x = cell->middle[axis], half = cell->half[axis];
	double point[3];

	for (int a = 0; a < 3; ++a)
		point[a] = cell->middle[a] + offset[a];
	return scene_line(view, axis, point, x - half, x + half, LEAST, parts);
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
	bool known = true;

	for (int n = 0; known && n < LINES; ++n) {
		double offset[3] = {0.0};
		offset[axes[0]] = height;
		offset[axes[2]] = ((n + 0.5) / LINES - 0.5) * 2.0 * cell->half[axes[2]];
		known = unit_cell_line(view, cell, axes[1], offset, &section->lines[n]);
	}
	return known;
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

/* One component of a plane, with its marked places and their mixtures. */
struct plane_work {
	const struct scene *scene;
	const uint32_t *words;
	int component, plane;
	size_t *places;
	struct mixture *mixtures;
	size_t count;
};

static void list_places(struct plane_work *work)
{
	const struct fdtd_grid *grid = work->scene->grid;
	const size_t begin = media_at(grid, work->plane, 0, 0), end = media_at(grid, work->plane + 1, 0, 0);

	work->count = 0;
	for (size_t at = begin; at < end; ++at)
		if (work->words[at / 32] == 0)
			at = at / 32 * 32 + 31;
		else if (work->words[at / 32] >> (at % 32) & 1)
			work->places[work->count++] = at;
}

static void mix_place(const struct plane_work *work, size_t n, struct scene_view *view)
{
	const struct fdtd_grid *grid = work->scene->grid;
	const size_t in_plane = work->places[n] - media_at(grid, work->plane, 0, 0), row = (size_t)grid->cells[2] + 1;
	const int node[3] = {work->plane, (int)(in_plane / row), (int)(in_plane % row)};
	double shift[3];
	bool in_layer[3];

	paint_shift(work->component, shift);
	const struct unit_cell cell = unit_cell_at(grid, node, shift, in_layer);
	if (!unit_cell_mixture(view, &cell, work->component % 3, &work->mixtures[n]))
		work->mixtures[n].count = 0;
}

struct mixing {
	struct plane_work *work;
	struct scene_views views;
};

static void mix_some(void *state, int64_t first, int64_t end, int worker)
{
	struct mixing *mixing = state;
	struct scene_view *view = scene_views_of(&mixing->views, worker);

	for (int64_t n = first; n < end && view != NULL; ++n)
		mix_place(mixing->work, (size_t)n, view);
}

static sonde_status mix_places(struct plane_work *work)
{
	struct mixing mixing = {.work = work};

	CHECK(scene_views_make(work->scene, &mixing.views));
	threads_for(work->scene->threads, (int64_t)work->count, PLACES_OF_PART, mix_some, &mixing);
	return scene_views_end(&mixing.views, "mix media");
}

static sonde_status mix_plane(struct plane_work *work, struct mixtures *mixtures)
{
	struct media *media = mixtures->media;
	const bool of_h = work->component >= 3;
	uint16_t *numbers = (of_h ? media->faces : media->edges)[work->component % 3], number;

	list_places(work);
	if (work->count == 0)
		return SONDE_OK;
	CHECK(mix_places(work));
	for (size_t n = 0; n < work->count; ++n) {
		if (work->mixtures[n].count == 0 || !matters(media, &work->mixtures[n], of_h))
			continue;
		CHECK(mixtures_number(mixtures, &work->mixtures[n], &number));
		numbers[work->places[n]] = number != 0 ? number : numbers[work->places[n]];
	}
	return SONDE_OK;
}

sonde_status paint_means(const struct scene *scene, struct media *media, struct mixtures_count *count)
{
	const size_t plane = media_at(scene->grid, 1, 0, 0);
	struct mixtures mixtures = {.media = media};
	struct plane_work work = {.scene = scene};
	struct paint_marks marks = {{NULL}};
	sonde_status status;

	*count = (struct mixtures_count){0};
	CHECK_GOTO(status, memory_allocate(&work.places, plane, sizeof *work.places, "surfaces of bodies"), done);
	CHECK_GOTO(status, memory_allocate(&work.mixtures, plane, sizeof *work.mixtures, "surfaces of bodies"), done);
	for (work.component = 0; work.component < 6; ++work.component) {
		bool wanted[6] = {false};
		if ((work.component < 3 ? media->edges : media->faces)[work.component % 3] == NULL)
			continue;
		wanted[work.component] = true;
		CHECK_GOTO(status, paint_marks_make(scene, 1.0, wanted, &marks), done);
		work.words = marks.words[work.component];
		for (work.plane = 0; work.plane <= scene->grid->cells[0]; ++work.plane)
			CHECK_GOTO(status, mix_plane(&work, &mixtures), done);
		paint_marks_free(&marks);
	}
	*count = mixtures.count;
done:
	free(work.places);
	free(work.mixtures);
	mixtures_free(&mixtures);
	paint_marks_free(&marks);
	return status;
}
