/* The blocks of the fast sum.
 *
 * Blocks of points[k] points along each step tile the grid (level 0); blocks of level l + 1 are twice as long in
 * every direction, up to one that holds the whole grid. The potential of charges far from a block is smooth in it: it
 * is computed at a few Chebyshev nodes and interpolated (by a polynomial through the nodes in each direction), first
 * to the nodes of the block's halves, where that of nearer charges is added, and finally to the points of the grid,
 * where that of the nearest charges is added. So every charge is included at the coarsest level where it is far
 * enough.
 *
 * Far: beyond `reach` half diagonals from the center of the block. This is decided for whole cells, cells_of_block of
 * them along each edge of a block, so that all blocks of a level (of 8 kinds, by their position in the next larger
 * block) have the same pattern of charges: rows of cells, whose charges are contiguous in memory.
 *
 * Along a step with a single point, blocks have the lengths of the other directions and one node.
 */
#ifndef SONDE_COULOMB_FAST_BLOCKS_H
#define SONDE_COULOMB_FAST_BLOCKS_H

#include "coulomb/charges.h"
#include "coulomb/kernels/block_layout.h"
#include "coulomb/periodic/cell.h"
#include "coulomb/plan.h"
#include "coulomb/targets/targets.h"

#define BLOCKS_MOST_LEVELS 40

/* Accuracy: Chebyshev nodes along an edge, and the least distance of far charges, in half diagonals of a block. */
struct block_order {
	uint32_t nodes;
	double reach;
	double error; /* approximate root mean square relative to the potential */
};

/* Rows of cells relative to the first cell of a block: for each z and y from `first` on those from begin to end -
 * 1; none where end <= begin. */
struct cell_rows {
	int first_y, first_z, count_y, count_z;
	int *begin, *end;
	int low[3], high[3]; /* bounds of all of them; `high` is exclusive */
};

struct block_level {
	uint32_t blocks[3], cells_of_block;
	int64_t first_cell[3]; /* cells are numbered from that of block 0 */
	uint32_t cells[3];
	uint32_t charge_count;
	double *charges;       /* x, y, z, and the charge in each set, of charges within the cells, sorted by cell */
	uint32_t *starts;      /* the first charge of each cell, and the end */
	uint32_t *rows;        /* offset and length of each row of far cells */
	uint32_t row_first[9]; /* of each kind of blocks */
};

struct block_tree {
	struct block_order order;
	int level_count;
	uint32_t sets; /* of charges */
	struct block_level levels[BLOCKS_MOST_LEVELS];
	uint32_t *near_rows, near_row_count; /* of level 0: charges added directly at the points */
	uint32_t nodes[3], points[3], node_count, point_count;
	uint32_t node_padded, point_padded;   /* offsets of nodes and points for each of x, y, z */
	double *node_offsets, *point_offsets; /* from the center of a block of level 0, Angstrom */
	double *to_halves, *to_points;        /* interpolation: block_interpolate.k's matrices */
	uint32_t halves_at[3], other_half;    /* their start, and the offset of those for second halves */
	uint32_t points_at[3];
	double origin[3],
	    edges[3]
		 [3]; /* of block 0 of level 0: its first corner (at the point itself along steps with one point) */
	double inverse[3][3]; /* block coordinates of a position: inverse (position - origin) */
	bool flat[3];         /* one point along this step */
	bool orthogonal;
	struct charges images; /* of periodic charges, near the block of the highest level */
	bool periodic;         /* the charges are periodic */
	double *highest;       /* values at the nodes of the highest level; null: to be summed over all far charges */
	double charges_of_block; /* at level 0, on average */
};

/* Sorts the charges and determines the patterns; `tree` is to be freed by block_tree_free(). With `cell` the
 * charges are periodic, and the values at the nodes of the highest level, due to all charges not near its block,
 * must be given as `highest`. */
sonde_status block_tree_make(const sonde_context *context, const struct charges *charges,
			     const struct targets *targets, const struct cell *cell, const struct block_order *order,
			     struct block_tree *tree);
void block_tree_free(struct block_tree *tree);
/* Number of pairs of charges with nodes and points in the sums, from a sample of the blocks. */
double block_tree_evaluations(const struct block_tree *tree);
/* Bytes of its host memory. */
double block_tree_bytes(const struct block_tree *tree);

/* The first cell of block 0, 0, 0 at the level, and the number of cells from block to block; both wrap around. */
void block_level_strides(const struct block_tree *tree, const struct block_level *level, uint32_t *cell,
			 uint32_t strides[3]);

/* Parts of block_tree_make(). Edges, numbers of nodes and points, and the volume of a block of level 0: */
sonde_status block_shape_make(const struct targets *targets, struct block_tree *tree);
double block_volume(const struct block_tree *tree);
/* Nodes, offsets, and matrices: */
sonde_status block_nodes_make(struct block_tree *tree);
/* The cells near a block with `cells` cells along an edge. */
sonde_status block_near_cells(const struct block_tree *tree, uint32_t cells, struct cell_rows *near);
void cell_rows_free(struct cell_rows *rows);
/* Whether a cell is one of them. */
bool cell_rows_hold(const struct cell_rows *rows, const int cell[3]);
/* The rows of a level: cells near the next larger block (null: all cells) but not near the block itself. Also
 * lists the near rows of level 0. */
sonde_status block_rows_make(struct block_tree *tree, int level, const struct cell_rows *near_parent,
			     uint32_t cells_of_parent, const struct cell_rows *near);

#endif
