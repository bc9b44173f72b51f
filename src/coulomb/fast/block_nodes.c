/* Chebyshev nodes, positions of nodes and points in a block, and the interpolation matrices. */
#include <math.h>
#include <string.h>

#include "base/constants.h"
#include "base/memory.h"
#include "coulomb/fast/blocks.h"
#include "coulomb/plan.h"

#define OFFSETS_PADDING 256u /* points of the largest work-group at a time */

static uint32_t round_up(uint32_t number, uint32_t to)
{
	return (number + to - 1) / to * to;
}

/* Node i of n in the interval from -1 to 1. */
static double node(uint32_t i, uint32_t n)
{
	return -cos(PI * (2.0 * i + 1.0) / (2.0 * n));
}

/* The polynomial that is 1 at node i and 0 at the others, evaluated at x by the barycentric formula (Berrut and
 * Trefethen, SIAM Review 46 (2004) 501, (4.2) and (5.3)). */
static double lagrange(uint32_t i, uint32_t n, double x)
{
	double above = 0.0, below = 0.0;

	for (uint32_t k = 0; k < n; ++k) {
		double distance = x - node(k, n);
		if (distance == 0.0)
			return k == i ? 1.0 : 0.0;
		double weight = (k % 2 == 0 ? 1.0 : -1.0) * sin(PI * (2.0 * k + 1.0) / (2.0 * n)) / distance;
		below += weight;
		if (k == i)
			above = weight;
	}
	return above / below;
}

/* Position of point i of m in a block of a grid. */
static double place(uint32_t i, uint32_t m)
{
	return (2.0 * i + 1.0) / m - 1.0;
}

/* A row of `points` numbers for each node: its polynomial at the points. `half`: 0 or 1, the nodes of this half;
 * -1: points of the grid. */
static void fill_matrix(uint32_t nodes, uint32_t points, int half, double *matrix)
{
	for (uint32_t i = 0; i < nodes; ++i) {
		for (uint32_t p = 0; p < points; ++p) {
			double x = half < 0 ? place(p, points) : 0.5 * (node(p, points) + 2.0 * half - 1.0);
			matrix[i * round_up(points, BLOCK_PADDING) + p] = nodes == 1 ? 1.0 : lagrange(i, nodes, x);
		}
	}
}

static void fill_offsets(const struct block_tree *tree, bool at_nodes, const uint32_t counts[3], uint32_t padded,
			 double *offsets)
{
	for (uint32_t n = 0; n < counts[0] * counts[1] * counts[2]; ++n) {
		const uint32_t index[3] = {n % counts[0], n / counts[0] % counts[1], n / counts[0] / counts[1]};
		for (int c = 0; c < 3; ++c) {
			double offset = 0.0;
			for (int k = 0; k < 3; ++k)
				if (!tree->flat[k])
					offset += 0.5 * tree->edges[k][c] *
						  (at_nodes ? node(index[k], counts[k]) : place(index[k], counts[k]));
			offsets[(size_t)c * padded + n] = offset;
		}
	}
}

sonde_status block_nodes_make(struct block_tree *tree)
{
	uint32_t halves = 0, points = 0;

	tree->node_padded = round_up(tree->node_count, OFFSETS_PADDING);
	tree->point_padded = round_up(tree->point_count, OFFSETS_PADDING);
	CHECK(memory_allocate(&tree->node_offsets, 3 * (size_t)tree->node_padded, sizeof(double), "the nodes"));
	CHECK(memory_allocate(&tree->point_offsets, 3 * (size_t)tree->point_padded, sizeof(double), "the nodes"));
	fill_offsets(tree, true, tree->nodes, tree->node_padded, tree->node_offsets);
	fill_offsets(tree, false, tree->points, tree->point_padded, tree->point_offsets);
	for (int k = 0; k < 3; ++k) {
		tree->halves_at[k] = halves;
		tree->points_at[k] = points;
		halves += tree->nodes[k] * round_up(tree->nodes[k], BLOCK_PADDING);
		points += tree->nodes[k] * round_up(tree->points[k], BLOCK_PADDING);
	}
	tree->other_half = halves;
	CHECK(memory_allocate(&tree->to_halves, 2 * (size_t)halves, sizeof(double), "the nodes"));
	CHECK(memory_allocate(&tree->to_points, points, sizeof(double), "the nodes"));
	for (int k = 0; k < 3; ++k) {
		for (int half = 0; half < 2; ++half)
			fill_matrix(tree->nodes[k], tree->nodes[k], half,
				    tree->to_halves + tree->halves_at[k] + (size_t)half * halves);
		fill_matrix(tree->nodes[k], tree->points[k], -1, tree->to_points + tree->points_at[k]);
	}
	return SONDE_OK;
}
