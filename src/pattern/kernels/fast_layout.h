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

/* Kernels for GPUs ------------------------------------------------------------------------------------------- */

/* atoms or points that a work-group processes at a time, and its work-items for each point */
#define FAST_BATCH 32u
#define POINT_ITEMS 4u
#define CHECK_ATOMS 16384u /* of a work-group that checks a point */
#define ADDED_POINTS 256u  /* of a work-group that adds amplitudes, or squares them */

/* of an atom: its position relative to the center of the sample, and the bits of the number of its class */
enum { SOURCE_POSITION, SOURCE_CLASS = 3, SOURCE_NUMBERS };

/* Of copies: the center of the sample, and of each copy its position and the rows of its rotation. */
enum { COPIES_CENTER, COPIES_PLACES = 3 };
enum { COPY_POSITION, COPY_ROTATION = 3, COPY_NUMBERS = 12 };

/* Of a deposit: for each axis its direction, the center of the atoms, mesh points per length (0: one point), the points after which
 * the mesh repeats itself (0: never), and the number of the first point; then the middle of the wave vectors, the power of the
 * coordinate along the third axis over half the extent, the inverse of that half, and the integer that stands for 1. */
enum { AXIS_DIRECTION, AXIS_CENTER = 3, AXIS_SCALE, AXIS_PERIOD, AXIS_FIRST, AXIS_NUMBERS };
enum {
	DEPOSIT_MIDDLE = 3 * AXIS_NUMBERS,
	DEPOSIT_MOMENT = DEPOSIT_MIDDLE + 3,
	DEPOSIT_INVERSE_HALF,
	DEPOSIT_UNIT,
	DEPOSIT_NUMBERS
};
/* numbers of local memory: weights along three axes, factors, positions between two points, first points */
#define DEPOSIT_LOCAL (FAST_BATCH * (3u * WINDOW_MOST_WIDTH + 2u + 3u) + FAST_BATCH * 3u)
#define GATHER_LOCAL (FAST_BATCH * (3u * WINDOW_MOST_WIDTH + 3u + 2u * POINT_ITEMS) + FAST_BATCH * 3u)

/* Of a Fourier transform of lines along an axis: the size; points of the mesh, waves, and the places of the first of each; the bits of a
 * real number, of what 1 stands for in a mesh of integers, or 0; whether lines are next to each other in memory, rather than the
 * numbers of a line; lines of a work-group, and of one outer index; work-groups of one outer index; strides in complex numbers from
 * one outer index, line, and number to the next; the stages, and the radix of each. */
enum {
	LINE_SIZE,
	LINE_NODES,
	LINE_WAVES,
	LINE_FIRST_NODE,
	LINE_FIRST_WAVE,
	LINE_INTEGERS,
	LINE_ADJACENT,
	LINE_TOGETHER,
	LINE_COUNT,
	LINE_GROUPS,
	LINE_IN_OUTER,
	LINE_IN_LINE,
	LINE_IN_NUMBER,
	LINE_OUT_OUTER,
	LINE_OUT_LINE,
	LINE_OUT_NUMBER,
	LINE_STAGES,
	LINE_RADICES,
	LINE_NUMBERS = LINE_RADICES + 20
};

/* Of a box: the rows u, v, w of its basis, and the values of l, k, and h. */
enum { BOX_BASIS, BOX_VALUES = BOX_BASIS + 9 };
/* Of a table of a function of q: range and parts, and coefficients, [part][coefficient]. */
#define TABLE_COEFFICIENTS 8u
enum { TABLE_LOW, TABLE_SCALE, TABLE_PARTS, TABLE_VALUES };
/* Of a block of a box: the sizes of the box along l, k, and h; the axis of the mesh along which points are next to each other in the box;
 * for each axis of the mesh its points, the number of the first one in the box, points of the box from one to the next, the axis of the
 * box, and waves from one to the next. */
#define BLOCK_TOGETHER 8u
enum {
	BLOCK_SIZES,
	BLOCK_LINES = BLOCK_SIZES + 3,
	BLOCK_COUNTS,
	BLOCK_BEGINS = BLOCK_COUNTS + 3,
	BLOCK_STRIDES = BLOCK_BEGINS + 3,
	BLOCK_AXES = BLOCK_STRIDES + 3,
	BLOCK_STEPS = BLOCK_AXES + 3,
	BLOCK_NUMBERS = BLOCK_STEPS + 3
};

#endif
