/* The shape of the blocks: their edges and numbers of points, chosen for a grid. */
#include <math.h>
#include <string.h>

#include "base/vectors.h"
#include "coulomb/fast/blocks.h"

#define POINTS_PER_NODE 1.5 /* along an edge: more make the nearest charges more expensive, fewer the nodes */
#define MOST_POINTS_OF_EDGE 64.0

/* Directions missing in the grid, perpendicular to the existing ones. */
static void complete_directions(const bool flat[3], double directions[3][3])
{
	for (int k = 0; k < 3; ++k) {
		const double *a = directions[(k + 1) % 3], *b = directions[(k + 2) % 3];
		bool has_a = !flat[(k + 1) % 3], has_b = !flat[(k + 2) % 3];
		double v[3] = {0.0, 0.0, 0.0};
		if (!flat[k])
			continue;
		if (has_a && has_b) {
			vector_cross(a, b, v);
		} else if (has_a || has_b) {
			/* for a line: perpendicular to it and to the axis of its smallest component */
			const double *along = has_a ? a : b;
			double other[3] = {0.0, 0.0, 0.0}, first[3];
			int least = fabs(along[0]) <= fabs(along[1]) ? 0 : 1;
			least = fabs(along[2]) < fabs(along[least]) ? 2 : least;
			other[least] = 1.0;
			vector_cross(along, other, first);
			if (has_b)
				memcpy(v, first, sizeof v);
			else
				vector_cross(along, first, v);
		} else {
			v[k] = 1.0;
		}
		double norm = vector_length(v);
		for (int c = 0; c < 3; ++c)
			directions[k][c] = v[c] / norm;
	}
}

/* Points per node along an edge. For periodic cells the largest block matters, because of the images near
 * it: it should not be much larger than the grid. */
static double points_per_node(const struct targets *targets, const double steps[3], double step,
			      const struct block_tree *tree)
{
	double longest = 0.0, best = POINTS_PER_NODE, least = INFINITY;

	if (!tree->periodic)
		return POINTS_PER_NODE;
	for (int k = 0; k < 3; ++k)
		longest = fmax(longest, (double)targets->size[k] * steps[k] / step);
	for (uint32_t points = tree->order.nodes; points <= 2 * tree->order.nodes; ++points) {
		double ratio = (double)points / tree->order.nodes, largest = points;
		while (largest < longest * (1.0 - 1e-9))
			largest *= 2.0;
		/* other lengths are slower than expected from their size */
		double cost = pow(largest / longest, 3.0) * (1.0 + fabs(log(ratio / POINTS_PER_NODE)));
		if (cost < least) {
			least = cost;
			best = ratio;
		}
	}
	return best;
}

/* Number of points of a block along each edge: as close to a cube as whole points allow. */
static void choose_points(const struct targets *targets, const double steps[3], struct block_tree *tree)
{
	double product = 1.0, edge;
	int directions = 0;

	for (int k = 0; k < 3; ++k) {
		tree->nodes[k] = tree->flat[k] ? 1 : tree->order.nodes;
		if (!tree->flat[k]) {
			product *= steps[k];
			++directions;
		}
	}
	edge = pow(product, 1.0 / directions);
	edge *= points_per_node(targets, steps, edge, tree) * tree->order.nodes;
	for (int k = 0; k < 3; ++k) {
		double most = fmin(MOST_POINTS_OF_EDGE, (double)targets->size[k]);
		tree->points[k] = tree->flat[k] ? 1 : (uint32_t)fmax(1.0, fmin(most, round(edge / steps[k])));
	}
	/* capacity of the interpolation kernel */
	for (;;) {
		uint32_t row = (tree->points[0] + BLOCK_PADDING - 1) / BLOCK_PADDING * BLOCK_PADDING;
		uint32_t nodes_row = (tree->nodes[0] + BLOCK_PADDING - 1) / BLOCK_PADDING * BLOCK_PADDING;
		row = row > nodes_row ? row : nodes_row;
		uint32_t columns = tree->points[1] > tree->nodes[1] ? tree->points[1] : tree->nodes[1];
		if (tree->nodes[2] * (tree->nodes[1] + columns) * row <= BLOCK_MOST_SCRATCH)
			break;
		int largest = tree->points[1] > tree->points[0] ? 1 : 0;
		if (tree->points[largest] <= 1)
			break;
		--tree->points[largest];
	}
	for (int k = 0; k < 3; ++k)
		tree->edges[k][0] = tree->points[k] * steps[k]; /* temporarily lengths */
	for (int k = 0; k < 3; ++k)
		if (tree->flat[k])
			tree->edges[k][0] = edge;
}

static sonde_status invert(struct block_tree *tree)
{
	for (int k = 0; k < 3; ++k) {
		double normal[3], volume = 0.0;
		vector_cross(tree->edges[(k + 1) % 3], tree->edges[(k + 2) % 3], normal);
		for (int c = 0; c < 3; ++c)
			volume += tree->edges[k][c] * normal[c];
		for (int c = 0; c < 3; ++c)
			tree->inverse[k][c] = normal[c] / volume;
	}
	return SONDE_OK;
}

sonde_status block_shape_make(const struct targets *targets, struct block_tree *tree)
{
	double directions[3][3], steps[3];

	for (int k = 0; k < 3; ++k) {
		tree->flat[k] = targets->size[k] == 1;
		steps[k] = tree->flat[k] ? 0.0 : vector_length(targets->steps[k]);
		for (int c = 0; c < 3; ++c)
			directions[k][c] = tree->flat[k] ? 0.0 : targets->steps[k][c] / steps[k];
	}
	complete_directions(tree->flat, directions);
	choose_points(targets, steps, tree);
	tree->node_count = tree->nodes[0] * tree->nodes[1] * tree->nodes[2];
	tree->point_count = tree->points[0] * tree->points[1] * tree->points[2];
	tree->orthogonal = true;
	for (int k = 0; k < 3; ++k) {
		double edge = tree->edges[k][0];
		tree->origin[k] = targets->origin[k];
		for (int c = 0; c < 3; ++c)
			tree->edges[k][c] = edge * directions[k][c];
	}
	for (int k = 0; k < 3; ++k) {
		double along = 0.0;
		for (int c = 0; c < 3; ++c) {
			along += directions[k][c] * directions[(k + 1) % 3][c];
			/* points lie in the center of their share of a block */
			if (!tree->flat[k])
				tree->origin[c] -= 0.5 * targets->steps[k][c];
		}
		tree->orthogonal &= fabs(along) < 1e-12;
	}
	return invert(tree);
}

double block_volume(const struct block_tree *tree)
{
	double normal[3];

	vector_cross(tree->edges[1], tree->edges[2], normal);
	return fabs(tree->edges[0][0] * normal[0] + tree->edges[0][1] * normal[1] + tree->edges[0][2] * normal[2]);
}
