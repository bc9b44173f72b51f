#include "fdtd/media/smooth.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/media/edge_sites.h"
#include "fdtd/media/unit_cell.h"

#define SITES_OF_PART 256
#define LEAST_WEIGHT 1e-9 /* of tensors: smaller elements are neglected */
#define HOLD_BACK 0.8

/* A medium for which the step of E is E = rot H. */
static const struct medium collecting = {
    .permittivity = 0.5, .conductivity = 1.0, .permeability = 1.0, .collector = 1};

struct smoother {
	const struct scene *scene;
	struct media *media;
	uint16_t collector;
	double least, largest;          /* eigenvalues */
	struct edge_sites edges, nodes; /* elements of an edge: its own; of a node: those of x y, y z, z x */
	struct scene_views views;
	struct paint_marks marks;
	atomic_size_t held_back;
	atomic_bool failed; /* memory is lacking */
};

static bool is_permittivity(const struct medium *medium)
{
	return medium_is_lossless(medium) && medium->outside == 0.0;
}

/* Whether E of an edge may follow D of others: it is stepped, not on a conductor's wall nor cut by a conductor, and
 * its medium is only a permittivity. */
static bool is_free(const struct smoother *s, int component, const int node[3])
{
	const struct fdtd_grid *grid = s->scene->grid;

	for (int a = 0; a < 3; ++a)
		if (a == component ? node[a] >= grid->cells[a]
				   : node[a] < grid_first_node(grid, a) || node[a] >= grid_end_node(grid, a))
			return false;
	return is_permittivity(
	    &s->media->media[media_number(s->media->edges[component], media_at(grid, node[0], node[1], node[2]))]);
}

/* The diagonal element of an edge: 0 if its cell needs no tensor. */
static double element_of_edge(const struct smoother *s, struct scene_view *view, int component, const int node[3])
{
	struct mixture mixture;
	struct cell_tensor tensor;
	double shift[3];
	bool in_layer[3];

	paint_shift(component, shift);
	const struct unit_cell cell = unit_cell_at(s->scene->grid, node, shift, in_layer),
			       cut = unit_cell_cut(cell, in_layer);
	if (!unit_cell_mixture(view, &cell, component, &mixture) &&
	    unit_cell_tensor(view, s->media, &cut, &tensor) == CELL_SURFACE)
		return cell_tensor_at(&tensor, component, component);
	return 0.0;
}

/* Edges of a plane's kinds that have a tensor. */
static bool find_edges(void *state, int64_t first, int64_t end, int worker, struct edge_sites *made)
{
	struct smoother *s = state;
	const struct fdtd_grid *grid = s->scene->grid;
	const size_t plane = media_at(grid, 1, 0, 0), row = (size_t)grid->cells[2] + 1;
	struct scene_view *view = scene_views_of(&s->views, worker);

	for (int64_t n = first; n < end && view != NULL; ++n) {
		const int i = s->marks.slab.first + (int)(n / 3), component = (int)(n % 3 + 1) % 3;
		const size_t begin = media_at(grid, i, 0, 0), behind = begin + plane;
		for (size_t at = begin; (at = paint_marks_next(grid, &s->marks, component, at, behind)) < behind;
		     ++at) {
			const int node[3] = {i, (int)((at - begin) / row), (int)((at - begin) % row)};
			const double own =
			    is_free(s, component, node) ? element_of_edge(s, view, component, node) : 0.0;
			if (own == 0.0)
				continue;
			if (edge_sites_add(made, edge_key(grid, component, node)) != SONDE_OK)
				return false;
			made->sites[made->count - 1].elements[0] = own;
		}
	}
	return true;
}

static sonde_status list_edges(struct smoother *s)
{
	const bool wanted[6] = {true, true, true};
	struct paint_slab slab = {0, 0};

	while (paint_next_slab(s->scene->grid, &s->media->part, &slab)) {
		sonde_status status = paint_marks_make(s->scene, 1.5, wanted, &slab, &s->marks);
		if (status == SONDE_OK)
			status = edge_sites_make(&s->edges, 3 * (int64_t)(slab.end - slab.first), 1, find_edges, s);
		paint_marks_free(&s->marks);
		CHECK(status);
	}
	return edge_sites_sort(&s->edges);
}

/* The nodes at the ends of edges. */
static bool find_nodes(void *state, int64_t first, int64_t end, int worker, struct edge_sites *made)
{
	const struct smoother *s = state;
	const struct fdtd_grid *grid = s->scene->grid;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		int node[3], other[3], component = edge_of_key(grid, s->edges.sites[n].key, node);
		for (int side = 0; side < 2; ++side)
			if (edge_key_go(grid, node, component, side, other) &&
			    edge_sites_add(made, edge_key(grid, 0, other)) != SONDE_OK)
				return false;
	}
	return true;
}

/* The off-diagonal elements of a node. By symmetry there are none between a wall's normal and the directions along
 * it; across Bloch walls, where they would have a phase, they are left out. */
static void look_at_node(const struct smoother *s, struct scene_view *view, struct edge_site *site)
{
	const struct fdtd_grid *grid = s->scene->grid;
	struct cell_tensor tensor;
	bool at_wall[3], in_layer[3];
	int node[3];

	edge_of_key(grid, site->key, node);
	const struct unit_cell whole = unit_cell_at(grid, node, (const double[3]){0.0, 0.0, 0.0}, in_layer),
			       cell = unit_cell_cut(whole, in_layer);
	memset(site->elements, 0, sizeof site->elements);
	if (unit_cell_tensor(view, s->media, &cell, &tensor) != CELL_SURFACE)
		return;
	for (int a = 0; a < 3; ++a)
		at_wall[a] = (grid->walls[a][0] != WALL_PERIODIC || grid->phase[a] != 0.0) &&
			     (node[a] == 0 || node[a] == grid->cells[a]);
	for (int a = 0; a < 3; ++a) {
		const int b = (a + 1) % 3;
		double element =
		    at_wall[a] || at_wall[b] || in_layer[a] || in_layer[b] ? 0.0 : cell_tensor_at(&tensor, a, b);
		site->elements[a] = fabs(element) > LEAST_WEIGHT ? element : 0.0;
	}
}

/* The diagonal element of an edge, with a tensor or without. */
static double own_of(const struct smoother *s, int component, const int node[3])
{
	const struct fdtd_grid *grid = s->scene->grid;
	const struct edge_site *site = edge_sites_find(&s->edges, edge_key(grid, component, node));
	const uint16_t number = media_number(s->media->edges[component], media_at(grid, node[0], node[1], node[2]));

	return site != NULL ? site->elements[0] : 1.0 / s->media->media[number].permittivity;
}

/* Whether the matrix with the diagonal `own` and elements x y, y z, z x has no negative eigenvalue, with `sign` and a
 * shift. */
static bool is_positive(const double own[3], const double elements[3], double sign, double shift)
{
	const double x = sign * own[0] + shift, y = sign * own[1] + shift, z = sign * own[2] + shift,
		     xy = elements[0], yz = elements[1], zx = elements[2];

	return x >= 0.0 && y >= 0.0 && z >= 0.0 && x * y >= xy * xy && y * z >= yz * yz && x * z >= zx * zx &&
	       x * (y * z - yz * yz) - xy * (xy * z - sign * yz * zx) + zx * (sign * xy * yz - y * zx) >= 0.0;
}

static bool octants_are_stable(const struct smoother *s, double own[3][2], const double elements[3])
{
	for (int octant = 0; octant < 8; ++octant) {
		const double three[3] = {own[0][octant & 1], own[1][octant >> 1 & 1], own[2][octant >> 2 & 1]};
		if (!is_positive(three, elements, 1.0, -s->least) || !is_positive(three, elements, -1.0, s->largest))
			return false;
	}
	return true;
}

/* Reduces a node's elements as far as stability requires; to 0 if one of its edges is not stepped, except at a wall. */
static void hold_back(struct smoother *s, struct edge_site *site)
{
	const struct fdtd_grid *grid = s->scene->grid;
	double own[3][2], *elements = site->elements;
	int node[3], edge[3];

	edge_of_key(grid, site->key, node);
	if (elements[0] == 0.0 && elements[1] == 0.0 && elements[2] == 0.0)
		return;
	for (int n = 0; n < 6; ++n) {
		const int a = n / 2;
		const bool matters = elements[a] != 0.0 || elements[(a + 2) % 3] != 0.0;
		const bool there = edge_key_go(grid, node, a, n % 2 - 1, edge) && is_free(s, a, edge);
		if (matters && !there) {
			memset(elements, 0, 3 * sizeof *elements);
			return;
		}
		own[a][n % 2] = there ? own_of(s, a, edge) : s->largest;
	}
	for (int tries = 0; !octants_are_stable(s, own, elements); ++tries) {
		if (tries == 0)
			atomic_fetch_add(&s->held_back, 1);
		for (int a = 0; a < 3; ++a)
			elements[a] *= tries < 30 ? HOLD_BACK : 0.0;
		if (tries > 30)
			return;
	}
}

static void look_at_nodes(void *state, int64_t first, int64_t end, int worker)
{
	struct smoother *s = state;
	struct scene_view *view = scene_views_of(&s->views, worker);

	for (int64_t n = first; n < end && view != NULL; ++n) {
		look_at_node(s, view, &s->nodes.sites[n]);
		hold_back(s, &s->nodes.sites[n]);
	}
}

/* Edges without a tensor at nodes that have elements. */
static bool find_coupled_edges(void *state, int64_t first, int64_t end, int worker, struct edge_sites *made)
{
	const struct smoother *s = state;
	const struct fdtd_grid *grid = s->scene->grid;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		int node[3], edge[3];
		const double *elements = s->nodes.sites[n].elements;
		edge_of_key(grid, s->nodes.sites[n].key, node);
		for (int m = 0; m < 6; ++m) {
			const int a = m / 2;
			if ((elements[a] == 0.0 && elements[(a + 2) % 3] == 0.0) ||
			    !edge_key_go(grid, node, a, m % 2 - 1, edge) || !is_free(s, a, edge) ||
			    edge_sites_find(&s->edges, edge_key(grid, a, edge)) != NULL)
				continue;
			if (edge_sites_add(made, edge_key(grid, a, edge)) != SONDE_OK)
				return false;
			made->sites[made->count - 1].elements[0] = own_of(s, a, edge);
		}
	}
	return true;
}

/* At an end of an edge: the edges along another axis on both sides of it. */
static void couple_end(const struct smoother *s, const struct edge_site *end, int component, int other,
		       const int node[3], struct smooth_edge *edge, int first)
{
	const struct fdtd_grid *grid = s->scene->grid;
	const int pair = other == (component + 1) % 3 ? component : other;

	for (int side = 0; side < 2; ++side) {
		int place[3];
		const struct edge_site *site = NULL;
		if (end != NULL && end->elements[pair] != 0.0 && edge_key_go(grid, node, other, side - 1, place))
			site = edge_sites_find(&s->edges, edge_key(grid, other, place));
		if (site == NULL)
			continue;
		edge->neighbors[first + side] = (uint32_t)(site - s->edges.sites);
		edge->weights[first + side] = 0.25 * end->elements[pair];
	}
}

static void couple(const struct smoother *s, size_t n, struct smooth_edge *edge)
{
	const struct fdtd_grid *grid = s->scene->grid;

	edge->component = edge_of_key(grid, s->edges.sites[n].key, edge->node);
	edge->own = s->edges.sites[n].elements[0];
	for (int m = 0; m < SMOOTH_NEIGHBORS; ++m) {
		edge->neighbors[m] = (uint32_t)n;
		edge->weights[m] = 0.0;
	}
	for (int end = 0; end < 2; ++end) {
		int node[3];
		if (!edge_key_go(grid, edge->node, edge->component, end, node))
			continue;
		const struct edge_site *site = edge_sites_find(&s->nodes, edge_key(grid, 0, node));
		for (int k = 0; k < 2; ++k)
			couple_end(s, site, edge->component, (edge->component + 1 + k) % 3, node, edge,
				   4 * end + 2 * k);
	}
}

static void write_some(void *state, int64_t first, int64_t end, int worker)
{
	struct smoother *s = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		struct smooth_edge *edge = &s->media->smooth->edges[n];
		const int *node = edge->node;
		couple(s, (size_t)n, edge);
		if (media_set_number(s->media->edges[edge->component],
				     media_at(s->scene->grid, node[0], node[1], node[2]), s->collector) != SONDE_OK)
			atomic_store(&s->failed, true);
	}
}

static sonde_status write_list(struct smoother *s)
{
	struct smooth_edges *edges;

	if (s->edges.count > UINT32_MAX)
		return status_fail(SONDE_RESOURCE, "more than %u edges at smooth surfaces", UINT32_MAX);
	CHECK(memory_allocate(&s->media->smooth, 1, sizeof *edges, "edges at surfaces"));
	edges = s->media->smooth;
	CHECK(memory_allocate_to_fill(&edges->edges, s->edges.count, sizeof *edges->edges, "edges at surfaces"));
	edges->held_back = atomic_load(&s->held_back);
	threads_for(s->scene->threads, (int64_t)s->edges.count, SITES_OF_PART, write_some, s);
	CHECK(threads_completed());
	edges->count = s->edges.count;
	return atomic_load(&s->failed) ? memory_missing("edges at surfaces") : SONDE_OK;
}

/* The allowed eigenvalues: the scheme is stable if the largest one times the sum of the Courant numbers' squares is
 * below 1. */
static void find_limits(struct smoother *s)
{
	const double squares = grid_courant_squares(s->scene->grid);
	double least = INFINITY, largest = 0.0;

	for (size_t n = 0; n < s->media->count; ++n) {
		const struct medium *medium = &s->media->media[n];
		if (!is_permittivity(medium))
			continue;
		least = fmin(least, 1.0 / medium->permittivity);
		largest = fmax(largest, 1.0 / medium->permittivity);
	}
	s->least = 0.1 * least;
	s->largest = fmax(largest * (1.0 + 1e-9), 0.9999 / squares);
}

/* Edges with tensors, nodes with elements, and the other edges that these couple. */
static sonde_status find_sites(struct smoother *s)
{
	CHECK(list_edges(s));
	CHECK(edge_sites_make(&s->nodes, (int64_t)s->edges.count, SITES_OF_PART, find_nodes, s));
	CHECK(edge_sites_sort(&s->nodes));
	threads_for(s->scene->threads, (int64_t)s->nodes.count, SITES_OF_PART, look_at_nodes, s);
	return SONDE_OK;
}

sonde_status paint_smooth(const struct scene *scene, struct media *media)
{
	const struct edge_sites none = {.grid = scene->grid, .threads = scene->threads};
	struct smoother s = {.scene = scene, .media = media, .edges = none, .nodes = none};
	struct edge_sites coupled = none;
	sonde_status status, views;

	find_limits(&s);
	CHECK(media_add(media, &collecting, &s.collector));
	CHECK_GOTO(status, scene_views_make(scene, &s.views), done);
	CHECK_GOTO(status, find_sites(&s), done);
	CHECK_GOTO(status, edge_sites_make(&coupled, (int64_t)s.nodes.count, SITES_OF_PART, find_coupled_edges, &s),
		   done);
	CHECK_GOTO(status, edge_sites_join(&coupled, &s.edges), done);
	status = write_list(&s);
done:
	views = scene_views_end(&s.views, "smooth surfaces");
	edge_sites_free(&coupled);
	edge_sites_free(&s.edges);
	edge_sites_free(&s.nodes);
	return status != SONDE_OK ? status : views;
}

static int compare_edges(const void *a, const void *b)
{
	const struct smooth_edge *x = a, *y = b;

	return edge_compare(x->component, x->node, y->component, y->node);
}

double smooth_edges_permittivity(const struct smooth_edges *edges, int component, const int node[3])
{
	const struct smooth_edge wanted = {.node = {node[0], node[1], node[2]}, .component = component};
	const struct smooth_edge *found =
	    edges == NULL || edges->count == 0
		? NULL
		: bsearch(&wanted, edges->edges, edges->count, sizeof wanted, compare_edges);

	return found != NULL ? 1.0 / found->own : 0.0;
}
