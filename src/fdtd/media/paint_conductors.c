#include "fdtd/media/paint_conductors.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/media/paint.h"
#include "fdtd/media/unit_cell.h"

#define LINES 16  /* through a face */
#define PARTS 512 /* lengths and areas are multiples of one over this */
#define SITES_OF_PART 256
#define UNKNOWN (-1.0)
#define LARGEST_ROW 4.0 /* for which a time step is stable */

/* An edge (component 0 to 2) or face (3 to 5) near a surface. */
struct cut_site {
	size_t at;
	int component;
	double part;      /* outside conductors; UNKNOWN: as painted */
	uint16_t outside; /* of an edge: the medium of most of that part */
};

struct cutter {
	const struct scene *scene;
	struct media *media;
	struct cut_site *sites;
	size_t count, capacity;
	struct scene_views views;
};

static void node_of(const struct fdtd_grid *grid, size_t at, int node[3])
{
	const size_t row = (size_t)grid->cells[2] + 1, plane = media_at(grid, 1, 0, 0);

	node[0] = (int)(at / plane);
	node[1] = (int)(at % plane / row);
	node[2] = (int)(at % row);
}

static bool is_conductor(const struct media *media, uint16_t number)
{
	return media->media[number].conductor != 0;
}

static double in_parts(double part)
{
	return round(part * PARTS) / PARTS;
}

/* The part of a line through a cell that is outside conductors, and the medium of its longest piece. */
static bool outside_of(const struct cutter *cutter, struct scene_view *view, const struct unit_cell *cell, int axis,
		       const double offset[3], double *part, uint16_t *medium)
{
	double begin = cell->middle[axis] - cell->half[axis], outside = 0.0, longest = 0.0;
	const double whole = 2.0 * cell->half[axis];
	struct line_parts parts;

	if (!unit_cell_lines(view, cell, axis, 1, &offset[(axis + 1) % 3], &offset[(axis + 2) % 3], &parts))
		return false;
	for (int n = 0; n < parts.count; ++n) {
		const double length = parts.end[n] - begin;
		begin = parts.end[n];
		if (is_conductor(cutter->media, parts.medium[n]))
			continue;
		outside += length;
		if (length > longest) {
			longest = length;
			*medium = parts.medium[n];
		}
	}
	*part = fmin(outside / whole, 1.0);
	return true;
}

/* The cell around the midpoint of an edge or face; it is short along uniform axes, and in layers along theirs, where
 * the section is constant. */
static struct unit_cell place_of(const struct fdtd_grid *grid, int component, const int node[3])
{
	double shift[3];
	bool in_layer[3];

	paint_shift(component, shift);
	struct unit_cell cell = unit_cell_cut(unit_cell_at(grid, node, shift, in_layer), in_layer);
	for (int a = 0; a < 3; ++a)
		cell.half[a] = fmax(cell.half[a], 2.0 * UNIT_CELL_LEAST);
	return cell;
}

/* The fraction of an edge that is outside. */
static double length_at(const struct cutter *cutter, struct scene_view *view, int edge, const int node[3],
			uint16_t *medium)
{
	const struct unit_cell cell = place_of(cutter->scene->grid, edge, node);
	const double middle[3] = {0.0};
	double part;

	if (!unit_cell_look(view, &cell) || !outside_of(cutter, view, &cell, edge, middle, &part, medium)) {
		const size_t at = media_at(cutter->scene->grid, node[0], node[1], node[2]);
		return is_conductor(cutter->media, media_number(cutter->media->edges[edge], at)) ? 0.0 : 1.0;
	}
	return in_parts(part);
}

/* The fraction of a face that is outside: from lines along the axis best cut by surfaces. */
static double area_at(const struct cutter *cutter, struct scene_view *view, int across, const int node[3])
{
	const struct unit_cell cell = place_of(cutter->scene->grid, across + 3, node);
	double area = 0.0, best = -1.0;

	if (!unit_cell_look(view, &cell))
		return UNKNOWN;
	for (int k = 0; k < 2; ++k) {
		const int along = (across + 1 + k) % 3, aside = 3 - across - along;
		double sum = 0.0;
		int cut = 0;
		for (int n = 0; n < LINES; ++n) {
			double offset[3] = {0.0}, part;
			uint16_t medium;
			offset[aside] = ((n + 0.5) / LINES - 0.5) * 2.0 * cell.half[aside];
			if (!outside_of(cutter, view, &cell, along, offset, &part, &medium))
				return UNKNOWN;
			sum += part / LINES;
			cut += part > 0.0 && part < 1.0;
		}
		if (cut > best) {
			best = cut;
			area = sum;
		}
	}
	return area;
}

/* Contribution of an uncut edge along an axis to the row of a face: see the header. */
static double weight_of(const struct fdtd_grid *grid, int across, int edge)
{
	const int aside = 3 - across - edge;

	return grid->courant[aside] * 2.0 * (grid->courant[aside] + grid->courant[across]);
}

/* The sum of a face's row, for an area of 1. */
static double row_of(const struct cutter *cutter, struct scene_view *view, int across, const int node[3])
{
	const struct fdtd_grid *grid = cutter->scene->grid;
	double row = 0.0;

	for (int n = 0; n < 4; ++n) {
		const int edge = (across + 1 + n / 2) % 3, aside = 3 - across - edge;
		int place[3] = {node[0], node[1], node[2]};
		uint16_t medium;
		place[aside] += n % 2;
		/* the edge that is stepped there */
		if (place[aside] == grid->cells[aside] && grid->walls[aside][0] == WALL_PERIODIC)
			place[aside] = 0;
		row += weight_of(grid, across, edge) * length_at(cutter, view, edge, place, &medium);
	}
	return row;
}

bool conductors_may_be_cut(const struct fdtd_grid *grid)
{
	double most = 0.0;

	for (int a = 0; a < 3; ++a)
		most = fmax(most, 2.0 * (weight_of(grid, a, (a + 1) % 3) + weight_of(grid, a, (a + 2) % 3)));
	return most <= LARGEST_ROW * (1.0 + 1e-9);
}

static void look_at_site(const struct cutter *cutter, struct scene_view *view, struct cut_site *site)
{
	int node[3];

	node_of(cutter->scene->grid, site->at, node);
	if (site->component < 3) {
		site->part = length_at(cutter, view, site->component, node, &site->outside);
		return;
	}
	site->part = area_at(cutter, view, site->component - 3, node);
	if (site->part != UNKNOWN && site->part < 1.0)
		site->part =
		    fmin(1.0, fmax(site->part, row_of(cutter, view, site->component - 3, node) / LARGEST_ROW));
}

static void look_at_some(void *state, int64_t first, int64_t end, int worker)
{
	struct cutter *cutter = state;
	struct scene_view *view = scene_views_of(&cutter->views, worker);

	for (int64_t n = first; n < end && view != NULL; ++n)
		look_at_site(cutter, view, &cutter->sites[n]);
}

/* The last nodes have no edges and faces that start there. */
static bool is_there(const struct fdtd_grid *grid, int component, size_t at)
{
	bool there = true;
	int node[3];

	node_of(grid, at, node);
	for (int a = 0; a < 3; ++a)
		there &= node[a] < grid->cells[a] || (component < 3) != (a == component % 3);
	return there;
}

static sonde_status list_sites_of_slab(struct cutter *cutter, int component, const struct paint_marks *marks)
{
	const struct fdtd_grid *grid = cutter->scene->grid;
	const int behind = media_part_inner(grid, &cutter->media->part).end;
	const size_t end = media_at(grid, marks->slab.end < behind ? marks->slab.end : behind, 0, 0);

	for (size_t at = media_at(grid, marks->slab.first, 0, 0);
	     (at = paint_marks_next(grid, marks, component, at, end)) < end; ++at) {
		if (!is_there(grid, component, at))
			continue;
		CHECK(memory_grow(&cutter->sites, &cutter->capacity, cutter->count + 1, sizeof *cutter->sites,
				  "surfaces of conductors"));
		cutter->sites[cutter->count++] = (struct cut_site){.at = at, .component = component};
	}
	return SONDE_OK;
}

static sonde_status list_sites(struct cutter *cutter)
{
	for (int component = 0; component < 6; ++component) {
		struct paint_slab slab = {0, 0};
		bool wanted[6] = {false};
		wanted[component] = true;
		while (paint_next_slab(cutter->scene->grid, &cutter->media->part, &slab)) {
			struct paint_marks marks;
			sonde_status status = paint_marks_make(cutter->scene, 1.0, wanted, &slab, &marks);
			if (status == SONDE_OK)
				status = list_sites_of_slab(cutter, component, &marks);
			paint_marks_free(&marks);
			CHECK(status);
		}
	}
	return SONDE_OK;
}

/* A number for a medium, or the previous one if there are too many. */
static sonde_status add_medium(struct media *media, const struct medium *medium, uint16_t *number)
{
	return media->count < MOST_MEDIA ? media_add(media, medium, number) : SONDE_OK;
}

static sonde_status set_length(struct media *media, const struct cut_site *site)
{
	static const struct medium conductor = {.permittivity = 1.0, .permeability = 1.0, .conductor = 1};
	uint16_t number = media_number(media->edges[site->component], site->at);
	const bool conducts = is_conductor(media, number);
	struct medium medium = media->media[conducts ? site->outside : number];

	if (site->part <= 0.0 && conducts)
		return SONDE_OK;
	if (site->part <= 0.0) {
		CHECK(add_medium(media, &conductor, &number));
		return media_set_number(media->edges[site->component], site->at, number);
	}
	medium.outside = site->part;
	medium.permittivity /= site->part;
	medium.conductivity /= site->part;
	for (int p = 0; p < medium.poles; ++p) {
		medium.pole[p].b /= site->part;
		medium.pole[p].d /= site->part;
	}
	CHECK(add_medium(media, &medium, &number));
	return media_set_number(media->edges[site->component], site->at, number);
}

static sonde_status set_area(struct media *media, const struct cut_site *site)
{
	struct media_numbers *numbers = media->faces[site->component - 3];
	uint16_t number = media_number(numbers, site->at);
	struct medium medium = media->media[number];
	const double part = fmax(ceil(site->part * PARTS) / PARTS, 1.0 / PARTS);

	medium = (struct medium){.permittivity = 1.0,
				 .outside = part,
				 .permeability = medium.permeability * part,
				 .magnetic_conductivity = medium.magnetic_conductivity * part};
	CHECK(add_medium(media, &medium, &number));
	return media_set_number(numbers, site->at, number);
}

static bool has_conductors(const struct scene *scene, const struct media *media)
{
	bool any = false;

	for (int n = 0; n < scene->count; ++n)
		any |= scene->bodies[n].voxels == NULL && is_conductor(media, scene->bodies[n].medium);
	return any;
}

/* Media with waves slower than in vacuum at all frequencies: only for these does the bound of the header hold. */
static bool is_slow(const struct medium *medium)
{
	return medium->poles == 0 && medium->permittivity >= 1.0;
}

static bool edge_is_slow(const struct media *media, const struct cut_site *site)
{
	const uint16_t number = media_number(media->edges[site->component], site->at);

	return is_slow(&media->media[is_conductor(media, number) ? site->outside : number]);
}

/* Whether this holds for all edges of a face. */
static bool face_is_slow(const struct cutter *cutter, const struct cut_site *site)
{
	const struct fdtd_grid *grid = cutter->scene->grid;
	const int across = site->component - 3;

	for (int n = 0; n < 4; ++n) {
		const int edge = (across + 1 + n / 2) % 3, aside = 3 - across - edge;
		int node[3];
		node_of(grid, site->at, node);
		node[aside] += n % 2;
		const size_t at = media_at(grid, node[0], node[1], node[2]);
		if (!is_slow(&cutter->media->media[media_number(cutter->media->edges[edge], at)]))
			return false;
	}
	return true;
}

static bool is_cut(const struct cutter *cutter, const struct cut_site *site)
{
	if (site->part == UNKNOWN)
		return false;
	if (site->component >= 3)
		return site->part > 0.0 && site->part < 1.0 && face_is_slow(cutter, site);
	const bool painted =
	    is_conductor(cutter->media, media_number(cutter->media->edges[site->component], site->at));
	return (site->part < 1.0 || painted) && edge_is_slow(cutter->media, site);
}

static sonde_status apply(struct cutter *cutter, size_t *cut)
{
	struct media *media = cutter->media;
	const struct fdtd_grid *grid = cutter->scene->grid;

	for (size_t n = 0; n < cutter->count; ++n) {
		const struct cut_site *site = &cutter->sites[n];
		if (!is_cut(cutter, site))
			continue;
		for (int a = 0; a < 3 && media->faces[a] == NULL && site->component >= 3; ++a)
			CHECK(media_numbers_make(grid, &media->faces[a]));
		media->place = media_place(PAINTING_CONDUCTORS, site->component, site->at);
		CHECK(site->component < 3 ? set_length(media, site) : set_area(media, site));
		++*cut;
	}
	return SONDE_OK;
}

/* All ranks have faces, if one has. */
static sonde_status agree_on_faces(const struct fdtd_grid *grid, struct media *media)
{
	bool any = media->faces[0] != NULL;

	CHECK(media_agree_any(media, &any));
	for (int a = 0; a < 3 && any && media->faces[a] == NULL; ++a)
		CHECK(media_numbers_make(grid, &media->faces[a]));
	return SONDE_OK;
}

sonde_status paint_conductors(const struct scene *scene, struct media *media, size_t *cut)
{
	struct cutter cutter = {.scene = scene, .media = media};
	sonde_status status;

	*cut = 0;
	if (!has_conductors(scene, media) || !conductors_may_be_cut(scene->grid))
		return SONDE_OK;
	CHECK_GOTO(status, list_sites(&cutter), done);
	CHECK_GOTO(status, scene_views_make(scene, &cutter.views), done);
	threads_for(scene->threads, (int64_t)cutter.count, SITES_OF_PART, look_at_some, &cutter);
	CHECK_GOTO(status, scene_views_end(&cutter.views, "cut conductors"), done);
	CHECK_GOTO(status, apply(&cutter, cut), done);
	status = agree_on_faces(scene->grid, media);
done:
	free(cutter.sites);
	return status;
}
