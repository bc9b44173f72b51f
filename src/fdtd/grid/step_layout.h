/* Layout shared by the host and the kernels of the steps.
 *
 * Fields have `before` unused numbers, then three components of `volume` numbers, each of planes of `plane` and rows
 * of `row` numbers. One plane lies before plane 0, and there is room after the last node of each axis (of y only if it
 * is not uniform): so a neighbor is always a fixed number of places away, and the field beyond a wall (0, the other
 * side's field, or the mirrored one) is stored there. E has it after the last node, H before the first one: that of a
 * row is the last place of the row before. Between conductors along z the fields beyond them are not needed: there
 * rows may end with the last cell. */
#ifndef SONDE_FDTD_GRID_STEP_LAYOUT_H
#define SONDE_FDTD_GRID_STEP_LAYOUT_H

#include "device/kernel.h"

/* Numbers of each axis in the profile, for all its nodes one after the other: Courant number over kappa, then b and c
 * of the convolution; at the nodes, where derivatives of H are taken, and at the midpoints after them, for those of
 * E. */
#define PROFILE_SCALE 0u
#define PROFILE_B 1u
#define PROFILE_C 2u
#define PROFILE_KINDS 3u

/* Cells that a kernel steps on GPUs. Those with layers have some of `axis`, and possibly of later axes, never of an
 * earlier one. Its work-items are arranged along z, 2^items_log of them, then along y; a group goes through
 * 2^planes_log planes. Along z a box may leave out `gap` cells after the first `split` ones. `overlap`: of the work-items
 * along z, the first and the last one only pass on what their neighbors need, and have the cells of other groups. */
struct fdtd_box {
	u32 begin[3], end[3], split, gap;
	u32 items_log, chunks_of_row, groups_of_plane, planes_log, axis, overlap;
};

/* First the boxes with layers and walls. Then the inside: none of its cells, nor the neighbors of any, is in a layer,
 * beyond the first wall or on a magnetic one; divided in one way for half steps, in another for whole steps. */
#define BOXES_AROUND 5u /* from 0 on */
#define BOX_OF_HALF_STEPS 5u
#define BOX_OF_WHOLE_STEPS 6u
#define BOXES 7u

struct fdtd_step {
	u64 before, volume, plane, row;
	u64 to_next_row; /* numbers; 0 if y is uniform, for which one row suffices */
	u64 node_profile[3], half_profile[3], profile_length[3];
	/* absorbing layers along an axis: nodes before low, and from high on. Their convolutions
	 * plane after plane: of E for the component of the next axis, then for that of the one after it, psi_size
	 * each, then those of H; only the layers' nodes have places. So all of a plane are side by side (streaming.h).
	 * Those along z are widened to whole registers or loads; the places outside the layer stay 0. */
	u64 e_psi[3], h_psi[3], psi_size[3], psi_plane[3], psi_row[3];
	u32 psi_planes[3], low[3], high[3];
	u32 first[3], end[3]; /* nodes at which E along the walls is stepped */
	u32 rows_of_group, groups_of_plane;
	u32 planes_of_group; /* more than one if a plane is one group */
	u32 index_bytes;     /* of the number of a medium; 0: vacuum everywhere */
	u32 row_segments;
	u32 planes, rows;             /* of a component, of a plane: including those beyond the walls */
	struct fdtd_box boxes[BOXES]; /* of GPUs */
	u32 electric, magnetic;       /* whether E and H have media; numbers are of one table */
	u32 components[2];            /* components of E, of H, that are stepped, one bit each; others stay 0 */
};

/* Walls of tiles on CPUs (kernels/step_tile.k), one bit each: magnetic ones of an axis at either side; and whether z is
 * periodic. */
#define TILE_MIRRORS(axis, side) (1u << (2u * (axis) + (side)))
#define TILE_PERIODIC_ALONG_Z 64u
/* and whether only one of the fields is stepped */
#define TILE_WITHOUT_H 128u
#define TILE_WITHOUT_E 256u

/* Media are pairs of numbers: field = first field + second (rot of the other field). */
#define MEDIUM_NUMBERS 2u

/* Most rows pass through few media: for each segment of a row, the medium of all its cells, or MIXED. */
#define SEGMENT 64u
#define MIXED 0xffffu

#endif
