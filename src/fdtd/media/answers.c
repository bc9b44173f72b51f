#include "fdtd/media/answers.h"

#include <stdlib.h>

#include "base/memory.h"
#include "base/threads.h"
#include "fdtd/media/answer_lists.h"
#include "fdtd/media/edge_sites.h"
#include "fdtd/media/paint.h"

#define NODES_OF_PART 256

/* A medium for which the step of E is E = rot H. */
static const struct medium collecting = {
    .permittivity = 0.5, .conductivity = 1.0, .permeability = 1.0, .collector = 1};

struct painter {
	const struct scene *scene;
	struct media *media;
	const struct edge_sites *sites; /* of the nodes */
	struct answer_node *nodes;
	size_t node_count;
	const struct edge_sites *known; /* nodes that were looked at before; null: none */
	struct answer_node *known_nodes;
	const struct edge_sites *edges; /* of which the nodes at both ends are listed */
	const struct paint_marks *marks;
	struct scene_views views;
	uint16_t collector;
	atomic_bool failed; /* memory is lacking */
};

/* The nodes at both ends of an edge. */
static bool add_ends(const struct fdtd_grid *grid, int component, const int node[3], struct edge_sites *nodes)
{
	int end[3];

	for (int side = 0; side < 2; ++side)
		if (edge_key_go(grid, node, component, side, end) &&
		    edge_sites_add(nodes, edge_key(grid, 0, end)) != SONDE_OK)
			return false;
	return true;
}

/* Nodes of marked edges in some planes of the slab. */
static bool add_marked(void *state, int64_t first, int64_t behind, int worker, struct edge_sites *nodes)
{
	const struct painter *painter = state;
	const struct fdtd_grid *grid = painter->scene->grid;
	const size_t plane = media_at(grid, 1, 0, 0), row = (size_t)grid->cells[2] + 1;
	const int slab = painter->marks->slab.first;
	const size_t begin = media_at(grid, slab + (int)first, 0, 0), end = media_at(grid, slab + (int)behind, 0, 0);

	(void)worker;
	for (int component = 0; component < 3; ++component)
		for (size_t at = begin; (at = paint_marks_next(grid, painter->marks, component, at, end)) < end;
		     ++at) {
			const int node[3] = {(int)(at / plane), (int)(at % plane / row), (int)(at % row)};
			if (node[component] < grid->cells[component] && !add_ends(grid, component, node, nodes))
				return false;
		}
	return true;
}

/* Nodes of edges near surfaces. */
static sonde_status list_marked(const struct painter *painter, struct edge_sites *nodes)
{
	const bool wanted[6] = {true, true, true};
	const struct scene *scene = painter->scene;
	struct paint_slab slab = {0, 0};
	struct painter of_slab = *painter;

	while (paint_next_slab(scene->grid, &painter->media->part, &slab)) {
		struct paint_marks marks;
		sonde_status status = paint_marks_make(scene, 1.0, wanted, &slab, &marks);
		of_slab.marks = &marks;
		if (status == SONDE_OK)
			status = edge_sites_make(nodes, slab.end - slab.first, 1, add_marked, &of_slab);
		paint_marks_free(&marks);
		CHECK(status);
	}
	return edge_sites_sort(nodes);
}

/* The nodes of edges of the list. */
static bool add_nodes(void *state, int64_t first, int64_t end, int worker, struct edge_sites *nodes)
{
	const struct painter *painter = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		int node[3];
		const int component = edge_of_key(painter->scene->grid, painter->edges->sites[n].key, node);
		if (!add_ends(painter->scene->grid, component, node, nodes))
			return false;
	}
	return true;
}

/* Lossless and conducting media alone have no answers. */
static void look_at_node(const struct painter *painter, struct scene_view *view, struct answer_node *node)
{
	const struct media *media = painter->media;
	bool in_layer[3], lossy = false;
	int place[3];

	edge_of_key(painter->scene->grid, node->key, place);
	const struct unit_cell cell =
	    unit_cell_at(painter->scene->grid, place, (const double[3]){0.0, 0.0, 0.0}, in_layer);
	node->content =
	    in_layer[0] || in_layer[1] || in_layer[2] ? CELL_UNKNOWN : unit_cell_surface(view, &cell, &node->surface);
	for (int n = 0; n < node->surface.count && node->content != CELL_UNKNOWN; ++n) {
		const struct medium *medium = &media->media[node->surface.media[n]];
		lossy |= medium->poles > 0 || medium->conductivity != 0.0;
		if (medium->conductor)
			node->content = CELL_UNKNOWN;
	}
	node->couples = node->content == CELL_SURFACE && lossy && !node->surface.flat;
}

static void look_at_some(void *state, int64_t first, int64_t end, int worker)
{
	struct painter *painter = state;
	struct scene_view *view = scene_views_of(&painter->views, worker);

	for (int64_t n = first; n < end && view != NULL; ++n) {
		const uint64_t key = painter->sites->sites[n].key;
		const struct edge_site *known = painter->known != NULL ? edge_sites_find(painter->known, key) : NULL;
		struct answer_node *node = &painter->nodes[n];
		*node = known != NULL ? painter->known_nodes[known - painter->known->sites]
				      : (struct answer_node){.key = key};
		if (known == NULL)
			look_at_node(painter, view, node);
	}
}

/* Nodes that have been looked at before, those of painter->known, are copied. */
static sonde_status look_at_nodes(struct painter *painter, const struct edge_sites *sites)
{
	painter->known_nodes = painter->nodes;
	painter->nodes = NULL;
	painter->sites = sites;
	painter->node_count = sites->count;
	CHECK(memory_allocate_to_fill(&painter->nodes, sites->count, sizeof *painter->nodes, "surfaces of metals"));
	CHECK(scene_views_make(painter->scene, &painter->views));
	threads_for(painter->scene->threads, (int64_t)sites->count, NODES_OF_PART, look_at_some, painter);
	free(painter->known_nodes);
	painter->known_nodes = NULL;
	painter->known = sites;
	CHECK(scene_views_end(&painter->views, "smooth surfaces"));
	return threads_completed();
}

/* All edges at nodes that couple them. */
static bool add_edges(void *state, int64_t first, int64_t end, int worker, struct edge_sites *edges)
{
	const struct painter *painter = state;
	const struct fdtd_grid *grid = painter->scene->grid;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		int node[3], edge[3];
		edge_of_key(grid, painter->nodes[n].key, node);
		for (int m = 0; m < 6 && painter->nodes[n].couples; ++m)
			if (edge_key_go(grid, node, m / 2, m % 2 - 1, edge) &&
			    answers_may_have(grid, painter->media, m / 2, edge) &&
			    edge_sites_add(edges, edge_key(grid, m / 2, edge)) != SONDE_OK)
				return false;
	}
	return true;
}

/* Edges of the list and their media before they collect answers. */
static void read_edges(void *state, int64_t first, int64_t end, int worker)
{
	const struct painter *painter = state;
	const struct fdtd_grid *grid = painter->scene->grid;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		struct answered_edge *edge = &painter->media->answers->edges[n];
		edge->component = edge_of_key(grid, painter->edges->sites[n].key, edge->node);
		edge->medium = media_number(painter->media->edges[edge->component],
					    media_at(grid, edge->node[0], edge->node[1], edge->node[2]));
	}
}

static void set_edges(void *state, int64_t first, int64_t end, int worker)
{
	struct painter *painter = state;

	(void)worker;
	for (int64_t n = first; n < end; ++n) {
		const struct answered_edge *edge = &painter->media->answers->edges[n];
		const size_t at = media_at(painter->scene->grid, edge->node[0], edge->node[1], edge->node[2]);
		if (media_set_number(painter->media->edges[edge->component], at, painter->collector) != SONDE_OK)
			atomic_store(&painter->failed, true);
	}
}

static sonde_status write_edges(struct painter *painter, struct answers *answers)
{
	const int threads = painter->scene->threads;
	const size_t count = painter->edges->count;

	CHECK(media_add(painter->media, &collecting, &painter->collector));
	CHECK(memory_allocate_to_fill(&answers->edges, count, sizeof *answers->edges, "surfaces of metals"));
	threads_for(threads, (int64_t)count, NODES_OF_PART, read_edges, painter);
	CHECK(threads_completed());
	answers->edge_count = count;
	threads_for(threads, (int64_t)count, NODES_OF_PART, set_edges, painter);
	if (atomic_load(&painter->failed))
		return memory_missing("surfaces of metals");
	return answer_lists_terms(painter->scene->grid, threads, answers);
}

static sonde_status add_answers(struct painter *painter)
{
	const struct edge_sites *edges = painter->edges;
	const struct fdtd_grid *grid = painter->scene->grid;
	struct media *media = painter->media;
	struct edge_sites ends = {.grid = edges->grid, .threads = edges->threads};
	sonde_status status;

	if (edges->count > UINT32_MAX)
		return status_fail(SONDE_RESOURCE, "more than %u edges at surfaces of metals", UINT32_MAX);
	CHECK(memory_allocate(&media->answers, 1, sizeof *media->answers, "surfaces of metals"));
	CHECK_GOTO(status, edge_sites_make(&ends, (int64_t)edges->count, NODES_OF_PART, add_nodes, painter), done);
	CHECK_GOTO(status, edge_sites_sort(&ends), done);
	CHECK_GOTO(status, look_at_nodes(painter, &ends), done);
	CHECK_GOTO(status,
		   answer_lists_make(grid, media, edges, painter->nodes, painter->node_count, edges->threads,
				     media->answers),
		   done);
	status = write_edges(painter, media->answers);
done:
	edge_sites_free(&ends);
	return status;
}

static bool has_lossy_media(const struct media *media)
{
	for (size_t n = 0; n < media->count; ++n)
		if (media->media[n].poles > 0 || media->media[n].conductivity != 0.0)
			return true;
	return false;
}

sonde_status paint_answers(const struct scene *scene, struct media *media)
{
	const struct edge_sites none = {.grid = scene->grid, .threads = scene->threads};
	struct edge_sites nodes = none, edges = none;
	struct painter painter = {.scene = scene, .media = media, .edges = &edges};
	sonde_status status;

	if (!has_lossy_media(media))
		return SONDE_OK;
	CHECK_GOTO(status, list_marked(&painter, &nodes), done);
	CHECK_GOTO(status, look_at_nodes(&painter, &nodes), done);
	CHECK_GOTO(status, edge_sites_make(&edges, (int64_t)painter.node_count, NODES_OF_PART, add_edges, &painter),
		   done);
	CHECK_GOTO(status, edge_sites_sort(&edges), done);
	bool any = edges.count > 0;
	CHECK_GOTO(status, media_agree_any(media, &any), done);
	if (any)
		status = add_answers(&painter);
done:
	free(painter.nodes);
	free(painter.known_nodes);
	edge_sites_free(&nodes);
	edge_sites_free(&edges);
	return status;
}

struct medium_step answer_step(const struct media *media, const struct answer *answer)
{
	const struct answer_kind *kind = &media->answers->kinds[answer->kind];
	const double loss = 0.5 * answer->conductivity;
	double whole = answer->permittivity + loss;

	for (int n = 0; n < kind->count; ++n)
		for (int p = 0; p < media->media[kind->media[n]].poles; ++p)
			whole += answer->shares[n] * media->media[kind->media[n]].pole[p].d;
	return (struct medium_step){(answer->permittivity - loss) / whole, 1.0 / whole};
}

static int compare_edges(const void *a, const void *b)
{
	const struct answered_edge *x = a, *y = b;

	return edge_compare(x->component, x->node, y->component, y->node);
}

uint16_t answers_medium(const struct media *media, const struct fdtd_grid *grid, int component, const int node[3])
{
	const struct answers *answers = media->answers;
	const struct answered_edge wanted = {.node = {node[0], node[1], node[2]}, .component = component};
	const struct answered_edge *found =
	    answers == NULL || answers->edge_count == 0
		? NULL
		: bsearch(&wanted, answers->edges, answers->edge_count, sizeof wanted, compare_edges);

	return found != NULL ? found->medium
			     : media_number(media->edges[component], media_at(grid, node[0], node[1], node[2]));
}
