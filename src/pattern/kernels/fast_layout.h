/* The layout of the data of the fast method's kernels, shared by kernels and host. */
#ifndef SONDE_PATTERN_KERNELS_FAST_LAYOUT_H
#define SONDE_PATTERN_KERNELS_FAST_LAYOUT_H

#define WINDOW_MOST_WIDTH 16u  /* mesh points */
#define WINDOW_MOST_DEGREE 24u /* of its polynomials */
#define MESH_ROOM 16u          /* numbers after each row of a mesh, which kernels may access */
#define INTERPOLATED 64u       /* points of a work-group */

/* frame: the degree, the widths along x, y and z (1 where the mesh has one point), and rows of WINDOW_MOST_WIDTH coefficients of the
 * window's polynomials, highest power first */
enum { FRAME_DEGREE, FRAME_WIDTHS, FRAME_ROWS = 4 };
#define FRAME_NUMBERS (FRAME_ROWS + (WINDOW_MOST_DEGREE + 1u) * WINDOW_MOST_WIDTH)

/* of an atom: x, y, z in mesh points, and its factor */
enum { ATOM_PLACE, ATOM_REAL = 3, ATOM_IMAGINARY, ATOM_NUMBERS };

#endif
