#include "fdtd/media/answers_of_node.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "fdtd/media/edge_key.h"

#define LEAST_PART 1e-3 /* of squares of normals: smaller ones are 0 */
#define THIN 0.1        /* of a cell */

bool answers_may_have(const struct fdtd_grid *grid, const struct media *media, int component, const int node[3])
{
	for (int a = 0; a < 3; ++a)
		if (a == component ? node[a] >= grid->cells[a]
				   : node[a] < grid_first_node(grid, a) || node[a] >= grid_end_node(grid, a))
			return false;
	const struct medium *medium =
	    &media->media[media_number(media->edges[component], media_at(grid, node[0], node[1], node[2]))];
	return !medium->conductor && !medium->collector && medium->outside == 0.0;
}

/* The number of an edge among those that have answers; false if it has none. */
static bool find_edge(const struct answer_list *list, uint64_t key, uint32_t *number)
{
	const struct edge_site *found = edge_sites_find(list->edges, key);

	*number = found != NULL ? (uint32_t)(found - list->edges->sites) : 0;
	return found != NULL;
}

sonde_status answers_find_kind(struct answers *answers, size_t *capacity, const struct answer_kind *wanted,
			       uint16_t *number)
{
	size_t n = 0;

	while (n < answers->kind_count && (answers->kinds[n].count != wanted->count ||
					   memcmp(answers->kinds[n].media, wanted->media, sizeof wanted->media) != 0))
		++n;
	if (n == UINT16_MAX)
		return status_fail(SONDE_RESOURCE, "more than %d kinds of media meet at surfaces", UINT16_MAX);
	if (n == answers->kind_count) {
		CHECK(memory_grow(&answers->kinds, capacity, n + 1, sizeof *answers->kinds, "surfaces of metals"));
		answers->kinds[answers->kind_count++] = *wanted;
	}
	*number = (uint16_t)n;
	return SONDE_OK;
}

/* Edges around a node, with their weights. */
struct combination {
	int count;
	uint32_t edges[EDGES_OF_ANSWER];
	double parts[EDGES_OF_ANSWER];
};

/* An answer of media side by side. */
static sonde_status add_answer(struct answer_list *list, const int node[3], int count, const uint16_t *media,
			       const double *shares, const struct combination *combination, double weight)
{
	struct answers *answers = list->answers;
	struct answer answer = {.node = {node[0], node[1], node[2]}, .weight = weight};
	struct answer_kind kind = {.count = 0};

	for (int n = 0; n < count; ++n) {
		const struct medium *medium = &list->media->media[media[n]];
		answer.permittivity += shares[n] * medium->permittivity;
		answer.conductivity += shares[n] * medium->conductivity;
		if (medium->poles == 0 || shares[n] == 0.0)
			continue;
		int at = kind.count++;
		for (; at > 0 && kind.media[at - 1] > media[n]; --at) {
			kind.media[at] = kind.media[at - 1];
			answer.shares[at] = answer.shares[at - 1];
		}
		kind.media[at] = media[n];
		answer.shares[at] = shares[n];
	}
	for (int n = 0; n < combination->count; ++n) {
		answer.edges[n] = combination->edges[n];
		answer.parts[n] = combination->parts[n];
	}
	for (int n = combination->count; n < (int)EDGES_OF_ANSWER; ++n)
		answer.edges[n] = combination->edges[0];
	CHECK(answers_find_kind(answers, &list->kind_capacity, &kind, &answer.kind));
	CHECK(
	    memory_grow(&answers->answers, &list->capacity, answers->count + 1, sizeof answer, "surfaces of metals"));
	answers->answers[answers->count++] = answer;
	return SONDE_OK;
}

/* Shares of media along a surface that couples: skins of less than THIN are neglected, of more than 1 - THIN become
 * all, and those between are stretched. The mean of a metal's skin and its neighbor is 0 at a frequency which falls
 * with the skin's thickness: without this, cells that happen to have thin skins resonate on their own. A surface
 * gains as much as it loses, so that it stays in place; this does not hold for foils thinner than a cell, which are
 * left unchanged. */
static void stretch(const struct cell_surface *surface, double shares[MOST_MIXED])
{
	double sum = 0.0;

	for (int n = 0; n < surface->count; ++n) {
		shares[n] = fmin(fmax((surface->shares[n] - THIN) / (1.0 - 2.0 * THIN), 0.0), 1.0);
		sum += shares[n];
	}
	for (int n = 0; n < surface->count; ++n)
		shares[n] = sum > 0.0 && surface->layers == 2 ? shares[n] / sum : surface->shares[n];
}

/* A fraction `across` of the field meets the media in series, the rest meets them side by side, with `shares`. */
static sonde_status add_surface(struct answer_list *list, const int node[3], const struct cell_surface *surface,
				double across, const double *shares, const struct combination *combination,
				double weight)
{
	static const double whole = 1.0;

	across = across < LEAST_PART ? 0.0 : across > 1.0 - LEAST_PART ? 1.0 : across;
	for (int n = 0; n < surface->count && across > 0.0; ++n)
		CHECK(add_answer(list, node, 1, &surface->media[n], &whole, combination,
				 weight * across * surface->shares[n]));
	return across == 1.0 ? SONDE_OK
			     : add_answer(list, node, surface->count, surface->media, shares, combination,
					  weight * (1.0 - across));
}

/* The edges along an axis on both sides of a node. */
struct pair {
	bool there[2];
	uint32_t edges[2];
	uint16_t media[2];
};

static void find_pair(const struct answer_list *list, const int node[3], int axis, struct pair *pair)
{
	for (int side = 0; side < 2; ++side) {
		int edge[3];
		pair->there[side] = edge_key_go(list->grid, node, axis, side - 1, edge) &&
				    find_edge(list, edge_key(list->grid, axis, edge), &pair->edges[side]);
		if (pair->there[side])
			pair->media[side] =
			    media_number(list->media->edges[axis], media_at(list->grid, edge[0], edge[1], edge[2]));
	}
}

/* Each edge by itself. */
static sonde_status add_single(struct answer_list *list, const struct answer_node *node, const int place[3], int axis,
			       const struct pair *pair)
{
	static const double whole = 1.0;

	for (int side = 0; side < 2; ++side) {
		const struct combination alone = {1, {pair->edges[side]}, {1.0}};
		const double normal = node->surface.normal[axis];
		if (!pair->there[side])
			continue;
		if (node->content == CELL_UNKNOWN)
			CHECK(add_answer(list, place, 1, &pair->media[side], &whole, &alone, 0.5));
		else
			CHECK(add_surface(list, place, &node->surface, normal * normal, node->surface.shares, &alone,
					  0.5));
	}
	return SONDE_OK;
}

/* Means of the edges on both sides along the axes that couple, along a direction. */
static struct combination means_along(const struct pair pairs[3], const double direction[3])
{
	struct combination mean = {.count = 0};

	for (int a = 0; a < 3; ++a)
		for (int side = 0; side < 2 && direction[a] != 0.0; ++side) {
			mean.edges[mean.count] = pairs[a].edges[side];
			mean.parts[mean.count++] = 0.5 * direction[a];
		}
	return mean;
}

/* Directions perpendicular to a normal without a component along axes that do not couple: one if two axes couple,
 * otherwise two. */
static int find_tangents(const double normal[3], const bool couples[3], double tangents[2][3])
{
	int least = 0, alone = -1;

	for (int a = 0; a < 3; ++a) {
		least = fabs(normal[a]) < fabs(normal[least]) ? a : least;
		alone = couples[a] ? alone : a;
	}
	const int axis = alone >= 0 ? alone : least, u = (axis + 1) % 3, v = (axis + 2) % 3;
	const double length = hypot(normal[u], normal[v]);
	tangents[0][axis] = 0.0;
	tangents[0][u] = -normal[v] / length;
	tangents[0][v] = normal[u] / length;
	if (alone >= 0)
		return 1;
	for (int a = 0; a < 3; ++a) {
		const int b = (a + 1) % 3, c = (a + 2) % 3;
		tangents[1][a] = normal[b] * tangents[0][c] - normal[c] * tangents[0][b];
	}
	return 2;
}

/* The tensor, for the mean D of two axes or more; the difference of D between the two sides contributes no E. */
static sonde_status add_coupled(struct answer_list *list, const struct answer_node *node, const int place[3],
				const struct pair pairs[3], const bool couples[3], double square)
{
	double normal[3], tangents[2][3], shares[MOST_MIXED];

	for (int a = 0; a < 3; ++a)
		normal[a] = couples[a] ? node->surface.normal[a] / sqrt(square) : 0.0;
	const struct combination along_normal = means_along(pairs, normal);
	stretch(&node->surface, shares);
	CHECK(add_surface(list, place, &node->surface, square, shares, &along_normal, 1.0));
	for (int n = find_tangents(normal, couples, tangents); n-- > 0;) {
		const struct combination mean = means_along(pairs, tangents[n]);
		CHECK(add_surface(list, place, &node->surface, 0.0, shares, &mean, 1.0));
	}
	return SONDE_OK;
}

/* Whether the edges on both sides of a node are one field without a phase between them. */
static bool is_whole(const struct fdtd_grid *grid, const int node[3], int axis)
{
	const bool at_wall = node[axis] == 0 || node[axis] == grid->cells[axis];

	return grid->cells[axis] > 1 &&
	       !(at_wall && (grid->walls[axis][0] != WALL_PERIODIC || grid->phase[axis] != 0.0));
}

sonde_status answers_of_node(struct answer_list *list, const struct answer_node *node)
{
	struct pair pairs[3];
	bool couples[3];
	int place[3], count = 0;
	double square = 0.0;

	edge_of_key(list->grid, node->key, place);
	for (int a = 0; a < 3; ++a) {
		const double normal = node->surface.normal[a];
		find_pair(list, place, a, &pairs[a]);
		couples[a] = node->couples && normal * normal > LEAST_PART && pairs[a].there[0] &&
			     pairs[a].there[1] && is_whole(list->grid, place, a);
		count += couples[a];
		square += couples[a] ? normal * normal : 0.0;
	}
	for (int a = 0; a < 3; ++a)
		couples[a] = couples[a] && count > 1;
	if (count > 1)
		CHECK(add_coupled(list, node, place, pairs, couples, square));
	for (int a = 0; a < 3; ++a)
		if (!couples[a])
			CHECK(add_single(list, node, place, a, &pairs[a]));
	return SONDE_OK;
}
