/* The grid of Yee's scheme as the engine steps it, in units of its own: lengths in cells, time in steps, and eta_0 H
 * for H, so that both fields have one unit and the only constants left are Courant numbers c dt/Delta.
 *
 * Cells 0 to N - 1 along each axis, nodes 0 to N. E lies on edges, H on faces:
 *     Ex(i + 1/2, j, k), Hx(i, j + 1/2, k + 1/2), and the others by cyclic permutation of x, y, z.
 * Planes of constant x are the units of work; z runs fastest in memory. */
#ifndef SONDE_FDTD_GRID_GRID_H
#define SONDE_FDTD_GRID_GRID_H

#include <stdbool.h>

#include "fdtd/grid/absorbing_layer.h"

/* Boundary at the first and the last node of an axis. Absorbing layers lie in front of conductors. */
enum fdtd_wall {
	WALL_CONDUCTOR, /* E along the wall is 0 */
	WALL_MAGNETIC,  /* H along the wall is 0: a plane of symmetry of E */
	WALL_PERIODIC   /* equal to the first node; both walls of an axis */
};

struct fdtd_grid {
	int cells[3];
	double courant[3]; /* c dt/Delta; 0 along uniform axes, which have one cell and are periodic */
	enum fdtd_wall walls[3][2];
	struct absorbing_layer layers[3][2];
	bool bloch;      /* fields are complex (fields.h), and along periodic axes gain a phase: */
	double phase[3]; /* F(r + L) = exp(i phase) F(r); 0 without `bloch` and along other axes */
	bool in_words;   /* fields are stored in 16 bits (kernels/stored.h), and calculated in float32 */
};

/* SONDE_INVALID for steps that are not stable (sum of the squares of the Courant numbers above 1: Taflove and Hagness
 * (2005), 4.54), for layers that overlap or lie at walls other than conductors, for periodic walls without a partner,
 * for phases along non-periodic axes. */
sonde_status grid_check(const struct fdtd_grid *grid);

/* Whether nothing depends on the place along an axis. */
static inline bool grid_is_uniform(const struct fdtd_grid *grid, int axis)
{
	return grid->courant[axis] == 0.0;
}

/* The sum of the squares of the Courant numbers: at most 1 if steps in a vacuum are stable. */
double grid_courant_squares(const struct fdtd_grid *grid);

/* Whether a side of an axis is a mirror: a conductor without a layer in front of it, or a magnetic wall. */
bool grid_mirrors(const struct fdtd_grid *grid, int axis, int side);

/* Along an axis, nodes at which E along the walls is stepped: from this one on ... */
int grid_first_node(const struct fdtd_grid *grid, int axis);
/* ... and before this one. */
int grid_end_node(const struct fdtd_grid *grid, int axis);

#endif
