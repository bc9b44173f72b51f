#include "fdtd/media/edge_key.h"

#include <string.h>

#include "fdtd/media/medium.h"

uint64_t edge_key(const struct fdtd_grid *grid, int component, const int node[3])
{
	const uint64_t plane = media_at(grid, 1, 0, 0), kind = (uint64_t)(component + 2) % 3;

	return (3 * (uint64_t)node[0] + kind) * plane + media_at(grid, 0, node[1], node[2]);
}

int edge_of_key(const struct fdtd_grid *grid, uint64_t key, int node[3])
{
	const uint64_t plane = media_at(grid, 1, 0, 0), row = (uint64_t)grid->cells[2] + 1;

	node[0] = (int)(key / plane / 3);
	node[1] = (int)(key % plane / row);
	node[2] = (int)(key % row);
	return (int)(key / plane + 1) % 3;
}

int edge_compare(int component_a, const int node_a[3], int component_b, const int node_b[3])
{
	const int of_a[4] = {node_a[0], (component_a + 2) % 3, node_a[1], node_a[2]},
		  of_b[4] = {node_b[0], (component_b + 2) % 3, node_b[1], node_b[2]};
	int n = 0;

	while (n < 3 && of_a[n] == of_b[n])
		++n;
	return (of_a[n] > of_b[n]) - (of_a[n] < of_b[n]);
}

bool edge_key_go(const struct fdtd_grid *grid, const int node[3], int axis, int steps, int to[3])
{
	const int cells = grid->cells[axis];

	memcpy(to, node, 3 * sizeof *to);
	to[axis] += steps;
	if (grid->walls[axis][0] == WALL_PERIODIC)
		to[axis] = (to[axis] % cells + cells) % cells;
	return to[axis] >= 0 && to[axis] <= cells;
}
